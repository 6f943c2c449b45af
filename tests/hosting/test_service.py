"""What hosts do to tables, seats and people, and that each deed is written down with it."""

import pytest

from app.accounts.admins import SESSION_LIFE, admins, require_admin
from app.accounts.identities import has_password
from app.accounts.queries import known_by_session, person_by_link
from app.accounts.service import delete_person, sign_up
from app.accounts.sessions import start_session
from app.db.session import Sessions
from app.errors import AppError, ConflictError, ForbiddenError, InvalidError, NotFoundError
from app.hosting import service
from app.hosting.audit import Actor, deeds
from app.hosting.overview import match_report, matches
from app.hosting.service import Deed
from app.ids import new_id
from app.matches.queries import match_page, seats_of
from app.rules.game import Seat
from tests.support.people import NOON, Gathering, guest

pytestmark = pytest.mark.anyio

DEED = Deed(Actor.shell("root"), NOON, "asked by Anna")


async def test_every_deed_is_written_down_with_actor_and_reason(sessions: Sessions) -> None:
    table = await Gathering.of(sessions, seats=2)
    await table.fill_with_bots()
    match_id = await table.start()

    async with sessions.begin() as session:
        await service.void(session, DEED, match_id=match_id)

    async with sessions.begin() as session:
        (deed,) = await deeds(session, subject=str(match_id))
    assert (deed.actor, deed.action, deed.at) == ("shell root", "match.void", NOON)
    assert deed.details == {"version": 2, "reason": "asked by Anna"}


async def test_a_deed_that_fails_is_not_written_down(sessions: Sessions) -> None:
    with pytest.raises(NotFoundError):
        async with sessions.begin() as session:
            await service.void(session, DEED, match_id=new_id())

    async with sessions.begin() as session:
        assert await deeds(session) == ()


async def test_a_seat_changes_hands_in_the_match_and_at_its_table(sessions: Sessions) -> None:
    table = await Gathering.of(sessions, seats=2)
    blai, carla = await table.joined("Blai"), await guest(sessions, "Carla")
    match_id = await table.start()

    async with sessions.begin() as session:
        (seat,) = await seats_of(session, match_id, blai.id)
        await service.reassign_seat(session, DEED, match_id=match_id, seat=seat, to=carla)

    async with sessions.begin() as session:
        assert await seats_of(session, match_id, blai.id) == ()
        assert await seats_of(session, match_id, carla.id) == (seat,)
    page = await table.page(carla)
    assert page.member
    assert "Carla" in [one.name for one in page.seats]
    assert "Blai" not in [one.name for one in page.seats]


async def test_whoever_sits_there_already_gets_one_more_seat(sessions: Sessions) -> None:
    table = await Gathering.of(sessions, seats=3)
    blai = await table.joined("Blai")
    await table.fill_with_bots()
    match_id = await table.start()

    async with sessions.begin() as session:
        mine = await seats_of(session, match_id, table.host.id)
        others = [Seat(n) for n in range(3) if n not in mine]
        for seat in others:
            await service.reassign_seat(session, DEED, match_id=match_id, seat=seat, to=table.host)

    async with sessions.begin() as session:
        assert await seats_of(session, match_id, table.host.id) == (0, 1, 2)
        page = await match_page(session, match_id=match_id, seat=None)
    assert len({info.name for info in page.seats}) == 3
    with pytest.raises(NotFoundError):
        await table.page(blai)


async def test_a_bot_can_be_put_in_and_only_one_there_is(sessions: Sessions) -> None:
    table = await Gathering.of(sessions, seats=2)
    await table.joined("Blai")
    match_id = await table.start()

    async with sessions.begin() as session:
        await service.reassign_seat(session, DEED, match_id=match_id, seat=Seat(1), to="steady")
        page = await match_page(session, match_id=match_id, seat=None)
    assert page.seats[1].bot == "steady"
    for seat, to, error in (
        (1, "genius", InvalidError),
        (7, "steady", NotFoundError),
    ):
        with pytest.raises(error):
            async with sessions.begin() as session:
                await service.reassign_seat(
                    session, DEED, match_id=match_id, seat=Seat(seat), to=to
                )


async def test_nobody_who_is_gone_gets_a_seat(sessions: Sessions) -> None:
    table = await Gathering.of(sessions, seats=2)
    await table.joined("Blai")
    match_id = await table.start()
    gone = await guest(sessions, "Gone")
    async with sessions.begin() as session:
        await delete_person(session, person=gone)

    with pytest.raises(NotFoundError):
        async with sessions.begin() as session:
            await service.reassign_seat(session, DEED, match_id=match_id, seat=Seat(1), to=gone)
    with pytest.raises(NotFoundError):
        async with sessions.begin() as session:
            await service.somebody(session, str(gone.id))


async def test_a_report_names_seats_rollbacks_deeds_and_damage(sessions: Sessions) -> None:
    table = await Gathering.of(sessions, seats=2)
    await table.joined("Blai")
    match_id = await table.start()
    async with sessions.begin() as session:
        await service.reassign_seat(session, DEED, match_id=match_id, seat=Seat(1), to="steady")
        await service.take_back(session, DEED, match_id=match_id, to_version=1)

        report = "\n".join(await match_report(session, match_id))
        listed = [line.sentence() for line in await matches(session, status="running")]

    assert "seat 0: Anna" in report
    assert "(bot steady)" in report
    assert "version 3 took the match back to version 1" in report
    assert "shell root: match.rollback" in report
    assert "the log proves the position" in report
    assert [line.split(" ")[0] for line in listed] == [str(match_id)]


async def test_an_administrator_is_an_account_with_a_link_to_get_in(sessions: Sessions) -> None:
    async with sessions.begin() as session:
        link = await service.make_admin(session, DEED, name="Roser")
    async with sessions.begin() as session:
        person = await person_by_link(session, token=link.token, now=NOON)
        assert person is not None
        assert await admins(session) == (person,)
        # Or a page would ask for it.
        assert not await has_password(session, person_id=person.id)
        again = await service.make_admin(session, DEED, name="roser")
        assert await admins(session) == (person,)
        assert again.token != link.token
    with pytest.raises(AppError):
        async with sessions.begin() as session:
            await service.make_admin(session, DEED, name="")


async def test_administration_ends_with_the_right_the_time_and_the_account(
    sessions: Sessions,
) -> None:
    async with sessions.begin() as session:
        anna = await sign_up(session, guest=None, name="Anna", password="quatre de nou", now=NOON)
        token = await start_session(session, person=anna, label="", now=NOON)
        known = await known_by_session(session, token=token, now=NOON)
    assert known is not None

    async def asks(later: object = None) -> None:
        async with sessions.begin() as session:
            moment = NOON if later is None else NOON + SESSION_LIFE
            await require_admin(session, session_id=known.session_id, now=moment)

    with pytest.raises(NotFoundError):
        await asks()
    async with sessions.begin() as session:
        await service.make_admin(session, DEED, name="Anna")
    await asks()
    with pytest.raises(ForbiddenError):
        await asks(later=True)
    async with sessions.begin() as session:
        await service.end_admin(session, DEED, name="Anna")
    with pytest.raises(NotFoundError):
        await asks()
    async with sessions.begin() as session:
        await service.make_admin(session, DEED, name="Anna")
        await delete_person(session, person=anna)
        assert await admins(session) == ()


async def test_a_finished_match_keeps_its_seats(sessions: Sessions) -> None:
    table = await Gathering.of(sessions, seats=2)
    await table.joined("Blai")
    match_id = await table.start()
    async with sessions.begin() as session:
        await service.void(session, DEED, match_id=match_id)

    with pytest.raises(ConflictError):
        async with sessions.begin() as session:
            await service.reassign_seat(session, DEED, match_id=match_id, seat=Seat(1), to="steady")
