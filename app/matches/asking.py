"""Letting the bots know that they are asked, in the transaction that asks them."""

from collections.abc import Collection, Iterable
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from app.jobs.queue import enqueue
from app.matches.codec import Prompts
from app.rules.game import Seat

SEAT_ASKED = "bots.seat_asked"


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
