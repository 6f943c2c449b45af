"""Guests, accounts, names and passwords."""

import asyncio
from time import perf_counter

import pytest
from sqlalchemy import text

from app.accounts import api_tokens, links, queries, service
from app.accounts import sessions as devices
from app.accounts.values import Person
from app.db.session import Sessions
from app.errors import AppError, ConflictError, ForbiddenError, InvalidError, NotFoundError
from tests.support.people import NOON, guest

pytestmark = pytest.mark.anyio

PASSWORD = "quatre de nou amb folre"


async def account(
    sessions: Sessions, name: str = "Anna", *, of: Person | None = None, password: str = PASSWORD
) -> Person:
    async with sessions.begin() as session:
        return await service.sign_up(session, guest=of, name=name, password=password, now=NOON)


async def signed_in(sessions: Sessions, name: str, password: str = PASSWORD) -> Person:
    async with sessions.begin() as session:
        return await service.sign_in(session, name=name, password=password)


class TestSignUp:
    async def test_a_guest_becomes_an_account_and_stays_the_same_person(
        self, sessions: Sessions
    ) -> None:
        anna = await guest(sessions, "Anna")

        person = await account(sessions, "Anna", of=anna)

        assert person.id == anna.id
        assert person.is_account
        assert await signed_in(sessions, "Anna") == person

    async def test_the_guests_sessions_and_links_end(self, sessions: Sessions) -> None:
        anna = await guest(sessions, "Anna")
        async with sessions.begin() as session:
            token = await devices.start_session(session, person=anna, label="", now=NOON)
            link = await links.make_link(session, person=anna, now=NOON)

        await account(sessions, of=anna)

        async with sessions.begin() as session:
            assert await queries.known_by_session(session, token=token, now=NOON) is None
            with pytest.raises(NotFoundError):
                await links.take_link(session, token=link.token, now=NOON)

    @pytest.mark.parametrize("name", ["Anna", "ANNA", "Ánna", "Аnna"])  # noqa: RUF001 - a Cyrillic A
    async def test_a_name_like_anothers_is_taken(self, sessions: Sessions, name: str) -> None:
        await account(sessions, "Anna")

        with pytest.raises(ConflictError) as refused:
            await account(sessions, name)

        assert refused.value.code == "account.name_taken"

    async def test_guests_may_share_a_name(self, sessions: Sessions) -> None:
        assert (await guest(sessions, "Anna")).id != (await guest(sessions, "Anna")).id

    async def test_of_twenty_with_one_name_one_gets_it(self, sessions: Sessions) -> None:
        results = await asyncio.gather(
            *(account(sessions, "Anna") for _ in range(20)), return_exceptions=True
        )

        assert sum(isinstance(result, Person) for result in results) == 1
        assert all(isinstance(result, Person | ConflictError) for result in results)

    async def test_an_account_is_not_made_twice(self, sessions: Sessions) -> None:
        anna = await account(sessions)

        with pytest.raises(ConflictError) as refused:
            await account(sessions, "Other", of=anna)

        assert refused.value.code == "account.already"

    @pytest.mark.parametrize(
        ("password", "code"),
        [
            ("castell", "password.too_short"),
            ("Password1", "password.too_common"),
            ("x" * 2000, "password.too_long"),
        ],
    )
    async def test_refuses_passwords(self, sessions: Sessions, password: str, code: str) -> None:
        with pytest.raises(InvalidError) as refused:
            await account(sessions, password=password)

        assert refused.value.code == code

    @pytest.mark.parametrize("password", ["ñandú 🏰 ünïcode", "  spaces count  ", "x" * 1000])
    async def test_any_character_counts(self, sessions: Sessions, password: str) -> None:
        anna = await account(sessions, password=password)

        assert await signed_in(sessions, "Anna", password) == anna
        with pytest.raises(InvalidError):
            await signed_in(sessions, "Anna", password[:-1])

    async def test_no_password_is_stored(self, sessions: Sessions) -> None:
        await account(sessions)

        async with sessions.begin() as session:
            stored = (await session.execute(text("select password_hash from people"))).scalar_one()

        assert stored.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
        assert PASSWORD not in stored


class TestSignIn:
    @pytest.mark.parametrize("name", ["Anna", " anna ", "ANNA"])
    async def test_the_name_need_not_be_exact(self, sessions: Sessions, name: str) -> None:
        anna = await account(sessions)

        assert await signed_in(sessions, name) == anna

    async def test_unknown_names_and_wrong_passwords_are_refused_alike(
        self, sessions: Sessions
    ) -> None:
        await account(sessions)
        await guest(sessions, "Blai")

        refusals = []
        for name, password in (("Anna", "wrong"), ("Nobody", PASSWORD), ("Blai", ""), ("", "")):
            with pytest.raises(InvalidError) as refused:
                await signed_in(sessions, name, password)
            refusals.append((refused.value.code, refused.value.details))

        assert refusals == [("account.wrong_password", {})] * 4

    async def test_an_unknown_name_takes_as_long_as_a_wrong_password(
        self, sessions: Sessions
    ) -> None:
        await account(sessions)

        async def fastest(name: str) -> float:
            taken = []
            for _ in range(5):
                began = perf_counter()
                with pytest.raises(InvalidError):
                    await signed_in(sessions, name, "wrong")
                taken.append(perf_counter() - began)
            return min(taken)

        await fastest("Nobody")  # makes the dummy

        # Without the dummy's hash the ratio is below 0.3: one query against one query and Argon2.
        assert await fastest("Nobody") > 0.6 * await fastest("Anna")

    async def test_weaker_hashes_are_made_anew(self, sessions: Sessions) -> None:
        from argon2 import PasswordHasher  # noqa: PLC0415 - only this test makes weak hashes

        await account(sessions)
        weak = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(PASSWORD)
        async with sessions.begin() as session:
            await session.execute(text("update people set password_hash = :weak"), {"weak": weak})

        await signed_in(sessions, "Anna")

        async with sessions.begin() as session:
            stored = (await session.execute(text("select password_hash from people"))).scalar_one()
        assert "m=19456" in stored


class TestChanges:
    async def test_rename(self, sessions: Sessions) -> None:
        anna = await account(sessions)
        await account(sessions, "Blai")

        async with sessions.begin() as session:
            renamed = await service.rename(session, person=anna, name="Anna Maria")
        async with sessions() as session:
            with pytest.raises(ConflictError):
                await service.rename(session, person=anna, name="BLAI")

        assert renamed.name == "Anna Maria"
        assert await signed_in(sessions, "Anna Maria") == renamed

    async def test_another_password_ends_everything_else(self, sessions: Sessions) -> None:
        anna = await account(sessions)
        async with sessions.begin() as session:
            mine = await devices.start_session(session, person=anna, label="", now=NOON)
            other = await devices.start_session(session, person=anna, label="", now=NOON)
            program = await api_tokens.create_api_token(session, person=anna, label="bot", now=NOON)
            known = await queries.known_by_session(session, token=mine, now=NOON)
        assert known is not None

        async with sessions.begin() as session:
            await service.change_password(
                session,
                person=anna,
                old=PASSWORD,
                password="a different one",
                keep=known.session_id,
            )

        async with sessions.begin() as session:
            assert await queries.known_by_session(session, token=mine, now=NOON)
            assert await queries.known_by_session(session, token=other, now=NOON) is None
            assert await api_tokens.use_api_token(session, token=program, now=NOON) is None
        assert await signed_in(sessions, "Anna", "a different one") == anna
        with pytest.raises(InvalidError):
            await signed_in(sessions, "Anna")

    async def test_another_password_needs_the_old_one(self, sessions: Sessions) -> None:
        anna = await account(sessions)
        blai = await guest(sessions, "Blai")

        for person, refusal in ((anna, InvalidError), (blai, ForbiddenError)):
            async with sessions() as session:
                with pytest.raises(refusal):
                    await service.change_password(
                        session,
                        person=person,
                        old="wrong",
                        password="a different one",
                        keep=person.id,
                    )

    async def test_a_deleted_person_is_forgotten_everywhere(self, sessions: Sessions) -> None:
        anna = await account(sessions)
        async with sessions.begin() as session:
            cookie = await devices.start_session(session, person=anna, label="", now=NOON)
            link = await links.make_link(session, person=anna, now=NOON)
            program = await api_tokens.create_api_token(session, person=anna, label="bot", now=NOON)
        async with sessions() as session:
            with pytest.raises(InvalidError):
                await service.prove(session, person=anna, password="wrong")
        async with sessions.begin() as session:
            await service.prove(session, person=anna, password=PASSWORD)
            await service.delete_person(session, person=anna)

        async with sessions.begin() as session:
            assert await queries.known_by_session(session, token=cookie, now=NOON) is None
            assert await api_tokens.use_api_token(session, token=program, now=NOON) is None
            with pytest.raises(NotFoundError):
                await links.take_link(session, token=link.token, now=NOON)
            gone = await queries.person_by_id(session, anna.id)
        assert gone == Person(anna.id, "", "deleted")
        with pytest.raises(InvalidError):
            await signed_in(sessions, "Anna")
        assert (await account(sessions, "Anna")).id != anna.id

    async def test_an_account_is_not_forgotten_like_a_guest(self, sessions: Sessions) -> None:
        anna = await account(sessions)

        async with sessions() as session:
            with pytest.raises(ForbiddenError):
                await service.forget_guest(session, guest_id=anna.id)


async def test_an_unknown_account_has_no_login_link(sessions: Sessions) -> None:
    await guest(sessions, "Blai")

    for name in ("Nobody", "Blai", "", "\0"):
        async with sessions() as session:
            with pytest.raises(AppError) as refused:
                await service.find_account(session, name=name)
        assert refused.value.code == "account.unknown"
