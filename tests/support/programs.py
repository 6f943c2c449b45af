"""Programs that act for people over the JSON API."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any

from fastapi import FastAPI
from httpx import ASGITransport, AsyncClient, Response

from app.accounts.api_tokens import create_api_token
from app.accounts.service import create_guest
from app.accounts.values import Person
from app.db.session import Sessions
from tests.support.matches import NOW


@dataclass(frozen=True, slots=True)
class Program:
    """Speaks to the API for one person."""

    client: AsyncClient
    person: Person
    token: str

    async def get(self, path: str, **query: Any) -> Response:
        return await self.client.get(f"/api{path}", params=query)

    async def post(self, path: str, *, seat: int | None = None, **body: Any) -> Response:
        query = {} if seat is None else {"seat": seat}
        return await self.client.post(f"/api{path}", params=query, json=body)

    async def raw(self, method: str, path: str, **options: Any) -> Response:
        return await self.client.request(method, f"/api{path}", **options)

    async def match_with_bots(self, bots: int = 1) -> str:
        """Start a match against bots; return its id."""
        made = await self.post("/matches", bots=bots, policy="random", key=f"bots {bots}")
        assert made.status_code == 201, made.text
        match_id: str = made.json()["match_id"]
        return match_id

    async def match_against(self, *others: "Program") -> str:
        """Start a match at a table that the others join by code; return its id."""
        table = (
            await self.post(
                "/tables",
                game="castell",
                seats=len(others) + 1,
                key=f"against {len(others)}",
                seat_order="chosen",
            )
        ).json()
        for other in others:
            joined = await other.post("/join", code=table["code"])
            assert joined.status_code == 200, joined.text
        started = await self.post(f"/tables/{table['id']}/start")
        assert started.status_code == 200, started.text
        match_id: str = started.json()["match_id"]
        return match_id


@dataclass(frozen=True, slots=True)
class Programs:
    """Makes people with programs."""

    app: FastAPI
    sessions: Sessions
    stack: AsyncExitStack

    @classmethod
    @asynccontextmanager
    async def of(cls, app: FastAPI, sessions: Sessions) -> AsyncIterator["Programs"]:
        """Yield programs for `app`; their clients are closed afterwards."""
        async with AsyncExitStack() as stack:
            yield cls(app, sessions, stack)

    async def make(self, name: str) -> Program:
        """Return a program of a new person."""
        async with self.sessions.begin() as session:
            person = await create_guest(session, name=name, now=NOW)
            token = await create_api_token(session, person=person, label="test", now=NOW)
        client = await self.client({"Authorization": f"Bearer {token}"})
        return Program(client, person, token)

    async def client(self, headers: dict[str, str] | None = None) -> AsyncClient:
        """Return a bare client."""
        transport = ASGITransport(app=self.app)
        client = AsyncClient(transport=transport, base_url="https://plaza.test", headers=headers)
        return await self.stack.enter_async_context(client)
