"""`placa match` and `placa admin`, as an operator runs them on a real database."""

import os
from pathlib import Path
from uuid import UUID

import pytest

from app.db.session import Sessions
from app.ids import new_id
from tests.support.forked import placa_in_bytes
from tests.support.people import Gathering
from tests.support.played import play_on

pytestmark = pytest.mark.anyio


async def placa(url: str, *arguments: str, given: bytes = b"") -> tuple[int, str, str]:
    """Run a command; return its status and what it wrote."""
    environment = {**os.environ, "DATABASE_URL": url, "PUBLIC_URL": "https://plaza.test"}
    done = placa_in_bytes(*arguments, environment=environment, given=given)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


async def running(sessions: Sessions) -> UUID:
    table = await Gathering.of(sessions, seats=2)
    await table.joined("Blai")
    return await table.start()


async def test_show_rollback_void_and_the_log_of_it(sessions: Sessions, database_url: str) -> None:
    match_id = await running(sessions)
    await play_on(sessions, match_id, until=lambda page: page.version > 4)

    shown = await placa(database_url, "match", "show", str(match_id))
    rolled = await placa(
        database_url, "match", "rollback", str(match_id), "2", "--reason", "a misclick"
    )
    verified = await placa(database_url, "verify", str(match_id))
    void = await placa(database_url, "match", "void", str(match_id))
    listed = await placa(database_url, "match", "list", "--status", "void")
    log = await placa(database_url, "admin", "log")

    assert shown[0] == 0
    assert f"match {match_id}" in shown[1]
    assert rolled[:2] == (0, f"match {match_id} goes on from version 2 as version 6\n")
    assert verified[:2] == (0, "1 matches verified, 0 problems\n")
    assert void[:2] == (0, f"match {match_id} is void at version 7\n")
    assert str(match_id) in listed[1]
    assert [line.split()[4] for line in log[1].splitlines()] == ["match.void", "match.rollback"]
    assert "a misclick" in log[1]


async def test_a_match_travels_in_a_file(
    sessions: Sessions, database_url: str, tmp_path: Path
) -> None:
    match_id = await running(sessions)
    refused = await placa(database_url, "match", "export", str(match_id))
    exported = await placa(database_url, "match", "export", str(match_id), "--with-secrets")
    await placa(database_url, "match", "void", str(match_id))
    file = tmp_path / "match.placa"
    file.write_text(exported[1])

    here_already = await placa(database_url, "match", "import", str(file))
    async with sessions.begin() as session:
        connection = await session.connection()
        await connection.exec_driver_sql("truncate matches cascade")
    from_input = await placa(database_url, "match", "import", "-", given=exported[1].encode())
    damaged = await placa(
        database_url, "match", "import", "-", given=exported[1].replace("Blai", "Pere").encode()
    )

    assert refused[0] == 2
    assert refused[1] == ""
    assert "its secrets stay here" in refused[2]
    assert here_already[0] == 2
    assert from_input[0] == 0
    assert damaged[0] == 1
    assert "line " in damaged[2]
    assert (await placa(database_url, "verify", "--all"))[:2] == (
        0,
        "1 matches verified, 0 problems\n",
    )


async def test_a_seat_is_given_to_an_account_by_name_and_to_a_bot(
    sessions: Sessions, database_url: str
) -> None:
    match_id = await running(sessions)
    link = await placa(database_url, "admin", "create", "Roser")
    to = await placa(database_url, "match", "reassign-seat", str(match_id), "1", "--to", "Roser")
    bot = await placa(database_url, "match", "reassign-seat", str(match_id), "0", "--bot", "random")
    shown = await placa(database_url, "match", "show", str(match_id))

    assert link[1].startswith("https://plaza.test/device/")
    assert to[0] == bot[0] == 0
    assert "seat 1: Roser" in shown[1]
    assert "(bot random)" in shown[1]


async def test_administrators_come_and_go(database_url: str) -> None:
    await placa(database_url, "admin", "create", "Roser")
    before = await placa(database_url, "admin", "list")
    gone = await placa(database_url, "admin", "remove", "Roser")
    after = await placa(database_url, "admin", "list")

    assert before[1].startswith("Roser  ")
    assert gone[0] == 0
    assert after[1] == ""


@pytest.mark.parametrize(
    "arguments",
    [
        ("match", "show", "dog"),
        ("match", "show", str(new_id())),
        ("match", "void", str(new_id())),
        ("match", "rollback", str(new_id()), "1"),
        ("match", "export", str(new_id())),
        ("match", "import", "/nowhere/file"),
        ("match", "reassign-seat", str(new_id()), "0"),
        ("match", "reassign-seat", str(new_id()), "0", "--to", "Nobody"),
        ("match", "list", "--status", "odd"),
        ("admin", "remove", "Nobody"),
    ],
)
async def test_anything_else_is_refused_with_one_line(
    database_url: str, arguments: tuple[str, ...]
) -> None:
    status, out, err = await placa(database_url, *arguments)

    assert (status, out) == (2, "")
    assert err.startswith("placa: ")
    assert err.count("\n") == 1
