"""Standing orders: what answers for a seat by itself, once, or as long as the match lasts."""

from uuid import UUID

import pytest

from app.errors import ConflictError, MoveRejectedError, NotFoundError
from app.matches.rescue import void_match
from app.matches.standing import (
    StandingOrder,
    orders_left,
    set_standing,
    standing_orders,
)
from app.rules.game import Seat
from tests.support import pinya
from tests.support.matches import NOW, Matches

EVERY = "guesses"


async def order(
    matches: Matches, match_id: UUID, person: UUID, seat: int, line: str | None, **of: str
) -> None:
    async with matches.sessions.begin() as session:
        await set_standing(
            session,
            match_id=match_id,
            seat=Seat(seat),
            person_id=person,
            decision=of.get("decision", EVERY),
            order=line,
        )


async def orders(matches: Matches, match_id: UUID, seat: int = 0) -> tuple[StandingOrder, ...]:
    async with matches.sessions() as session:
        return await standing_orders(session, match_id=match_id, seat=Seat(seat))


async def test_a_standing_order_answers_when_its_seat_is_asked(matches: Matches) -> None:
    anna = await matches.person()
    match_id = await matches.start(anna, None, None)
    await order(matches, match_id, anna, 0, "guess 2")

    version = await matches.turns(match_id, 3, 1)

    page = await matches.page(match_id, 0)
    assert (page.answer, page.asked) == ("guess 2", frozenset({1, 2}))
    assert page.standing == {"guesses": "guess 2"}
    assert (await matches.page(match_id, 1)).standing == {}
    await matches.commit(match_id, 1, version, "guess 1")
    await matches.commit(match_id, 2, version, "guess 1")
    shown = [story.event for story in (await matches.page(match_id, 2)).since]
    assert any(isinstance(one, pinya.Revealed) and one.guesses == (2, 1, 1) for one in shown)
    assert await matches.problems() == []


async def test_standing_orders_of_all_decide_with_the_commit_that_asks_them(
    matches: Matches,
) -> None:
    anna = await matches.person()
    match_id = await matches.start(anna, anna)
    for seat in (0, 1):
        await order(matches, match_id, anna, seat, "guess 2")

    version = await matches.turns(match_id, 2, 1)

    assert (await matches.page(match_id, 0)).prompts.keys() == {0}
    assert version == 3
    assert await matches.count("match_answers") == 0
    lines = await matches.run("select seat, line from match_events where line is not null")
    assert {(0, "guess 2"), (1, "guess 2")} < {tuple(row) for row in lines}
    assert await matches.problems() == []


async def test_an_order_to_ask_leaves_the_answer_to_the_person(matches: Matches) -> None:
    anna = await matches.person()
    match_id = await matches.start(anna, None)
    await order(matches, match_id, anna, 0, "ask")

    await matches.turns(match_id, 2, 1)

    assert (await matches.page(match_id, 0)).asked == {0, 1}


async def test_an_order_can_be_taken_back(matches: Matches) -> None:
    anna = await matches.person()
    match_id = await matches.start(anna, None)
    await order(matches, match_id, anna, 0, "guess 2")
    await order(matches, match_id, anna, 0, None)

    await matches.turns(match_id, 2, 1)

    assert (await matches.page(match_id, 0)).asked == {0, 1}


async def test_whoever_resigns_takes_the_order_along(matches: Matches) -> None:
    anna = await matches.person()
    match_id = await matches.start(anna, anna)
    await order(matches, match_id, anna, 0, "guess 2")

    await matches.resign(match_id, 0)

    assert await matches.count("match_standing") == 0


async def test_only_who_holds_the_seat_leaves_an_order(matches: Matches) -> None:
    anna, berta = await matches.person(), await matches.person("Berta")
    match_id = await matches.start(anna, berta)
    await order(matches, match_id, anna, 0, "guess 2")

    with pytest.raises(NotFoundError):
        await order(matches, match_id, berta, 0, "guess 3")
    with pytest.raises(NotFoundError):
        await order(matches, match_id, berta, 0, None)

    assert (await matches.page(match_id, 0)).standing == {"guesses": "guess 2"}


async def test_what_is_no_order_is_refused(matches: Matches) -> None:
    anna = await matches.person()
    match_id = await matches.start(anna)

    with pytest.raises(MoveRejectedError) as refused:
        await order(matches, match_id, anna, 0, "take 1")

    assert refused.value.code == "notation.bad_standing"


async def test_a_match_that_is_over_takes_no_order(matches: Matches) -> None:
    anna = await matches.person()
    match_id = await matches.start(anna)
    async with matches.sessions.begin() as session:
        await void_match(session, match_id=match_id, now=NOW)

    with pytest.raises(ConflictError):
        await order(matches, match_id, anna, 0, "guess 2")


async def test_whoever_has_left_the_seat_leaves_no_order(matches: Matches) -> None:
    anna = await matches.person()
    match_id = await matches.start(anna, None)
    await matches.resign(match_id, 0)

    with pytest.raises(NotFoundError):
        await order(matches, match_id, anna, 0, "guess 2")


async def test_a_person_s_orders_are_found_in_all_running_matches(matches: Matches) -> None:
    anna = await matches.person()
    first, second, over = [await matches.start(anna, None, anna) for _ in range(3)]
    for match_id in (first, second, over):
        await order(matches, match_id, anna, 0, "guess 2")
    await order(matches, second, anna, 2, "take 1", decision="turn:1")
    async with matches.sessions.begin() as session:
        await void_match(session, match_id=over, now=NOW)

    async with matches.sessions() as session:
        found = await orders_left(session, anna)

    left = {(match_id, seat, one.line) for match_id, seat, ones in found for one in ones}
    assert left == {(first, 0, "guess 2"), (second, 0, "guess 2"), (second, 2, "take 1")}


async def test_an_order_for_one_decision_is_used_up(matches: Matches) -> None:
    anna = await matches.person()
    match_id = await matches.start(anna, None)
    await order(matches, match_id, anna, 0, "guess 2", decision="guess:1")

    await matches.turns(match_id, 2, 1)

    page = await matches.page(match_id, 0)
    assert (page.answer, page.standing) == ("guess 2", {})
    (used,) = await orders(matches, match_id)
    assert used == StandingOrder("guess:1", "guess 2", "played", "guess 2", page.version)


async def test_of_two_orders_the_one_for_this_very_decision_counts(matches: Matches) -> None:
    anna = await matches.person()
    match_id = await matches.start(anna, None)
    await order(matches, match_id, anna, 0, "guess 2")
    await order(matches, match_id, anna, 0, "guess 4", decision="guess:1")

    await matches.turns(match_id, 2, 1)

    page = await matches.page(match_id, 0)
    assert (page.answer, page.standing) == ("guess 4", {EVERY: "guess 2"})


async def test_what_an_order_for_all_answered_is_noted_each_time(matches: Matches) -> None:
    anna = await matches.person()
    match_id = await matches.start(anna, None)
    await order(matches, match_id, anna, 0, "guess 2")

    version = await matches.turns(match_id, 2, 1)
    await matches.commit(match_id, 1, version, "guess 1")
    await matches.turns(match_id, 2, version + 1)

    noted = {one.decision: one.ended for one in await orders(matches, match_id)}
    assert noted == {"guess:1": "played", "guess:2": "played", EVERY: None}


async def test_an_order_takes_a_turn_in_the_commit_that_brings_it(matches: Matches) -> None:
    anna = await matches.person()
    match_id = await matches.start(None, anna, None)
    await order(matches, match_id, anna, 1, "take 2", decision="turn:1")

    version = await matches.commit(match_id, 0, 1, "take 1")

    page = await matches.page(match_id, 1)
    assert page.prompts.keys() == {2}
    assert (page.version, page.standing) == (version, {})
    lines = await matches.run("select seat, line from match_events where line is not null")
    assert [tuple(row) for row in lines] == [(0, "take 1; end"), (1, "take 2; end")]
    assert [one.played for one in await orders(matches, match_id, 1)] == ["take 2"]
    assert await matches.problems() == []


async def test_orders_for_turns_follow_each_other(matches: Matches) -> None:
    anna = await matches.person()
    match_id = await matches.start(None, anna, anna)
    for seat in (1, 2):
        await order(matches, match_id, anna, seat, "take 3", decision="turn:1")

    await matches.commit(match_id, 0, 1, "take 1")

    assert (await matches.page(match_id, 1)).asked == {0, 1, 2}
    assert await matches.problems() == []


@pytest.mark.parametrize("line", ["ask", "leap"])
async def test_an_order_that_says_to_ask_or_cannot_be_carried_out_asks(
    matches: Matches, line: str
) -> None:
    anna = await matches.person()
    match_id = await matches.start(None, anna)
    await order(matches, match_id, anna, 1, line, decision="turn:1")

    version = await matches.commit(match_id, 0, 1, "take 1")

    assert (await matches.page(match_id, 1)).asked == {1}
    (ended,) = await orders(matches, match_id, 1)
    assert ended == StandingOrder("turn:1", line, "asked", None, version)
    assert await matches.problems() == []


async def test_an_order_ends_with_its_decision(matches: Matches) -> None:
    anna = await matches.person()
    match_id = await matches.start(None, anna)
    await order(matches, match_id, anna, 1, "guess 2", decision="guess:1")
    await matches.run("update match_standing set decision = 'guess:0'")

    version = await matches.commit(match_id, 0, 1, "take 1")

    (ended,) = await orders(matches, match_id, 1)
    assert ended == StandingOrder("guess:0", "guess 2", "passed", None, version)


async def test_what_is_asked_already_is_still_the_person_s_to_answer(matches: Matches) -> None:
    anna = await matches.person()
    match_id = await matches.start(anna, None, None)
    version = await matches.turns(match_id, 3, 1)
    await order(matches, match_id, anna, 0, "guess 2")

    await matches.commit(match_id, 1, version, "guess 1")

    assert (await matches.page(match_id, 0)).answer is None


async def test_no_order_is_left_for_what_is_not_to_come(matches: Matches) -> None:
    anna = await matches.person()
    match_id = await matches.start(anna, None)

    with pytest.raises(MoveRejectedError) as refused:
        await order(matches, match_id, anna, 0, "take 1", decision="turn:1")

    assert refused.value.code == "standing.passed"


async def test_a_used_order_can_be_left_anew_for_the_next(matches: Matches) -> None:
    anna = await matches.person()
    match_id = await matches.start(anna, None)
    await order(matches, match_id, anna, 0, "guess 2", decision="guess:1")
    version = await matches.turns(match_id, 2, 1)
    await order(matches, match_id, anna, 0, "guess 3")

    await matches.commit(match_id, 1, version, "guess 1")
    await matches.turns(match_id, 2, version + 1)

    assert (await matches.page(match_id, 0)).answer == "guess 3"
