"""A match as a sealed file: complete, the same on every machine, checked without a database.

    placa match 1
    match {"id": …, "game": …, "status": "finished", "version": 57, …}
    options {…}
    seat {"seat": 0, "name": "Mar", "kit": 1, "bot": null}
    event {"seq": 1, "version": 1, "seat": null, "line": null, …, "payload": {…}}
    rollback {"version": 30, "to_version": 27, "at": …}
    answer {"prompt": "festival:6", "seat": 1, "opened_version": 31, "line": …}
    end 72

Who the people are does not travel: the file holds the names of seats and nothing else.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import msgspec
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from app.errors import ConflictError, NotFoundError
from app.matches.pages import Status
from app.matches.proof import Problem, Rollback, StoredEvent, StoredMatch, problems
from app.matches.sealed import SealError, seal, unseal

HEADING: Final = "placa match 1"


class _Match(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: UUID
    game: str
    status: Status
    version: int
    created_at: datetime
    updated_at: datetime
    finished_at: datetime | None
    commitment: str
    nonce: str | None
    seed: str | None


class Seated(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat as the file holds it."""

    seat: int
    name: str
    kit: int
    bot: str | None
    committed_version: int
    resigned_at: datetime | None


class _Event(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    seq: int
    version: int
    seat: int | None
    line: str | None
    rules_version: int
    at: datetime
    payload: msgspec.Raw


class _Rollback(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    version: int
    to_version: int
    at: datetime


class Answered(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An answer to a prompt that is still open."""

    prompt: str
    seat: int
    opened_version: int
    line: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PortableMatch:
    """All that a file holds; `lines` says in which line each event stands."""

    match: StoredMatch
    seats: tuple[Seated, ...]
    answers: tuple[Answered, ...]
    created_at: datetime
    updated_at: datetime
    finished_at: datetime | None
    lines: dict[int, int]

    def problems(self) -> list[Problem]:
        """Return all that is wrong with the match."""
        return problems(self.match)

    def line_of(self, problem: Problem) -> int:
        """Return the line a problem is found at; the heading's for what is wrong as a whole."""
        return 2 if problem.seq is None else self.lines.get(problem.seq, 2)


_HEAD = text("""
    select id, game, status, version, created_at, updated_at, finished_at, commitment, nonce,
      seed, options::text as options
    from matches where id = :id
""")
_SEATS = text("""
    select seat, name, kit, bot, committed_version, resigned_at from match_seats
    where match_id = :id order by seat
""")
_LOG = text("""
    select seq, version, seat, line, rules_version, at, payload::text as payload
    from match_events where match_id = :id order by seq
""")
_ROLLBACKS = text("""
    select version, to_version, at from match_rollbacks where match_id = :id order by version
""")
_ANSWERS = text("""
    select prompt, seat, opened_version, line from match_answers where match_id = :id order by seat
""")


async def portable_text(
    session: AsyncSession, *, match_id: UUID, with_secrets: bool = False
) -> str:
    """Return the match as a sealed file.

    Raises NotFoundError, and ConflictError `match.running` for a match whose
    secrets are still worth something, unless `with_secrets` asks for them.
    """
    here = {"id": match_id}
    head = (await session.execute(_HEAD, here)).one_or_none()
    if head is None:
        raise NotFoundError("match.not_found")
    if head.status == "running" and not with_secrets:
        raise ConflictError("match.running")
    match = _Match(
        id=head.id,
        game=head.game,
        status=head.status,
        version=head.version,
        created_at=head.created_at,
        updated_at=head.updated_at,
        finished_at=head.finished_at,
        commitment=head.commitment,
        nonce=bytes(head.nonce).hex(),
        seed=bytes(head.seed).hex(),
    )
    seats = [Seated(*row) for row in await session.execute(_SEATS, here)]
    events = [
        _Event(
            seq=row.seq,
            version=row.version,
            seat=row.seat,
            line=row.line,
            rules_version=row.rules_version,
            at=row.at,
            payload=msgspec.Raw(row.payload.encode()),
        )
        for row in await session.execute(_LOG, here)
    ]
    rollbacks = [_Rollback(*row) for row in await session.execute(_ROLLBACKS, here)]
    answers = [Answered(*row) for row in await session.execute(_ANSWERS, here)]
    return seal(
        (
            HEADING,
            _line("match", match),
            f"options {head.options}",
            *(_line("seat", seat) for seat in seats),
            *_in_order(events, rollbacks),
            *(_line("answer", answer) for answer in answers),
        )
    )


def _line(kind: str, value: msgspec.Struct) -> str:
    return f"{kind} {msgspec.json.encode(value).decode()}"


def _in_order(events: Sequence[_Event], rollbacks: Sequence[_Rollback]) -> Iterator[str]:
    """Yield events and rollbacks as they happened."""
    left = list(rollbacks)
    for event in events:
        while left and left[0].version < event.version:
            yield _line("rollback", left.pop(0))
        yield _line("event", event)
    yield from (_line("rollback", rollback) for rollback in left)


def read_portable(data: bytes) -> PortableMatch:
    """Read a sealed file; raises SealError with the line that is wrong.

    What it says is not checked beyond its form: that is for `problems`.
    """
    lines = unseal(data)
    if lines[:1] != [HEADING]:
        raise SealError(1, f"a match begins with {HEADING!r}")
    return _Reader().read(lines)


class _Reader:
    """Collects the lines of a file by kind."""

    def __init__(self) -> None:
        self._match: _Match | None = None
        self._options: str | None = None
        self._seats: list[Seated] = []
        self._events: list[StoredEvent] = []
        self._rollbacks: list[Rollback] = []
        self._answers: list[Answered] = []
        self._at: dict[int, int] = {}

    def read(self, lines: Sequence[str]) -> PortableMatch:
        for number, line in enumerate(lines[1:], 2):
            kind, _, content = line.partition(" ")
            try:
                self._take(number, kind, content)
            except (msgspec.DecodeError, ValueError) as error:
                raise SealError(number, f"not a {kind} as it should be: {error}") from error
        match, options = self._match, self._options
        if match is None or options is None:
            raise SealError(2, "without match or options")
        stored = StoredMatch(
            id=match.id,
            game=match.game,
            options=options,
            seats=len(self._seats),
            version=match.version,
            status=match.status,
            commitment=match.commitment,
            nonce=None if match.nonce is None else bytes.fromhex(match.nonce),
            seed=None if match.seed is None else bytes.fromhex(match.seed),
            log=tuple(self._events),
            rollbacks=tuple(self._rollbacks),
            head=None,
        )
        return PortableMatch(
            match=stored,
            seats=tuple(self._seats),
            answers=tuple(self._answers),
            created_at=match.created_at,
            updated_at=match.updated_at,
            finished_at=match.finished_at,
            lines=self._at,
        )

    def _take(self, number: int, kind: str, content: str) -> None:
        match kind:
            case "match" if self._match is None:
                self._match = msgspec.json.decode(content, type=_Match)
            case "options" if self._options is None:
                msgspec.json.decode(content, type=dict[str, Any])
                self._options = content
            case "seat":
                self._seats.append(msgspec.json.decode(content, type=Seated))
            case "event":
                event = msgspec.json.decode(content, type=_Event)
                payload = bytes(event.payload).decode()
                self._events.append(
                    StoredEvent(
                        seq=event.seq,
                        version=event.version,
                        seat=event.seat,
                        line=event.line,
                        rules_version=event.rules_version,
                        payload=payload,
                        at=event.at,
                    )
                )
                self._at[event.seq] = number
            case "rollback":
                found = msgspec.json.decode(content, type=_Rollback)
                self._rollbacks.append(Rollback(found.version, found.to_version, found.at))
            case "answer":
                self._answers.append(msgspec.json.decode(content, type=Answered))
            case _:
                raise SealError(number, f"a line of kind {kind[:20]!r} is not known here")
