"""What it means that a match is sound, wherever it lies: in a database or in a file.

The log is gap-free; what counts of it folds to the position; the seed is the
one promised; and everything, struck turns included, is decided again from it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any
from uuid import UUID

from app.errors import InvalidError
from app.matches.codec import Codec, CodecError, Prompts
from app.matches.games import codec_for
from app.matches.pages import Status
from app.matches.seeds import Secret, rng_for
from app.rules.game import Rng, RulesError, Seat, replay


@dataclass(frozen=True, slots=True)
class Problem:
    """Something a match should not be: a stable code and where.

    `seq` is the event it was found at, where there is one.
    """

    match_id: UUID
    code: str
    detail: str = ""
    seq: int | None = None

    def __str__(self) -> str:
        return f"{self.match_id} {self.code} {self.detail}".rstrip()


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """A row of the log, its payload as JSON text."""

    seq: int
    version: int
    seat: int | None
    line: str | None
    rules_version: int
    payload: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Rollback:
    """At `version` the match went on from `to_version`."""

    version: int
    to_version: int
    at: datetime

    def strikes(self, version: int) -> bool:
        """Whether what happened at `version` was taken back by it."""
        return self.to_version < version < self.version


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredHead:
    """What a database keeps beside the log, and could make again from it."""

    rules_version: int
    events: int
    state: str
    prompts: Prompts
    answers: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredMatch:
    """A match as it is kept; `seed` and `nonce` are None where they are still secret."""

    id: UUID
    game: str
    options: str
    seats: int
    version: int
    status: Status
    commitment: str
    nonce: bytes | None
    seed: bytes | None
    log: tuple[StoredEvent, ...]
    rollbacks: tuple[Rollback, ...]
    head: StoredHead | None

    def struck(self, version: int) -> bool:
        """Whether what happened at `version` was taken back."""
        return any(rollback.strikes(version) for rollback in self.rollbacks)

    def events(self, codec: Codec) -> tuple[Any, ...]:
        """Return the events that count."""
        return tuple(
            codec.load_event(row.payload, row.rules_version)
            for row in self.log
            if not self.struck(row.version)
        )


def problems(match: StoredMatch) -> list[Problem]:
    """Return all that is wrong with the match."""
    found: list[Problem] = []
    try:
        # What was found before something unreadable stays in the list.
        found.extend(_check(codec_for(match.game), match))
    except (CodecError, RulesError, InvalidError, ValueError, LookupError, TypeError) as error:
        found.append(Problem(match.id, "match.unreadable", str(error)))
    return found


def _check(codec: Codec, match: StoredMatch) -> Iterator[Problem]:
    for code, detail in _check_order(match):
        yield Problem(match.id, code, detail)
    folded = replay(codec.game, match.events(codec))
    if match.head is not None:
        yield from _check_head(codec, match, match.head, folded)
    if (match.status == "finished") != (codec.game.outcome(folded) is not None):
        yield Problem(match.id, "head.status", match.status)
    kept = promise_is_kept(match)
    if kept is None:
        return
    if not kept:
        yield Problem(match.id, "seed.commitment", "the seed is not the one promised")
    # Older rules may have decided differently, and were right to.
    if all(row.rules_version == codec.game.rules_version for row in match.log):
        for step in decide_again(codec, match):
            if not step.same:
                said = f"version {step.version} would be decided differently"
                yield Problem(match.id, "log.decided", said, step.seq)


def _check_order(match: StoredMatch) -> Iterator[tuple[str, str]]:
    log = match.log
    expected = len(log) if match.head is None else match.head.events
    if [row.seq for row in log] != list(range(1, expected + 1)):
        yield "log.gap", f"{len(log)} of {expected} events"
    if [row.version for row in log] != sorted(row.version for row in log):
        yield "log.order", "versions fall"
    if any(row.version > match.version for row in log):
        yield "log.future", "events after the last version"
    if not all(0 < one.to_version < one.version <= match.version for one in match.rollbacks):
        yield "log.rollback", "a rollback leads nowhere"


def _check_head(
    codec: Codec, match: StoredMatch, head: StoredHead, folded: Any
) -> Iterator[Problem]:
    if folded != codec.load_state(head.state, head.rules_version):
        yield Problem(match.id, "head.state", "the snapshot is not the fold of the log")
    asked = {seat: stored.prompt for seat, stored in head.prompts.items()}
    if asked != (codec.game.prompts(folded) if match.status == "running" else {}):
        yield Problem(match.id, "head.prompts", "the prompts are not those of the state")
    if head.answers and not any(prompt.simultaneous for prompt in asked.values()):
        yield Problem(match.id, "answers.left", f"{head.answers} answers to nothing")


def promise_is_kept(match: StoredMatch) -> bool | None:
    """Whether the seed is the one promised at the start; None while it is not known."""
    if match.seed is None or match.nonce is None:
        return None
    return Secret(match.nonce, match.seed).commitment == match.commitment


@dataclass(frozen=True, slots=True)
class Step:
    """A version decided again: with how many draws, and whether it came out the same."""

    version: int
    seq: int
    draws: int
    same: bool
    struck: bool


class _CountingRng:
    """Passes draws on and counts them."""

    def __init__(self, rng: Rng) -> None:
        self._rng = rng
        self.draws = 0

    def below(self, bound: int, /) -> int:
        """Draw."""
        self.draws += 1
        return self._rng.below(bound)


def decide_again(codec: Codec, match: StoredMatch) -> Iterator[Step]:
    """Decide every version of the log from the seed and compare, struck ones too.

    The log has to be all of today's rules, and the seed known.
    """
    if match.seed is None:
        raise ValueError("the seed is not known")
    back = {one.version: one.to_version for one in match.rollbacks}
    past: list[tuple[int, Any]] = []
    versions = groupby(match.log, key=lambda row: row.version)
    for version, group in versions:
        rows = list(group)
        for at in sorted(at for at in back if (past[-1][0] if past else 0) < at <= version):
            _rewind(past, back[at])
        before = past[-1][1] if past else None
        rng = _CountingRng(rng_for(match.seed, version))
        stored = [codec.load_event(row.payload, row.rules_version) for row in rows]
        again = _decide(codec, match, before, rows, rng)
        yield Step(version, rows[0].seq, rng.draws, again == stored, match.struck(version))
        past.append((version, replay(codec.game, stored, before)))


def _rewind(past: list[tuple[int, Any]], to_version: int) -> None:
    while past and past[-1][0] > to_version:
        past.pop()


def _decide(
    codec: Codec, match: StoredMatch, state: Any, rows: Sequence[StoredEvent], rng: Rng
) -> list[Any]:
    if state is None:
        return list(codec.game.setup(match.seats, codec.load_options(match.options), rng))
    events: list[Any] = []
    for row in rows:
        for move in codec.game.parse(row.line) if row.line is not None else ():
            new = codec.game.decide(state, Seat(row.seat or 0), move, rng)
            state = replay(codec.game, new, state)
            events.extend(new)
    return events
