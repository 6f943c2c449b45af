"""`placa login-link NAME`."""

import os
from datetime import UTC, datetime
from subprocess import CompletedProcess

import pytest

from app.accounts.queries import person_by_link
from app.accounts.service import sign_up
from app.db.session import Sessions
from tests.support import forked

pytestmark = pytest.mark.anyio


def placa(database_url: str, *arguments: str) -> CompletedProcess[str]:
    here = {"DATABASE_URL": database_url, "PUBLIC_URL": "https://plaza.test/games"}
    return forked.placa(*arguments, environment=os.environ | here)


async def test_prints_a_link_that_opens_the_account(sessions: Sessions, database_url: str) -> None:
    async with sessions.begin() as session:
        anna = await sign_up(
            session, guest=None, name="Anna", password="quatre de nou", now=datetime.now(UTC)
        )

    printed = placa(database_url, "login-link", "anna")

    address, _, token = printed.stdout.strip().rpartition("/")
    async with sessions.begin() as session:
        opened = await person_by_link(session, token=token, now=datetime.now(UTC))
    assert printed.returncode == 0
    assert address == "https://plaza.test/games/device"
    assert opened == anna


async def test_an_unknown_name_gets_one_clear_line(sessions: Sessions, database_url: str) -> None:
    printed = placa(database_url, "login-link", "Nobody")

    assert printed.returncode == 2
    assert printed.stdout == ""
    assert printed.stderr.strip() == "placa: there is no account called 'Nobody'"
