"""A8: how many open pages one web process bears."""

import asyncio
from time import perf_counter
from typing import TYPE_CHECKING

from app.cli.bench.client import Client, get
from app.cli.bench.figures import Figure, percentile
from app.cli.bench.guests import Guests
from app.cli.bench.setting import Size

if TYPE_CHECKING:
    from app.cli.bench.web import Served

INTERVAL_SECONDS = 2.0
BEARABLE_SECONDS = 0.1
MATCHES = 50


async def most_pages(ours: "Served", guests: Guests, size: Size) -> dict[str, Figure]:
    """Open more and more pages until the answers come too late."""
    requests = []
    for _ in range(min(MATCHES, max(size.pages))):
        match_id = await guests.start()
        path = f"/matches/{match_id}/board?since={await guests.since(match_id)}"
        requests.append(get(path, {**guests.cookies, "hx-request": "true"}))
    most, curve = 0, []
    for count in size.pages:
        late = await _p95(ours.port, requests, count, max(size.seconds, INTERVAL_SECONDS))
        curve.append(f"{count}: {late * 1000:.0f} ms")
        if late > BEARABLE_SECONDS:
            break
        most = count
    return {"A8": Figure(most, note="p95 wall " + ", ".join(curve))}


async def _p95(port: int, requests: list[bytes], count: int, seconds: float) -> float:
    """Return the 95th percentile of the answers' delay with `count` pages open."""
    clients = [await Client.to(port) for _ in range(count)]
    delays: list[float] = []
    began = perf_counter() + 0.1
    # The first poll of a page may find nothing in memory yet.
    settled = began + INTERVAL_SECONDS

    async def page(number: int, client: Client) -> None:
        due = began + INTERVAL_SECONDS * number / count
        while due < settled + seconds:
            await asyncio.sleep(max(0.0, due - perf_counter()))
            answer = await client.send(requests[number % len(requests)])
            if answer.status != 204:
                raise RuntimeError(f"a poll was answered {answer.status}")
            if due >= settled:
                delays.append(perf_counter() - due)
            due += INTERVAL_SECONDS

    await asyncio.gather(*(page(number, client) for number, client in enumerate(clients)))
    for client in clients:
        client.close()
    return percentile(delays, 0.95)
