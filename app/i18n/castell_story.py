"""What has happened in a match of Castell, event by event."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeAlias

from app.i18n import gettext as _
from app.i18n import ngettext
from app.i18n.castell_words import listed, place, prize_name, skill_name, tower_words
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
from app.rules.game import Seat

_Names: TypeAlias = Mapping[Seat, str]


def story(event: Any, names: Mapping[Seat, str]) -> str | None:
    """Return `event` as one or more sentences, or None if there is nothing to tell."""
    tell = _STORIES.get(type(event))
    return tell(event, names) if tell else None


def _started(event: Started, names: _Names) -> str:
    return _("The match begins; %(name)s goes first.", name=names[event.first])


def _round(event: RoundStarted, names: _Names) -> str:
    if event.refill:
        return _(
            "Round %(round)s begins; the regions fill up again and %(name)s goes first.",
            round=event.round,
            name=names[event.first],
        )
    return _(
        "Round %(round)s begins; %(name)s goes first.", round=event.round, name=names[event.first]
    )


def _moved(event: PawnMoved, names: _Names) -> str:
    name, region = names[event.seat], place(event.region)
    if event.source == "action":
        return _("%(name)s moves to %(region)s.", name=name, region=region)
    return _("%(name)s moves on to %(region)s by a special action.", name=name, region=region)


def _recruited(event: Recruited, names: _Names) -> str:
    said = {
        "name": names[event.seat],
        "sizes": listed(event.sizes),
        "region": place(event.region),
    }
    if event.source == "action":
        return _("%(name)s recruits %(sizes)s in %(region)s.", **said)
    return _("%(name)s recruits %(sizes)s in %(region)s by a special action.", **said)


def _trained(event: Trained, names: _Names) -> str:
    return _(
        "%(name)s trains %(skill)s to rank %(rank)s.",
        name=names[event.seat],
        skill=skill_name(event.skill),
        rank=event.rank,
    )


def _performed(event: LocalPerformed, names: _Names) -> str:
    told = _(
        "%(name)s performs %(tile)s in %(region)s with %(tower)s.",
        name=names[event.seat],
        tile=event.tile,
        region=place(event.region),
        tower=tower_words(event.tower),
    )
    if not event.tokens:
        return told
    collected = ngettext(
        "That collects %(n)s special action token.",
        "That collects %(n)s special action tokens.",
        len(event.tokens),
    )
    return f"{told} {collected}"


def _placed(event: SpecialTokenPlaced, names: _Names) -> str:
    return _(
        "%(name)s puts a special action token in %(region)s.",
        name=names[event.seat],
        region=place(event.region),
    )


def _opened(event: FestivalsOpened, names: _Names) -> str:
    return " ".join(
        ngettext(
            "%(names)s may perform at the festival in %(region)s.",
            "%(names)s may perform at the festival in %(region)s.",
            len(seats),
            names=listed(names[seat] for seat in seats),
            region=place(region),
        )
        for region, seats in event.entrants
    )


def _answered(event: FestivalAnswered, names: _Names) -> str:
    return _(
        "%(name)s has decided for the festival in %(region)s.",
        name=names[event.seat],
        region=place(event.region),
    )


def _festival(event: FestivalHeld, names: _Names) -> str:
    return " ".join(_held(event, names))


def _held(event: FestivalHeld, names: _Names) -> Iterator[str]:
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
        shown = ngettext(
            "%(name)s shows %(tower)s in %(region)s for %(n)s point",
            "%(name)s shows %(tower)s in %(region)s for %(n)s points",
            score,
            name=names[seat],
            tower=tower_words(tower),
            region=region,
        )
        if won:
            yield _("%(shown)s and wins %(prizes)s.", shown=shown, prizes=listed(won))
        else:
            yield f"{shown}."


def _ended(event: MatchEnded, names: _Names) -> str:
    best = max(event.scores)
    first = [names[Seat(seat)] for seat, score in enumerate(event.scores) if score == best]
    return ngettext(
        "The match is over. The most points: %(names)s with %(n)s.",
        "The match is over. The most points: %(names)s with %(n)s.",
        best,
        names=listed(first),
    )


# A turn's end needs no words: the next turn's first sentence says it.
_STORIES: Final[Mapping[type, Callable[[Any, _Names], str]]] = {
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
