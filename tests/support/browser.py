"""A browser without a screen: an HTTP client that keeps cookies and says where it comes from."""

import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import httpx
from fastapi import FastAPI

from app.config import Settings
from app.logs import configure_logging
from app.main import create_app
from tests.support.clock import SettableClock

HERE = "https://plaza.test"
KEY = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGH"


def settings(database_url: str, **values: Any) -> Settings:
    """Return settings for an installation at https://plaza.test."""
    return Settings.model_validate(
        {
            "database_url": database_url,
            "public_url": HERE,
            "secret_key": KEY,
            "registration": "open",
        }
        | values
    )


def without_tokens(page: str) -> str:
    """Return a page as it is but for its form tokens, which differ in every answer."""
    return re.sub(r'name="csrf" value="[0-9a-f]+"', "", page)


@asynccontextmanager
async def serving(
    database_url: str, *, clock: SettableClock | None = None, **values: Any
) -> AsyncIterator[FastAPI]:
    """Run the application for a while."""
    configure_logging(log_format="json", level="error")
    app = create_app(settings(database_url, **values), clock=clock or SettableClock())
    async with app.router.lifespan_context(app):
        yield app


class Browser(httpx.AsyncClient):
    """Sends what a browser sends with a click on one of our pages."""

    def __init__(self, app: FastAPI, *, base: str = HERE, address: str = "203.0.113.7") -> None:
        super().__init__(
            transport=httpx.ASGITransport(app, client=(address, 50000), raise_app_exceptions=False),
            base_url=base,
        )

    async def submit(
        self, path: str, data: Mapping[str, str | list[str]] | None = None, **headers: str
    ) -> httpx.Response:
        """Post a form of ours, as the browser does."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return await self.post(
            path,
            data={"csrf": "", **(data or {})},
            headers={"Sec-Fetch-Site": "same-origin"} | named,
        )

    async def token(self, path: str = "/") -> str:
        """Return the token that the forms of a page carry."""
        found = re.search(r'name="csrf" value="([0-9a-f]+)"', (await self.get(path)).text)
        assert found is not None, "the page has no form"
        return found[1]
