"""Clocks of real matches: who has until when, and what happens when it is too late."""

from datetime import timedelta
from uuid import UUID

import pytest

from app.accounts.absences import file_absence
from app.accounts.values import Person
from app.matches.proposals import open_proposals
from app.matches.rescue import Occupant, seat_occupant
from app.rules.game import Seat
from tests.support.clocks import DAY, HOUR, Clocks, terms
from tests.support.matches import NOW, Matches

pytestmark = pytest.mark.anyio

GRACE = timedelta(seconds=30)
WAIT = timedelta(seconds=31)


@pytest.fixture
def clocks(matches: Matches) -> Clocks:
    return Clocks(matches)


async def test_a_match_without_a_clock_has_no_deadlines(matches: Matches, clocks: Clocks) -> None:
    match_id = await matches.start(None, None)
    await matches.commit(match_id, 0, 1, "take 1")

    assert await matches.count("match_deadlines") == 0
    assert await matches.count("match_times") == 0
    assert await clocks.pass_by(NOW + 400 * DAY) == 0


async def test_whoever_is_asked_next_has_the_time_from_that_moment(
    matches: Matches, clocks: Clocks
) -> None:
    match_id = await matches.start(None, None, clock=terms())

    assert await clocks.whose(match_id) == [0]
    assert await clocks.due(match_id, 0) == NOW + DAY

    await matches.commit(match_id, 0, 1, "take 1", now=NOW + HOUR)

    assert await clocks.whose(match_id) == [1]
    assert await clocks.due(match_id, 1) == NOW + HOUR + DAY


async def test_of_a_simultaneous_prompt_each_answer_stops_one_clock(
    matches: Matches, clocks: Clocks
) -> None:
    match_id = await matches.start(None, None, None, clock=terms())
    version = await matches.turns(match_id, 3, 1)

    assert await clocks.whose(match_id) == [0, 1, 2]

    await matches.commit(match_id, 1, version, "guess 1", key="a")
    await matches.commit(match_id, 1, version + 1, "guess 2", key="b")

    assert await clocks.whose(match_id) == [0, 2]
    assert await matches.count("match_times") == 4


async def test_bots_and_seats_that_were_resigned_have_no_clock(
    matches: Matches, clocks: Clocks
) -> None:
    anna, bert = await matches.person("Anna"), await matches.person("Bert")
    match_id = await matches.start("steady", anna, bert, clock=terms())

    assert await clocks.whose(match_id) == []

    await matches.commit(match_id, 0, 1, "take 1")

    assert await clocks.whose(match_id) == [1]

    await matches.resign(match_id, 1)

    assert await clocks.whose(match_id) == []


async def test_a_match_that_is_over_has_no_deadlines(matches: Matches, clocks: Clocks) -> None:
    match_id = await matches.start(None, options={"rounds": 1}, clock=terms())
    version = await matches.turns(match_id, 1, 1)
    await matches.commit(match_id, 0, version, "guess 1")

    assert (await matches.page(match_id)).status == "finished"
    assert await clocks.whose(match_id) == []

    anna = await matches.person()
    void = await matches.start(anna, "steady", clock=terms())
    await matches.resign(void, 0)

    assert (await matches.page(void)).status == "void"
    assert await clocks.whose(void) == []


async def test_a_refused_move_moves_no_deadline(matches: Matches, clocks: Clocks) -> None:
    match_id = await matches.start(None, None, clock=terms())
    before = await matches.dump("match_deadlines", "match_times")

    with pytest.raises(Exception, match="no_run_up"):
        await matches.commit(match_id, 0, 1, "leap")

    assert await matches.dump("match_deadlines", "match_times") == before


async def test_a_bank_is_drawn_on_and_earns_its_increment_up_to_itself(
    matches: Matches, clocks: Clocks
) -> None:
    match_id = await matches.start(None, clock=terms("bank"), options={"rounds": 3})

    assert await clocks.due(match_id, 0) == NOW + 2 * DAY

    await matches.commit(match_id, 0, 1, "take 1", key="a", now=NOW + 20 * HOUR)

    # 48 h - 20 h + 6 h
    assert await clocks.due(match_id, 0) == NOW + (20 + 34) * HOUR

    await matches.commit(match_id, 0, 2, "guess 1", key="b", now=NOW + 20 * HOUR)
    await matches.commit(match_id, 0, 3, "take 1", key="c", now=NOW + 20 * HOUR)
    await matches.commit(match_id, 0, 4, "guess 1", key="d", now=NOW + 20 * HOUR)

    assert await clocks.due(match_id, 0) == NOW + (20 + 48) * HOUR


async def test_a_daily_clock_gives_until_the_hour_with_some_notice(
    matches: Matches, clocks: Clocks
) -> None:
    # NOW is noon in UTC, two o'clock in Madrid.
    match_id = await matches.start(None, None, clock=terms("daily", zone="Europe/Madrid"))

    assert await clocks.due(match_id, 0) == NOW + 6 * HOUR

    await matches.commit(match_id, 0, 1, "take 1", now=NOW + HOUR)

    assert await clocks.due(match_id, 1) == NOW + 30 * HOUR


async def test_the_safe_default_is_played_for_who_is_late_and_verified_like_any_move(
    matches: Matches, clocks: Clocks
) -> None:
    match_id = await matches.start(None, None, clock=terms())

    assert await clocks.pass_by(NOW + DAY) == 0
    assert await clocks.pass_by(NOW + DAY + GRACE) == 1

    page = await matches.page(match_id)
    assert (page.version, list(page.prompts)) == (2, [1])
    assert await clocks.due(match_id, 1) == NOW + DAY + GRACE + DAY
    assert await matches.problems() == []


async def test_a_clocked_match_ends_though_nobody_ever_comes(
    matches: Matches, clocks: Clocks
) -> None:
    match_id = await matches.start(None, None, None, clock=terms(weekends_off=True))
    now, passed = NOW, 0
    while (await matches.page(match_id)).status == "running":
        now += HOUR
        passed += await clocks.pass_by(now)

    assert passed == 12
    assert now < NOW + 16 * DAY
    assert await matches.problems() == []


async def test_where_the_table_waits_nothing_is_played_and_the_move_still_counts(
    matches: Matches, clocks: Clocks
) -> None:
    match_id = await matches.start(None, None, clock=terms(timeout="wait"))

    assert await clocks.pass_by(NOW + 2 * DAY) == 1
    assert await clocks.pass_by(NOW + 3 * DAY) == 0
    assert (await matches.page(match_id)).version == 1

    await matches.commit(match_id, 0, 1, "take 1", now=NOW + 4 * DAY)

    assert await clocks.due(match_id, 1) == NOW + 5 * DAY


async def test_who_has_waited_long_enough_asks_the_others_to_end_it(
    matches: Matches, clocks: Clocks
) -> None:
    anna, bert, clara = [await matches.person(name) for name in ("Anna", "Bert", "Clara")]
    match_id = await matches.start(anna, bert, clara, clock=terms(timeout="wait"))
    with pytest.raises(Exception, match="nobody_late"):
        await clocks.propose(match_id, 1, bert, "void")
    await clocks.pass_by(NOW + 2 * DAY)
    with pytest.raises(Exception, match="nobody_late"):
        await clocks.propose(match_id, 0, anna, "void")

    assert not await clocks.propose(match_id, 1, bert, "void")
    assert await clocks.agree(match_id, clara, "void")
    assert (await matches.page(match_id)).status == "void"


async def test_where_a_bot_takes_the_seat_the_match_goes_on_and_the_last_one_voids_it(
    matches: Matches, clocks: Clocks
) -> None:
    anna, bert = await matches.person("Anna"), await matches.person("Bert")
    match_id = await matches.start(anna, bert, clock=terms(timeout="bot"))
    await clocks.pass_by(NOW + 2 * DAY)
    page = await matches.page(match_id)

    assert (page.seats[0].bot, page.seats[0].resigned) == ("steady", True)
    assert await clocks.whose(match_id) == []

    await matches.commit(match_id, 0, page.version, "take 1", now=NOW + 2 * DAY)
    await clocks.pass_by(NOW + 4 * DAY)

    assert (await matches.page(match_id)).status == "void"


async def test_where_the_table_votes_the_others_end_it_or_the_late_one_comes_back(
    matches: Matches, clocks: Clocks
) -> None:
    people = [await matches.person(name) for name in ("Anna", "Bert", "Clara")]
    match_id = await matches.start(*people, clock=terms(timeout="void"))
    again = await matches.start(*people, clock=terms(timeout="void"))
    await clocks.pass_by(NOW + 2 * DAY)

    assert not await clocks.agree(match_id, people[1], "void")
    assert (await matches.page(match_id)).status == "running"
    assert await clocks.agree(match_id, people[2], "void")
    assert (await matches.page(match_id)).status == "void"

    version = (await matches.page(again)).version
    await matches.commit(again, 0, version, "take 1", now=NOW + 3 * DAY)
    await clocks.agree(again, people[1], "void")
    with pytest.raises(Exception, match=r"proposal\.changed"):
        await clocks.agree(again, people[2], "void")

    assert (await matches.page(again)).status == "running"


async def all_are_asked(matches: Matches, *names: str) -> tuple[UUID, list[UUID]]:
    """Start a match of a table that votes, and play until all are asked at once."""
    people = [await matches.person(name) for name in names]
    match_id = await matches.start(*people, clock=terms(timeout="void"))
    version = 1
    for seat in range(len(people)):
        version = await matches.commit(match_id, seat, version, "take 1", key=f"{seat}", now=NOW)
    return match_id, people


async def votes(matches: Matches, match_id: UUID) -> list[str]:
    async with matches.sessions.begin() as session:
        found = await open_proposals(session, match_id, now=NOW + 2 * DAY)
    return [one.kind for one in found]


async def more_time(matches: Matches, match_id: UUID, *seats: int) -> None:
    await matches.run(
        "update match_deadlines set due_at = due_at + interval '9 days'"
        " where match_id = :id and seat = any(:seats)",
        id=match_id,
        seats=list(seats),
    )


async def test_a_vote_is_over_when_the_late_one_has_answered_and_others_still_think(
    matches: Matches, clocks: Clocks
) -> None:
    match_id, people = await all_are_asked(matches, "Anna", "Bert", "Clara")
    await more_time(matches, match_id, 1, 2)
    assert await clocks.pass_by(NOW + 2 * DAY) == 1
    page = await matches.page(match_id)
    assert await votes(matches, match_id) == ["void"]
    assert not await clocks.agree(match_id, people[1], "void")
    await matches.commit(match_id, 0, page.version, "guess 4", key="late", now=NOW + 2 * DAY)

    assert await votes(matches, match_id) == []
    with pytest.raises(Exception, match=r"proposal\.(changed|none)"):
        await clocks.agree(match_id, people[2], "void")
    assert (await matches.page(match_id)).status == "running"


async def test_of_several_who_are_late_none_is_asked_to_vote(
    matches: Matches, clocks: Clocks
) -> None:
    match_id, people = await all_are_asked(matches, "Anna", "Bert", "Clara", "Dora")
    await more_time(matches, match_id, 1, 3)
    assert await clocks.pass_by(NOW + 2 * DAY) == 2

    assert not await clocks.agree(match_id, people[1], "void")
    assert await clocks.agree(match_id, people[3], "void")
    assert (await matches.page(match_id)).status == "void"


async def test_where_all_are_late_nobodys_silence_ends_the_match(
    matches: Matches, clocks: Clocks
) -> None:
    match_id, _ = await all_are_asked(matches, "Anna", "Bert")

    assert await clocks.pass_by(NOW + 2 * DAY) == 2
    assert (await matches.page(match_id)).status == "running"


async def test_whom_the_host_seats_has_all_the_time_anew(matches: Matches, clocks: Clocks) -> None:
    anna, clara = await matches.person("Anna"), await matches.person("Clara")
    for kind, whole in (("turn", DAY), ("bank", 2 * DAY)):
        match_id = await matches.start(anna, None, clock=terms(kind, timeout="wait"))
        await clocks.pass_by(NOW + 3 * DAY)
        async with matches.sessions.begin() as session:
            await seat_occupant(
                session,
                match_id=match_id,
                seat=Seat(0),
                occupant=Occupant(name="Clara", person_id=clara),
                now=NOW + 4 * DAY,
            )

        assert await clocks.due(match_id, 0) == NOW + 4 * DAY + whole


async def test_a_job_that_comes_late_or_twice_does_nothing(
    matches: Matches, clocks: Clocks
) -> None:
    match_id = await matches.start(None, None, clock=terms())
    now = NOW + DAY + WAIT
    await clocks.alive(now)
    await clocks.tick(now)
    await clocks.tick(now)
    jobs = await clocks.jobs()

    assert jobs == [(match_id, 0, 1)]

    await matches.commit(match_id, 0, 1, "take 1", now=now)

    assert not await clocks.run_out(*jobs[0], now)
    assert not await clocks.run_out(match_id, 1, 2, now)
    assert await clocks.run_out(match_id, 1, 2, now + DAY + WAIT) is False
    await clocks.alive(now + DAY + WAIT)
    assert await clocks.run_out(match_id, 1, 2, now + DAY + WAIT)
    assert not await clocks.run_out(match_id, 1, 2, now + DAY + WAIT)


async def test_of_a_secret_prompt_nothing_shows_when_time_runs_out(
    matches: Matches, clocks: Clocks
) -> None:
    """Whatever the table chose: the answer is filed without a version, a bot or a vote."""
    people = [await matches.person(name) for name in ("Anna", "Bert")]
    for timeout in ("default", "bot", "void"):
        match_id = await matches.start(
            *people, options={"hush": True}, clock=terms("bank", timeout=timeout)
        )
        version = await matches.turns(match_id, 2, 1)
        await matches.commit(match_id, 0, version, "guess 1", key="early", now=NOW + HOUR)
        before = await matches.page(match_id)
        # Seat 0 has answered and was decided; of seat 1 nobody else may know that it is asked.
        assert await clocks.whose(match_id) == [1]
        assert await clocks.due(match_id, 1) == NOW + HOUR + DAY

        await clocks.pass_by(NOW + 3 * DAY)

        after = await matches.page(match_id)
        assert after.seats == before.seats
        assert after.status == "running"
        assert await matches.count("match_proposals") == 0
        banks = await matches.run(
            "select count(*) from match_times where match_id = :id and prompt like 'guess%'"
            " and bank is not null",
            id=match_id,
        )
        assert banks[0][0] == 0


async def test_a_pause_needs_everybodys_consent_and_moves_the_deadline_by_itself(
    matches: Matches, clocks: Clocks
) -> None:
    people = [await matches.person(name) for name in ("Anna", "Bert", "Clara")]
    match_id = await matches.start(*people, clock=terms())

    assert not await clocks.propose(match_id, 1, people[1], "pause", until=NOW + 3 * DAY)
    assert not await clocks.agree(match_id, people[0], "pause", now=NOW + HOUR)
    assert await clocks.due(match_id, 0) == NOW + DAY

    assert await clocks.agree(match_id, people[2], "pause", now=NOW + 2 * HOUR)

    assert await clocks.due(match_id, 0) == NOW + 3 * DAY + 22 * HOUR
    assert await clocks.pass_by(NOW + 3 * DAY) == 0

    await clocks.propose(match_id, 0, people[0], "resume", now=NOW + DAY)
    await clocks.agree(match_id, people[1], "resume", now=NOW + DAY)
    await clocks.agree(match_id, people[2], "resume", now=NOW + DAY)

    assert await clocks.due(match_id, 0) == NOW + DAY + 22 * HOUR


async def test_one_persons_absence_stops_their_clock_alone_and_within_the_budget(
    matches: Matches, clocks: Clocks
) -> None:
    anna, bert = await matches.person("Anna"), await matches.person("Bert")
    match_id = await matches.start(anna, bert, clock=terms(absence_days=3))
    first = (NOW + DAY).date()
    async with matches.sessions.begin() as session:
        away = Person(anna, "Anna", "guest")
        last = first + timedelta(days=6)
        await file_absence(session, person=away, first=first, last=last, zone="UTC", now=NOW)

    # Seven days away from midnight on, of which three count.
    await matches.commit(match_id, 0, 1, "take 1", key="a", now=NOW)
    await matches.commit(match_id, 1, 2, "take 1", key="b", now=NOW)

    assert await clocks.due(match_id, 0) == NOW + 4 * DAY
    assert await clocks.due(match_id, 1) == NOW + DAY


@pytest.mark.parametrize(
    ("game", "options"),
    [("castell", {"edition": "castell-1"}), ("el_grande", {"edition": "el-grande-1"})],
)
async def test_a_real_match_ends_though_everybody_has_gone_away(
    matches: Matches, clocks: Clocks, game: str, options: dict[str, str]
) -> None:
    match_id = await matches.start(
        None, None, None, game=game, options=options, clock=terms("bank", increment_hours=0)
    )
    now = NOW
    for _ in range(600):
        if (await matches.page(match_id)).status != "running":
            break
        now += 12 * HOUR
        await clocks.pass_by(now)

    assert (await matches.page(match_id)).status == "finished"
    assert await matches.problems() == []
