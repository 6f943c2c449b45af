"""Letting bots and people know that they are asked, in the transaction that asks them."""

from collections.abc import Collection, Iterable
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from app.jobs.queue import enqueue
from app.matches.codec import Prompts
from app.rules.game import Seat

SEAT_ASKED = "bots.seat_asked"
TURN_CAME = "notices.turn_came"
MATCH_OVER = "notices.match_over"
CONSENT_ASKED = "notices.consent_asked"
TURN_WITHDRAWN = "notices.turn_withdrawn"


def newly_asked(prompts: Prompts, version: int) -> frozenset[Seat]:
    """Return the seats whose prompt opened with `version`."""
    return frozenset(seat for seat, prompt in prompts.items() if prompt.opened == version)


async def ask_bots(
    session: AsyncSession,
    match_id: UUID,
    version: int,
    asked: Iterable[Seat],
    bots: Collection[Seat],
) -> None:
    """Queue one job for each seat asked in which a bot sits."""
    for seat in sorted(asked):
        if seat in bots:
            await enqueue(
                session, SEAT_ASKED, match_id=str(match_id), seat=int(seat), version=version
            )


async def ask(
    session: AsyncSession,
    match_id: UUID,
    version: int,
    asked: Iterable[Seat],
    bots: Collection[Seat],
) -> None:
    """Queue a job for each bot asked, and one that tells the people asked.

    Who those people are is asked when that job runs: they may have answered by then.
    """
    seats = frozenset(asked)
    await ask_bots(session, match_id, version, seats, bots)
    if not seats <= frozenset(bots):
        await tell_people(session, match_id)


async def tell_people(session: AsyncSession, match_id: UUID) -> None:
    """Queue the job that tells everybody for whom the match waits, if they do not know."""
    await enqueue(session, TURN_CAME, match_id=str(match_id))


async def tell_end(session: AsyncSession, match_id: UUID, seat: Seat) -> None:
    """Queue the job that tells everybody how the match has ended; `seat` ended it."""
    await enqueue(session, MATCH_OVER, match_id=str(match_id), seat=int(seat))


async def tell_proposal(session: AsyncSession, match_id: UUID, kind: str, version: int) -> None:
    """Queue the job that tells those whose consent is asked for."""
    await enqueue(session, CONSENT_ASKED, match_id=str(match_id), kind=kind, version=version)


async def tell_withdrawn(
    session: AsyncSession, match_id: UUID, *, undone_to: int, undone_at: int
) -> None:
    """Queue the job that tells those who were told to decide something that is undone."""
    await enqueue(
        session,
        TURN_WITHDRAWN,
        match_id=str(match_id),
        undone_to=undone_to,
        undone_at=undone_at,
    )
