"""Whose turn it is, and what has been announced."""

from collections.abc import Mapping
from dataclasses import dataclass

from app.i18n import gettext
from app.matches.pages import MatchPage
from app.rules.el_grande.view import ElGrandeView
from app.rules.game import Seat
from app.web.boards.el_grande_cards import card_words, find_card
from app.web.boards.el_grande_draft import special_words
from app.web.boards.el_grande_words import anded
from app.web.boards.over import over_lines
from app.web.boards.seats import Who


@dataclass(frozen=True, slots=True)
class Standing:
    """Whose turn it is, as the head of the turn panel says it."""

    key: str
    title: str
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Announcement:
    """A special action that waits for answers: whose, what, and what may still come."""

    who: Who
    title: str
    words: str
    may_veto: str
    may_choose: str


def draw_standing(page: MatchPage, seats: Mapping[Seat, Who]) -> Standing:
    """Return whose turn it is, as far as the viewer may know."""
    view: ElGrandeView = page.base_view
    if page.status != "running":
        return Standing("over", gettext("The match is over"), over_lines(page))
    if page.seat is not None and page.seat in page.asked:
        return Standing("mine", _my_title(page, view))
    lines: list[str] = []
    if page.seat is not None and page.answer is not None:
        lines.append(gettext("Your answer is in. You can still change it."))
    if page.seat is None:
        lines.append(gettext("You are watching this match."))
    elif not lines:
        lines.append(gettext("You can look around; the board follows by itself."))
    return Standing("watching" if page.seat is None else "waiting", _title(page, seats), (*lines,))


def _my_title(page: MatchPage, view: ElGrandeView) -> str:
    if view.phase == "power":
        return gettext("Your power card")
    if view.phase == "disc":
        return gettext("Your disc")
    if view.phase == "answers":
        return gettext("Your answer")
    return gettext("Your turn")


def _title(page: MatchPage, seats: Mapping[Seat, Who]) -> str:
    view: ElGrandeView = page.base_view
    if view.phase == "disc":
        waiting = [seats[seat].name for seat in sorted(page.asked)]
        return gettext("Waiting for the disc of %(names)s", names=anded(waiting))
    if view.phase == "answers":
        # Who is asked and who has answered may be secret: only what is public is said.
        return gettext("Waiting for answers")
    if view.phase == "power" and view.asked:
        return gettext("%(name)s plays a power card", name=seats[view.asked[0]].name)
    if view.turn is not None:
        return gettext("%(name)s’s turn", name=seats[view.turn.seat].name)
    return gettext("A moment")


def announced(page: MatchPage, seats: Mapping[Seat, Who]) -> Announcement | None:
    """Return the special action that waits for answers, by public facts alone."""
    view: ElGrandeView = page.base_view
    turn = view.turn
    if view.phase != "answers" or turn is None or turn.card is None or page.status != "running":
        return None
    card = card_words(find_card(view, turn.card))
    # What is done as the card says needs no words beside its title.
    words = (
        special_words(turn.special, view, seats)
        if turn.special is not None and turn.special.kind != "do"
        else ""
    )
    holders = [seats[seat].name for seat in view.holders if seat != page.seat]
    # The viewer comes first: a list without them would say that nothing is asked of them.
    choosing = [gettext("you")] if page.seat in view.questioned else []
    choosing += [seats[seat].name for seat in view.questioned if seat != page.seat]
    return Announcement(
        who=seats[turn.seat],
        title=card.title,
        words=words,
        may_veto=gettext("A Veto may still come: %(names)s could.", names=anded(holders))
        if holders
        else "",
        may_choose=gettext("To choose: %(names)s.", names=anded(choosing)) if choosing else "",
    )
