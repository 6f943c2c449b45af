"""What people read when two of their own requests cross in the database."""

import asyncio

import pytest
from sqlalchemy.exc import IntegrityError

from app.accounts.service import sign_up
from app.accounts.sessions import start_session
from app.accounts.values import Person
from app.db.failures import meaning
from app.db.session import Sessions
from app.errors import ConflictError
from app.ids import new_id
from app.lobby import seats
from app.lobby.people import take_over
from tests.support.people import NOON, Gathering, guest

pytestmark = pytest.mark.anyio


async def test_a_guest_who_joins_while_signing_in_is_told_to_look_again(
    sessions: Sessions,
) -> None:
    table = await Gathering.of(sessions)
    invitation = await table.token()
    blai = await guest(sessions, "Blai")
    async with sessions.begin() as session:
        account = await sign_up(
            session, guest=None, name="Blai", password="quatre de nou amb folre", now=NOON
        )

    async def sign_in() -> None:
        async with sessions.begin() as session:
            await take_over(session, guest=blai, person=account)

    async with sessions.begin() as joining:
        await seats.join_by_invite(joining, token=invitation, person=blai, now=NOON)
        signing_in = asyncio.create_task(sign_in())
        # It has looked for the guest's tables, has not found this one, and waits for the guest.
        await asyncio.sleep(0.3)
        assert not signing_in.done()
    with pytest.raises(ConflictError):
        await signing_in

    await sign_in()
    assert (await table.page(account)).member


async def test_a_write_for_somebody_who_is_gone_by_now_is_a_conflict(sessions: Sessions) -> None:
    nobody = Person(new_id(), "Nobody", "guest")

    with pytest.raises(IntegrityError) as crossed:
        async with sessions.begin() as session:
            await start_session(session, person=nobody, label="", now=NOON)

    assert isinstance(meaning(crossed.value), ConflictError)
