"""Matches that a release left running go on under this version.

    UPGRADE_FINISH=all .venv/bin/python -m pytest -s -q tests/upgrade

restores what is kept of every release, brings it to this version's schema,
compares each match with what was noted, and lets bots finish all of them
(`make test`: a few).
"""

import os
import random
from collections import Counter
from collections.abc import Collection
from uuid import UUID

import anyio
import pytest

from app.db.engine import make_engine
from app.db.session import Sessions, make_sessions
from app.hosting.backup.restoring import restore
from app.matches.history import verify
from app.rules.registry import LISTINGS
from tests.support.postgres import TestServer
from tests.upgrade.make import open_at
from tests.upgrade.playing import play
from tests.upgrade.release import KINDS, Release, record, releases

pytestmark = pytest.mark.anyio

FEWEST = 100
FINISH = os.environ.get("UPGRADE_FINISH", "4")


def test_something_is_kept_of_a_release_and_of_every_game() -> None:
    assert releases()
    assert set(KINDS) == set(LISTINGS)


@pytest.mark.parametrize("release", releases(), ids=lambda release: release.name)
async def test_matches_of_a_release_stand_where_they_stood_and_can_be_finished(
    release: Release, postgres: TestServer
) -> None:
    url = postgres.create("upgrade")
    await anyio.to_thread.run_sync(restore, url, release.read_backup())
    records = release.read_records()
    engine = make_engine(url)
    sessions = make_sessions(engine)

    kinds: dict[str, Counter[str]] = {game: Counter() for game in KINDS}
    for match_id, noted in records.items():
        async with sessions.begin() as session:
            assert await verify(session, UUID(match_id)) == []
            now = await record(session, UUID(match_id))
        if now["rules"] != noted["rules"]:
            # Newer rules keep the position in another shape; who may do what stays the same.
            now["rules"], now["state"] = noted["rules"], noted["state"]
        assert now == noted, match_id
        kinds[noted["game"]].update(set(noted["kinds"].values()))
    assert len(records) >= FEWEST
    assert all(set(kinds[game]) >= KINDS[game] for game in KINDS), kinds

    finished = await finish(sessions, records.keys())
    await engine.dispose()
    print(  # noqa: T201 - the figures that somebody who asked for all of them wants to see
        f"\n{release.name}: {len(records)} running matches as they were,"
        f" {finished} finished by bots, 0 broken; waiting at {dict(kinds)}"
    )


async def finish(sessions: Sessions, match_ids: Collection[str]) -> int:
    """Let every seat be played at random to the end; return how many matches it was."""
    rng = random.Random(1)
    many = len(match_ids) if FINISH == "all" else int(FINISH)
    chosen = rng.sample(sorted(match_ids), many)
    for match_id in chosen:
        async with sessions.begin() as session:
            assert await play(session, UUID(match_id), rng) is None
            assert await verify(session, UUID(match_id)) == []
    return len(chosen)


@pytest.mark.parametrize("game", KINDS)
async def test_the_next_release_can_be_kept(sessions: Sessions, game: str) -> None:
    match_id = await open_at(sessions, game, "turn", 3, random.Random(1))

    async with sessions.begin() as session:
        noted = await record(session, match_id)
    assert noted["game"] == game
    assert set(noted["kinds"].values()) == {"turn"}
    assert set(noted["legal"]) == set(noted["kinds"])
