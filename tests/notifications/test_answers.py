"""What a mail is answered."""

import re
from datetime import timedelta
from html import escape

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from app.db.session import Sessions
from app.jobs.worker import run_pending
from app.notifications.reading.quotes import CUT
from app.worker import load_tasks
from tests.support.clock import SettableClock
from tests.support.mails import KEY, Correspondence, addresses
from tests.support.matches import Matches
from tests.support.smtp import Mailbox, mail_server, part

pytestmark = pytest.mark.anyio


@pytest.fixture
async def castell(sessions: Sessions, engine: AsyncEngine, clock: SettableClock) -> Correspondence:
    load_tasks()
    match = await Correspondence.of(Matches(sessions, engine))
    match.now = clock.now()
    return match


async def answers(
    box: Mailbox, database_url: str, sessions: Sessions, clock: SettableClock
) -> list[str]:
    """Run the jobs; return the text of the letters that went out."""
    before = len(box.letters)
    settings = box.settings(secret_key=KEY, reply_address="play+*@plaza.test")
    await run_pending(database_url, sessions, clock=clock, settings=settings)
    return [part(letter, "plain") for letter in box.letters[before:]]


async def test_the_answer_shows_the_draft_and_what_can_be_said_now(
    castell: Correspondence, database_url: str, sessions: Sessions, clock: SettableClock
) -> None:
    seat = await castell.asked()
    line, number = next(iter((await castell.choices(seat)).items()))
    await castell.send(seat, str(number), message_id="<first@mail.test>")
    async with mail_server() as box:
        (text,) = await answers(box, database_url, sessions, clock)
        (letter,) = box.letters
        back = str(letter["Reply-To"])

    assert text.startswith(CUT)
    assert f"Your draft:\n  {line}\n" in text
    assert "word commit" in text
    assert re.search(r"^ {2}1\. \S", text, re.MULTILINE)
    assert letter["To"] == f"seat{seat}@friends.test"
    assert letter["In-Reply-To"] == letter["References"] == "<first@mail.test>"
    assert letter["Auto-Submitted"] == "auto-generated"
    assert addresses().read(back) is not None
    assert await castell.send(seat, "commit", to=back) == "played"


async def test_a_refusal_gives_the_reason_and_the_choices(
    castell: Correspondence, database_url: str, sessions: Sessions, clock: SettableClock
) -> None:
    seat = await castell.asked()
    await castell.send(seat, "what is this?")
    async with mail_server() as box:
        (text,) = await answers(box, database_url, sessions, clock)

    assert "“what is this?”" in text
    assert "Nothing was played." in text
    assert "What you can do now:\n  1. " in text


async def test_a_refusal_of_the_rules_is_put_into_their_words(
    castell: Correspondence, database_url: str, sessions: Sessions, clock: SettableClock
) -> None:
    seat = await castell.asked()
    await castell.send(seat, "move XYZ")
    async with mail_server() as box:
        (text,) = await answers(box, database_url, sessions, clock)

    assert "XYZ" in text
    assert "Nothing was played." in text


async def test_a_final_turn_is_told_with_what_came_of_it(
    castell: Correspondence, database_url: str, sessions: Sessions, clock: SettableClock
) -> None:
    seat = await castell.asked()
    await castell.send(seat, "1\ncommit")
    async with mail_server() as box:
        (text,) = await answers(box, database_url, sessions, clock)
        (letter,) = box.letters

    assert "Your mail has been played." in text
    assert "What happened:\n* " in text
    assert letter["Reply-To"] is None


async def test_an_answer_waits_for_a_mail_server_that_is_away(
    castell: Correspondence, database_url: str, sessions: Sessions, clock: SettableClock
) -> None:
    await castell.send(await castell.asked(), "1")
    async with mail_server() as box:
        box.rcpt = "451 later"
        assert await answers(box, database_url, sessions, clock) == []

        box.rcpt = ""
        assert await answers(box, database_url, sessions, clock) == []
        clock.advance(timedelta(minutes=2))
        await castell.matches.run("update procrastinate_jobs set scheduled_at = null")

        assert len(await answers(box, database_url, sessions, clock)) == 1
        assert await answers(box, database_url, sessions, clock) == []


async def test_an_answer_tells_its_reader_no_secret_of_anybody(
    castell: Correspondence, database_url: str, sessions: Sessions, clock: SettableClock
) -> None:
    """The other seat's draft is nowhere in the letter."""
    seat = await castell.asked()
    await castell.send(seat, "1")
    page = await castell.page(seat)
    async with mail_server() as box:
        await answers(box, database_url, sessions, clock)
        await castell.send(1 - seat, "1", to=await castell.address(1 - seat))
        (text,) = await answers(box, database_url, sessions, clock)

    assert "It is not your turn." in text
    assert page.draft.lines[0] not in text


@pytest.mark.parametrize("said", ["1", "end", "what?"], ids=["noted", "played", "refused"])
@pytest.mark.parametrize("game", ["castell", "el_grande"])
async def test_whatever_came_of_it_the_answer_shows_the_position(
    *,
    database_url: str,
    sessions: Sessions,
    engine: AsyncEngine,
    clock: SettableClock,
    game: str,
    said: str,
) -> None:
    load_tasks()
    match = await Correspondence.of(Matches(sessions, engine), game=game, pictures=True)
    match.now = clock.now()
    seat = await match.asked()
    await match.send(seat, said)
    async with mail_server() as box:
        (text,) = await answers(box, database_url, sessions, clock)
        (letter,) = box.letters

    html = part(letter, "html")
    (picture,) = [one for one in letter.walk() if one.get_content_type() == "image/png"]
    assert f'src="cid:{str(picture["Content-ID"]).strip("<>")}"' in html
    assert not re.search(r'(?:src|href)="(?!cid:|https://plaza\.test/)', html)
    assert html.index(CUT) < html.index("<img")
    for line in filter(None, map(str.strip, text.partition("\n\n")[0].splitlines())):
        assert escape(line) in html


async def test_who_wants_no_picture_gets_the_words_twice(
    castell: Correspondence, database_url: str, sessions: Sessions, clock: SettableClock
) -> None:
    seat = await castell.asked()
    await castell.send(seat, "<b>what?</b>")
    async with mail_server() as box:
        await answers(box, database_url, sessions, clock)
        (letter,) = box.letters

    assert not any(one.get_content_type() == "image/png" for one in letter.walk())
    assert "&lt;b&gt;what?&lt;/b&gt;" in part(letter, "html")
    assert "<img" not in part(letter, "html")
