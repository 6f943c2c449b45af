"""What must hold in the end, however often something was killed meanwhile."""

from collections import Counter

import psycopg
from psycopg.rows import TupleRow

from app.db.engine import make_engine
from app.db.session import make_sessions
from app.matches.history import match_ids, verify
from tests.crash.players import Key, Ledger

_COMMANDS = "select match_id::text, seat, key, version from match_commands"


async def commands(database: psycopg.AsyncConnection[TupleRow]) -> dict[Key, int]:
    """Return every commit in the log, of people and bots, with the version it made."""
    rows = await (await database.execute(_COMMANDS)).fetchall()
    return {(match_id, seat, key): version for match_id, seat, key, version in rows}


async def reckon(database: psycopg.AsyncConnection[TupleRow], ledger: Ledger) -> None:
    """Compare what was acknowledged with what is stored."""
    stored = await commands(database)
    by_people = {key: version for key, version in stored.items() if not key[2].startswith("bot:")}

    assert by_people == ledger.acknowledged

    heads = await (await database.execute("select id::text, version from matches")).fetchall()
    made = Counter((match_id, version) for (match_id, _, _), version in stored.items())
    # The first version is the start; each later one was made by one command.
    assert made == Counter(
        (match_id, version) for match_id, last in heads for version in range(2, last + 1)
    )

    decided = await (
        await database.execute(
            "select match_id::text, version, seat from match_events where line is not null"
        )
    ).fetchall()
    turns = {(match_id, version, seat) for match_id, version, seat in decided}
    assert len(decided) == len(turns), "a turn is in the log twice"
    assert {
        (match_id, version, seat)
        for (match_id, seat, key), version in by_people.items()
        if key.startswith("turn:")
    } <= turns


async def verified(database_url: str) -> int:
    """Verify every match, as `placa verify --all` does; return how many there are."""
    engine, checked = make_engine(database_url), 0
    async with make_sessions(engine).begin() as session:
        async for match_id in match_ids(session):
            assert await verify(session, match_id) == []
            checked += 1
    await engine.dispose()
    return checked
