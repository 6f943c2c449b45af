"""What has happened in a match of Castell, event by event."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from app.i18n import gettext as _
from app.i18n import ngettext
from app.i18n.castell_words import (
    place,
    prize_name,
    skill_name,
    tile_name,
    tower_words,
)
from app.i18n.lists import listed
from app.rules.castell.edition import Tile
from app.rules.castell.events import (
    FestivalAnswered,
    FestivalHeld,
    FestivalsOpened,
    LocalPerformed,
    MatchEnded,
    PawnMoved,
    Recruited,
    RoundStarted,
    SpecialTokenPlaced,
    Started,
    Trained,
)
from app.rules.castell.view import CastellView
from app.rules.game import Seat


@dataclass(frozen=True, slots=True)
class _Telling:
    """Who is told: what the seats are called, which one is *you*, what the tiles show."""

    names: Mapping[Seat, str]
    me: Seat | None
    tiles: Mapping[str, Tile]

    def tile(self, tile: str) -> str:
        """Say what a tile shows, or its id where that is all one knows."""
        return tile_name(self.tiles[tile]) if tile in self.tiles else tile


_Story: TypeAlias = Callable[[Any, _Telling], str]


def story(
    event: Any,
    names: Mapping[Seat, str],
    *,
    me: Seat | None = None,
    view: CastellView | None = None,
) -> str | None:
    """Return `event` as one or more sentences, or None if there is nothing to tell.

    `me` is spoken to as *you*; `view`, any position of the match, knows the tiles.
    """
    tell = _STORIES.get(type(event))
    tiles = {tile.id: tile for tile in view.values.tiles} if view else {}
    return tell(event, _Telling(names, me, tiles)) if tell else None


def _started(event: Started, to: _Telling) -> str:
    if event.first == to.me:
        return _("The match begins; you go first.")
    return _("The match begins; %(name)s goes first.", name=to.names[event.first])


def _round(event: RoundStarted, to: _Telling) -> str:
    said = {"round": event.round, "name": to.names[event.first]}
    match event.first == to.me, bool(event.refill):
        case True, True:
            return _("Round %(round)s begins; the regions fill up again and you go first.", **said)
        case True, False:
            return _("Round %(round)s begins; you go first.", **said)
        case False, True:
            return _(
                "Round %(round)s begins; the regions fill up again and %(name)s goes first.",
                **said,
            )
    return _("Round %(round)s begins; %(name)s goes first.", **said)


def _moved(event: PawnMoved, to: _Telling) -> str:
    said = {"name": to.names[event.seat], "region": place(event.region)}
    match event.seat == to.me, event.source == "action":
        case True, True:
            return _("You move to %(region)s.", **said)
        case True, False:
            return _("You move on to %(region)s by a special action.", **said)
        case False, True:
            return _("%(name)s moves to %(region)s.", **said)
    return _("%(name)s moves on to %(region)s by a special action.", **said)


def _recruited(event: Recruited, to: _Telling) -> str:
    said = {
        "name": to.names[event.seat],
        "sizes": listed(event.sizes),
        "region": place(event.region),
    }
    match event.seat == to.me, event.source == "action":
        case True, True:
            return _("You recruit %(sizes)s in %(region)s.", **said)
        case True, False:
            return _("You recruit %(sizes)s in %(region)s by a special action.", **said)
        case False, True:
            return _("%(name)s recruits %(sizes)s in %(region)s.", **said)
    return _("%(name)s recruits %(sizes)s in %(region)s by a special action.", **said)


def _trained(event: Trained, to: _Telling) -> str:
    said = {"skill": skill_name(event.skill), "rank": event.rank}
    if event.seat == to.me:
        return _("You train %(skill)s to rank %(rank)s.", **said)
    return _("%(name)s trains %(skill)s to rank %(rank)s.", name=to.names[event.seat], **said)


def _performed(event: LocalPerformed, to: _Telling) -> str:
    said = {
        "name": to.names[event.seat],
        "tile": to.tile(event.tile),
        "region": place(event.region),
        "tower": tower_words(event.tower),
    }
    told = (
        _("You perform %(tile)s in %(region)s with %(tower)s.", **said)
        if event.seat == to.me
        else _("%(name)s performs %(tile)s in %(region)s with %(tower)s.", **said)
    )
    if not event.tokens:
        return told
    collected = ngettext(
        "That collects %(n)s special action token.",
        "That collects %(n)s special action tokens.",
        len(event.tokens),
    )
    return f"{told} {collected}"


def _placed(event: SpecialTokenPlaced, to: _Telling) -> str:
    region = place(event.region)
    if event.seat == to.me:
        return _("You put a special action token in %(region)s.", region=region)
    return _(
        "%(name)s puts a special action token in %(region)s.",
        name=to.names[event.seat],
        region=region,
    )


def _opened(event: FestivalsOpened, to: _Telling) -> str:
    return " ".join(_entrants(place(region), seats, to) for region, seats in event.entrants)


def _entrants(region: str, seats: tuple[Seat, ...], to: _Telling) -> str:
    others = [to.names[seat] for seat in seats if seat != to.me]
    if len(others) == len(seats):
        return ngettext(
            "%(names)s may perform at the festival in %(region)s.",
            "%(names)s may perform at the festival in %(region)s.",
            len(seats),
            names=listed(others),
            region=region,
        )
    if not others:
        return _("You may perform at the festival in %(region)s.", region=region)
    return ngettext(
        "You may perform at the festival in %(region)s, and so may %(names)s.",
        "You may perform at the festival in %(region)s, and so may %(names)s.",
        len(others),
        names=listed(others),
        region=region,
    )


def _answered(event: FestivalAnswered, to: _Telling) -> str:
    region = place(event.region)
    if event.seat == to.me:
        return _("You have decided for the festival in %(region)s.", region=region)
    return _(
        "%(name)s has decided for the festival in %(region)s.",
        name=to.names[event.seat],
        region=region,
    )


def _festival(event: FestivalHeld, to: _Telling) -> str:
    return " ".join(_held(event, to))


def _held(event: FestivalHeld, to: _Telling) -> Iterator[str]:
    region = place(event.region)
    if not event.towers:
        yield _("Nobody performs at the festival in %(region)s.", region=region)
        return
    for seat, tower, score in event.towers:
        won = [prize_name(prize) for winner, prize in event.prizes if winner == seat]
        won += [
            _("the size token %(size)s", size=size)
            for size, winner in event.token_winners
            if winner == seat
        ]
        said = {
            "name": to.names[seat],
            "tower": tower_words(tower),
            "region": region,
            "prizes": listed(won),
        }
        yield _shown(score, said, mine=seat == to.me, winning=bool(won))


def _shown(score: int, said: Mapping[str, str], *, mine: bool, winning: bool) -> str:
    match mine, winning:
        case True, True:
            return ngettext(
                "You show %(tower)s in %(region)s for %(n)s point and win %(prizes)s.",
                "You show %(tower)s in %(region)s for %(n)s points and win %(prizes)s.",
                score,
                **said,
            )
        case True, False:
            return ngettext(
                "You show %(tower)s in %(region)s for %(n)s point.",
                "You show %(tower)s in %(region)s for %(n)s points.",
                score,
                **said,
            )
        case False, True:
            return ngettext(
                "%(name)s shows %(tower)s in %(region)s for %(n)s point and wins %(prizes)s.",
                "%(name)s shows %(tower)s in %(region)s for %(n)s points and wins %(prizes)s.",
                score,
                **said,
            )
    return ngettext(
        "%(name)s shows %(tower)s in %(region)s for %(n)s point.",
        "%(name)s shows %(tower)s in %(region)s for %(n)s points.",
        score,
        **said,
    )


def _ended(event: MatchEnded, to: _Telling) -> str:
    best = max(event.scores)
    first = [Seat(seat) for seat, score in enumerate(event.scores) if score == best]
    if first == [to.me]:
        return ngettext(
            "The match is over. The most points: you with %(n)s.",
            "The match is over. The most points: you with %(n)s.",
            best,
        )
    # Worked out first: a call within a call would hide the plural from the extractor.
    names = listed([_("you") if seat == to.me else to.names[seat] for seat in first])
    return ngettext(
        "The match is over. The most points: %(names)s with %(n)s.",
        "The match is over. The most points: %(names)s with %(n)s.",
        best,
        names=names,
    )


# A turn's end needs no words: the next turn's first sentence says it.
_STORIES: Final[Mapping[type, _Story]] = {
    Started: _started,
    RoundStarted: _round,
    PawnMoved: _moved,
    Recruited: _recruited,
    Trained: _trained,
    LocalPerformed: _performed,
    SpecialTokenPlaced: _placed,
    FestivalsOpened: _opened,
    FestivalAnswered: _answered,
    FestivalHeld: _festival,
    MatchEnded: _ended,
}
