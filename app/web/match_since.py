"""How far a match is, as one short text that a page carries and its polls send back."""

from contextlib import asynccontextmanager
from typing import Final
from uuid import UUID

from fastapi import Request

from app.accounts.queries import known_by_session
from app.db.session import open_session
from app.errors import NotFoundError
from app.ids import token_hash
from app.lobby.queries import may_watch
from app.lobby.talk_queries import talk_around
from app.matches.live import Live, Standing
from app.matches.queries import progress_of, seats_of
from app.rules.game import Seat
from app.web.people import now_of, session_token

# A session of its own, opened only when memory cannot answer.
_opened: Final = asynccontextmanager(open_session)


async def since_token(request: Request, match_id: UUID, seat: int | None) -> str:
    """Return what marks the match as it is now, for this visitor's `seat`.

    Raises NotFoundError for outsiders.
    """
    cookie = session_token(request)
    if cookie is None:
        raise NotFoundError
    live: Live = request.app.state.live

    async def read() -> Standing:
        async with _opened(request) as session:
            known = await known_by_session(session, token=cookie, now=now_of(request))
            if known is None:
                raise NotFoundError
            person_id = known.person.id
            seats = await seats_of(session, match_id, person_id)
            if not seats and not await may_watch(session, match_id=match_id, person_id=person_id):
                raise NotFoundError
            progress = await progress_of(session, match_id)
            _, talk = await talk_around(session, match_id)
        return Standing(frozenset(seats), progress.version, progress.drafts, talk)

    return await live.since_token(
        match_id, token_hash(cookie), None if seat is None else Seat(seat), read
    )
