"""What a browser says of itself is read strictly, and what is wrong with it is kept nowhere."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from sqlalchemy import text

from app.config import Settings
from app.db.session import Sessions
from app.errors import InvalidError
from app.notifications.channels.services import read
from app.notifications.channels.values import Pasted
from tests.support.browser import serving
from tests.support.world import make_world

pytestmark = pytest.mark.anyio

CASES = json.loads((Path(__file__).parent / "subscriptions.json").read_text("utf-8"))
WRONG = [(code, CASES["right"] | part) for code, parts in CASES["wrong"].items() for part in parts]
ADD = "/account/notices/browser"


def pasted(form: dict[str, str]) -> Pasted:
    return Pasted(address=form["endpoint"], key=form["p256dh"], token=form["auth"])


@pytest.mark.parametrize(("code", "form"), WRONG, ids=[ascii(form) for _, form in WRONG])
def test_each_is_refused_for_what_is_wrong_with_it(code: str, form: dict[str, str]) -> None:
    with pytest.raises(InvalidError) as refused:
        read("push", pasted(form), Settings())

    assert refused.value.code == code


def test_the_one_they_differ_from_is_right() -> None:
    assert (
        read("push", pasted(CASES["right"]), Settings()).secret["url"] == CASES["right"]["endpoint"]
    )


@pytest.fixture
async def app(database_url: str) -> AsyncIterator[FastAPI]:
    async with serving(database_url) as app:
        yield app


async def test_the_page_keeps_none_of_them(app: FastAPI, sessions: Sessions) -> None:
    world = await make_world(sessions)
    more = [{}, CASES["right"] | {"endpoint": "x" * 5000}, CASES["right"] | {"more": "x"}]
    async with world.browser(app, "player") as browser:
        for form in [*(form for _, form in WRONG), *more]:
            app.state.limiter.forget()
            answer = await browser.submit(ADD, form)
            assert answer.status_code == 422, form
        async with sessions.begin() as session:
            kept = await session.scalar(text("select count(*) from channels"))
        right = await browser.submit(ADD, CASES["right"])

    assert kept == 0
    assert right.status_code == 303
