"""Whoever deletes themselves is no more named: in seats, log, text, talk, lists, to programs."""

from collections.abc import AsyncIterator

import pytest
from fastapi import FastAPI
from sqlalchemy import text

from app.accounts.api_tokens import create_api_token
from app.accounts.sessions import start_session
from app.accounts.values import Person
from app.db.session import Sessions
from app.lobby import service
from app.lobby.people import delete_everywhere
from app.lobby.queries import table_page
from app.lobby.seats import add_player
from app.lobby.talk import say
from app.matches.queries import seats_of
from app.matches.service import resign
from tests.support.browser import Browser, serving
from tests.support.people import LINKS, NOON, Gathering, guest

pytestmark = pytest.mark.anyio

NAMES = ("Hortènsia", "Filomena")


@pytest.fixture
async def app(database_url: str) -> AsyncIterator[FastAPI]:
    async with serving(database_url) as app:
        yield app


async def played(sessions: Sessions, gone: Person) -> Gathering:
    """Start a match at a table with `gone`, a second player on their device, and their talk."""
    table = await Gathering.of(sessions, seats=4)
    await table.join(gone)
    async with sessions.begin() as session:
        await add_player(
            session, table_id=table.id, position=2, name=NAMES[1], person=gone, now=NOON
        )
        await say(session, table_id=table.id, person=gone, text="Hola", key="k", now=NOON)
    await table.fill_with_bots()
    await table.start()
    return table


async def resigned(sessions: Sessions, table: Gathering, gone: Person) -> None:
    """Let `gone` leave the match at `table` for good."""
    match_id = (await table.page()).match_id
    assert match_id is not None
    async with sessions.begin() as session:
        for seat in await seats_of(session, match_id, gone.id):
            await resign(session, match_id=match_id, seat=seat, key="r", now=NOON)


@pytest.fixture
async def tables(sessions: Sessions) -> list[Gathering]:
    """Make three tables where somebody was: to the end, until they resigned, until deleted."""
    gone = await guest(sessions, NAMES[0])
    tables = [await played(sessions, gone) for _ in range(3)]
    async with sessions.begin() as session:
        await session.execute(
            text(
                "update matches set status = 'finished', finished_at = :now"
                " where id = (select match_id from tables where id = :id)"
            ),
            {"now": NOON, "id": tables[0].id},
        )
    await resigned(sessions, tables[1], gone)
    async with sessions.begin() as session:
        await delete_everywhere(session, person=gone, password="", now=NOON)
    return tables


async def test_the_database_holds_the_name_no_more(
    sessions: Sessions, tables: list[Gathering]
) -> None:
    async with sessions.begin() as session:
        names = await session.scalars(
            text("select tablename from pg_tables where schemaname = 'public'")
        )
        for table in names.all():
            for name in NAMES:
                found = await session.scalar(
                    text(f"select count(*) from {table} as t where t::text like :name"),
                    {"name": f"%{name}%"},
                )
                assert found == 0, f"{table}: {name}"


@pytest.mark.parametrize("which", range(3), ids=["to the end", "resigned", "deleted meanwhile"])
async def test_every_page_says_someone_who_left(
    app: FastAPI, sessions: Sessions, tables: list[Gathering], which: int
) -> None:
    table = tables[which]
    match_id = (await table.page()).match_id
    async with sessions.begin() as session:
        cookie = await start_session(session, person=table.host, label="", now=NOON)
        token = await create_api_token(session, person=table.host, label="bot", now=NOON)
    named = (
        f"/matches/{match_id}",
        f"/matches/{match_id}/text",
        f"/matches/{match_id}/history/1",
        f"/tables/{table.id}/talk",
        "/matches",
    )
    async with Browser(app) as browser:
        browser.cookies.set(app.state.cookies.session, cookie)
        for path in named:
            page = await browser.get(path, headers={"Accept-Language": "en"})
            assert page.status_code == 200
            assert "Someone who left" in page.text, path
            assert not any(name in page.text for name in NAMES), path
        catalan = await browser.get(named[0], headers={"Accept-Language": "ca"})
        assert "Algú que va marxar" in catalan.text
        export = await browser.get(f"/matches/{match_id}/export")
        program = await browser.get(
            f"/api/matches/{match_id}", headers={"Authorization": f"Bearer {token}"}
        )

    assert not any(name in export.text + program.text for name in NAMES)
    assert "Someone who left" in {seat["name"] for seat in program.json()["seats"]}


async def test_a_rematch_keeps_no_seat_for_who_was_deleted(
    sessions: Sessions, tables: list[Gathering]
) -> None:
    table = tables[0]
    async with sessions.begin() as session:
        again = await service.rematch(
            session, table_id=table.id, person=table.host, links=LINKS, now=NOON
        )
        page = await table_page(session, table_id=again, person=table.host, links=LINKS)

    assert [seat.name is None for seat in page.seats] == [False, True, True, False]
