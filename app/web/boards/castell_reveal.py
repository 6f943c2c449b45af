"""A festival revealed: all its towers side by side, and who takes what."""

from collections.abc import Mapping
from dataclasses import dataclass

from app.i18n import gettext, ngettext
from app.matches.pages import MatchPage
from app.rules.castell.components import PRIZES, Prize, Tower
from app.rules.castell.edition import Edition
from app.rules.castell.events import FestivalHeld
from app.rules.castell.towers import castellers_in
from app.rules.castell.view import CastellView, FestivalView
from app.rules.game import Seat
from app.web.boards.castell_tower import TowerDrawing, side_by_side
from app.web.boards.castell_words import anded
from app.web.boards.opened import Opened
from app.web.boards.seats import Who, who_is_who


@dataclass(frozen=True, slots=True)
class Entry:
    """One tower of a festival, and what it won."""

    who: Who
    is_me: bool
    highest: bool
    drawing: TowerDrawing
    levels: int
    matching: tuple[tuple[int, int], ...]
    score: int
    prize: Prize | None
    tokens: tuple[int, ...]
    words: str


@dataclass(frozen=True, slots=True)
class Reveal:
    """A festival that has been held, the best tower first; `lost` tokens went to nobody."""

    round: int
    region: str
    name: str
    tokens: tuple[int, ...]
    entries: tuple[Entry, ...]
    lost: tuple[int, ...]
    headline: str


@dataclass(frozen=True, slots=True)
class RevealCard:
    """The festivals of `round`, laid over the board of a seat that has not seen them yet.

    `go_on` is what comes next; empty when the match is over.
    """

    round: int
    reveals: tuple[Reveal, ...]
    prize_words: Mapping[Prize, str]
    go_on: str


def draw_reveal(page: MatchPage, opened: Opened) -> RevealCard | None:
    """Return the festivals that were held since the seat's last commit, if any had a tower.

    None once they are put aside, or as soon as the seat does something: opens a
    region or an action, or drafts.
    """
    held = revealed(page)
    if page.seat is None or opened.seen >= held or not opened.nothing or page.draft.lines:
        return None
    shown = reveals(page, held)
    if not any(reveal.entries for reveal in shown):
        return None
    go_on = (
        gettext("On with your turn") if page.seat in page.asked else gettext("On with the match")
    )
    return RevealCard(
        held,
        shown,
        prize_worths(page.base_view.values),
        "" if page.status != "running" else go_on,
    )


def revealed(page: MatchPage) -> int:
    """Return the last round whose festivals are among the news, 0 if none are."""
    held = [entry.event.round for entry in page.since if isinstance(entry.event, FestivalHeld)]
    return max(held, default=0)


def prize_word(prize: Prize) -> str:
    """Return a prize with its article, standing alone."""
    return {
        "trophy": gettext("the trophy"),
        "medal": gettext("the medal"),
        "ribbon": gettext("the ribbon"),
    }[prize]


def prize_worths(values: Edition) -> Mapping[Prize, str]:
    """Return every prize with what it is worth at the end."""
    return {
        prize: ngettext(
            "%(prize)s, %(n)s point",
            "%(prize)s, %(n)s points",
            values.points_of(prize),
            prize=prize_word(prize),
        )
        for prize in PRIZES
    }


def reveals(page: MatchPage, round_: int) -> tuple[Reveal, ...]:
    """Return the festivals of `round_` that have been held, in calendar order."""
    view: CastellView = page.base_view
    people = who_is_who(page.seats)
    return tuple(
        _reveal(page, view, number.number, festival, people)
        for number in view.calendar
        if number.number == round_
        for festival in number.festivals
        if festival.resolved
    )


def _reveal(
    page: MatchPage,
    view: CastellView,
    round_: int,
    festival: FestivalView,
    people: Mapping[Seat, Who],
) -> Reveal:
    name = next(region.name for region in view.regions if region.id == festival.region)
    drawings = side_by_side([tower for _, tower, _ in festival.towers])
    prizes = dict(festival.prizes)
    entries = tuple(
        Entry(
            who=people[seat],
            is_me=seat == page.seat,
            highest=score == festival.towers[0][2],
            drawing=drawing,
            levels=len(tower),
            matching=_matching(tower, festival.tokens),
            score=score,
            prize=prizes.get(seat),
            tokens=tuple(size for size, winner in festival.token_winners if winner == seat),
            words=sum_words(tower, festival.tokens),
        )
        for (seat, tower, score), drawing in zip(festival.towers, drawings, strict=True)
    )
    return Reveal(
        round=round_,
        region=festival.region,
        name=name,
        tokens=festival.tokens,
        entries=entries,
        lost=tuple(size for size, winner in festival.token_winners if winner is None),
        headline=_headline(name, entries),
    )


def _headline(name: str, entries: tuple[Entry, ...]) -> str:
    if not entries:
        return gettext("Nobody performed in %(region)s", region=name)
    first = [entry for entry in entries if entry.score == entries[0].score]
    if len(first) > 1:
        names = anded([gettext("you") if entry.is_me else entry.who.name for entry in first])
        return gettext("%(region)s: a tie between %(names)s", region=name, names=names)
    if first[0].is_me:
        return gettext("%(region)s is yours", region=name)
    return gettext("%(name)s wins in %(region)s", name=first[0].who.name, region=name)


def _matching(tower: Tower, tokens: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    counts = castellers_in(tower)
    return tuple((size, counts[size - 1]) for size in tokens)


def sum_words(tower: Tower, tokens: tuple[int, ...]) -> str:
    """Say how a score comes about: `6 levels + 3 of size 7`."""
    parts = [ngettext("%(n)s level", "%(n)s levels", len(tower))]
    parts += [
        gettext("%(count)s of size %(size)s", count=count, size=size)
        for size, count in _matching(tower, tokens)
    ]
    return " + ".join(parts)
