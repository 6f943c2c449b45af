"""How much one person may have going on at once."""

import re
from functools import partial
from pathlib import Path
from uuid import uuid4

import pytest
from sqlalchemy import text

from app.accounts.values import Person
from app.db.session import Sessions
from app.errors import ConflictError
from app.lobby import limits, seats, service
from app.lobby.values import NewTable
from app.matches.service import SeatSpec, start_match
from tests.lobby.test_races import all_at_once
from tests.support.people import LINKS, NOON, Gathering, guest

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let few be many already."""
    monkeypatch.setattr(limits, "RUNNING_MATCHES", 3)
    monkeypatch.setattr(limits, "GATHERING_TABLES", 2)


async def playing(sessions: Sessions, person: Person, matches: int) -> None:
    """Let `person` play so many matches."""
    specs = [SeatSpec(person.id, None, "Anna", 1), SeatSpec(None, None, "Blai", 2)]
    async with sessions.begin() as session:
        for _ in range(matches):
            await start_match(session, game="castell", options={}, seats=specs, now=NOON)


def refusal(code: str) -> "pytest.RaisesExc[ConflictError]":
    """Expect a ConflictError of that code."""
    return pytest.raises(ConflictError, check=lambda error: error.code == code)


async def click(sessions: Sessions, person: Person) -> object:
    """Play against bots at once."""
    async with sessions.begin() as session:
        return await service.play_bots(
            session,
            person=person,
            game="castell",
            bots=1,
            policy="steady",
            key=uuid4().hex,
            links=LINKS,
            now=NOON,
        )


async def test_who_plays_enough_starts_no_more_until_one_is_over(sessions: Sessions) -> None:
    anna = await guest(sessions, "Anna")
    await playing(sessions, anna, 2)
    await click(sessions, anna)

    with refusal("match.too_many"):
        await click(sessions, anna)

    async with sessions.begin() as session:
        await session.execute(
            text(
                "update matches set status = 'finished', finished_at = :now"
                " where id = (select id from matches limit 1)"
            ),
            {"now": NOON},
        )
    await click(sessions, anna)


async def test_a_table_laid_before_does_not_start_a_match_too_many(sessions: Sessions) -> None:
    table = await Gathering.of(sessions, seats=2)
    await table.fill_with_bots()
    await playing(sessions, table.host, 3)

    with refusal("match.too_many"):
        await table.start()


async def test_many_clicks_at_once_stop_at_the_limit(sessions: Sessions) -> None:
    anna = await guest(sessions, "Anna")

    results = await all_at_once(
        sessions,
        *(
            partial(
                service.play_bots,
                person=anna,
                game="castell",
                bots=1,
                policy="steady",
                key=f"k{n}",
                links=LINKS,
                now=NOON,
            )
            for n in range(10)
        ),
    )

    assert sum(isinstance(result, ConflictError) for result in results) == 7
    async with sessions.begin() as session:
        assert (await session.scalar(text("select count(*) from matches"))) == 3


async def test_a_guest_at_other_peoples_tables_counts_them_too(sessions: Sessions) -> None:
    tables = [await Gathering.of(sessions) for _ in range(3)]
    blai = await guest(sessions, "Blai")
    for table in tables[:2]:
        await table.join(blai)

    with refusal("table.too_many"):
        await tables[2].join(blai)

    # Where one sits already, nothing is in the way.
    await tables[0].join(blai)
    async with sessions.begin() as session:
        await seats.leave(session, table_id=tables[0].id, person=blai)
    await tables[2].join(blai)


async def test_who_plays_enough_sits_down_nowhere(sessions: Sessions) -> None:
    table = await Gathering.of(sessions)
    blai = await guest(sessions, "Blai")
    await playing(sessions, blai, 3)

    with refusal("match.too_many"):
        await table.join(blai)


async def test_seats_kept_by_rematches_count_once_they_are_taken(sessions: Sessions) -> None:
    blai = await guest(sessions, "Blai")
    kept = []
    for _ in range(3):
        table = await Gathering.of(sessions, seats=2)
        await table.join(blai)
        await table.start()
        async with sessions.begin() as session:
            await session.execute(
                text("update matches set status = 'finished', finished_at = :now"), {"now": NOON}
            )
            again = await service.rematch(
                session, table_id=table.id, person=table.host, links=LINKS, now=NOON
            )
        kept.append(again)
    async with sessions.begin() as session:
        for table_id in kept[:2]:
            await seats.confirm(session, table_id=table_id, position=1, person=blai, now=NOON)

    with refusal("table.too_many"):
        async with sessions.begin() as session:
            await seats.confirm(session, table_id=kept[2], position=1, person=blai, now=NOON)


async def test_a_rematch_is_one_more_table(sessions: Sessions) -> None:
    table = await Gathering.of(sessions, seats=2)
    await table.fill_with_bots()
    await table.start()
    async with sessions.begin() as session:
        await session.execute(
            text("update matches set status = 'finished', finished_at = :now"), {"now": NOON}
        )
        for n in range(2):
            wish = NewTable(game="castell", seats=2, key=f"k{n}", options={})
            await service.create_table(session, host=table.host, wish=wish, links=LINKS, now=NOON)

    with refusal("table.too_many"):
        async with sessions.begin() as session:
            await service.rematch(
                session, table_id=table.id, person=table.host, links=LINKS, now=NOON
            )


def test_the_limits_are_documented(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    page = (Path(__file__).parents[2] / "SECURITY.md").read_text()
    rows = re.findall(r"^\| ([a-z ]+) \| (\d+) \| `([a-z_.]+)` \|$", page, re.MULTILINE)

    assert rows == [
        ("matches that run", str(limits.RUNNING_MATCHES), "match.too_many"),
        ("tables that gather", str(limits.GATHERING_TABLES), "table.too_many"),
    ]
