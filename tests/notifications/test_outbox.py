"""The outbox on real PostgreSQL, with a real mail server: what is sent, when, and how often."""

import asyncio
import re
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import Row

from app.accounts.addresses import address_of, claim_address, confirm_address
from app.accounts.queries import person_by_id
from app.db.engine import driver_url, make_engine
from app.db.session import make_sessions
from app.jobs.holding import hold, release
from app.jobs.queue import enqueue
from app.matches.service import move_seats
from app.notifications import tasks
from app.notifications.codes import ADDRESS_CLAIMED
from app.notifications.outbox import delivery_log, drop_waiting, forget_old
from app.notifications.reading.quotes import CUT
from app.notifications.sending import Occasion, send_due
from app.notifications.timing import LONGEST_PAUSE, NoticeWishes
from app.notifications.wishes import keep_notice_wishes, mute, unmute
from app.web.letters.compose import compose
from tests.support.clock import SettableClock
from tests.support.post import AT_ONCE, Post, post_office
from tests.support.smtp import part

pytestmark = pytest.mark.anyio

HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)


async def two(post: Post, wishes: NoticeWishes = AT_ONCE) -> UUID:
    """Start a match of Anna, who is asked, and Berta."""
    anna = await post.person("Anna", wishes=wishes)
    berta = await post.person("Berta", wishes=wishes)
    return await post.matches.start(anna, berta, game="castell")


async def turn(post: Post, match_id: UUID) -> int:
    """Let whoever is asked play their turn, and return which seat that was."""
    page = await post.matches.page(match_id)
    (seat,) = page.asked
    await post.matches.commit(match_id, seat, page.version, "end", key=str(page.version))
    return seat


async def noted(post: Post) -> Row[Any]:
    """Write down what the queued job would, without a worker; return the only notice."""
    for (match_id,) in await post.matches.run("select id from matches"):
        async with post.sessions.begin() as session:
            await tasks.turn_came(session, post.clock.now(), match_id=str(match_id))
    rows = await post.matches.run("select person_id, about from notices where status = 'waiting'")
    row: Row[Any] = rows[0]
    return row


async def said(post: Post) -> list[tuple[str, str]]:
    rows = await post.matches.run("select status, said from notices order by created_at, id")
    return [(status, said) for status, said in rows]


async def test_whoever_is_asked_gets_one_letter_that_says_what_and_where(post: Post) -> None:
    match_id = await two(post)
    await post.work()

    (letter,) = post.box.letters
    assert letter["To"] == "anna@example.org"
    assert f"https://plaza.test/matches/{match_id}" in part(letter, "plain")
    assert await said(post) == [("sent", "250 taken")]
    # What falls due by the clock may be queued meanwhile.
    sending = (
        "select count(*) from procrastinate_jobs where starts_with(task_name, 'notifications.')"
    )
    assert await post.matches.run(sending) == [(0,)]

    await post.work(after=HOUR)
    assert len(post.box.letters) == 1


async def test_a_worker_that_repeats_itself_sends_nothing_twice(post: Post) -> None:
    match_id = await two(post)
    for _ in range(3):
        async with post.sessions.begin() as session:
            await tasks.turn_came(session, post.clock.now(), match_id=str(match_id))
        await post.work()

    assert len(post.box.letters) == 1


async def test_what_is_done_before_it_is_due_is_not_told(post: Post) -> None:
    match_id = await two(post, NoticeWishes("coalesced", 10))
    await post.work()
    await turn(post, match_id)
    await post.work(after=11 * MINUTE)

    assert [letter["To"] for letter in post.box.letters] == []
    assert await post.statuses() == ["obsolete", "waiting"]
    await post.work(after=11 * MINUTE)
    assert [letter["To"] for letter in post.box.letters] == ["berta@example.org"]


async def test_twenty_quick_turns_are_one_letter(post: Post) -> None:
    match_id = await two(post, NoticeWishes("coalesced", 10))
    for _ in range(20):
        await turn(post, match_id)
        await post.work(after=timedelta(seconds=20))
        if (await post.matches.page(match_id)).status != "running":
            break
    await post.work(after=HOUR)
    assert len(post.to("Anna")) <= 1
    assert len(post.to("Berta")) <= 1
    assert post.box.letters


async def test_presence_does_not_keep_a_letter_back(post: Post) -> None:
    match_id = await two(post, NoticeWishes("coalesced", 10))
    await post.work()
    # Somebody looks at the match, again and again, and does nothing.
    for _ in range(10):
        await post.matches.page(match_id, 0)
        await post.work(after=MINUTE)

    assert len(post.to("Anna")) == 1


async def test_another_decision_at_the_same_seat_is_told_anew(post: Post) -> None:
    match_id = await two(post)
    await post.work()
    while await turn(post, match_id) == 0 or 0 not in (await post.matches.page(match_id)).asked:
        pass
    await post.work()

    assert len(post.to("Anna")) == 2
    assert len({letter["Message-ID"] for letter in post.to("Anna")}) == 2
    assert len({letter["References"] for letter in post.to("Anna")}) == 1


async def test_after_an_outage_nobody_gets_more_than_one_letter_a_match(post: Post) -> None:
    match_id = await two(post)
    post.box.rcpt = "451 not now"
    for _ in range(12):
        await post.work(after=15 * MINUTE)
        if (await post.matches.page(match_id)).status == "running":
            await turn(post, match_id)
    assert post.box.letters == []
    post.box.rcpt = ""
    for _ in range(8):
        await post.work(after=LONGEST_PAUSE)

    assert len(post.to("Anna")) <= 1
    assert len(post.to("Berta")) <= 1
    assert len(post.box.letters) >= 1
    assert "waiting" not in await post.statuses()


async def test_a_mail_server_that_is_away_is_tried_again_ever_more_rarely(post: Post) -> None:
    await two(post)
    post.box.rcpt = "421 too busy"
    tries = []
    for _ in range(60):
        before = post.box.tries
        await post.work(after=MINUTE)
        tries.append(post.box.tries - before)

    assert 4 <= sum(tries) <= 8
    assert await said(post) == [("waiting", "421 too busy")]
    post.box.rcpt = ""
    await post.work(after=LONGEST_PAUSE)
    assert len(post.box.letters) == 1


@pytest.mark.parametrize("drop", ["before", "after"])
async def test_an_unknown_end_is_tried_again_under_the_same_id(post: Post, drop: str) -> None:
    await two(post)
    post.box.drop = drop
    await post.work()
    assert await post.statuses() == ["waiting"]
    post.box.drop = ""
    await post.work(after=5 * MINUTE)

    assert await post.statuses() == ["sent"]
    assert len(post.box.letters) == (2 if drop == "after" else 1)
    assert len({letter["Message-ID"] for letter in post.box.letters}) == 1


async def test_a_refused_address_rests_and_its_person_learns_why(post: Post) -> None:
    match_id = await two(post)
    post.box.rcpt = "550 nobody here"
    await post.work()
    (person_id,) = (await post.matches.run("select person_id from notices"))[0]
    async with post.sessions.begin() as session:
        address = await address_of(session, person_id)
        (line,) = await delivery_log(session, person_id)

    assert address is not None
    assert (address.usable, address.refusal) == (None, "550 nobody here")
    assert (line.status, line.said, line.attempts) == ("failed", "550 nobody here", 1)

    post.box.rcpt = ""
    while await turn(post, match_id) == 0 or 0 not in (await post.matches.page(match_id)).asked:
        pass
    await post.work(after=HOUR)
    assert post.to("Anna") == []


async def test_two_workers_send_one_letter(post: Post) -> None:
    await two(post)
    row = await noted(post)

    async def send() -> None:
        async with post.sessions.begin() as session:
            await send_due(
                session,
                compose,
                person_id=row.person_id,
                about=row.about,
                now=post.clock.now(),
                settings=post.settings,
            )

    await asyncio.gather(*(send() for _ in range(8)))

    assert len(post.box.letters) == 1
    assert await post.statuses() == ["sent"]


async def test_a_worker_that_dies_before_it_has_written_down_loses_nothing(post: Post) -> None:
    await two(post)
    row = await noted(post)
    with pytest.raises(ConnectionAbortedError):
        async with post.sessions.begin() as session:
            await send_due(
                session,
                compose,
                person_id=row.person_id,
                about=row.about,
                now=post.clock.now(),
                settings=post.settings,
            )
            raise ConnectionAbortedError
    assert await post.statuses() == ["waiting"]
    await post.work()

    assert await post.statuses() == ["sent"]
    assert [one["Message-ID"] for one in post.box.letters] == [
        post.box.letters[0]["Message-ID"]
    ] * 2


async def test_a_letter_that_cannot_be_written_waits_and_stops_nobody(post: Post) -> None:
    await two(post)
    row = await noted(post)

    async def broken(session: object, occasion: Occasion) -> None:
        raise RuntimeError("no words")

    async with post.sessions.begin() as session:
        await send_due(
            session,
            broken,  # type: ignore[arg-type]  # it never returns
            person_id=row.person_id,
            about=row.about,
            now=post.clock.now(),
            settings=post.settings,
        )

    assert await said(post) == [("waiting", "internal")]
    await post.work(after=5 * MINUTE)
    assert await post.statuses() == ["sent"]


async def test_who_has_no_address_no_wish_or_no_seat_is_not_written_to(post: Post) -> None:
    nobody = await post.person("Anna", address=None)
    off = await post.person("Berta", wishes=NoticeWishes("off"))
    await post.matches.start(nobody, off, game="castell")
    await post.matches.start(off, nobody, game="castell")
    await post.matches.start("steady", None, game="castell")
    async with post.sessions.begin() as session:
        for (match_id,) in await post.matches.run("select id from matches"):
            await tasks.turn_came(session, post.clock.now(), match_id=str(match_id))

    assert await post.statuses() == []


async def test_a_match_can_be_muted(post: Post) -> None:
    anna, berta = await post.person("Anna"), await post.person("Berta")
    match_id, other = [await post.matches.start(anna, berta, game="castell") for _ in range(2)]
    await noted(post)
    async with post.sessions.begin() as session:
        await mute(session, person_id=anna, match_id=match_id, now=post.clock.now())
    await post.work()

    assert len(post.to("Anna")) == 1
    assert str(other) in part(post.to("Anna")[0], "plain")
    async with post.sessions.begin() as session:
        await unmute(session, person_id=anna, match_id=match_id)
    while await turn(post, match_id) == 0 or 0 not in (await post.matches.page(match_id)).asked:
        pass
    await post.work()
    assert len(post.to("Anna")) == 2


async def test_all_matches_of_a_day_are_one_letter(post: Post) -> None:
    wishes = NoticeWishes("daily", daily_at=20 * 60)
    anna = await post.person("Anna", wishes=wishes)
    berta = await post.person("Berta", wishes=NoticeWishes("off"))
    matches = [await post.matches.start(anna, berta, game="castell") for _ in range(3)]
    await post.work(after=7 * HOUR)
    assert post.box.letters == []
    await turn(post, matches[0])
    await post.work(after=HOUR)

    (letter,) = post.box.letters
    assert letter["Subject"] == "2 matches wait for you"
    assert str(matches[0]) not in part(letter, "plain")
    assert all(str(match_id) in part(letter, "plain") for match_id in matches[1:])


async def test_a_letter_about_several_matches_answers_none_of_them(post: Post) -> None:
    """It lists no choices, so a number in an answer would be anybody's guess."""
    post.settings = post.settings.model_copy(update={"reply_address": "play+*@plaza.test"})
    anna = await post.person("Anna", wishes=NoticeWishes("daily"))
    await post.matches.start(anna, None, game="castell")
    await post.work()
    await post.work(after=24 * HOUR)
    await post.matches.start(anna, None, game="castell")
    await post.matches.start(anna, None, game="castell")
    await post.work()
    await post.work(after=24 * HOUR)

    alone, several = post.to("Anna")
    assert "Reply-To" in alone
    assert CUT in part(alone, "plain")
    assert "Reply-To" not in several
    assert CUT not in part(several, "plain")


async def test_another_wish_holds_for_what_waits(post: Post) -> None:
    anna = await post.person("Anna", wishes=NoticeWishes("daily"))
    await post.matches.start(anna, None, game="castell")
    await post.work()
    assert post.box.letters == []
    async with post.sessions.begin() as session:
        wishes = NoticeWishes("immediate")
        await keep_notice_wishes(session, person_id=anna, wishes=wishes, now=post.clock.now())
    await post.work()

    assert len(post.to("Anna")) == 1


async def test_a_person_with_two_seats_gets_one_letter(post: Post) -> None:
    anna = await post.person("Anna")
    match_id = await post.matches.start(anna, anna, game="el_grande")
    await post.work()
    seats = (await post.matches.page(match_id)).asked

    assert len(post.to("Anna")) == 1
    assert f"?seat={min(seats)}" in part(post.to("Anna")[0], "plain")


async def test_who_takes_over_a_seat_is_told(post: Post) -> None:
    guest = await post.person("Anna", address=None)
    await post.matches.start(guest, None, game="castell")
    account = await post.person("Berta")
    await post.work()
    async with post.sessions.begin() as session:
        await move_seats(session, old=guest, new=account)
    await post.work()

    assert len(post.to("Berta")) == 1


async def test_the_end_is_told_to_everybody_but_who_brought_it(post: Post) -> None:
    match_id = await two(post)
    await post.work()
    seat = 0
    while (await post.matches.page(match_id)).status == "running":
        seat = await turn(post, match_id)
    await post.work()
    over = [one for one in post.box.letters if one["Subject"].startswith("The match is over")]

    assert [one["To"] for one in over] == ["anna@example.org" if seat == 1 else "berta@example.org"]


async def test_what_a_host_holds_back_waits_and_can_be_dropped(post: Post) -> None:
    match_id = await two(post)
    await noted(post)
    async with post.sessions.begin() as session:
        await hold(session, now=post.clock.now())
    await post.work()
    assert post.box.letters == []
    async with post.sessions.begin() as session:
        await release(session)
    await post.work()
    assert len(post.box.letters) == 1

    await turn(post, match_id)
    await noted(post)
    async with post.sessions.begin() as session:
        assert await drop_waiting(session, now=post.clock.now()) == 1
    await post.work()
    assert len(post.box.letters) == 1


@pytest.fixture
async def slow(database_url: str, clock: SettableClock) -> AsyncIterator[Post]:
    """A post office whose mail server takes longer than the database lets anybody idle."""
    impatient = driver_url(database_url).update_query_dict(
        {"options": "-c idle_in_transaction_session_timeout=500ms"}
    )
    engine = make_engine(impatient.render_as_string(hide_password=False))
    async with post_office(make_sessions(engine), engine, clock, database_url) as post:
        post.box.slow = 1
        yield post
    await engine.dispose()


async def test_a_mail_server_slower_than_the_database_bears_gets_a_letter_once(slow: Post) -> None:
    await two(slow)
    await slow.work()
    assert await slow.statuses() == ["sent"]
    await slow.work(after=timedelta(hours=1))

    assert len(slow.box.letters) == 1


async def test_a_code_that_a_slow_mail_server_has_taken_is_good(slow: Post) -> None:
    anna, now = await slow.person("Anna", address=None), slow.clock.now()
    async with slow.sessions.begin() as session:
        person = await person_by_id(session, anna)
        assert person is not None
        await claim_address(session, person=person, address="anna@example.org", now=now)
        await enqueue(session, ADDRESS_CLAIMED, person_id=str(anna))
    await slow.pending()
    (letter,) = slow.box.letters
    code = re.search(r"\d{3} ?\d{3}", part(letter, "plain"))
    assert code is not None
    async with slow.sessions.begin() as session:
        assert await confirm_address(session, person=person, code=code[0], now=now) == "confirmed"


async def test_what_was_told_is_forgotten_after_a_month(post: Post) -> None:
    await two(post)
    await post.work()
    async with post.sessions.begin() as session:
        await forget_old(session, now=post.clock.now() + timedelta(days=29))
    assert await post.statuses() == ["sent"]
    async with post.sessions.begin() as session:
        await forget_old(session, now=post.clock.now() + timedelta(days=31))
    assert await post.statuses() == []


async def test_without_a_mail_server_nothing_is_sent_and_nothing_fails(post: Post) -> None:
    await two(post)
    post.settings = post.settings.model_copy(update={"smtp_url": None})
    await post.work()

    assert await said(post) == [("obsolete", "no address")]
    # What falls due by the clock may be queued meanwhile.
    sending = (
        "select count(*) from procrastinate_jobs where starts_with(task_name, 'notifications.')"
    )
    assert await post.matches.run(sending) == [(0,)]
