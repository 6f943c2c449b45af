"""Matches played on at random, by the services."""

import random
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from app.bots.random_policy import RandomPolicy
from app.errors import AppError
from app.matches import queries, service
from app.matches.games import codec_for
from app.matches.pages import MatchPage
from app.matches.values import Commit
from app.rules.game import Seat
from tests.support.matches import NOW


async def asked_page(session: AsyncSession, match_id: UUID) -> MatchPage | None:
    """Return the page of the first seat that has something to decide; None at the end."""
    asked = await queries.seats_asked(session, match_id)
    if not asked:
        return None
    return await queries.match_page(session, match_id=match_id, seat=min(asked))


def random_line(page: MatchPage, rng: random.Random) -> str:
    """Return what a seat answers at random."""
    game: Any = codec_for(page.game).game
    seat = page.seat
    assert seat is not None
    moves = RandomPolicy(game).choose(page.base_view, seat, seed=rng.randbytes(32), iterations=1)
    return str(game.format(moves))


async def play(
    session: AsyncSession,
    match_id: UUID,
    rng: random.Random,
    *,
    until: Callable[[MatchPage], bool] = lambda _: False,
) -> MatchPage | None:
    """Play every seat until the end (None), or until the page of a seat that is asked will do."""
    while (page := await asked_page(session, match_id)) is not None:
        if until(page):
            return page
        assert page.seat is not None
        command = Commit(
            match_id=match_id,
            seat=page.seat,
            expected_version=page.version,
            key=f"v{page.version}s{page.seat}",
            line=random_line(page, rng),
            now=NOW + timedelta(minutes=page.version),
        )
        await service.commit(session, command)
    return None


async def try_draft(session: AsyncSession, page: MatchPage, rng: random.Random) -> None:
    """Leave a move in the seat's draft, if its prompt has room for one."""
    assert page.seat is not None
    moves = [line for line in random_line(page, rng).split("; ") if line != "end"]
    for line in moves[:1]:
        try:
            async with session.begin_nested():
                await service.add_to_draft(
                    session, match_id=page.id, seat=Seat(page.seat), line=line
                )
        except AppError:
            return
