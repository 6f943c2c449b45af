"""Part A: our web process and the baseline beside it, asked in turn."""

import gzip
import os
import re
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from urllib.parse import urljoin

from app.cli.bench.client import Client, get
from app.cli.bench.commits import measure_commits, measure_length, measure_sight
from app.cli.bench.figures import Figure
from app.cli.bench.guests import Guests
from app.cli.bench.pages import most_pages
from app.cli.bench.setting import Size
from app.cli.bench.start import busy_seconds, free_port, wait_until_ready
from app.cli.supervisor import PLACA
from app.cli.surroundings import open_sessions
from app.config import Settings
from app.ids import token_hash

# As `placa web` runs our own application.
UVICORN = (
    "-m", "uvicorn", "--factory", "app.cli.bench.baseline:create_app",
    "--no-access-log", "--no-server-header", "--ws", "none", "--log-level", "warning",
)  # fmt: skip
_LINKED = re.compile(r"""(?:src|href)="([^"]+\.(?:css|js|svg|png|webp))["#]""")
_FONT = re.compile(r"""url\(["']?([^)"']+\.woff2)""")


@dataclass(frozen=True, slots=True)
class Served:
    """A running server."""

    pid: int
    port: int

    async def cost(self, request: bytes, count: int, status: int) -> float:
        """Return the processor microseconds a request costs; raises RuntimeError."""
        client = await Client.to(self.port)
        try:
            for _ in range(3):
                await self._ask(client, request, status)
            before = busy_seconds(self.pid)
            for _ in range(count):
                await self._ask(client, request, status)
            return (busy_seconds(self.pid) - before) / count * 1e6
        finally:
            client.close()

    async def _ask(self, client: Client, request: bytes, status: int) -> None:
        answer = await client.send(request)
        if answer.status != status:
            raise RuntimeError(f"{request[:60]!r} was answered {answer.status}, not {status}")


async def measure_web(settings: Settings, size: Size, missing: dict[str, str]) -> dict[str, Figure]:
    """Measure A1 to A8; what cannot be measured is noted in `missing`."""
    figures: dict[str, Figure] = {}
    async with AsyncExitStack() as stack:
        sessions = await stack.enter_async_context(open_sessions(settings))
        ours = stack.enter_context(_serving([*PLACA, "web"], settings))
        least = stack.enter_context(_serving([PLACA[0], "-P", *UVICORN], settings))
        guests = await Guests.invite(sessions, settings.model_copy(update={"port": ours.port}))
        figures.update(await _requests(ours, least, guests, size))
        figures.update(await _weights(ours, guests))
        figures.update(await measure_commits(ours, guests, settings, size, missing))
        figures.update(await measure_length(ours, guests, size))
        figures.update(await measure_sight(ours, guests, size))
        figures.update(await most_pages(ours, guests, size))
    return figures


@contextmanager
def _serving(command: list[str], settings: Settings) -> Iterator[Served]:
    """Run a web server until the end of the block."""
    port = free_port()
    environment = {
        **os.environ,
        "DATABASE_URL": settings.required_database_url,
        "PLACA_DATA_DIR": str(settings.data_dir),
        "PLACA_PORT": str(port),
        "PLACA_LOG_LEVEL": "warning",
        "PLACA_SECRET_KEY": settings.secret_key or "",
    }
    words = command if "uvicorn" not in command else [*command, "--port", str(port)]
    process = subprocess.Popen(words, env=environment, stdin=subprocess.DEVNULL)
    try:
        wait_until_ready(f"http://127.0.0.1:{port}/healthz", process)
        yield Served(process.pid, port)
    finally:
        process.terminate()
        process.wait()


async def _requests(ours: Served, least: Served, guests: Guests, size: Size) -> dict[str, Figure]:
    """Measure polls and pages against the baseline."""
    match_id = await guests.start()
    since = await guests.since(match_id)
    mine = guests.cookies
    poll = get(f"/matches/{match_id}/board?since={since}", {**mine, "hx-request": "true"})
    digest = token_hash(guests.session).hex()
    requests = {
        "poll": (ours, poll, 204),
        "least": (least, get("/healthz", {}), 204),
        "orm": (least, get(f"/poll/{match_id}/{digest}/1", {}), 204),
        "page": (ours, get(f"/matches/{match_id}", mine), 200),
        "empty": (least, get("/page", {}), 200),
    }
    costs: dict[str, list[float]] = {name: [] for name in requests}
    for _ in range(size.rounds):
        for name, (server, request, status) in requests.items():
            count = size.requests // 4 if name == "page" else size.requests
            costs[name].append(await server.cost(request, max(count, 1), status))
    middle = {name: Figure.of(values).value for name, values in costs.items()}

    def ratio(above: str, below: str) -> Figure:
        pairs = zip(costs[above], costs[below], strict=True)
        note = f"{middle[above]:.0f} µs : {middle[below]:.0f} µs"
        return Figure.of((a / b for a, b in pairs), note)

    return {
        "A1": ratio("least", "poll"),
        "A2": ratio("orm", "poll"),
        "A6": ratio("page", "empty"),
    }


async def _weights(ours: Served, guests: Guests) -> dict[str, Figure]:
    """Weigh what a first and a second visit to the match page receive."""
    packed = {"accept-encoding": "gzip"}
    async with _connected(ours.port) as client:
        path = f"/matches/{await guests.start()}"
        page = await client.send(get(path, {**guests.cookies, **packed}))
        plain = (await client.send(get(path, guests.cookies))).body
        files, fonts = 0, 0
        for name in sorted(set(_LINKED.findall(plain.decode()))):
            files += (await client.send(get(name, packed))).received
            if ".css" in name:
                sheet = (await client.send(get(name, {}))).body.decode()
                for font in sorted(set(_FONT.findall(sheet))):
                    fonts += (await client.send(get(urljoin(name, font), packed))).received
    sent, weight = "sent by gzip", page.received
    if "content-encoding" not in page.headers:
        weight = page.received - len(page.body) + len(gzip.compress(plain, 6))
        sent = f"packed by a proxy, {len(plain) / 1024:.0f} KB without"
    return {
        "A6.first": Figure((weight + files) / 1024, note="page, styles, scripts, pictures"),
        "A6.fonts": Figure(fonts / 1024, note="all of them; a browser takes those a page uses"),
        "A6.again": Figure(weight / 1024, note=f"the page, {sent}; files are kept for ever"),
    }


@asynccontextmanager
async def _connected(port: int) -> AsyncIterator[Client]:
    client = await Client.to(port)
    try:
        yield client
    finally:
        client.close()
