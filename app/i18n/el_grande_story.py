"""What has happened in a match of El Grande, event by event."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from app.i18n import gettext as _
from app.i18n import ngettext
from app.i18n.el_grande_cards import card_words
from app.i18n.el_grande_words import area_name, caballeros, counted, counted_from
from app.i18n.lists import listed
from app.rules.el_grande.components import COURT
from app.rules.el_grande.edition import Card
from app.rules.el_grande.events import (
    Added,
    Announced,
    Answered,
    AnswersOpened,
    AreaScored,
    BoardMoved,
    CardTaken,
    CastilloEmptied,
    Courted,
    DiscChosen,
    DiscsRevealed,
    GrandeMoved,
    KingMoved,
    MatchEnded,
    Moved,
    Placed,
    Planned,
    PowerPlayed,
    Recalled,
    Refilled,
    Returned,
    RoundEnded,
    RoundStarted,
    ScoringBegan,
    SpecialSkipped,
    Started,
    Took,
    Vetoed,
)
from app.rules.el_grande.moves import Shift, Special
from app.rules.el_grande.view import ElGrandeView
from app.rules.game import Seat


@dataclass(frozen=True, slots=True)
class _Telling:
    """Who is told: what the seats are called, which one is *you*, what the cards say."""

    names: Mapping[Seat, str]
    me: Seat | None
    cards: Mapping[str, Card]

    def card(self, card: str) -> str:
        """Return a card's title, or its id where that is all one knows."""
        return card_words(self.cards[card])[0] if card in self.cards else card

    def name(self, seat: Seat) -> str:
        """Return a seat's name in the middle of a sentence."""
        return _("you") if seat == self.me else self.names[seat]

    def say(self, seat: Seat, you: str, other: str) -> str:
        """Return the sentence that speaks to `seat` or the one that speaks of it."""
        return you if seat == self.me else other


_Story: TypeAlias = Callable[[Any, _Telling], str | None]


def story(
    event: Any,
    names: Mapping[Seat, str],
    *,
    me: Seat | None = None,
    view: ElGrandeView | None = None,
) -> str | None:
    """Return `event` as one or more sentences, or None if there is nothing to tell.

    `me` is spoken to as *you*; `view`, any position of the match, knows the cards.
    """
    tell = _STORIES.get(type(event))
    cards = {card.id: card for card in view.values.cards} if view else {}
    return tell(event, _Telling(names, me, cards)) if tell else None


def _started(event: Started, to: _Telling) -> str:
    return to.say(
        event.first,
        _("The match begins; you go first."),
        _("The match begins; %(name)s goes first.", name=to.names[event.first]),
    )


def _round(event: RoundStarted, to: _Telling) -> str:
    said = {"round": event.round, "name": to.names[event.first]}
    return to.say(
        event.first,
        _("Round %(round)s begins; you go first.", **said),
        _("Round %(round)s begins; %(name)s goes first.", **said),
    )


def _power(event: PowerPlayed, to: _Telling) -> str:
    said = {"value": event.value, "name": to.names[event.seat]}
    return to.say(
        event.seat,
        _("You play power card %(value)s.", **said),
        _("%(name)s plays power card %(value)s.", **said),
    )


def _took(event: Took, to: _Telling) -> str | None:
    if not event.count:
        return None
    said = {"count": caballeros(event.count), "name": to.names[event.seat]}
    return to.say(
        event.seat,
        _("You bring %(count)s from the province to the court.", **said),
        _("%(name)s brings %(count)s from the province to the court.", **said),
    )


def _refilled(event: Refilled, to: _Telling) -> str:
    said = {"list": counted_from(event.sources), "name": to.names[event.seat]}
    return to.say(
        event.seat,
        _("Your province is empty: you bring %(list)s to the court.", **said),
        _("The province of %(name)s is empty: %(list)s come to the court.", **said),
    )


def _card(event: CardTaken, to: _Telling) -> str:
    said = {"card": to.card(event.card), "name": to.names[event.seat]}
    return to.say(
        event.seat,
        _("You take the card “%(card)s”.", **said),
        _("%(name)s takes the card “%(card)s”.", **said),
    )


def _placed(event: Placed, to: _Telling) -> str | None:
    if not event.to:
        return None
    said = {"list": counted(event.to), "name": to.names[event.seat]}
    return to.say(
        event.seat,
        _("You place %(list)s.", **said),
        _("%(name)s places %(list)s.", **said),
    )


def _planned(event: Planned, to: _Telling) -> str | None:
    if not event.to:
        return None
    said = {"list": counted(event.to), "name": to.names[event.seat]}
    return to.say(
        event.seat,
        _("You plan to place %(list)s.", **said),
        _("%(name)s plans to place %(list)s.", **said),
    )


def _skipped(event: SpecialSkipped, to: _Telling) -> str:
    return to.say(
        event.seat,
        _("You leave out the special action."),
        _("%(name)s leaves out the special action.", name=to.names[event.seat]),
    )


def _announced(event: Announced, to: _Telling) -> str | None:
    if not event.sealed:
        return None  # What it brings about follows at once.
    said = {"card": to.card(event.card), "name": to.names[event.seat]}
    told = to.say(
        event.seat,
        _("You announce the special action of “%(card)s”.", **said),
        _("%(name)s announces the special action of “%(card)s”.", **said),
    )
    return " ".join(part for part in (told, _wanted(event.special, to)) if part)


def _wanted(special: Special, to: _Telling) -> str:
    match special.kind:
        case "move":
            return _("To move: %(moves)s.", moves=_shifts(special.moves, to))
        case "add":
            return _("To place: %(list)s.", list=counted(special.areas))
        case "return":
            owners = [
                _("%(name)s in %(area)s", name=to.name(owner), area=area_name(region))
                for owner, region in special.owners
            ]
            return _("To return one of: %(owners)s.", owners=listed(owners))
        case "court" if special.areas:
            return _("From regions: %(list)s.", list=counted_from(special.areas))
        case "do" | "court" | "recall":
            return ""
    return _("Chosen: %(area)s.", area=area_name(special.area))


def _shifts(moves: Iterable[Shift], to: _Telling) -> str:
    return listed(
        _(
            "%(count)s of %(name)s from %(origin)s to %(target)s",
            count=count,
            name=to.name(owner),
            origin=area_name(origin),
            target=area_name(target),
        )
        for owner, origin, target, count in moves
    )


def _disc(event: DiscChosen, to: _Telling) -> str:
    return _set_disc(event.seat, event.region, to)


def _set_disc(seat: Seat, region: str, to: _Telling) -> str:
    said = {"region": area_name(region), "name": to.names[seat]}
    return to.say(
        seat,
        _("You set your disc to %(region)s.", **said),
        _("%(name)s has set the disc to %(region)s.", **said),
    )


def _opened(event: AnswersOpened, to: _Telling) -> str:
    parts = []
    if event.holders:
        names = listed(map(to.name, event.holders))
        parts.append(_("A Veto could come from: %(names)s.", names=names))
    if event.questioned:
        names = listed(map(to.name, event.questioned))
        parts.append(_("It concerns: %(names)s.", names=names))
    return " ".join(parts)


def _answered(event: Answered, to: _Telling) -> str:
    if event.answer == "disc":
        return _set_disc(event.seat, event.region, to)
    said = {"list": counted_from(event.sources), "name": to.names[event.seat]}
    if event.answer == "return":
        return to.say(
            event.seat,
            _("You choose to return %(list)s.", **said),
            _("%(name)s chooses to return %(list)s.", **said),
        )
    return to.say(
        event.seat,
        _("You let it happen."),
        _("%(name)s lets it happen.", **said),
    )


def _vetoed(event: Vetoed, to: _Telling) -> str:
    said = {"card": to.card(event.card), "name": to.names[event.seat]}
    return to.say(
        event.seat,
        _("You veto “%(card)s”: its special action does not happen.", **said),
        _("%(name)s vetoes “%(card)s”: its special action does not happen.", **said),
    )


def _discs(event: DiscsRevealed, to: _Telling) -> str:
    discs = [
        _("%(name)s: %(area)s", name=to.name(seat), area=area_name(region))
        for seat, region in event.discs
    ]
    return _("The discs show: %(discs)s.", discs=", ".join(discs))


def _moved(event: Moved, to: _Telling) -> str:
    said = {"moves": _shifts(event.moves, to), "name": to.names[event.seat]}
    return to.say(
        event.seat,
        _("You move %(moves)s.", **said),
        _("%(name)s moves %(moves)s.", **said),
    )


def _added(event: Added, to: _Telling) -> str:
    said = {"list": counted(event.to), "name": to.names[event.seat]}
    return to.say(
        event.seat,
        _("You place in addition: %(list)s.", **said),
        _("%(name)s places in addition: %(list)s.", **said),
    )


def _returned(event: Returned, to: _Telling) -> str:
    returned: dict[Seat, list[tuple[str, int]]] = {}
    for owner, area, count in event.returned:
        returned.setdefault(owner, []).append((area, count))
    owners = [
        _("%(name)s: %(list)s", name=to.name(owner), list=counted_from(tuple(counts)))
        for owner, counts in returned.items()
    ]
    return _("Back to the province: %(owners)s.", owners="; ".join(owners))


def _king(event: KingMoved, to: _Telling) -> str:
    said = {"region": area_name(event.region), "name": to.names[event.seat]}
    return to.say(
        event.seat,
        _("You move the King to %(region)s.", **said),
        _("%(name)s moves the King to %(region)s.", **said),
    )


def _board(event: BoardMoved, to: _Telling) -> str:
    said = {
        "board": event.board,
        "region": area_name(event.region),
        "name": to.names[event.seat],
    }
    return to.say(
        event.seat,
        _("You put mobile scoreboard %(board)s on %(region)s.", **said),
        _("%(name)s puts mobile scoreboard %(board)s on %(region)s.", **said),
    )


def _grande(event: GrandeMoved, to: _Telling) -> str:
    said = {"region": area_name(event.region), "name": to.names[event.seat]}
    return to.say(
        event.seat,
        _("You move your Grande to %(region)s.", **said),
        _("%(name)s moves the Grande to %(region)s.", **said),
    )


def _courted(event: Courted, to: _Telling) -> str:
    province = [_("%(count)s from the province", count=event.province)] if event.province else []
    regions = [counted_from(event.sources)] if event.sources else []
    said = {"list": listed((*province, *regions)), "name": to.names[event.seat]}
    return to.say(
        event.seat,
        _("You bring to the court: %(list)s.", **said),
        _("%(name)s brings to the court: %(list)s.", **said),
    )


def _recalled(event: Recalled, to: _Telling) -> str:
    said = {"value": event.value, "name": to.names[event.seat]}
    if event.value is None:
        return _("%(name)s takes a power card back into the hand.", **said)
    return to.say(
        event.seat,
        _("You take power card %(value)s back into your hand.", **said),
        _("%(name)s takes power card %(value)s back into the hand.", **said),
    )


def _round_ended(event: RoundEnded, to: _Telling) -> str | None:
    if not event.expired:
        return None
    return _("An unused Veto is over: %(names)s.", names=listed(map(to.name, event.expired)))


def _scoring(event: ScoringBegan, to: _Telling) -> str:
    return _("The general scoring of round %(round)s begins.", round=event.round)


def _scored(event: AreaScored, to: _Telling) -> str:
    area = area_name(event.area)
    total = map(sum, zip(event.points, event.king, event.home, strict=True))
    gains = sorted(
        ((points, Seat(seat)) for seat, points in enumerate(total) if points),
        key=lambda gain: (-gain[0], gain[1]),
    )
    if not gains:
        return _("Scored: %(area)s. Nobody gets anything.", area=area)
    points = listed(
        _("%(name)s %(points)s", name=to.name(seat), points=points) for points, seat in gains
    )
    return _("Scored: %(area)s. Points: %(points)s.", area=area, points=points)


def _emptied(event: CastilloEmptied, to: _Telling) -> str | None:
    if not event.moves:
        return None
    moves = [
        _("%(count)s of %(name)s go back to the court", count=count, name=to.name(seat))
        if area == COURT
        else _(
            "%(count)s of %(name)s go to %(area)s",
            count=count,
            name=to.name(seat),
            area=area_name(area),
        )
        for seat, area, count in event.moves
    ]
    return _("Out of the Castillo: %(moves)s.", moves="; ".join(moves))


def _ended(event: MatchEnded, to: _Telling) -> str:
    best = max(event.scores)
    first = [to.name(Seat(seat)) for seat, score in enumerate(event.scores) if score == best]
    return ngettext(
        "The match is over. The most points: %(names)s with %(n)s.",
        "The match is over. The most points: %(names)s with %(n)s.",
        best,
        names=listed(first),
    )


# The end of a turn needs no words, nor that a special action is over: what
# comes next says it.
_STORIES: Final[Mapping[type, _Story]] = {
    Started: _started,
    RoundStarted: _round,
    PowerPlayed: _power,
    Took: _took,
    Refilled: _refilled,
    CardTaken: _card,
    Placed: _placed,
    SpecialSkipped: _skipped,
    Announced: _announced,
    DiscChosen: _disc,
    Planned: _planned,
    AnswersOpened: _opened,
    Answered: _answered,
    Vetoed: _vetoed,
    DiscsRevealed: _discs,
    Moved: _moved,
    Added: _added,
    Returned: _returned,
    KingMoved: _king,
    BoardMoved: _board,
    GrandeMoved: _grande,
    Courted: _courted,
    Recalled: _recalled,
    RoundEnded: _round_ended,
    ScoringBegan: _scoring,
    AreaScored: _scored,
    CastilloEmptied: _emptied,
    MatchEnded: _ended,
}
