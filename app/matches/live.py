"""What has moved, from memory: polls that bring nothing need no database.

Each process keeps one connection that listens, and from it the versions of the
matches somebody looks at, the revisions of drafts, the length of the talk, and
which session may look at which match.  The cache answers only while it cannot
have missed anything: a lost connection empties it, fifteen seconds without a
sign of life switch it off, and then the database answers.

Traps: a notice can arrive while the older value it replaces is still being
read, so values only ever rise; what an invalidation could have crossed while it
was being read is not kept at all.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from uuid import UUID

import psycopg
import structlog
from sqlalchemy import make_url

from app.db.address import conninfo
from app.db.endings import end
from app.db.engine import connect_args
from app.db.notices import BEAT, CHANNEL
from app.errors import NotFoundError
from app.rules.game import Seat

BEAT_SECONDS = 5.0
SILENT_SECONDS = 15.0
# After this long a session is looked up again: it may have expired meanwhile.
TRUST_SECONDS = 300.0
LONGEST_PAUSE_SECONDS = 5.0
MATCHES_KEPT = 10_000
SESSIONS_KEPT = 20_000

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Standing:
    """What the database says: which seats a session has in a match, and how far it is.

    `seats` is empty for a spectator; for anybody else the reader raises
    NotFoundError instead.
    """

    seats: frozenset[Seat]
    version: int
    drafts: Mapping[Seat, int]
    talk: int


Read = Callable[[], Awaitable[Standing]]


def token(version: int, revision: int, talk: int) -> str:
    """Return what a page carries and a poll sends back as `since`."""
    return f"{version}.{revision}.{talk}"


@dataclass(slots=True)
class _Pulse:
    """How far a match is; `known` once it has been read, and not only heard of."""

    known: bool = False
    version: int = 0
    talk: int = 0
    drafts: dict[Seat, int] = field(default_factory=dict)

    def rise(
        self, version: int = 0, talk: int = 0, drafts: Mapping[Seat, int] | None = None
    ) -> None:
        """Take over what is newer."""
        self.version = max(self.version, version)
        self.talk = max(self.talk, talk)
        for seat, revision in (drafts or {}).items():
            self.drafts[seat] = max(self.drafts.get(seat, 0), revision)

    def token(self, seat: Seat | None) -> str:
        """Return the `since` of a page of `seat`."""
        return token(self.version, 0 if seat is None else self.drafts.get(seat, 0), self.talk)


@dataclass(frozen=True, slots=True)
class _Place:
    seats: frozenset[Seat]
    until: float


def _token_of(place: _Place, pulse: _Pulse, seat: Seat | None) -> str:
    return pulse.token(min(place.seats, default=None) if seat is None else seat)


class Live:
    """The version cache of one process, fed by one listening connection."""

    def __init__(
        self,
        database_url: str,
        *,
        beat_seconds: float = BEAT_SECONDS,
        silent_seconds: float = SILENT_SECONDS,
        trust_seconds: float = TRUST_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._database_url = database_url
        self._beat_seconds = beat_seconds
        self._silent_seconds = silent_seconds
        self._trust_seconds = trust_seconds
        self._clock = clock
        self._heard: float | None = None
        self._generation = 0
        self._pulses: dict[UUID, _Pulse] = {}
        self._places: dict[bytes, dict[UUID, _Place]] = {}

    @property
    def is_on(self) -> bool:
        """Whether the cache cannot have missed anything."""
        return self._heard is not None and self._clock() - self._heard < self._silent_seconds

    async def since_token(
        self, match_id: UUID, session_hash: bytes, seat: Seat | None, read: Read
    ) -> str:
        """Return the `since` a fresh page of `seat` would carry.

        Equal to what the poll sent means: nothing new.  A player without a
        `seat` gets the lowest of theirs.  `read` asks the database, and is
        called only when memory cannot answer; what it raises is raised.
        Raises NotFoundError for a seat that is not the session's.
        """
        known = self._remembered(match_id, session_hash)
        place, pulse = known or await self._read(match_id, session_hash, read)
        if seat is not None and seat not in place.seats:
            raise NotFoundError
        return _token_of(place, pulse, seat)

    def is_quiet(self, match_id: UUID, session_hash: bytes, seat: Seat | None, since: str) -> bool:
        """Whether memory alone knows that `since_token` would return `since`.

        False says nothing: neither that something has happened, nor that the
        match exists, nor that the session may look at it.
        """
        known = self._remembered(match_id, session_hash)
        if known is None:
            return False
        place, pulse = known
        return (seat is None or seat in place.seats) and since == _token_of(place, pulse, seat)

    def _remembered(self, match_id: UUID, session_hash: bytes) -> tuple[_Place, _Pulse] | None:
        """Return what a session may see of a match and how far that is, if both are known."""
        place = self._place(session_hash, match_id)
        pulse = self._pulses.get(match_id)
        if place is None or pulse is None or not pulse.known:
            return None
        return place, pulse

    def _place(self, session_hash: bytes, match_id: UUID) -> _Place | None:
        place = self._places.get(session_hash, {}).get(match_id) if self.is_on else None
        return place if place is not None and self._clock() < place.until else None

    async def _read(self, match_id: UUID, session_hash: bytes, read: Read) -> tuple[_Place, _Pulse]:
        generation = self._generation
        found = await read()
        place = _Place(found.seats, self._clock() + self._trust_seconds)
        keep = self.is_on and generation == self._generation
        pulse = self._pulse(match_id) if keep else _Pulse()
        pulse.rise(found.version, found.talk, found.drafts)
        if keep:
            pulse.known = True
            self._places.setdefault(session_hash, {})[match_id] = place
            if len(self._places) > SESSIONS_KEPT:
                del self._places[next(iter(self._places))]
        return place, pulse

    def _pulse(self, match_id: UUID) -> _Pulse:
        if match_id not in self._pulses:
            self._pulses[match_id] = _Pulse()
            if len(self._pulses) > MATCHES_KEPT:
                del self._pulses[next(iter(self._pulses))]
                self._generation += 1
        return self._pulses[match_id]

    def hear(self, notice: str) -> None:
        """Take in one notice; what this program does not know is another version's business."""
        self._heard = self._clock()
        with suppress(ValueError):
            match notice.split(" "):
                case ["match", match_id, version]:
                    self._pulse(UUID(match_id)).rise(version=int(version))
                case ["draft", match_id, seat, revision]:
                    self._pulse(UUID(match_id)).rise(drafts={Seat(int(seat)): int(revision)})
                case ["talk", match_id, count]:
                    self._pulse(UUID(match_id)).rise(talk=int(count))
                case ["audience", match_id]:
                    self._forget_match(UUID(match_id))
                case ["session", session_hash]:
                    self._places.pop(bytes.fromhex(session_hash), None)
                    self._generation += 1

    def _forget_match(self, match_id: UUID) -> None:
        for places in self._places.values():
            places.pop(match_id, None)
        self._generation += 1

    def _forget_all(self) -> None:
        self._heard = None
        self._generation += 1
        self._pulses.clear()
        self._places.clear()

    @asynccontextmanager
    async def running(self) -> AsyncIterator["Live"]:
        """Listen while the block runs."""
        listening = asyncio.create_task(self.listen())
        try:
            yield self
        finally:
            await end(listening)

    async def listen(self) -> None:
        """Listen until cancelled; a connection that is lost is made anew."""
        pause = 0.05
        while True:
            try:
                async with await self._connect() as connection:
                    await connection.execute(f"listen {CHANNEL}")
                    self._heard = self._clock()
                    pause = 0.05
                    await self._follow(connection)
            except (psycopg.Error, OSError, TimeoutError) as error:
                log.warning("live.lost", error=str(error).split("\n")[0], again_in_seconds=pause)
            finally:
                self._forget_all()
            await asyncio.sleep(pause)
            pause = min(pause * 2, LONGEST_PAUSE_SECONDS)

    async def _connect(self) -> psycopg.AsyncConnection:
        return await psycopg.AsyncConnection.connect(
            conninfo(self._database_url),
            autocommit=True,
            **connect_args(make_url(self._database_url), "placa live"),
        )

    async def _follow(self, connection: psycopg.AsyncConnection) -> None:
        """Hear notices and give a sign of life; raises when the connection is lost."""
        while True:
            async for notice in connection.notifies(timeout=self._beat_seconds):
                self.hear(notice.payload)
            async with asyncio.timeout(self._silent_seconds):
                await connection.execute(f"notify {CHANNEL}, '{BEAT}'")
