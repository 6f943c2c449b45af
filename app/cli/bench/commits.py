"""A3, A4, A5, A7: what a commit costs, whether a long log matters, when others see it."""

import asyncio
import json
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING
from uuid import UUID

from app.cli.bench.client import Client, get, post
from app.cli.bench.figures import Figure, percentile
from app.cli.bench.guests import Guests
from app.cli.bench.pages import INTERVAL_SECONDS
from app.cli.bench.pgbench import transactions_per_second
from app.cli.bench.score import Composer, Step
from app.cli.bench.setting import Size
from app.config import Settings

if TYPE_CHECKING:
    from app.cli.bench.web import Served

# About 20 events.
EARLY = 4
MORE_EVENTS = 2000


async def measure_commits(
    ours: "Served", guests: Guests, settings: Settings, size: Size, missing: dict[str, str]
) -> dict[str, Figure]:
    """Measure commits a second against pgbench, in turn."""
    steps = Composer().compose(size.turns).steps
    url, rounds, ours_all, theirs_all = settings.required_database_url, [], [], []
    try:
        for _ in range(size.rounds):
            match_id = await guests.start()
            client = await Client.to(ours.port)
            began = perf_counter()
            for step in steps:
                await _commit(client, guests, match_id, step)
            per_second = len(steps) / (perf_counter() - began)
            client.close()
            theirs = await asyncio.to_thread(
                transactions_per_second, url, match_id, settings.pg_bin, size.requests
            )
            rounds.append(per_second / theirs)
            ours_all.append(per_second)
            theirs_all.append(theirs)
    except FileNotFoundError as error:
        missing["A3"] = str(error)
        return {}
    note = f"wall: {median(ours_all):.0f} a second : {median(theirs_all):.0f} a second"
    return {"A3": Figure.of(rounds, note)}


async def measure_length(ours: "Served", guests: Guests, size: Size) -> dict[str, Figure]:
    """Compare a match with 2,000 more events in its log with its twin."""
    steps = Composer().compose(EARLY + size.turns).steps
    commits, pages, shown = [], [], []
    for _ in range(size.rounds):
        long, short = await guests.start(), await guests.start()
        for match_id in (long, short):
            await guests.play(match_id, steps[:EARLY])
        events = (await guests.ask("select events from matches where id = :id", id=short))[0]
        await guests.lengthen(long, MORE_EVENTS)
        pair = [
            await ours.cost(
                get(f"/matches/{match_id}?seat=0", guests.cookies), max(size.requests // 4, 1), 200
            )
            for match_id in (long, short)
        ]
        pages.append(pair[0] / pair[1])
        client = await Client.to(ours.port)
        seconds: tuple[list[float], list[float]] = ([], [])
        for number, step in enumerate(steps[EARLY:]):
            # Who goes first changes, so that neither gains by it.
            order = (0, 1) if number % 2 else (1, 0)
            for which in order:
                began = perf_counter()
                await _commit(client, guests, (long, short)[which], step)
                seconds[which].append(perf_counter() - began)
        client.close()
        commits.append(median(seconds[0]) / median(seconds[1]))
        shown.append(median(seconds[1]) * 1000)
    note = f"{events} events and {events + MORE_EVENTS}"
    return {
        "A4": Figure.of(commits, f"wall, {median(shown):.1f} ms; {note}"),
        "A5": Figure.of(pages, note),
    }


async def measure_sight(ours: "Served", guests: Guests, size: Size) -> dict[str, Figure]:
    """Measure how late opponents see a commit, beyond the interval at which they ask."""
    match_id = await guests.start()
    delays: list[float] = []
    for step in Composer().compose(3 * size.samples).steps:
        # The first person's page watches what the other one's program does.
        if step.seat % 2 == 0:
            await guests.play(match_id, [step])
            continue
        path = f"/matches/{match_id}/board?since={await guests.since(match_id)}&seat=0"
        poll = get(path, {**guests.cookies, "hx-request": "true"})
        phase = INTERVAL_SECONDS * ((len(delays) * 0.618) % 1)
        delays.append(await _seen_after(ours, guests, match_id, step, (poll, phase)))
        if len(delays) == size.samples:
            break
    late = percentile(delays, 0.95)
    note = f"wall; seen after {median(delays):.2f} s, p95 {late:.2f} s"
    return {"A7": Figure((late - INTERVAL_SECONDS) * 1000, note=note)}


async def _seen_after(
    ours: "Served", guests: Guests, match_id: UUID, step: Step, looking: tuple[bytes, float]
) -> float:
    """Commit after the opponent's page has polled for a while; return until when it saw it."""
    poll, phase = looking
    client = await Client.to(ours.port)
    began = perf_counter()

    async def watch() -> float:
        while True:
            status = (await client.send(poll)).status
            if status == 200:
                return perf_counter()
            if status != 204:
                raise RuntimeError(f"a poll was answered {status}")
            await asyncio.sleep(INTERVAL_SECONDS)

    watching = asyncio.create_task(watch())
    await asyncio.sleep(phase - (perf_counter() - began))
    committing = await Client.to(ours.port)
    await _commit(committing, guests, match_id, step)
    committed = perf_counter()
    committing.close()
    seen = await watching
    client.close()
    return seen - committed


async def _commit(client: Client, guests: Guests, match_id: UUID, step: Step) -> None:
    """Commit one step over HTTP; raises RuntimeError if it is refused."""
    body = {"expected_version": step.version, "key": f"v{step.version}", "line": step.line}
    path = f"/api/matches/{match_id}/commit?seat={step.seat}"
    answer = await client.send(post(path, guests.bearer(step.seat), json.dumps(body).encode()))
    if answer.status != 200:
        raise RuntimeError(f"a commit was refused: {answer.body.decode()}")
