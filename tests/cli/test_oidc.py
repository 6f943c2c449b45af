"""`placa oidc`: in again from the shell, whatever the settings say."""

import os
from subprocess import CompletedProcess

import pytest

from app.db.session import Sessions
from app.hosting.audit import deeds
from tests.support import forked

pytestmark = pytest.mark.anyio

# Nobody listens there: none of this needs the issuer.
ISSUER = {"OIDC_ISSUER": "http://127.0.0.1:1", "OIDC_CLIENT_ID": "placa"}
ONLY = {**ISSUER, "PLACA_LOCAL_SIGN_IN": "false"}


def placa(url: str, *words: str, **more: str) -> CompletedProcess[str]:
    return forked.placa("oidc", *words, environment={**os.environ, "DATABASE_URL": url, **more})


async def test_it_is_off_until_it_is_on_and_written_down(
    sessions: Sessions, database_url: str
) -> None:
    said = [placa(database_url, "status", **ONLY).stdout]
    disabled = placa(database_url, "disable", **ONLY)
    # Twice is as good as once.
    placa(database_url, "disable", **ONLY)
    said.append(placa(database_url, "status", **ONLY).stdout)
    placa(database_url, "enable", **ONLY)
    said.append(placa(database_url, "status", **ONLY).stdout)

    assert disabled.returncode == 0
    assert "placa login-link" in disabled.stderr
    assert ["password: yes" in lines for lines in said] == [False, True, False]
    assert ["127.0.0.1:1" in lines for lines in said] == [True, False, True]
    assert "placa oidc enable turns it on" in said[1]
    async with sessions() as session:
        done = [deed.action for deed in reversed(await deeds(session))]
    assert done == ["oidc.disable", "oidc.disable", "oidc.enable"]


async def test_without_an_issuer_there_is_nothing_to_turn_on(database_url: str) -> None:
    refused = placa(database_url, "enable")

    assert (refused.returncode, refused.stderr) == (78, "placa: OIDC_ISSUER is not set\n")
