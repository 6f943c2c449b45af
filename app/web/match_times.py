"""A match's time as one viewer is told of it: until when, what is proposed, what stands still."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.absences import absences_of
from app.i18n.sentences import story
from app.i18n.times import When, until, when
from app.matches.deadlines import Deadline, deadlines_of, last_downtime
from app.matches.pages import MatchCard, MatchPage, StoryEvent
from app.matches.proposals import Kind, Proposal, open_proposals, paused_until
from app.matches.queries import events_since, struck
from app.rules.game import Seat
from app.web.boards.seats import Who

# For so long people are told that the server was away.
TOLD: Final = timedelta(days=2)


@dataclass(frozen=True, slots=True)
class Due:
    """Until when somebody has to answer; `missed`: the time has run out and the table waits."""

    who: Who
    mine: bool
    when: When | None
    missed: bool


@dataclass(frozen=True, slots=True)
class Ask:
    """What somebody proposes; `mine`: it waits for the viewer, besides `waits_for`."""

    kind: Kind
    who: Who | None
    version: int
    until: When | None
    mine: bool
    own: bool
    waits_for: tuple[Who, ...]


@dataclass(frozen=True, slots=True)
class Away:
    """Somebody is away."""

    who: Who
    until: When


@dataclass(frozen=True, slots=True)
class MatchTimes:
    """All that a page of a match says about time."""

    due: tuple[Due, ...] = ()
    asks: tuple[Ask, ...] = ()
    paused: When | None = None
    away: tuple[Away, ...] = ()
    downtime: tuple[When, When] | None = None

    @property
    def first(self) -> When | None:
        """The viewer's own deadline, else the nearest that everybody may know."""
        own = [line.when for line in self.due if line.mine]
        every = own or [line.when for line in self.due]
        return next((moment for moment in every if moment is not None), None)

    @property
    def others_late(self) -> bool:
        """Whether somebody else's time has run out, and the table waits."""
        return any(line.missed and not line.mine for line in self.due)

    @property
    def asks_me(self) -> int:
        """How much waits for the viewer's word."""
        return sum(ask.mine for ask in self.asks)


async def times_of(
    session: AsyncSession, match: MatchPage, seats: Mapping[Seat, Who], *, now: datetime
) -> MatchTimes:
    """Return what the viewer of `match` may know about its time."""
    if match.status != "running":
        return MatchTimes()
    asks = await open_proposals(session, match.id, now=now) if match.proposals else ()
    told = tuple(_ask(ask, match.seat, seats, now) for ask in asks)
    if match.clock is None:
        return MatchTimes(asks=told)
    deadlines = await deadlines_of(session, [match.id], seat=match.seat)
    pause = await paused_until(session, match.id, now=now)
    gone = await last_downtime(session, since=now - TOLD)
    return MatchTimes(
        due=tuple(_due(line, match.seat, seats, now) for line in deadlines),
        asks=told,
        paused=None if pause is None else until(pause, now=now),
        away=await _away(session, match, seats, now),
        downtime=None if gone is None else (when(gone[0], now=now), when(gone[1], now=now)),
    )


async def struck_lines(session: AsyncSession, match: MatchPage) -> tuple[str, ...]:
    """Return the turns that were taken back, a sentence each, as the viewer may know of them."""
    return _told(match, await struck(session, match_id=match.id, seat=match.seat))


async def turn_lines(session: AsyncSession, match: MatchPage, *, version: int) -> tuple[str, ...]:
    """Return what a turn of the viewer's has done, a sentence each."""
    since = await events_since(session, match_id=match.id, seat=match.seat, version=version - 1)
    mine = [one for one in since if one.version == version and one.seat == match.seat]
    return _told(match, mine)


async def cards_due(
    session: AsyncSession, cards: tuple[MatchCard, ...], *, person_id: UUID, now: datetime
) -> Mapping[UUID, When]:
    """Return by when each of a person's matches goes on: their own deadline before others'."""
    clocked = [card for card in cards if card.clocked and card.status == "running"]
    if not clocked:
        return {}
    mine = {card.id: frozenset(card.mine) for card in clocked}
    found = await deadlines_of(session, list(mine), person_id=person_id)
    first: dict[UUID, tuple[bool, datetime]] = {}
    for line in found:
        if line.due_at is not None:
            other = line.seat not in mine[line.match_id]
            first[line.match_id] = min(
                first.get(line.match_id, (other, line.due_at)), (other, line.due_at)
            )
    return {match_id: when(moment, now=now) for match_id, (_, moment) in first.items()}


def _told(match: MatchPage, events: Iterable[StoryEvent]) -> tuple[str, ...]:
    names = {info.seat: info.name for info in match.seats}
    told = (
        story(match.game, one.event, names, me=match.seat, view=match.base_view) for one in events
    )
    return tuple(line for line in told if line)


async def _away(
    session: AsyncSession, match: MatchPage, seats: Mapping[Seat, Who], now: datetime
) -> tuple[Away, ...]:
    sitting = {info.seat: info.person_id for info in match.seats if info.person_id is not None}
    found = await absences_of(session, sitting.values(), after=now)
    return tuple(
        Away(seats[seat], until(ends_at, now=now))
        for seat, person_id in sitting.items()
        for starts_at, ends_at in found.get(person_id, ())
        if starts_at <= now
    )


def _due(line: Deadline, seat: Seat | None, seats: Mapping[Seat, Who], now: datetime) -> Due:
    return Due(
        who=seats[line.seat],
        mine=line.seat == seat,
        when=None if line.due_at is None else when(line.due_at, now=now),
        missed=line.missed_at is not None,
    )


def _ask(ask: Proposal, seat: Seat | None, seats: Mapping[Seat, Who], now: datetime) -> Ask:
    return Ask(
        kind=ask.kind,
        who=None if ask.seat is None else seats[ask.seat],
        version=ask.version,
        until=None if ask.until is None else until(ask.until, now=now),
        mine=seat in ask.waits_for,
        own=seat is not None and seat == ask.seat,
        waits_for=tuple(seats[who] for who in sorted(ask.waits_for) if who != seat),
    )
