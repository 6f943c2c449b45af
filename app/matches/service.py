"""Everything that changes a match.

The caller owns the transaction: nothing here commits.  A call that raises must
be rolled back with its transaction, and then has left no trace.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from app.errors import ConflictError, MoveRejectedError, NotFoundError, StaleMatchError
from app.matches.asking import ask, newly_asked, tell_end
from app.matches.clockwork import settle_clocks
from app.matches.codec import StoredPrompt, dump, open_prompts
from app.matches.deciding import Answers, Decided, check_answer, decide_answers, decide_turn
from app.matches.drafts import add_to_draft, clear_draft, drop_from_draft
from app.matches.heads import Beside, Head, lock_head, read_beside
from app.matches.pages import Draft
from app.matches.resignations import forget_name, lock_running, move_seats, resign, running_seats
from app.matches.seeds import rng_for
from app.matches.standing import settle_orders
from app.matches.starting import start_match
from app.matches.values import Commit, Committed, SeatSpec
from app.matches.writes import (
    Advance,
    Claim,
    advance,
    claim_key,
    count_answer,
    find_claim,
    replace_draft,
    settle_claim,
    write_answer,
)
from app.rules.game import Rng, Seat

__all__ = [
    "Commit",
    "Committed",
    "Draft",
    "SeatSpec",
    "add_to_draft",
    "clear_draft",
    "commit",
    "drop_from_draft",
    "find_commit",
    "forget_name",
    "lock_running",
    "move_seats",
    "resign",
    "running_seats",
    "start_match",
]


async def commit(session: AsyncSession, command: Commit) -> Committed:
    """Make the seat's draft, or the command's line, final.

    A repeat with the same key changes nothing and returns the same version.
    Raises NotFoundError (also for a seat the person has left meanwhile),
    KeyReusedError, StaleMatchError (the match has moved on since the client
    looked; the draft stays), ConflictError when the match is over, and
    MoveRejectedError when the seat is not asked or the rules refuse.
    """
    claim = Claim(match_id=command.match_id, seat=command.seat, key=command.key)
    done = await claim_key(session, claim, _fingerprint(command))
    if done is not None:
        return Committed(done)

    head, seed = await lock_head(session, command.match_id)
    prompt = _asked(head, command)
    beside = await read_beside(session, head.id, command.seat, prompt.key)
    if command.person_id not in {None, beside.person_id}:
        # Resigned, or deleted, since the request was let in: this is the bot's seat now.
        raise NotFoundError("match.not_found")
    if command.revision not in {None, beside.draft.revision}:
        raise StaleMatchError("draft.changed", version=head.version)
    work = _Work(session, claim, head, seed, prompt, beside, command.now)
    lines = beside.draft.lines_for(prompt) if command.line is None else (command.line,)
    return await (work.answer(lines) if prompt.simultaneous else work.turn(lines))


async def find_commit(
    session: AsyncSession, *, match_id: UUID, seat: Seat, key: str
) -> Committed | None:
    """Return what became of a command whose answer was lost; None: it was never committed.

    This is how an unknown outcome of a COMMIT is resolved: ask by key, never
    try blindly again.
    """
    version = await find_claim(session, Claim(match_id=match_id, seat=seat, key=key))
    return None if version is None else Committed(version)


def _fingerprint(command: Commit) -> bytes:
    """Tell two commands apart that carry the same key."""
    body = dump([command.expected_version, command.line, command.revision])
    return hashlib.sha256(body.encode()).digest()


def _asked(head: Head, command: Commit) -> StoredPrompt:
    """Return what the seat is asked, if the client has seen it.

    A simultaneous prompt asks the same from its opening to its close, whoever
    answers meanwhile; any other is answered at the version it was seen at.
    """
    if head.status != "running":
        raise ConflictError("match.finished")
    prompt = head.prompts.get(command.seat)
    oldest = prompt.opened if prompt is not None and prompt.simultaneous else head.version
    if not oldest <= command.expected_version <= head.version:
        raise StaleMatchError(version=head.version)
    if prompt is None:
        raise ConflictError("match.not_asked")
    return prompt


@dataclass(frozen=True, slots=True)
class _Work:
    """One commit under way: the match is locked and the seat is asked."""

    session: AsyncSession
    claim: Claim
    head: Head
    seed: bytes
    prompt: StoredPrompt
    beside: Beside
    now: datetime

    async def turn(self, lines: Sequence[str]) -> Committed:
        """Decide the whole turn, and what standing orders answer to it."""
        rng = self._rng()
        turn = decide_turn(
            self.head.codec,
            self.head.state,
            self.claim.seat,
            prompt=self.prompt.prompt,
            lines=lines,
            rng=rng,
        )
        nothing = Answers("", {}, self.beside.standing)
        then, waiting = decide_answers(self.head.codec, turn.state, nothing, rng)
        return await self._append(Decided(then.state, turn.events + then.events), waiting)

    async def answer(self, lines: Sequence[str]) -> Committed:
        """Put the answer down, and decide all that are due then."""
        if len(lines) != 1:
            raise MoveRejectedError("answer.one_move", moves=len(lines))
        seat, head = self.claim.seat, self.head
        line = check_answer(head.codec, head.state, seat, lines[0])
        filed = {**self.beside.answers, seat: line}
        answers = Answers(self.prompt.key, filed, self.beside.standing)
        decided, waiting = decide_answers(head.codec, head.state, answers, self._rng())
        if decided.events:
            return await self._append(decided, waiting)
        await self._file(self.prompt, {seat: line})
        if self.prompt.secret:
            await self._replace_draft(seat, self.prompt, ())
        # Another answer in place of the first must be invisible, and so must any
        # to a secret prompt: no version, no time stamp, no notice.
        if self.prompt.secret or seat in self.beside.answers:
            await self._settle_clocks()
            await settle_claim(self.session, self.claim, head.version)
            return Committed(head.version)
        version = head.version + 1
        await count_answer(self.session, self.claim, version=version, now=self.now)
        await self._settle_clocks()
        return Committed(version)

    async def _settle_clocks(self) -> None:
        if self.head.clocked:
            await settle_clocks(
                self.session, match_id=self.head.id, version=self.head.version + 1, now=self.now
            )

    def _rng(self) -> Rng:
        return rng_for(self.seed, self.head.version + 1)

    async def _replace_draft(self, seat: Seat, prompt: StoredPrompt, lines: Sequence[str]) -> None:
        await replace_draft(
            self.session, self.head.id, seat, prompt=prompt.key, lines=lines, now=self.now
        )

    async def _file(self, prompt: StoredPrompt, answers: Mapping[Seat, str]) -> None:
        for seat, line in answers.items():
            await write_answer(
                self.session, self.head.id, seat, prompt=prompt.key, opened=prompt.opened, line=line
            )

    async def _append(self, decided: Decided, waiting: Answers) -> Committed:
        game, version = self.head.codec.game, self.head.version + 1
        prompts = open_prompts(game.prompts(decided.state), version, self.head.prompts)
        over = game.outcome(decided.state) is not None
        await advance(
            self.session,
            self.claim,
            Advance(
                codec=self.head.codec,
                open=waiting.key,
                waiting=waiting.filed,
                version=version,
                first=self.head.events,
                state=decided.state,
                prompts=prompts,
                status="finished" if over else "running",
                events=decided.events,
            ),
            self.now,
        )
        if self.beside.standing:
            await settle_orders(
                self.session,
                match_id=self.head.id,
                version=version,
                used=waiting.used,
                passed={
                    seat: frozenset(left) - {one.key for one in game.decisions(decided.state, seat)}
                    for seat, left in self.beside.standing.items()
                },
            )
        for seat, prompt in prompts.items():
            if seat in waiting.filed:
                await self._file(prompt, {seat: waiting.filed[seat]})
            elif prompt.draft and prompt.opened == version:
                await self._replace_draft(seat, prompt, prompt.draft)
        await self._settle_clocks()
        asked = newly_asked(prompts, version)
        await ask(self.session, self.head.id, version, asked, self.beside.bots)
        if over:
            await tell_end(self.session, self.head.id, self.claim.seat)
        return Committed(version)
