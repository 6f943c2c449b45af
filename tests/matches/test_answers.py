from itertools import permutations
from typing import Any

import pytest

from app.errors import ConflictError, MoveRejectedError, StaleMatchError
from app.ids import new_id
from app.matches import writes
from app.matches.queries import seats_asked
from app.rules.game import Seat
from tests.support import pinya
from tests.support.matches import OF_BOTS, TABLES, Matches, all_of

pytestmark = pytest.mark.anyio

# What somebody else could see of an answer.
PUBLIC = ("matches", "match_seats", "match_events", "procrastinate_jobs")


async def festival(matches: Matches, seats: int = 3) -> tuple[Any, int]:
    """Start a match and play until all are asked at once."""
    match_id = await matches.start(*[None] * seats)
    return match_id, await matches.turns(match_id, seats, 1)


async def test_an_answer_is_kept_secret_until_all_are_in(matches: Matches) -> None:
    match_id, version = await festival(matches)

    assert await matches.commit(match_id, 1, version, "guess 4") == version + 1

    mine, other = await matches.page(match_id, 1), await matches.page(match_id, 0)
    assert mine.answer == "guess 4"
    assert other.answer is None
    assert mine.answered == other.answered == {1}
    assert mine.asked == other.asked == {0, 2}
    assert await matches.count("match_events") == 7


async def test_whom_a_match_waits_for_is_told_without_its_position(matches: Matches) -> None:
    match_id, version = await festival(matches)
    await matches.commit(match_id, 1, version, "guess 4")

    async with matches.sessions() as session:
        asked = [await seats_asked(session, id_) for id_ in (match_id, new_id())]

    assert asked == [{0, 2}, set()]


async def test_the_last_answer_decides_all_in_seat_order(matches: Matches) -> None:
    match_id, version = await festival(matches)
    for seat in (2, 0):
        await matches.commit(match_id, seat, version, f"guess {seat}", key="g")

    assert await matches.commit(match_id, 1, version, "guess 1", key="g") == version + 3

    page = await matches.page(match_id, 0)
    assert [event.event for event in page.since if event.version == version + 3] == [
        pinya.Guessed(Seat(0), 0),
        pinya.Revealed((0, 1, 2), 5),
    ]
    assert page.answered == frozenset()
    assert await matches.count("match_answers") == 0
    assert await matches.problems() == []


async def test_the_order_of_arrival_changes_nothing(matches: Matches) -> None:
    ends = set()
    for order in permutations(range(4)):
        match_id, version = await festival(matches, 4)
        for seat in order:
            await matches.commit(match_id, seat, version, f"guess {seat}", key="g")
        ((state,),) = await matches.run(
            "select state::text from matches where id = :id", id=match_id
        )
        log = await matches.run(
            "select payload::text from match_events where match_id = :id order by seq", id=match_id
        )
        ends.add((state, tuple(row[0] for row in log)))

    assert len(ends) == 1


async def test_four_seats_answering_at_once_are_all_heard(matches: Matches) -> None:
    ends = set()
    for _ in range(8):
        match_id, version = await festival(matches, 4)
        made = await all_of(
            *(
                matches.commit(match_id, seat, version, f"guess {seat}", key="g")
                for seat in range(4)
            )
        )
        assert sorted(made) == [version + n for n in range(1, 5)]
        ((state,),) = await matches.run(
            "select state::text from matches where id = :id", id=match_id
        )
        ends.add(state)

    assert len(ends) == 1
    assert await matches.problems() == []


async def test_an_answer_can_be_replaced_and_nobody_notices(matches: Matches) -> None:
    match_id, version = await festival(matches)
    first = await matches.commit(match_id, 1, version, "guess 4", key="one")
    before = await matches.dump(*PUBLIC)

    async with matches.listening() as heard:
        second = await matches.commit(match_id, 1, version, "guess 5", key="two")

    assert second == first
    assert heard == []
    assert await matches.dump(*PUBLIC) == before
    assert (await matches.page(match_id, 1)).answer == "guess 5"


async def test_changing_an_answer_for_ever_leaves_the_last_keys_only(
    matches: Matches, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writes, "KEYS_KEPT", 5)
    match_id, version = await festival(matches)
    other = await matches.run("select seat, key from match_commands where seat <> 1")
    for n in range(12):
        await matches.commit(match_id, 1, version, f"guess {n % 6}", key=f"k{n}")

    kept = await matches.run("select key from match_commands where seat = 1 order by at")
    assert [key for (key,) in kept] == [f"k{n}" for n in range(7, 12)]
    assert await matches.run("select seat, key from match_commands where seat <> 1") == other
    # A late repeat of an earlier change does not undo the later ones.
    await matches.commit(match_id, 1, version, "guess 1", key="k7")
    assert (await matches.page(match_id, 1)).answer == "guess 5"


async def test_the_answer_that_stands_at_the_close_is_the_one_decided(matches: Matches) -> None:
    match_id, version = await festival(matches, 2)
    await matches.commit(match_id, 0, version, "guess 4", key="one")
    await matches.commit(match_id, 0, version + 1, "guess 5", key="two")

    await matches.commit(match_id, 1, version, "guess 0", key="g")

    page = await matches.page(match_id, 1)
    assert [
        event.event.guesses for event in page.since if isinstance(event.event, pinya.Revealed)
    ] == [(5, 0)]
    ((guesses,),) = await matches.run(
        "select payload->'guesses' from match_events where payload->>'type' = 'Revealed'"
    )
    assert guesses == [5, 0]


async def test_the_same_answer_twenty_times_at_once_is_one_answer(matches: Matches) -> None:
    match_id, version = await festival(matches)

    made = await all_of(*(matches.commit(match_id, 1, version, "guess 4") for _ in range(20)))

    assert made == [version + 1] * 20
    assert await matches.count("match_answers") == 1


async def test_repeating_the_closing_answer_is_harmless(matches: Matches) -> None:
    match_id, version = await festival(matches, 1)
    made = await matches.commit(match_id, 0, version, "guess 4")
    before = await matches.dump(*TABLES)

    assert await matches.commit(match_id, 0, version, "guess 4") == made

    assert await matches.dump(*TABLES) == before


async def test_an_answer_may_come_from_a_page_of_before_the_others_answered(
    matches: Matches,
) -> None:
    match_id, version = await festival(matches)
    await matches.commit(match_id, 0, version, "guess 1")

    assert await matches.commit(match_id, 1, version, "guess 1") == version + 2


async def test_an_answer_from_before_the_prompt_opened_is_stale(matches: Matches) -> None:
    match_id, version = await festival(matches)

    with pytest.raises(StaleMatchError):
        await matches.commit(match_id, 0, version - 1, "guess 1")


async def test_an_answer_after_the_close_is_stale(matches: Matches) -> None:
    match_id, version = await festival(matches, 1)
    await matches.commit(match_id, 0, version, "guess 4", key="g")

    with pytest.raises(StaleMatchError):
        await matches.commit(match_id, 0, version, "guess 5", key="h")


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("guess 9", "notation.unknown"),
        ("take 1", "pinya.wrong_moment"),
        ("guess 1; guess 2", "answer.one_move"),
        (" ", "answer.one_move"),
        (None, "answer.one_move"),
    ],
)
async def test_an_answer_that_is_none_is_refused_at_once(
    matches: Matches, line: str | None, code: str
) -> None:
    match_id, version = await festival(matches)
    before = await matches.dump(*TABLES)

    with pytest.raises(MoveRejectedError) as error:
        await matches.commit(match_id, 0, version, line)

    assert error.value.code == code
    assert await matches.dump(*TABLES) == before


async def test_a_drafted_answer_is_committed(matches: Matches) -> None:
    match_id, version = await festival(matches)
    await matches.add(match_id, 0, "guess 3")

    await matches.commit(match_id, 0, version)

    page = await matches.page(match_id, 0)
    assert page.answer == "guess 3"
    assert page.draft.lines == ()


async def test_a_seat_that_is_not_asked_cannot_answer(matches: Matches) -> None:
    match_id, version = await festival(matches, 2)
    await matches.run("update matches set prompts = prompts - '1'")

    with pytest.raises(ConflictError):
        await matches.commit(match_id, 1, version, "guess 1")


async def test_bots_are_asked_when_a_prompt_opens_and_not_again(matches: Matches) -> None:
    match_id = await matches.start(None, "steady", "random")
    version = await matches.turns(match_id, 3, 1)
    jobs = f"select args->'seat', args->'version' from procrastinate_jobs {OF_BOTS} order by id"
    asked = [tuple(row) for row in await matches.run(jobs)]

    await matches.commit(match_id, 0, version, "guess 1")

    assert asked == [(1, 2), (2, 3), (1, version), (2, version)]
    assert [tuple(row) for row in await matches.run(jobs)] == asked
