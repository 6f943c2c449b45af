"""A prompt of which nobody may know who is asked, and answers that are decided as they are due."""

from typing import Any
from uuid import UUID

import pytest

from app.errors import ConflictError, MoveRejectedError, NotFoundError
from app.matches.lists import my_matches
from app.matches.standing import set_standing
from app.rules.game import Seat
from tests.support import pinya
from tests.support.matches import Matches

pytestmark = pytest.mark.anyio

HUSH = {"hush": True}
# What somebody else could see of an answer.
PUBLIC = ("matches", "match_seats", "match_events", "procrastinate_jobs")


async def asked_at_once(matches: Matches, *seats: UUID | None) -> tuple[UUID, int]:
    """Start a match and play until all are asked in secret."""
    match_id = await matches.start(*seats, options=HUSH)
    return match_id, await matches.turns(match_id, len(seats), 1)


async def public(matches: Matches) -> list[Any]:
    return [await matches.run(f"select * from {table}") for table in PUBLIC]


async def order(
    matches: Matches, match_id: UUID, person: UUID, seat: int, line: str | None
) -> None:
    async with matches.sessions.begin() as session:
        await set_standing(
            session, match_id=match_id, seat=Seat(seat), person_id=person, order=line
        )


async def test_nobody_else_sees_who_is_asked_in_secret(matches: Matches) -> None:
    match_id, _ = await asked_at_once(matches, None, None, None)

    assert (await matches.page(match_id, 1)).asked == {1}
    assert (await matches.page(match_id, None)).prompts == {}


async def test_a_card_tells_only_those_asked_in_secret(matches: Matches) -> None:
    anna, berta = await matches.person(), await matches.person("Berta")
    await asked_at_once(matches, anna, berta)

    async with matches.sessions.begin() as session:
        (card,) = await my_matches(session, berta)

    assert card.asked == {1}


async def test_an_answer_to_a_secret_prompt_shows_to_nobody_else(matches: Matches) -> None:
    match_id, version = await asked_at_once(matches, None, None, None)
    before = await public(matches)

    assert await matches.commit(match_id, 2, version, "guess 4") == version

    assert await public(matches) == before
    mine, other = await matches.page(match_id, 2), await matches.page(match_id, 0)
    assert (mine.answer, mine.answered, mine.draft.revision) == ("guess 4", frozenset({2}), 2)
    assert (other.answer, other.answered) == (None, frozenset())
    assert await matches.problems() == []


async def test_answers_are_decided_in_the_order_the_rules_give(matches: Matches) -> None:
    match_id, version = await asked_at_once(matches, None, None, None)

    # Seat 1 must wait for seat 0, and goes with it.
    assert await matches.commit(match_id, 1, version, "guess 1") == version
    assert await matches.commit(match_id, 0, version, "guess 0") == version + 1

    page = await matches.page(match_id, 2)
    assert [story.event for story in page.since if story.version == version + 1] == []
    assert page.asked == {2}
    assert await matches.count("match_answers") == 0
    assert await matches.commit(match_id, 2, version, "guess 5") == version + 2
    assert await matches.problems() == []


async def test_an_early_answer_stays_while_others_are_decided(matches: Matches) -> None:
    match_id, version = await asked_at_once(matches, None, None, None)
    await matches.commit(match_id, 2, version, "guess 2")

    await matches.commit(match_id, 0, version, "guess 0")

    assert (await matches.page(match_id, 2)).answer == "guess 2"
    assert (await matches.page(match_id, 1)).asked == {1}
    # Until its turn comes it can be changed.
    await matches.commit(match_id, 2, version, "guess 3", key="again")
    await matches.commit(match_id, 1, version, "guess 1")
    shown = (await matches.page(match_id, 2)).since[-1].event
    assert isinstance(shown, pinya.Revealed)
    assert shown.guesses == (0, 1, 3)
    assert await matches.problems() == []


async def test_steps_that_belong_together_are_logged_as_one(matches: Matches) -> None:
    match_id = await matches.start(None)
    await matches.add(match_id, 0, "take 1", "take 1")

    await matches.commit(match_id, 0, 1)

    events = [story.event for story in (await matches.page(match_id)).since]
    assert events[-2:] == [pinya.Taken(Seat(0), 2), pinya.TurnOver()]
    assert await matches.problems() == []


async def test_a_prompt_may_bring_the_beginning_of_its_draft(matches: Matches) -> None:
    match_id = await matches.start(None, None, options=HUSH)
    assert (await matches.page(match_id, 0)).draft.lines == ("take 1",)
    assert (await matches.page(match_id, 1)).prompts[Seat(0)].draft == ()

    await matches.commit(match_id, 0, 1)

    page = await matches.page(match_id, 1)
    assert (page.draft.lines, page.draft.revision) == (("take 1",), 1)


async def test_a_standing_order_answers_when_its_seat_is_asked(matches: Matches) -> None:
    anna = await matches.person()
    match_id = await matches.start(anna, None, None)
    await order(matches, match_id, anna, 0, "guess 2")

    version = await matches.turns(match_id, 3, 1)

    page = await matches.page(match_id, 0)
    assert (page.answer, page.standing, page.asked) == ("guess 2", "guess 2", frozenset({1, 2}))
    assert (await matches.page(match_id, 1)).standing is None
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
    await order(matches, match_id, berta, 0, None)

    assert (await matches.page(match_id, 0)).standing == "guess 2"


async def test_what_is_no_order_is_refused(matches: Matches) -> None:
    anna = await matches.person()
    match_id = await matches.start(anna)

    with pytest.raises(MoveRejectedError) as refused:
        await order(matches, match_id, anna, 0, "take 1")

    assert refused.value.code == "notation.bad_standing"


async def test_a_match_that_is_over_takes_no_order(matches: Matches) -> None:
    anna = await matches.person()
    match_id = await matches.start(anna)
    await matches.resign(match_id, 0)

    with pytest.raises(ConflictError):
        await order(matches, match_id, anna, 0, "guess 2")
