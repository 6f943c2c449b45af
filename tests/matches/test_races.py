import pytest

from app.errors import NotFoundError, StaleMatchError
from tests.support.matches import OF_BOTS, Matches, all_of

pytestmark = pytest.mark.anyio


async def test_twenty_copies_of_one_commit_play_once(matches: Matches) -> None:
    match_id = await matches.start(None, "steady")
    await matches.add(match_id, 0, "take 3", "leap")

    made = await all_of(*(matches.commit(match_id, 0, 1) for _ in range(20)))

    assert made == [2] * 20
    counts = await matches.counts()
    assert counts["match_events"] == 4
    assert counts["match_commands"] == 1
    assert len(await matches.run(f"select id from procrastinate_jobs {OF_BOTS}")) == 1
    assert await matches.problems() == []


async def test_only_one_of_many_rivals_wins(matches: Matches) -> None:
    match_id = await matches.start(None, None)

    made = await all_of(
        *(matches.commit(match_id, 0, 1, f"take {n % 3 + 1}", key=f"k{n}") for n in range(20))
    )

    assert made.count(2) == 1
    assert sum(isinstance(result, StaleMatchError) for result in made) == 19
    counts = await matches.counts()
    assert counts["match_events"] == 3
    assert counts["match_commands"] == 1
    assert await matches.problems() == []


async def test_a_person_and_a_late_bot_for_the_same_seat_have_one_winner(
    matches: Matches,
) -> None:
    for _ in range(10):
        match_id = await matches.start(None, None)
        made = await all_of(
            matches.commit(match_id, 0, 1, "take 1", key="person"),
            matches.commit(match_id, 0, 1, "take 2", key="bot:1"),
        )
        assert made.count(2) == 1
        assert sum(isinstance(result, StaleMatchError) for result in made) == 1

    assert await matches.problems() == []


async def test_a_move_added_while_the_turn_is_committed_is_in_it_or_refused(
    matches: Matches,
) -> None:
    for _ in range(10):
        match_id = await matches.start(None, None)
        added, committed = await all_of(
            matches.add(match_id, 0, "take 3"), matches.commit(match_id, 0, 1)
        )
        ((events,),) = await matches.run("select events from matches where id = :id", id=match_id)
        assert committed == 2
        assert events == (2 if isinstance(added, Exception) else 3)

    assert await matches.problems() == []


async def test_moves_drafted_at_once_are_all_kept(matches: Matches) -> None:
    match_id = await matches.start(None)

    await all_of(*(matches.add(match_id, 0, "take 1") for _ in range(2)))

    draft = (await matches.page(match_id, 0)).draft
    assert draft.lines == ("take 1", "take 1")
    assert draft.revision == 2


async def test_a_late_answer_does_not_land_in_the_seat_its_person_has_left(
    matches: Matches,
) -> None:
    for _ in range(10):
        anna, berta = await matches.person("Anna"), await matches.person("Berta")
        match_id = await matches.start(anna, berta)
        version = await matches.turns(match_id, 2, 1)
        left, answered = await all_of(
            matches.resign(match_id, 0),
            matches.commit(match_id, 0, version, "guess 1", person=anna),
        )
        page = await matches.page(match_id, 0)
        if left == version + 1:
            assert isinstance(answered, NotFoundError)
            assert page.answer is None
        else:
            assert answered == version + 1
            assert page.answer == "guess 1"

    assert await matches.problems() == []


async def test_answers_and_changes_of_answers_at_once_leave_one_each(matches: Matches) -> None:
    for _ in range(5):
        match_id = await matches.start(None, None, None, None)
        version = await matches.turns(match_id, 4, 1)
        made = await all_of(
            *(
                matches.commit(match_id, seat, version, f"guess {n}", key=f"k{n}")
                for seat in range(3)
                for n in range(4)
            )
        )
        assert all(isinstance(result, int) for result in made)
        page = await matches.page(match_id)
        assert page.version == version + 3
        assert page.answered == {0, 1, 2}
        assert await matches.commit(match_id, 3, version, "guess 0") == version + 4

    assert await matches.problems() == []
