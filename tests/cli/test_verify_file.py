"""`placa verify FILE` and `placa fairness FILE`: without a database, on any machine."""

import os
from pathlib import Path
from uuid import UUID

import pytest

from app.db.session import Sessions
from app.matches.portable import portable_text, read_portable
from app.matches.rescue import roll_back, void_match
from app.matches.sealed import seal, unseal
from tests.support import forked
from tests.support.people import NOON, Gathering
from tests.support.played import play_on

pytestmark = pytest.mark.anyio

# What an operator's machine has in its environment, and what must not matter.
ELSEWHERE = {"DATABASE_URL": "postgresql://placa@127.0.0.1:1/nowhere", "PLACA_DATA_DIR": "/nowhere"}


def placa(*arguments: str | Path) -> tuple[int, list[str], str]:
    done = forked.placa(*map(str, arguments), environment={**os.environ, **ELSEWHERE})
    return done.returncode, done.stdout.splitlines(), done.stderr


def read(file: Path) -> bytes:
    return file.read_bytes()


def write(file: Path, content: bytes) -> None:
    file.write_bytes(content)


async def a_match(sessions: Sessions) -> UUID:
    table = await Gathering.of(sessions, seats=2)
    await table.joined("Blai")
    return await table.start()


@pytest.fixture
async def whole(sessions: Sessions, tmp_path: Path) -> Path:
    """Return the file of a match that was taken back once and played to its end."""
    match_id = await a_match(sessions)
    await play_on(sessions, match_id, until=lambda page: page.version > 6)
    async with sessions.begin() as session:
        await roll_back(session, match_id=match_id, to_version=2, now=NOON)
    await play_on(sessions, match_id)
    async with sessions.begin() as session:
        text = await portable_text(session, match_id=match_id)
    file = tmp_path / "match.placa"
    file.write_text(text)
    return file


async def test_a_whole_match_proves_itself_and_its_draws(whole: Path) -> None:
    status, said, wrong = placa("verify", whole)
    fair, draws, _ = placa("fairness", whole)

    assert (status, wrong) == (0, "")
    assert said[-1].endswith("proven, its draws too")
    assert fair == 0
    assert draws[0].endswith(": kept")
    assert any("taken back later" in line for line in draws)
    assert all("as logged" in line for line in draws[1:-1])
    count = int(draws[-1].split()[0])
    assert count == sum(int(line.split(", ")[1].split()[0]) for line in draws[1:-1])
    assert count > 50


async def test_a_changed_byte_is_named_by_its_line(whole: Path) -> None:
    content = read(whole)
    lines = content.count(b"\n")

    for at in (0, 20, len(content) // 3, len(content) // 2, len(content) - 2):
        write(whole, content[:at] + bytes([content[at] ^ 4]) + content[at + 1 :])
        line = content[:at].count(b"\n") + 1
        for command in ("verify", "fairness"):
            status, said, wrong = placa(command, whole)
            assert (status, said) == (1, [])
            assert f": line {line}: " in wrong
    write(whole, content[: len(content) // 2])
    assert placa("verify", whole)[0] == 1
    assert lines > 100


async def test_a_lie_sealed_again_is_named_by_the_line_it_was_decided_at(whole: Path) -> None:
    lines = list(unseal(read(whole)))
    refill = next(n for n, line in enumerate(lines) if '"refill": [[' in line)
    before, _, after = lines[refill].partition('"refill": [[')
    region, numbers = after.split("[", 1)
    first, rest = numbers[0], numbers[1:]
    lie = "2" if first != "2" else "3"
    lines[refill] = f'{before}"refill": [[{region}[{lie}{rest}'
    write(whole, seal(lines).encode())
    version = read_portable(read(whole)).match.log[0].version

    status, said, _ = placa("verify", whole)

    assert version == 1
    assert status == 1
    assert said[0].startswith("line ")
    assert placa("fairness", whole)[0] == 1


async def test_a_seed_that_was_not_promised_is_no_fair_one(whole: Path) -> None:
    lines = list(unseal(read(whole)))
    found = read_portable(read(whole)).match
    assert found.seed is not None
    lines[1] = lines[1].replace(found.seed.hex(), "ab" * 32)
    write(whole, seal(lines).encode())

    status, said, _ = placa("fairness", whole)

    assert status == 1
    assert said[0].endswith(": BROKEN")
    assert any("NOT as logged" in line for line in said)
    assert "line 2: seed.commitment the seed is not the one promised" in placa("verify", whole)[1]


async def test_a_void_match_proves_itself_too(sessions: Sessions, tmp_path: Path) -> None:
    match_id = await a_match(sessions)
    await play_on(sessions, match_id, until=lambda page: page.version > 3)
    async with sessions.begin() as session:
        await void_match(session, match_id=match_id, now=NOON)
        text = await portable_text(session, match_id=match_id)
    file = tmp_path / "void.placa"
    file.write_text(text)

    status, said, _ = placa("verify", file)

    assert status == 0
    assert ": void, " in said[-1]


async def test_without_the_seed_the_log_is_proven_and_the_draws_are_not(whole: Path) -> None:
    lines = list(unseal(read(whole)))
    found = read_portable(read(whole)).match
    assert found.seed is not None
    assert found.nonce is not None
    for secret in (found.seed, found.nonce):
        lines[1] = lines[1].replace(f'"{secret.hex()}"', "null")
    write(whole, seal(lines).encode())

    assert placa("verify", whole)[1][-1].endswith("it was not over")
    status, said, wrong = placa("fairness", whole)
    assert (status, said) == (2, [])
    assert "the seed is not in it" in wrong


async def test_draws_of_other_rules_are_left_to_the_program_of_that_time(whole: Path) -> None:
    lines = [
        line.replace('"rules_version":1,', '"rules_version":7,') for line in unseal(read(whole))
    ]
    write(whole, seal(lines).encode())

    status, _, wrong = placa("fairness", whole)

    assert status == 2
    assert "take the Plaça of that time" in wrong


@pytest.mark.parametrize("command", ["verify", "fairness"])
def test_a_file_that_is_not_there_gets_one_line(command: str) -> None:
    status, said, wrong = placa(command, "/nowhere/match")

    assert (status, said) == (2, [])
    assert wrong == "placa: /nowhere/match: No such file or directory\n"
