"""A prompt of which nobody may know who is asked, and answers that are decided as they are due."""

from typing import Any
from uuid import UUID

import pytest

from app.matches.lists import my_matches
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
