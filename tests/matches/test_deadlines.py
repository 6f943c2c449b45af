from datetime import timedelta
from uuid import UUID

import pytest

from app.matches.deadlines import deadline_of, deadlines_between, deadlines_of
from app.rules.game import Seat
from tests.support.matches import NOW, Matches

pytestmark = pytest.mark.anyio

DAY = timedelta(days=1)


async def given(matches: Matches, match_id: UUID, seat: int, *, secret: bool, days: int) -> None:
    """Put a deadline down as the clocks would."""
    await matches.run(
        "insert into match_deadlines (match_id, seat, prompt, secret, opened_version, opened_at,"
        " allotted, due_at) values (:id, :seat, 'turn:1:0', :secret, 1, :now, :allotted, :due)",
        id=match_id,
        seat=seat,
        secret=secret,
        now=NOW,
        allotted=days * DAY,
        due=NOW + days * DAY,
    )


async def test_a_seat_knows_its_own_deadline_and_those_that_are_no_secret(
    matches: Matches,
) -> None:
    anna, bert = await matches.person("Anna"), await matches.person("Bert")
    match_id = await matches.start(anna, bert, None)
    await given(matches, match_id, 0, secret=True, days=1)
    await given(matches, match_id, 1, secret=True, days=1)
    await given(matches, match_id, 2, secret=False, days=2)

    async with matches.sessions.begin() as session:
        own = await deadline_of(session, match_id, Seat(0))
        for_anna = await deadlines_of(session, [match_id], person_id=anna)
        for_seat = await deadlines_of(session, [match_id], seat=Seat(1))
        for_nobody = await deadlines_of(session, [match_id])

    assert own is not None
    assert (own.prompt, own.opened_at, own.due_at) == ("turn:1:0", NOW, NOW + DAY)
    assert [line.seat for line in for_anna] == [0, 2]
    assert [line.seat for line in for_seat] == [1, 2]
    assert [line.seat for line in for_nobody] == [2]


async def test_reminders_find_what_falls_due_and_is_still_open(matches: Matches) -> None:
    match_id = await matches.start(None, None, None)
    for seat in range(3):
        await given(matches, match_id, seat, secret=False, days=seat + 1)
    await matches.run("update match_deadlines set missed_at = :now where seat = 2", now=NOW)

    async with matches.sessions.begin() as session:
        found = await deadlines_between(session, NOW + DAY, NOW + 3 * DAY)
        none = await deadline_of(session, match_id, Seat(9))

    assert [line.seat for line in found] == [1]
    assert none is None
