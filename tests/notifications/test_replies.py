"""Playing by mail: what a mail plays, and everything that must not."""

import asyncio
from datetime import timedelta

import pytest
from sqlalchemy import text as sql
from sqlalchemy.ext.asyncio import AsyncEngine

from app.accounts.limits import REPLY
from app.db.session import Sessions
from app.matches.rescue import roll_back
from app.notifications.reading import incoming
from app.notifications.replies.addresses import Question
from app.notifications.replies.service import LONGEST_MAIL
from tests.support.mails import Correspondence, addresses, mail
from tests.support.matches import Matches, all_of
from tests.support.played import play_on

pytestmark = pytest.mark.anyio

WAITING = """
    select count(*)::int from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'
"""


@pytest.fixture
def matches(sessions: Sessions, engine: AsyncEngine) -> Matches:
    return Matches(sessions, engine)


@pytest.fixture
async def castell(matches: Matches) -> Correspondence:
    return await Correspondence.of(matches)


async def test_a_number_is_noted_and_asked_to_be_made_final(castell: Correspondence) -> None:
    seat = await castell.asked()
    before = await castell.events()
    line, number = next(iter((await castell.choices(seat)).items()))

    assert await castell.send(seat, str(number)) == "drafted"
    assert (await castell.page(seat)).draft.lines == (line,)
    assert await castell.events() == before


async def test_the_word_commit_makes_it_final(castell: Correspondence) -> None:
    seat = await castell.asked()
    await castell.send(seat, "1")

    assert await castell.send(seat, "commit") == "played"
    assert await castell.asked() != seat
    assert await castell.matches.problems() == []


async def test_a_whole_turn_comes_in_one_mail(castell: Correspondence) -> None:
    seat = await castell.asked()
    first, *_ = await castell.choices(seat)

    assert await castell.send(seat, f"{first}\nend") == "played"
    assert await castell.asked() != seat


async def test_what_is_final_at_once_is_only_what_leaves_nothing_to_choose(
    castell: Correspondence,
) -> None:
    seat = await castell.asked()
    await castell.directly(seat)
    outcomes = []
    while await castell.asked() == seat:
        outcomes.append(await castell.send(seat, "1"))

    assert outcomes[-1] == "played"
    assert outcomes[:-1] == ["drafted"] * (len(outcomes) - 1) != []


async def test_an_answer_to_the_first_letter_begins_the_turn_anew(castell: Correspondence) -> None:
    seat = await castell.asked()
    letter = await castell.address(seat)
    offered = await castell.choices(seat)
    first, second, *_ = offered
    await castell.send(seat, first)

    assert await castell.send(seat, str(offered[second]), to=letter) == "drafted"
    assert (await castell.page(seat)).draft.lines == (second,)


async def test_a_number_means_what_the_letter_showed(castell: Correspondence) -> None:
    """A draft made on the page meanwhile changes what the numbers stand for."""
    seat = await castell.asked()
    await castell.send(seat, "1")
    letter = await castell.address(seat)
    offered = await castell.choices(seat)
    await castell.matches.clear(castell.match_id, seat)

    assert await castell.send(seat, "1", to=letter) == "refused"
    assert await castell.refusal() == "reply.stale"
    assert offered
    assert (await castell.page(seat)).draft.lines == ()


@pytest.mark.parametrize("text", ["commit", "end", "the end's number"])
async def test_finishing_an_older_letter_throws_no_later_draft_away(
    castell: Correspondence, text: str
) -> None:
    seat = await castell.asked()
    letter = await castell.address(seat)
    offered = await castell.choices(seat)
    first = next(iter(offered))
    await castell.matches.add(castell.match_id, seat, first)
    said = str(offered["end"]) if text == "the end's number" else text

    assert await castell.send(seat, said, to=letter) == "refused"
    assert await castell.refusal() == "reply.stale"
    assert (await castell.page(seat)).draft.lines == (first,)


async def test_there_is_nothing_to_commit_before_something_is_said(
    castell: Correspondence,
) -> None:
    seat = await castell.asked()

    assert await castell.send(seat, "commit") == "refused"
    assert await castell.refusal() == "draft.empty"
    assert await castell.send(seat, "end") == "played"


async def test_a_copied_choice_has_to_be_the_choice_of_its_number(castell: Correspondence) -> None:
    seat = await castell.asked()
    (first, one), (second, _), *_ = (await castell.choices(seat)).items()

    assert await castell.send(seat, f"{one}. {second}") == "refused"
    assert await castell.refusal() == "reply.another_choice"
    assert await castell.send(seat, f"{one}. {first}") == "drafted"


async def test_what_the_rules_refuse_leaves_everything_as_it_was(castell: Correspondence) -> None:
    seat = await castell.asked()
    first, *_ = await castell.choices(seat)
    before = await castell.matches.dump("matches", "match_events", "match_drafts")

    assert await castell.send(seat, f"{first}\nrecruit 1 1 1 1 1 1\ncommit") == "refused"
    assert await castell.matches.dump("matches", "match_events", "match_drafts") == before


async def test_a_number_nobody_offered_is_refused(castell: Correspondence) -> None:
    assert await castell.send(await castell.asked(), "999") == "refused"
    assert await castell.refusal() == "reply.no_such_choice"


async def test_el_grande_is_played_alike(matches: Matches) -> None:
    match = await Correspondence.of(matches, seats=3, game="el_grande")
    for _ in range(12):
        seat = await match.asked()
        page = await match.page(seat)
        offered = await match.choices(seat)
        assert page.prompt is not None
        first = next(iter(offered.values()))

        assert await match.send(seat, f"{first}\ncommit") in {"played", "refused"}
        if await match.asked() == seat:
            await match.send(seat, str(first))
            await match.send(seat, "commit")
    assert await matches.problems() == []
    assert (await match.page(0)).version > 6


# Everything below must not play.


async def test_a_second_copy_does_nothing_whatever_its_road(castell: Correspondence) -> None:
    seat = await castell.asked()
    where = await castell.address(seat)
    raw = mail("1\ncommit", to=where, sender=f"seat{seat}@friends.test")
    outcomes = await all_of(*(castell.arrive(raw) for _ in range(10)))
    outcomes.append(await castell.arrive(b"Received: by another road\r\n" + raw, where))

    assert sorted(outcomes) == ["duplicate"] * 10 + ["played"]
    assert await castell.matches.count("procrastinate_jobs") >= 1
    assert await castell.matches.count("incoming_mails") == 1


@pytest.mark.parametrize("text", ["{two}\ncommit", "{two}", "commit"])
async def test_of_two_mails_at_once_neither_plays_what_the_other_says(
    castell: Correspondence, text: str
) -> None:
    """Both have seen the draft as it was; whichever comes second is refused."""
    seat = await castell.asked()
    match_id, (start, *_) = castell.match_id, await castell.choices(seat)
    await castell.matches.add(match_id, seat, start)
    first = next(line for line in await castell.choices(seat) if line.startswith("recruit"))
    offered = await castell.choices(seat)
    await castell.matches.add(match_id, seat, first)
    last = next(line for line in await castell.choices(seat) if line in offered and line != "end")
    if text != "commit":
        await castell.matches.drop(match_id, seat, 1)
    letter = await castell.address(seat)
    one, other = (
        mail(said, to=letter, sender=f"seat{seat}@friends.test")
        for said in (first if text != "commit" else last, text.format(two=last))
    )
    before = await castell.events()
    async with castell.matches.sessions.begin() as session:
        here = "select from matches where id = :id for no key update"
        await session.execute(sql(here), {"id": castell.match_id})
        both = asyncio.gather(castell.arrive(one), castell.arrive(other))
        while await castell.matches.run(WAITING) != [(2,)]:  # noqa: ASYNC110 - of the database
            await asyncio.sleep(0.05)
    outcomes = await both

    assert "refused" in outcomes
    assert await castell.refusal() in {"draft.changed", "match.not_asked", "stale_match"}
    played = await castell.matches.run(
        "select line from match_events where seq > :seq and line is not null", seq=before
    )
    assert played in ([], [(f"{start}; {last}; end",)], [(f"{start}; {first}; end",)])
    if not played:
        assert len((await castell.page(seat)).draft.lines) == (3 if text == "commit" else 2)


async def test_a_mail_sent_again_under_another_id_is_stale(castell: Correspondence) -> None:
    seat = await castell.asked()
    where = await castell.address(seat)
    assert await castell.send(seat, "1\ncommit", to=where) == "played"
    before = await castell.events()

    assert await castell.send(seat, "1\ncommit", to=where) == "refused"
    assert await castell.events() == before


async def test_no_address_of_another_seat_or_moment_plays(castell: Correspondence) -> None:
    """Of every address that differs in one thing from the one in the letter, none plays."""
    seat = await castell.asked()
    page = await castell.page(seat)
    assert page.prompt is not None
    other = Question(castell.match_id, 1 - seat, page.prompt.key, page.version)
    later = Question(castell.match_id, seat, page.prompt.key, page.version + 1)
    before = Question(castell.match_id, seat, page.prompt.key, page.version - 1)
    decision = Question(castell.match_id, seat, "turn:9:9", page.version)
    drafted = Question(castell.match_id, seat, page.prompt.key, page.version, ("move BCN",))
    nobody = Question(castell.match_id, 7, page.prompt.key, page.version)
    dump = await castell.matches.dump("matches", "match_events", "match_drafts")

    for question in (other, later, before, decision, drafted, nobody):
        where = addresses().make(question, expires=castell.now + timedelta(days=1))
        for sender in ("seat0@friends.test", "seat1@friends.test"):
            await castell.send(seat, "1\ncommit", to=where, sender=sender)

    assert await castell.matches.dump("matches", "match_events", "match_drafts") == dump


async def test_no_forged_address_is_let_in(castell: Correspondence) -> None:
    seat = await castell.asked()
    local, _, domain = (await castell.address(seat)).rpartition("@")
    forged = [
        f"{local[:place]}{'a' if local[place] != 'a' else 'b'}{local[place + 1 :]}@{domain}"
        for place in range(len("play+"), len(local))
    ]
    outcomes = {await castell.send(seat, "1\ncommit", to=where) for where in forged}

    assert outcomes == {"forged"}
    assert await castell.matches.count("incoming_mails") == 0


async def test_an_address_that_has_run_out_does_not_play(castell: Correspondence) -> None:
    seat = await castell.asked()
    where = await castell.address(seat, expires=castell.now - timedelta(hours=2))

    assert await castell.send(seat, "1\ncommit", to=where) == "refused"
    assert await castell.refusal() == "reply.expired"


@pytest.mark.parametrize(
    "sender", ["seat1@friends.test", "friend@else.test", "", "seat0@friends.test.evil.test"]
)
async def test_nobody_else_answers_for_the_seat(castell: Correspondence, sender: str) -> None:
    seat = await castell.asked()
    other = sender.replace("seat1", f"seat{1 - seat}").replace("seat0", f"seat{seat}")

    assert await castell.send(seat, "1\ncommit", sender=other) == "refused"
    assert await castell.refusal() == "reply.other_sender"


async def test_a_tag_behind_a_plus_is_still_the_same_sender(castell: Correspondence) -> None:
    seat = await castell.asked()

    assert await castell.send(seat, "1", sender=f"Seat{seat}+games@Friends.test") == "drafted"


async def test_whoever_left_the_seat_does_not_play_it(castell: Correspondence) -> None:
    seat = await castell.asked()
    where = await castell.address(seat)
    await castell.matches.resign(castell.match_id, seat)
    before = await castell.events()

    assert await castell.send(seat, "1\ncommit", to=where) == "nobody"
    assert await castell.events() == before


async def festival(matches: Matches) -> tuple[Correspondence, int, int]:
    """Play until several are asked at once; return one of them, and the version before."""
    match = await Correspondence.of(matches, seats=3)
    page = await play_on(matches.sessions, match.match_id, until=lambda page: len(page.asked) > 1)
    return match, min(page.asked), page.version - 1


@pytest.mark.parametrize("text", ["1", "2\ncommit"])
async def test_a_letter_of_turns_taken_back_does_not_answer_what_is_asked_anew(
    matches: Matches, text: str
) -> None:
    """The decision has the same name, and perhaps other choices under the same numbers."""
    match, seat, before = await festival(matches)
    letter = await match.address(seat)
    async with matches.sessions.begin() as session:
        await roll_back(session, match_id=match.match_id, to_version=before, now=match.now)
    await play_on(matches.sessions, match.match_id, until=lambda page: len(page.asked) > 1)

    assert await match.send(seat, text, to=letter) == "refused"
    assert await match.refusal() == "reply.stale"
    assert (await match.page(seat)).draft.lines == ()
    assert await match.send(seat, text) in {"drafted", "played"}


@pytest.mark.parametrize("text", ["2", "2\ncommit", "commit"])
async def test_no_later_mail_takes_the_place_of_an_answer(matches: Matches, text: str) -> None:
    match, seat, _ = await festival(matches)
    letter = await match.address(seat)
    assert await match.send(seat, "1\ncommit", to=letter) == "played"
    answer = (await match.page(seat)).answer

    assert await match.send(seat, text, to=letter) == "refused"
    assert await match.send(seat, text) == "refused"
    assert await match.refusal() == "reply.answered"
    assert (await match.page(seat)).answer == answer is not None


@pytest.mark.parametrize(
    ("headers", "subject", "outcome"),
    [
        (["Auto-Submitted: auto-replied"], "Re: Your turn", "auto_reply"),
        (["Precedence: bulk"], "Re: Your turn", "list"),
        (["X-Failed-Recipients: a@b.example"], "Failure", "bounce"),
        ([], "Fwd: Your turn", "forward"),
    ],
)
async def test_what_no_person_answered_is_dropped_without_a_word(
    castell: Correspondence, headers: list[str], subject: str, outcome: str
) -> None:
    seat = await castell.asked()
    jobs = await castell.matches.count("procrastinate_jobs")

    assert await castell.send(seat, "1", headers=headers, subject=subject) == outcome
    assert await castell.matches.count("incoming_mails") == 0
    assert await castell.matches.count("procrastinate_jobs") == jobs


async def test_a_mail_to_two_decisions_answers_neither(castell: Correspondence) -> None:
    seat = await castell.asked()
    here = await castell.address(seat)
    there = await castell.address(1 - seat)

    assert await castell.send(seat, "1\ncommit", to=f"{here}, {there}") == "several"


async def test_where_it_was_delivered_counts_more_than_what_it_says(
    castell: Correspondence,
) -> None:
    seat = await castell.asked()
    raw = mail("1", to=await castell.address(1 - seat), sender=f"seat{seat}@friends.test")

    assert await castell.arrive(raw, await castell.address(seat)) == "drafted"


async def test_mails_that_are_too_long_or_too_many_are_not_read(castell: Correspondence) -> None:
    seat = await castell.asked()

    assert await castell.send(seat, "1" * LONGEST_MAIL) == "too_large"
    outcomes = [await castell.send(seat, "I am thinking") for _ in range(REPLY.count + 2)]
    assert outcomes[-2:] == ["limited", "limited"]
    assert outcomes.count("refused") == REPLY.count


async def test_a_mail_that_the_library_breaks_at_is_dropped_for_good(
    castell: Correspondence, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Were it raised, every road would hand it over again and again."""

    def breaks(*_: object, **__: object) -> None:
        raise RecursionError

    monkeypatch.setattr(incoming, "message_from_bytes", breaks)

    assert await castell.send(await castell.asked(), "1") == "unreadable"
    assert await castell.matches.count("incoming_mails") == 0


async def test_a_strangers_mail_is_not_taken_apart(
    castell: Correspondence, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(*_: object, **__: object) -> None:
        raise AssertionError

    monkeypatch.setattr(incoming, "message_from_bytes", breaks)

    raw = mail("3", to="play@plaza.test", sender="a@b.example")
    assert await castell.arrive(raw) == "not_ours"
    forged = "play+" + "a" * 56 + "@plaza.test"
    assert await castell.arrive(raw, forged) == "forged"


@pytest.mark.parametrize("sign", ["\r\n ", "\n ", "\x00", "\x1c", "\x1e", "\x85", "\u2028"])
async def test_nothing_a_header_holds_gets_into_the_answer(
    castell: Correspondence, sign: str
) -> None:
    seat = await castell.asked()
    outcome = await castell.send(
        seat,
        f"what{sign}Bcc: everybody@else.test",
        message_id=f"<a{sign}Bcc:everybody@else.test>",
        subject=f"Re: {sign}Bcc: everybody@else.test",
    )
    rows = await castell.matches.run("select answers, details::text from incoming_mails")

    assert outcome == "refused"
    assert all(str(value).isprintable() for row in rows for value in row)
