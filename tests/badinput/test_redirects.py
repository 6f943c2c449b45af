"""After a form one goes on within this site, wherever the form said."""

from collections.abc import AsyncIterator
from urllib.parse import unquote, urlsplit

import pytest
from fastapi import FastAPI

from app.db.session import Sessions
from tests.badinput.corpus import read_paths
from tests.support.browser import HERE, Browser, serving
from tests.support.world import PASSWORD, make_world

pytestmark = pytest.mark.anyio

PATHS = read_paths()


@pytest.fixture
async def app(database_url: str) -> AsyncIterator[FastAPI]:
    async with serving(database_url) as app:
        yield app


def leads(location: str) -> tuple[str, str]:
    """Return which site a browser goes to from a page of ours, and which path."""
    # What browsers take for a slash, and what they leave out.
    read = "".join(mark for mark in location.replace("\\", "/") if mark not in "\t\r\n").strip()
    parts = urlsplit(read)
    site = f"{parts.scheme}://{parts.netloc}" if parts.netloc or parts.scheme else HERE
    return site, parts.path


@pytest.mark.parametrize(("kind", "paths"), PATHS.items())
async def test_a_choice_leads_back_to_a_page_of_ours(
    app: FastAPI, kind: str, paths: list[str]
) -> None:
    async with Browser(app) as browser:
        for path in paths:
            answer = await browser.submit("/preferences", {"theme": "dark", "next": path})

            # What cannot be part of a form at all may be refused as such.
            if kind == "elsewhere" and answer.status_code == 422:
                continue
            assert answer.status_code == 303, path
            location = answer.headers["Location"]
            site, there = leads(location)
            assert site == HERE, path
            if kind == "elsewhere":
                assert there == "/", path
            else:
                assert unquote(location) == unquote(path), path


async def test_whoever_signs_in_stays_here(app: FastAPI, sessions: Sessions) -> None:
    await make_world(sessions)
    for number, path in enumerate(PATHS["elsewhere"][::8]):
        async with Browser(app, address=f"198.51.100.{number}") as browser:
            form = {"name": "Player", "password": PASSWORD, "next": path}
            answer = await browser.submit("/login", form)

        assert answer.status_code == 303, path
        assert leads(answer.headers["Location"])[0] == HERE, path
