"""The example bot of the documentation, against a real server."""

import asyncio
import os
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest

from tests.support.programs import Programs

pytestmark = pytest.mark.anyio

BOT = Path(__file__).parents[2] / "docs" / "example_bot.py"


@asynccontextmanager
async def server(database_url: str) -> AsyncIterator[str]:
    """Run the web process on a free port; yield its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "uvicorn", "app.main:create_app", "--factory", "--port", str(port)),
        *("--log-level", "warning"),
        env={**os.environ, "DATABASE_URL": database_url, "SECRET_KEY": "0123456789abcdef" * 4},
    )
    address = f"http://127.0.0.1:{port}"
    try:
        async with asyncio.timeout(60), httpx.AsyncClient() as client:
            while not await answers(client, address):  # noqa: ASYNC110 - it lies in another process
                await asyncio.sleep(0.1)
        yield address
    finally:
        process.terminate()
        await process.wait()


async def answers(client: httpx.AsyncClient, address: str) -> bool:
    """Tell whether the server is up."""
    try:
        return (await client.get(f"{address}/api/openapi.json")).status_code == 200
    except httpx.TransportError:
        return False


async def play(address: str, token: str, match_id: str) -> str:
    """Let the bot play one seat; return what it prints."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, str(BOT), "--url", address, "--match", match_id, "--seed", "1"),
        env={**os.environ, "PLACA_TOKEN": token},
        stdout=asyncio.subprocess.PIPE,
    )
    printed, _ = await process.communicate()
    assert process.returncode == 0
    return printed.decode()


async def test_two_example_bots_play_a_whole_match(programs: Programs, database_url: str) -> None:
    anna, berta = await programs.make("Anna"), await programs.make("Berta")
    match_id = await anna.match_against(berta)

    async with server(database_url) as address, asyncio.timeout(240):
        results = await asyncio.gather(
            *(play(address, program.token, match_id) for program in (anna, berta))
        )

    assert results[0] == results[1]
    assert [line.partition(":")[0] for line in results[0].splitlines()] == ["Anna", "Berta"]
    assert (await anna.get(f"/matches/{match_id}")).json()["status"] == "finished"


async def test_without_a_token_the_bot_says_what_it_needs() -> None:
    environment = {name: value for name, value in os.environ.items() if name != "PLACA_TOKEN"}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, str(BOT)), env=environment, stderr=asyncio.subprocess.PIPE
    )
    _, said = await process.communicate()

    assert process.returncode == 1
    assert said == b"set PLACA_TOKEN to an API token of yours\n"
