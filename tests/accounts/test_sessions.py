"""Sessions, one-time links and API tokens: what proves who somebody is."""

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from sqlalchemy import text

from app.accounts import api_tokens, links, queries
from app.accounts import sessions as devices
from app.accounts.values import Person, TakenLink
from app.db.session import Sessions
from app.errors import ConflictError, NotFoundError
from tests.support.people import NOON, guest

pytestmark = pytest.mark.anyio

SECOND = timedelta(seconds=1)


async def start(sessions: Sessions, person: Person, *, now: datetime = NOON) -> str:
    async with sessions.begin() as session:
        return await devices.start_session(session, person=person, label="Firefox", now=now)


async def known(sessions: Sessions, token: str, now: datetime = NOON) -> bool:
    async with sessions.begin() as session:
        return await queries.known_by_session(session, token=token, now=now) is not None


class TestSessions:
    async def test_no_cookie_is_in_the_database(self, sessions: Sessions) -> None:
        anna = await guest(sessions, "Anna")
        tokens = [await start(sessions, anna) for _ in range(3)]
        async with sessions.begin() as session:
            tokens.append((await links.make_link(session, person=anna, now=NOON)).token)
            tokens.append(
                await api_tokens.create_api_token(session, person=anna, label="bot", now=NOON)
            )

        async with sessions.begin() as session:
            tables = await session.scalars(
                text(
                    "select relname from pg_class where relkind = 'r' and relnamespace ="
                    " 'public'::regnamespace"
                )
            )
            dump = ""
            for table in tables.all():
                rows = await session.execute(text(f'select t::text from "{table}" t'))
                dump += "\n".join(rows.scalars())

        assert str(anna.id) in dump
        # Not as text, nor as bytes, nor a part that would help to guess the rest.
        assert [t for t in tokens if t[:20] in dump or t[:20].encode().hex() in dump] == []

    async def test_a_new_session_kills_the_one_it_replaces(self, sessions: Sessions) -> None:
        anna = await guest(sessions, "Anna")
        old = await start(sessions, anna)

        async with sessions.begin() as session:
            new = await devices.start_session(
                session, person=anna, label="", now=NOON, instead_of=old
            )

        assert (await known(sessions, old), await known(sessions, new)) == (False, True)

    @pytest.mark.parametrize("token", ["", "x", "'; drop table people; --", "\ud800", "é" * 43])
    async def test_nonsense_is_nobody(self, sessions: Sessions, token: str) -> None:
        assert not await known(sessions, token)

    async def test_ends_thirty_days_after_it_was_last_used(self, sessions: Sessions) -> None:
        token = await start(sessions, await guest(sessions, "Anna"))

        assert await known(sessions, token, NOON + devices.IDLE - SECOND)
        assert not await known(sessions, token, NOON + devices.IDLE)

    async def test_ends_half_a_year_after_it_began_however_often_it_is_used(
        self, sessions: Sessions
    ) -> None:
        token = await start(sessions, await guest(sessions, "Anna"))
        async with sessions.begin() as session:
            here = await queries.known_by_session(session, token=token, now=NOON)
            assert here is not None
            for days in range(20, 180, 20):
                await devices.touch_session(
                    session, session_id=here.session_id, now=NOON + timedelta(days=days)
                )

        assert await known(sessions, token, NOON + devices.ABSOLUTE - SECOND)
        assert not await known(sessions, token, NOON + devices.ABSOLUTE)

    async def test_use_is_written_down_every_five_minutes(self, sessions: Sessions) -> None:
        token = await start(sessions, await guest(sessions, "Anna"))
        seen = []
        for minutes in (4, 6, 9):
            now = NOON + timedelta(minutes=minutes)
            async with sessions.begin() as session:
                here = await queries.known_by_session(session, token=token, now=now)
                assert here is not None
                await devices.touch_session(session, session_id=here.session_id, now=now)
                (line,) = await queries.session_lines(
                    session, person_id=here.person.id, current=None, now=now
                )
            seen.append(line.seen_at - NOON)

        assert seen == [timedelta(), timedelta(minutes=6), timedelta(minutes=6)]

    async def test_a_person_lists_and_ends_only_their_own(self, sessions: Sessions) -> None:
        anna, blai = await guest(sessions, "Anna"), await guest(sessions, "Blai")
        mine, other = await start(sessions, anna), await start(sessions, anna)
        his = await start(sessions, blai)
        async with sessions.begin() as session:
            here = await queries.known_by_session(session, token=mine, now=NOON)
            there = await queries.known_by_session(session, token=other, now=NOON)
            alien = await queries.known_by_session(session, token=his, now=NOON)
            assert here is not None
            assert there is not None
            assert alien is not None
            lines = await queries.session_lines(
                session, person_id=anna.id, current=here.session_id, now=NOON
            )
            with pytest.raises(NotFoundError):
                await devices.revoke_session(session, person=anna, session_id=alien.session_id)
            await devices.revoke_session(session, person=anna, session_id=there.session_id)

        assert [(line.id, line.current) for line in lines] == [
            (here.session_id, True),
            (there.session_id, False),
        ]
        assert [await known(sessions, token) for token in (mine, other, his)] == [
            True,
            False,
            True,
        ]

    async def test_the_oldest_of_too_many_ends(self, sessions: Sessions) -> None:
        anna = await guest(sessions, "Anna")
        tokens = [
            await start(sessions, anna, now=NOON + n * SECOND)
            for n in range(devices.MAX_SESSIONS + 1)
        ]

        assert not await known(sessions, tokens[0])
        assert await known(sessions, tokens[1])

    async def test_those_that_ran_out_are_swept_away(self, sessions: Sessions) -> None:
        anna = await guest(sessions, "Anna")
        await start(sessions, anna)
        await start(sessions, anna, now=NOON + timedelta(days=10))

        async with sessions.begin() as session:
            assert await devices.end_old_sessions(session, now=NOON + devices.IDLE) == 1


class TestOneTimeLinks:
    async def make(self, sessions: Sessions, person: Person) -> str:
        async with sessions.begin() as session:
            return (await links.make_link(session, person=person, now=NOON)).token

    async def take(self, sessions: Sessions, token: str, now: datetime = NOON) -> TakenLink:
        async with sessions.begin() as session:
            return await links.take_link(session, token=token, now=now)

    async def test_of_a_hundred_at_once_one_gets_in(self, sessions: Sessions) -> None:
        anna = await guest(sessions, "Anna")
        token = await self.make(sessions, anna)

        results = await asyncio.gather(
            *(self.take(sessions, token) for _ in range(100)), return_exceptions=True
        )

        assert [r for r in results if not isinstance(r, NotFoundError)] == [
            TakenLink(anna, resets_password=False)
        ]

    async def test_looking_does_not_use_it_up(self, sessions: Sessions) -> None:
        anna = await guest(sessions, "Anna")
        token = await self.make(sessions, anna)

        for _ in range(20):
            async with sessions.begin() as session:
                assert await queries.person_by_link(session, token=token, now=NOON) == anna
        assert (await self.take(sessions, token)).person == anna
        async with sessions.begin() as session:
            assert await queries.person_by_link(session, token=token, now=NOON) is None

    async def test_lives_ten_minutes(self, sessions: Sessions) -> None:
        anna = await guest(sessions, "Anna")
        token = await self.make(sessions, anna)

        with pytest.raises(NotFoundError):
            await self.take(sessions, token, NOON + links.LIFE)
        assert (await self.take(sessions, token, NOON + links.LIFE - SECOND)).person == anna

    async def test_a_new_one_voids_the_old_one(self, sessions: Sessions) -> None:
        anna = await guest(sessions, "Anna")
        old, new = await self.make(sessions, anna), await self.make(sessions, anna)

        with pytest.raises(NotFoundError):
            await self.take(sessions, old)
        assert (await self.take(sessions, new)).person == anna

    @pytest.mark.parametrize("change", [str.upper, lambda t: t[:-1], lambda t: f" {t}"])
    async def test_nothing_but_the_exact_token_works(
        self, sessions: Sessions, change: Callable[[str], str]
    ) -> None:
        token = await self.make(sessions, await guest(sessions, "Anna"))

        with pytest.raises(NotFoundError):
            await self.take(sessions, change(token))


class TestApiTokens:
    async def test_acts_for_its_person_until_it_is_revoked(self, sessions: Sessions) -> None:
        anna, blai = await guest(sessions, "Anna"), await guest(sessions, "Blai")
        async with sessions.begin() as session:
            token = await api_tokens.create_api_token(
                session, person=anna, label="my bot", now=NOON
            )
            assert await api_tokens.use_api_token(session, token=token, now=NOON) == anna
            (line,) = await queries.token_lines(session, person_id=anna.id)
            with pytest.raises(NotFoundError):
                await api_tokens.revoke_api_token(session, person=blai, token_id=line.id)
            await api_tokens.revoke_api_token(session, person=anna, token_id=line.id)
            assert await api_tokens.use_api_token(session, token=token, now=NOON) is None

        assert (line.label, line.used_at) == ("my bot", NOON)

    async def test_a_session_cookie_is_no_api_token(self, sessions: Sessions) -> None:
        anna = await guest(sessions, "Anna")
        cookie = await start(sessions, anna)

        async with sessions.begin() as session:
            assert await api_tokens.use_api_token(session, token=cookie, now=NOON) is None

    async def test_of_many_at_once_no_more_than_twenty(self, sessions: Sessions) -> None:
        anna = await guest(sessions, "Anna")

        async def create() -> str:
            async with sessions.begin() as session:
                return await api_tokens.create_api_token(
                    session, person=anna, label="bot", now=NOON
                )

        results = await asyncio.gather(*(create() for _ in range(30)), return_exceptions=True)

        assert sum(isinstance(result, str) for result in results) == api_tokens.MAX_TOKENS
        assert sum(isinstance(result, ConflictError) for result in results) == 10
