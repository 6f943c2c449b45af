"""A mail address is somebody's once they have typed what was mailed there."""

from datetime import timedelta

import pytest

from app.accounts.addresses import (
    CODE_LIFE,
    CODE_TRIES,
    address_of,
    checked_address,
    claim_address,
    confirm_address,
    pause_address,
    people_at,
    resume_address,
)
from app.accounts.service import delete_person
from app.accounts.values import Person
from app.db.session import Sessions
from app.errors import InvalidError
from app.lobby.people import take_over
from tests.support.people import NOON, guest

pytestmark = pytest.mark.anyio


async def claimed(sessions: Sessions, person: Person, address: str = "anna@example.org") -> str:
    async with sessions.begin() as session:
        return await claim_address(session, person=person, address=address, now=NOON)


async def confirmed(
    sessions: Sessions, person: Person, code: str, *, later: timedelta = timedelta()
) -> str:
    async with sessions.begin() as session:
        return await confirm_address(session, person=person, code=code, now=NOON + later)


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        (" Anna.B+joc@Example.ORG ", "Anna.B+joc@example.org"),
        ("anna@plaça.cat", "anna@xn--plaa-2oa.cat"),
    ],
)
def test_an_address_is_kept_as_servers_read_it(typed: str, kept: str) -> None:
    assert checked_address(typed) == kept


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "anna",
        "@example.org",
        "anna@",
        "anna@localhost",
        "anna@127.0.0.1",
        "anna@[127.0.0.1]",
        "anna@example.org, eve@example.org",
        "Anna <anna@example.org>",
        '"a b"@example.org',
        "a..b@example.org",
        "anna@example.org\r\nBcc: eve@example.org",
        "anna@exam\nple.org",
        "anna\u2028@example.org",
        "ànna@example.org",
        "a" * 65 + "@example.org",
        "a@" + "b" * 250 + ".org",
    ],
    ids=ascii,
)
def test_what_is_no_address_is_refused(typed: str) -> None:
    with pytest.raises(InvalidError, match=r"address\.invalid"):
        checked_address(typed)


async def test_the_code_makes_it_theirs_once(sessions: Sessions) -> None:
    anna = await guest(sessions, "Anna")
    code = await claimed(sessions, anna)
    async with sessions.begin() as session:
        before = await address_of(session, anna.id)
        assert await people_at(session, "anna@example.org") == ()
    assert before is not None
    assert (before.address, before.pending) == (None, "anna@example.org")

    assert await confirmed(sessions, anna, f" {code[:3]} {code[3:]} ") == "confirmed"
    assert await confirmed(sessions, anna, code) == "dead"
    async with sessions.begin() as session:
        after = await address_of(session, anna.id)
        assert await people_at(session, "ANNA@example.org") == (anna.id,)
    assert after is not None
    assert (after.usable, after.pending) == ("anna@example.org", None)


async def test_a_code_can_be_guessed_at_five_times(sessions: Sessions) -> None:
    anna = await guest(sessions, "Anna")
    code = await claimed(sessions, anna)
    wrong = "000000" if code != "000000" else "111111"
    for _ in range(CODE_TRIES):
        assert await confirmed(sessions, anna, wrong) == "wrong"

    assert await confirmed(sessions, anna, code) == "dead"


async def test_a_code_dies_after_ten_minutes_and_with_the_next(sessions: Sessions) -> None:
    anna = await guest(sessions, "Anna")
    code = await claimed(sessions, anna)
    assert await confirmed(sessions, anna, code, later=CODE_LIFE) == "dead"

    newer = await claimed(sessions, anna, "other@example.org")
    assert newer == code or await confirmed(sessions, anna, code) == "wrong"
    assert await confirmed(sessions, anna, newer) == "confirmed"


async def test_the_code_of_one_is_nothing_to_another(sessions: Sessions) -> None:
    anna, berta = await guest(sessions, "Anna"), await guest(sessions, "Berta")
    code = await claimed(sessions, anna)

    assert await confirmed(sessions, berta, code) == "dead"


async def test_a_refused_address_rests_until_its_owner_says_so(sessions: Sessions) -> None:
    anna = await guest(sessions, "Anna")
    await confirmed(sessions, anna, await claimed(sessions, anna))
    async with sessions.begin() as session:
        await pause_address(
            session, person_id=anna.id, address="anna@example.org", why="550 no", now=NOON
        )
        resting = await address_of(session, anna.id)
        await resume_address(session, anna.id)
        again = await address_of(session, anna.id)

    assert resting is not None
    assert (resting.usable, resting.refusal) == (None, "550 no")
    assert again is not None
    assert again.usable == "anna@example.org"


async def test_it_goes_where_its_owner_goes(sessions: Sessions) -> None:
    here, account = await guest(sessions, "Anna"), await guest(sessions, "Anna")
    await confirmed(sessions, here, await claimed(sessions, here))
    async with sessions.begin() as session:
        await take_over(session, guest=here, person=account)
        assert await people_at(session, "anna@example.org") == (account.id,)
        await delete_person(session, person=account)
        assert await people_at(session, "anna@example.org") == ()
