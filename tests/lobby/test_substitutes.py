"""Somebody with the invitation follows whoever is late, where the table has chosen that."""

import asyncio
from datetime import timedelta
from uuid import UUID

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from app.accounts.values import Person
from app.db.session import Sessions
from app.errors import AppError, ConflictError, ForbiddenError, NotFoundError
from app.lobby import seats
from app.lobby.queries import invitation_by_token
from app.lobby.values import Invitation
from app.matches.queries import match_page, seats_of
from app.matches.service import Commit, commit
from app.rules.game import Seat
from tests.support.clocks import DAY, Clocks
from tests.support.matches import Matches
from tests.support.people import NOON, Gathering, guest

pytestmark = pytest.mark.anyio

LATE = NOON + DAY + timedelta(minutes=1)
SUBSTITUTE = {"kind": "turn", "days": 1, "timeout": "substitute"}


async def begun(
    sessions: Sessions, choice: str = "substitute"
) -> tuple[Gathering, UUID, dict[str, Person]]:
    """Return a table of Anna and Blai with a day for each turn, its match, and both."""
    table = await Gathering.of(sessions, seats=2, clock={**SUBSTITUTE, "timeout": choice})
    blai = await table.joined("Blai")
    return table, await table.start(), {"Anna": table.host, "Blai": blai}


@pytest.fixture
def clocks(sessions: Sessions, engine: AsyncEngine) -> Clocks:
    return Clocks(Matches(sessions, engine))


async def asked(sessions: Sessions, match_id: UUID) -> tuple[Seat, str]:
    async with sessions.begin() as session:
        page = await match_page(session, match_id=match_id, seat=None)
    (seat,) = page.asked
    return seat, page.seats[seat].name


async def invitation(sessions: Sessions, table: Gathering, person: Person) -> Invitation:
    token = await table.token()
    async with sessions.begin() as session:
        return await invitation_by_token(session, token=token, person=person)


async def take(sessions: Sessions, table: Gathering, person: Person) -> None:
    token = await table.token()
    async with sessions.begin() as session:
        await seats.join_by_invite(session, token=token, person=person, now=LATE)


async def test_a_friend_takes_over_the_seat_of_whoever_is_late(
    sessions: Sessions, clocks: Clocks
) -> None:
    table, match_id, people = await begun(sessions)
    seat, name = await asked(sessions, match_id)
    assert await clocks.pass_by(LATE) == 1
    carla = await guest(sessions, "Carla")

    shown = await invitation(sessions, table, carla)
    await take(sessions, table, carla)

    assert (shown.state, shown.vacant) == ("vacant", name)
    async with sessions.begin() as session:
        page = await match_page(session, match_id=match_id, seat=seat)
        assert await seats_of(session, match_id, carla.id) == (seat,)
        assert await seats_of(session, match_id, people[name].id) == ()
    assert page.seats[seat].name == "Carla"
    assert page.asked == {seat}
    assert await clocks.due(match_id, seat) == LATE + DAY
    assert "Carla" in {line.name for line in (await table.page(carla)).seats}


async def test_before_the_time_is_up_there_is_nothing_to_take(sessions: Sessions) -> None:
    table, _, _ = await begun(sessions)
    carla = await guest(sessions, "Carla")

    assert (await invitation(sessions, table, carla)).state == "started"
    with pytest.raises(ConflictError) as refused:
        await take(sessions, table, carla)

    assert refused.value.code == "table.not_gathering"


async def test_where_the_table_waits_nobody_takes_a_seat(
    sessions: Sessions, clocks: Clocks
) -> None:
    table, _, _ = await begun(sessions, choice="wait")
    assert await clocks.pass_by(LATE) == 1
    carla = await guest(sessions, "Carla")

    assert (await invitation(sessions, table, carla)).state == "started"
    with pytest.raises(ConflictError):
        await take(sessions, table, carla)


async def test_whoever_plays_already_or_was_sent_away_takes_none(
    sessions: Sessions, clocks: Clocks
) -> None:
    table = await Gathering.of(sessions, seats=2, clock=SUBSTITUTE)
    gone = await table.joined("Dolors")
    async with sessions.begin() as session:
        await seats.free_seat(session, table_id=table.id, position=1, person=table.host)
    blai = await table.joined("Blai")
    match_id = await table.start()
    seat, _ = await asked(sessions, match_id)
    assert await clocks.pass_by(LATE) == 1

    for person in (table.host, blai):
        await take(sessions, table, person)
    with pytest.raises(ForbiddenError):
        await take(sessions, table, gone)

    assert (await asked(sessions, match_id))[0] == seat
    async with sessions.begin() as session:
        sitting = [await seats_of(session, match_id, one.id) for one in (table.host, blai)]
    assert sorted(map(len, sitting)) == [1, 1]


async def test_a_name_that_sits_there_already_is_refused(
    sessions: Sessions, clocks: Clocks
) -> None:
    table, match_id, people = await begun(sessions)
    _, late = await asked(sessions, match_id)
    assert await clocks.pass_by(LATE) == 1
    (other,) = set(people) - {late}
    namesake = await guest(sessions, other)

    with pytest.raises(ConflictError) as refused:
        await take(sessions, table, namesake)

    assert refused.value.code == "table.name_taken"


async def test_of_the_late_answer_and_many_friends_one_comes_first(
    sessions: Sessions, clocks: Clocks
) -> None:
    table, match_id, people = await begun(sessions)
    seat, late = await asked(sessions, match_id)
    assert await clocks.pass_by(LATE) == 1
    friends = [await guest(sessions, f"Friend {n}") for n in range(6)]
    token = await table.token()

    async def answer() -> str:
        async with sessions.begin() as session:
            move = Commit(
                match_id=match_id,
                seat=seat,
                expected_version=1,
                key="late",
                line="end",
                now=LATE,
                person_id=people[late].id,
            )
            await commit(session, move)
        return late

    async def sit(friend: Person) -> str:
        async with sessions.begin() as session:
            await seats.join_by_invite(session, token=token, person=friend, now=LATE)
        return friend.name

    done = await asyncio.gather(answer(), *map(sit, friends), return_exceptions=True)

    assert all(isinstance(one, str | AppError) for one in done), done
    (winner,) = [one for one in done if isinstance(one, str)]
    async with sessions.begin() as session:
        page = await match_page(session, match_id=match_id, seat=None)
    assert page.seats[seat].name == winner
    refused = {type(one) for one in done if not isinstance(one, str)}
    assert refused <= {ConflictError, NotFoundError}
