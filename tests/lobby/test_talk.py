"""Table talk."""

import asyncio
from datetime import timedelta

import pytest

from app.accounts.values import Person
from app.db.session import Sessions
from app.errors import InvalidError, NotFoundError, TooManyError
from app.lobby import talk
from app.lobby.talk_queries import talk_page
from app.lobby.values import TalkPage
from tests.support.people import NOON, Gathering, guest

pytestmark = pytest.mark.anyio


async def say(
    table: Gathering, person: Person, text: str, *, key: str = "", seconds: int = 0
) -> int:
    async with table.sessions.begin() as session:
        return await talk.say(
            session,
            table_id=table.id,
            person=person,
            text=text,
            key=key or text[:64],
            now=NOON + timedelta(seconds=seconds),
        )


async def read(table: Gathering, person: Person) -> TalkPage:
    async with table.sessions.begin() as session:
        return await talk_page(session, table_id=table.id, person_id=person.id)


async def test_people_of_the_table_read_it_in_order(sessions: Sessions) -> None:
    table = await Gathering.of(sessions)
    blai = await table.joined("Blai")
    await say(table, table.host, "Hola!")
    await say(table, blai, "Bon dia")

    page = await read(table, blai)

    assert [(line.n, line.name, line.text, line.mine) for line in page.lines] == [
        (1, "Anna", "Hola!", False),
        (2, "Blai", "Bon dia", True),
    ]


async def test_outsiders_neither_read_nor_talk(sessions: Sessions) -> None:
    table = await Gathering.of(sessions, visibility="open")
    stranger = await guest(sessions, "Stranger")

    with pytest.raises(NotFoundError):
        await read(table, stranger)
    with pytest.raises(NotFoundError):
        await say(table, stranger, "Hola!")


async def test_what_was_not_read_is_counted(sessions: Sessions) -> None:
    table = await Gathering.of(sessions)
    blai = await table.joined("Blai")
    for text in ("one", "two"):
        await say(table, table.host, text)

    before = (await read(table, blai)).unread
    async with sessions.begin() as session:
        await talk.mark_read(session, table_id=table.id, person_id=blai.id, n=2)
        await talk.mark_read(session, table_id=table.id, person_id=blai.id, n=1)
    await say(table, blai, "three")

    assert before == 2
    assert (await read(table, blai)).unread == 0
    assert (await read(table, table.host)).unread == 1


async def test_a_muted_person_is_neither_read_nor_counted(sessions: Sessions) -> None:
    table = await Gathering.of(sessions)
    blai = await table.joined("Blai")
    await say(table, table.host, "secret sentinel")

    async with sessions.begin() as session:
        await talk.mute(session, table_id=table.id, person=blai, muted_id=table.host.id, muted=True)
    muted = await read(table, blai)
    async with sessions.begin() as session:
        await talk.mute(
            session, table_id=table.id, person=blai, muted_id=table.host.id, muted=False
        )
    heard = await read(table, blai)

    assert (muted.lines[0].text, muted.lines[0].muted, muted.unread) == ("", True, 0)
    assert (heard.lines[0].text, heard.unread) == ("secret sentinel", 1)


async def test_strangers_are_not_muted_nor_oneself(sessions: Sessions) -> None:
    table = await Gathering.of(sessions)
    stranger = await guest(sessions, "Stranger")

    async with sessions.begin() as session:
        for one, other in (
            (table.host, stranger),
            (stranger, table.host),
            (table.host, table.host),
        ):
            with pytest.raises(NotFoundError):
                await talk.mute(
                    session, table_id=table.id, person=one, muted_id=other.id, muted=True
                )


async def test_ten_lines_a_minute(sessions: Sessions) -> None:
    table = await Gathering.of(sessions)
    for n in range(10):
        await say(table, table.host, f"line {n}", seconds=n)

    with pytest.raises(TooManyError) as refused:
        await say(table, table.host, "line 10", seconds=20)
    later = await say(table, table.host, "line 10", seconds=61)

    assert refused.value.details["retry_after_seconds"] == 41
    assert later == 11


async def test_the_same_key_says_it_once(sessions: Sessions) -> None:
    table = await Gathering.of(sessions)

    said = await asyncio.gather(*(say(table, table.host, "Hola!", key="k") for _ in range(20)))

    assert said == [1] * 20
    assert (await read(table, table.host)).count == 1


async def test_lines_of_many_at_once_have_no_gaps(sessions: Sessions) -> None:
    table = await Gathering.of(sessions, seats=4)
    people = [table.host, *[await table.joined(name) for name in ("Blai", "Carla", "Dídac")]]

    await asyncio.gather(*(say(table, p, f"{p.name} {n}") for p in people for n in range(5)))

    assert [line.n for line in (await read(table, table.host)).lines] == list(range(1, 21))


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("  Hola \r\n\r\n\r\n\r\n món ", "Hola\n\nmón"),
        ("a\x00b\x1b[31mc", "ab[31mc"),
        ("\u202edlrow", "dlrow"),
        ("👨‍👩‍👧", "👨‍👩‍👧"),
        ("x\n\nevent: y\ndata: z", "x\n\nevent: y\ndata: z"),
        ("<script>alert(1)</script> {{7*7}}", "<script>alert(1)</script> {{7*7}}"),
    ],
)
def test_text_is_kept_plain(raw: str, shown: str) -> None:
    assert talk.clean_text(raw) == shown


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        ("", "talk.empty"),
        (" \n\t ", "talk.empty"),
        ("\u202e", "talk.empty"),
        ("a" * 501, "talk.too_long"),
        ("a" * 64_000, "talk.too_long"),
    ],
)
def test_text_is_refused(raw: str, code: str) -> None:
    with pytest.raises(InvalidError) as refused:
        talk.clean_text(raw)

    assert refused.value.code == code
