"""A person's matches are looked at a page at a time."""

import pytest

from app.matches.lists import MatchCounts, match_counts, my_matches
from tests.support.matches import Matches

pytestmark = pytest.mark.anyio


async def test_pages_follow_each_other_those_that_wait_for_me_first(matches: Matches) -> None:
    anna = await matches.person()
    over = [await matches.start(anna) for _ in range(2)]
    for match_id in over:
        await matches.resign(match_id, 0)
    await matches.run("update match_seats set person_id = :anna, bot = null", anna=anna)
    waiting = [await matches.start(None, anna) for _ in range(2)]
    mine = [await matches.start(anna, None) for _ in range(3)]

    async with matches.sessions() as session:
        pages = [await my_matches(session, anna, skip=skip, most=3) for skip in (0, 3, 6)]
        counts = await match_counts(session, anna)

    shown = [[card.id for card in page] for page in pages]
    assert sorted(shown[0]) == sorted(mine)
    assert sorted(shown[1][:2]) == sorted(waiting)
    assert sorted([*shown[1][2:], *shown[2]]) == sorted(over)
    assert counts == MatchCounts(all=7, running=5, my_turn=3)


async def test_a_seat_that_has_answered_is_not_counted_as_waited_for(matches: Matches) -> None:
    anna = await matches.person()
    match_id = await matches.start(anna, None)
    version = await matches.turns(match_id, 2, 1)
    async with matches.sessions() as session:
        assert (await match_counts(session, anna)).my_turn == 1

    await matches.commit(match_id, 0, version, "guess 1")

    async with matches.sessions() as session:
        assert (await match_counts(session, anna)).my_turn == 0


async def test_the_latest_come_first_and_nobody_elses_are_there(matches: Matches) -> None:
    anna, berta = await matches.person("Anna"), await matches.person("Berta")
    old, new = [await matches.start(anna, None) for _ in range(2)]
    await matches.start(berta, None)
    await matches.run("update matches set updated_at = updated_at + '1 h' where id = :id", id=new)

    async with matches.sessions() as session:
        cards = await my_matches(session, anna)

    assert [card.id for card in cards] == [new, old]
