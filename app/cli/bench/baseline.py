"""What our pages are compared with: the least that FastAPI, Jinja and the ORM can do."""

import os
from datetime import datetime
from uuid import UUID

from fastapi import FastAPI, Response
from jinja2 import Template
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from starlette.responses import HTMLResponse

from app.db.engine import make_engine
from app.db.session import make_sessions, transaction

EMPTY = Template("<!doctype html><title>{{ title }}</title><p>{{ text }}")


class _Base(DeclarativeBase):
    """Maps our tables once more, as a program that uses the ORM for everything would."""


class _Session(_Base):
    __tablename__ = "sessions"

    token_hash: Mapped[bytes] = mapped_column(primary_key=True)
    person_id: Mapped[UUID]
    seen_at: Mapped[datetime]


class _Seat(_Base):
    __tablename__ = "match_seats"

    match_id: Mapped[UUID] = mapped_column(primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True)
    person_id: Mapped[UUID | None]


class _Match(_Base):
    __tablename__ = "matches"

    id: Mapped[UUID] = mapped_column(primary_key=True)
    version: Mapped[int]


def create_app() -> FastAPI:
    """Return an application with an empty route, an empty page and an ORM poll."""
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    sessions = make_sessions(make_engine(os.environ["DATABASE_URL"], application_name="baseline"))

    @app.get("/healthz")
    async def smallest() -> Response:
        return Response(status_code=204)

    @app.get("/page")
    async def page() -> Response:
        return HTMLResponse(EMPTY.render(title="Empty", text="Nothing here"))

    @app.get("/poll/{match_id}/{token_hash}/{since}")
    async def poll(match_id: UUID, token_hash: str, since: int) -> Response:
        async with transaction(sessions) as session:
            moved = await _moved(session, match_id, token_hash, since)
        return Response(status_code=200 if moved else 204)

    return app


async def _moved(session: AsyncSession, match_id: UUID, token_hash: str, since: int) -> bool:
    known = await session.get_one(_Session, bytes.fromhex(token_hash))
    seats = await session.scalars(
        select(_Seat).where(_Seat.match_id == match_id, _Seat.person_id == known.person_id)
    )
    match = await session.get_one(_Match, match_id)
    return not seats.all() or match.version != since
