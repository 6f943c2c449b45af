"""A bot's turn in a match, by the same service as everybody's."""

import asyncio
import hashlib
from datetime import datetime
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from app.bots.registry import ITERATIONS, policy_for
from app.matches import queries, service
from app.matches.games import codec_for
from app.matches.values import Commit
from app.rules.game import Seat


async def answer(session: AsyncSession, *, match_id: UUID, seat: Seat, now: datetime) -> None:
    """Let the bot in `seat` decide, if a bot sits there and is asked.

    It is shown the view of its seat and nothing else.  A repeat changes
    nothing; raises StaleMatchError if the match moves on in the meantime.
    """
    page = await queries.match_page(session, match_id=match_id, seat=seat)
    bot = next((info.bot for info in page.seats if info.seat == seat), None)
    if bot is None or page.status != "running" or seat not in page.asked:
        return
    game = codec_for(page.game).game
    prompt = page.prompts[seat]
    # A job may run twice.  The version is part of it: of turns that were taken back the keys
    # stay taken, and what they had decided is asked anew.
    decision = hashlib.sha256(f"{seat}:{prompt.key}:{page.version}".encode()).hexdigest()
    # Everything else is public: without the match's secret, rivals could play the bot at home
    # and know its answer to a festival before it is revealed.
    chance = await queries.private_chance(
        session, match_id=match_id, purpose=f"bot:{page.version}:{seat}:{prompt.key}"
    )
    policy = policy_for(game, bot)
    moves = await asyncio.to_thread(
        policy.choose,
        page.base_view,
        seat,
        seed=chance,
        iterations=ITERATIONS,
    )
    await service.commit(
        session,
        Commit(
            match_id=match_id,
            seat=seat,
            expected_version=page.version,
            # Longer than any that people may choose: who sat here before has not used it up.
            key=f"bot:{decision}",
            line=game.format(moves),
            now=now,
        ),
    )
