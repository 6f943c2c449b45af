"""Voiding, taking back, seating others: what a host may do, and what it leaves of the log."""

import pytest

from app.errors import ConflictError, InvalidError, NotFoundError
from app.ids import new_id
from app.matches import queries, rescue
from app.matches.pages import MatchPage
from app.matches.standing import set_standing
from app.rules.game import Seat
from tests.support.matches import LATER, OF_BOTS, Matches

pytestmark = pytest.mark.anyio


async def back(matches: Matches, match_id: object, to_version: int) -> int:
    async with matches.sessions.begin() as session:
        return await rescue.roll_back(
            session,
            match_id=match_id,  # type: ignore[arg-type]  # a match's id, or one there is not
            to_version=to_version,
            now=LATER,
        )


async def outside(page: MatchPage) -> tuple[object, ...]:
    return page.view, page.prompts, page.outcome


async def test_a_match_goes_on_from_where_it_stood(matches: Matches) -> None:
    match_id = await matches.start(None, None)
    await matches.commit(match_id, 0, 1, "take 3")
    before = await matches.page(match_id, 0)
    await matches.commit(match_id, 1, 2, "take 2; peek", key="b")
    await matches.commit(match_id, 0, 3, "guess 1", key="c")

    version = await back(matches, match_id, 2)

    page = await matches.page(match_id, 0)
    assert version == page.version == 5
    assert await outside(page) == await outside(before)
    assert page.answered == frozenset()
    assert await matches.problems() == []
    assert await matches.commit(match_id, 1, 5, "take 1", key="d") == 6


async def test_nothing_leaves_the_log_and_what_was_struck_is_verified_too(matches: Matches) -> None:
    match_id = await matches.start(None, None)
    await matches.commit(match_id, 0, 1, "take 3; peek")
    held = await matches.run("select seq, version, payload::text from match_events order by seq")

    await back(matches, match_id, 1)
    await matches.commit(match_id, 0, 3, "take 1", key="b")

    now = await matches.run("select seq, version, payload::text from match_events order by seq")
    assert now[: len(held)] == held
    assert [row.version for row in now] == sorted(row.version for row in now)
    assert await matches.problems() == []
    await matches.run(
        "update match_events set payload = jsonb_set(payload, '{number}', '9')"
        " where payload->>'type' = 'Peeked'"
    )
    assert await matches.problems() == ["log.decided"]


async def test_what_was_struck_is_in_nobody_s_view_history_or_news(matches: Matches) -> None:
    match_id = await matches.start(None, None)
    await matches.commit(match_id, 0, 1, "take 3")
    await matches.commit(match_id, 1, 2, "take 2", key="b")
    await back(matches, match_id, 2)

    async with matches.sessions() as session:
        story = await queries.events_since(session, match_id=match_id, seat=None, version=0)
        past = await queries.match_at(session, match_id, None, 3)

    assert [event.version for event in story] == [1, 2, 2]
    assert past.prompts.keys() == {1}


async def test_chance_is_new_after_a_rollback(matches: Matches) -> None:
    match_id = await matches.start(None)
    drawn = []
    for n in range(6):
        version = (await matches.page(match_id)).version
        await matches.commit(match_id, 0, version, "peek", key=f"k{n}")
        rows = await matches.run(
            "select payload->>'number' as n from match_events where payload->>'type' = 'Peeked'"
            " order by seq desc limit 1"
        )
        drawn.append(rows[0].n)
        await back(matches, match_id, 1)

    assert len(set(drawn)) > 1
    assert await matches.problems() == []


async def test_rollbacks_follow_each_other(matches: Matches) -> None:
    match_id = await matches.start(None, None)
    await matches.commit(match_id, 0, 1, "take 3")
    await matches.commit(match_id, 1, 2, "take 2", key="b")
    await back(matches, match_id, 2)
    await matches.commit(match_id, 1, 4, "take 1", key="c")
    await back(matches, match_id, 4)
    await back(matches, match_id, 1)
    await matches.commit(match_id, 0, 7, "take 2", key="d")

    assert await matches.problems() == []
    assert (await matches.page(match_id)).prompts.keys() == {1}
    with pytest.raises(InvalidError):
        await back(matches, match_id, 3)


async def test_drafts_are_dropped_and_bots_are_asked_again(matches: Matches) -> None:
    match_id = await matches.start(None, "steady")
    await matches.commit(match_id, 0, 1, "take 3")
    await matches.commit(match_id, 1, 2, "take 1", key="b")
    await matches.run("delete from procrastinate_jobs")
    await matches.commit(match_id, 0, 3, "guess 1", key="c")

    await back(matches, match_id, 2)

    jobs = await matches.run(
        f"select args->'seat', args->'version' from procrastinate_jobs {OF_BOTS}"
    )
    assert [tuple(job) for job in jobs] == [(1, 5)]
    await matches.add(match_id, 1, "take 3")
    version = await back(matches, match_id, 2)
    page = await matches.page(match_id, 1)
    assert page.draft.lines == ()
    assert page.draft.revision == 2
    assert version == 6


@pytest.mark.parametrize("to_version", [0, -1, 2, 9])
async def test_only_an_earlier_version_can_be_gone_back_to(
    matches: Matches, to_version: int
) -> None:
    match_id = await matches.start(None, None)
    await matches.commit(match_id, 0, 1, "take 3")
    before = await matches.dump()

    with pytest.raises(InvalidError, match=r"match.no_such_version"):
        await back(matches, match_id, to_version)

    assert await matches.dump() == before


async def test_a_match_whose_seed_is_public_is_not_played_on(matches: Matches) -> None:
    over = await matches.start(None, options={"rounds": 1})
    await matches.commit(over, 0, 1, "take 1")
    await matches.commit(over, 0, 2, "guess 1", key="g")

    with pytest.raises(ConflictError, match=r"match.finished"):
        await back(matches, over, 1)
    with pytest.raises(NotFoundError):
        await back(matches, new_id(), 1)


async def test_a_void_match_asks_nobody_and_shows_its_seed(matches: Matches) -> None:
    match_id = await matches.start(None, None)
    await matches.add(match_id, 0, "take 3")

    async with matches.listening() as heard, matches.sessions.begin() as session:
        version = await rescue.void_match(session, match_id=match_id, now=LATER)

    page = await matches.page(match_id, 0)
    assert (page.status, page.version, page.prompts) == ("void", 2, {})
    assert version == 2
    assert page.seed is not None
    assert page.draft.lines == ()
    assert heard == [f"match {match_id} 2"]
    assert await matches.problems() == []
    async with matches.sessions.begin() as session:
        with pytest.raises(ConflictError):
            await rescue.void_match(session, match_id=match_id, now=LATER)


async def test_a_match_that_nothing_can_read_can_be_voided_and_seated(matches: Matches) -> None:
    match_id = await matches.start(None, None)
    berta = await matches.person("Berta")
    await matches.run("""update matches set game = 'chess', state = '{"odd": 1}'""")

    async with matches.sessions.begin() as session:
        occupant = rescue.Occupant(name="Berta", person_id=berta)
        await rescue.seat_occupant(
            session, match_id=match_id, seat=Seat(0), occupant=occupant, now=LATER
        )
        await rescue.void_match(session, match_id=match_id, now=LATER)

    assert (await matches.run("select status from matches"))[0].status == "void"


async def test_a_seat_changes_hands_and_its_draft_is_nobody_else_s(matches: Matches) -> None:
    anna, berta = await matches.person("Anna"), await matches.person("Berta")
    match_id = await matches.start(anna, None)
    await matches.add(match_id, 0, "take 3")

    async with matches.listening() as heard, matches.sessions.begin() as session:
        occupant = rescue.Occupant(name="Berta", person_id=berta)
        await rescue.seat_occupant(
            session, match_id=match_id, seat=Seat(0), occupant=occupant, now=LATER
        )

    page = await matches.page(match_id, 0)
    assert (page.seats[0].person_id, page.seats[0].name) == (berta, "Berta")
    assert page.draft.lines == ()
    assert heard == [f"match {match_id} 2", f"audience {match_id}"]
    async with matches.sessions() as session:
        assert await queries.seats_of(session, match_id, anna) == ()
    assert await matches.commit(match_id, 0, 2, "take 1", person=berta) == 3


async def test_a_bot_that_is_asked_gets_to_know(matches: Matches) -> None:
    match_id = await matches.start(None, None)

    for seat in (0, 1):
        async with matches.sessions.begin() as session:
            occupant = rescue.Occupant(name=f"Bot {seat}", bot="steady")
            await rescue.seat_occupant(
                session, match_id=match_id, seat=Seat(seat), occupant=occupant, now=LATER
            )

    jobs = await matches.run(f"select args->'seat' as seat from procrastinate_jobs {OF_BOTS}")
    assert [job.seat for job in jobs] == [0]
    with pytest.raises(NotFoundError):
        async with matches.sessions.begin() as session:
            await rescue.seat_occupant(
                session, match_id=match_id, seat=Seat(4), occupant=occupant, now=LATER
            )


async def test_a_turn_taken_back_to_begins_as_its_prompt_says(matches: Matches) -> None:
    match_id = await matches.start(None, None, options={"hush": True})
    await matches.commit(match_id, 0, 1, "take 3")

    await back(matches, match_id, 1)

    assert (await matches.page(match_id, 0)).draft.lines == ("take 1",)


async def test_standing_orders_go_with_whoever_left_them(matches: Matches) -> None:
    anna = await matches.person()
    kept, left = [await matches.start(anna, anna) for _ in range(2)]
    for match_id in (kept, left):
        for seat in (0, 1):
            async with matches.sessions.begin() as session:
                await set_standing(
                    session,
                    match_id=match_id,
                    seat=Seat(seat),
                    person_id=anna,
                    decision="guesses",
                    order="guess 2",
                )

    async with matches.sessions.begin() as session:
        await rescue.seat_occupant(
            session,
            match_id=kept,
            seat=Seat(0),
            occupant=rescue.Occupant(name="Berta", person_id=await matches.person("Berta")),
            now=LATER,
        )
        await rescue.void_match(session, match_id=left, now=LATER)

    orders = await matches.run("select match_id, seat from match_standing")
    assert [tuple(row) for row in orders] == [(kept, 1)]
