"""`placa verify` on a real database, as an operator runs it."""

import os
from subprocess import CompletedProcess

import pytest

from app.ids import new_id
from tests.support.forked import placa_in_bytes
from tests.support.matches import Matches

pytestmark = pytest.mark.anyio


async def placa(database_url: str, *arguments: str) -> CompletedProcess[bytes]:
    """Run `placa verify`."""
    environment = {**os.environ, "DATABASE_URL": database_url}
    return placa_in_bytes("verify", *arguments, environment=environment)


async def test_sound_matches_are_counted(matches: Matches, database_url: str) -> None:
    match_id = await matches.start(None, None, game="castell")
    await matches.start(None, None, game="castell")

    every = await placa(database_url, "--all")
    one = await placa(database_url, str(match_id))

    assert (every.returncode, every.stdout) == (0, b"2 matches verified, 0 problems\n")
    assert (one.returncode, one.stdout) == (0, b"1 matches verified, 0 problems\n")


async def test_a_damaged_match_fails_and_is_named(matches: Matches, database_url: str) -> None:
    match_id = await matches.start(None, None, game="castell")
    await matches.run("update matches set state = jsonb_set(state, '{round}', '2')")

    every = await placa(database_url, "--all")

    assert every.returncode == 1
    assert every.stdout.decode().splitlines() == [
        f"{match_id} head.state the snapshot is not the fold of the log",
        "1 matches verified, 1 problems",
    ]


@pytest.mark.parametrize("arguments", [(), ("--all", str(new_id())), ("dog",), (str(new_id()),)])
async def test_anything_else_is_refused_with_one_line(
    database_url: str, arguments: tuple[str, ...]
) -> None:
    refused = await placa(database_url, *arguments)

    assert refused.returncode == 2
    assert refused.stdout == b""
    assert refused.stderr.startswith(b"placa: ")
    assert refused.stderr.count(b"\n") == 1
