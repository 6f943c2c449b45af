"""Tables as a whole: who sees them, how they start, close and are played again."""

from datetime import timedelta
from uuid import uuid4

import pytest
from sqlalchemy import text

from app.db.session import Sessions
from app.errors import ConflictError, ForbiddenError, InvalidError, NotFoundError
from app.lobby import queries, seats, service
from app.lobby.limits import GATHERING_TABLES
from app.lobby.values import NewTable
from app.matches.lists import my_matches
from app.matches.queries import seats_of
from tests.support.people import LINKS, NOON, Gathering, guest

pytestmark = pytest.mark.anyio


class TestWhoSees:
    async def test_people_of_the_table_see_link_and_code(self, sessions: Sessions) -> None:
        table = await Gathering.of(sessions)

        page = await table.page()

        assert page.invite_url is not None
        assert page.code is not None
        assert page.member
        assert page.host_is_me

    async def test_outsiders_do_not_learn_that_a_private_table_exists(
        self, sessions: Sessions
    ) -> None:
        table = await Gathering.of(sessions)
        stranger = await guest(sessions, "Stranger")

        async with sessions.begin() as session:
            for person in (stranger, None):
                for query in (
                    queries.table_page(session, table_id=table.id, person=person, links=LINKS),
                    queries.table_state(session, table_id=table.id, person=person),
                ):
                    with pytest.raises(NotFoundError):
                        await query

            assert await queries.open_tables(session, stranger) == ()
            assert await queries.open_tables(session, None) == ()
            assert await queries.my_tables(session, stranger) == ()

    async def test_outsiders_of_an_open_table_see_neither_link_nor_talk(
        self, sessions: Sessions
    ) -> None:
        table = await Gathering.of(sessions, visibility="open")
        stranger = await guest(sessions, "Stranger")

        page = await table.page(stranger)

        assert (page.invite_url, page.watch_url, page.code, page.talk) == (None, None, None, ())
        assert not any(seat.may_free or seat.mine for seat in page.seats)
        assert not page.may_add_player
        async with sessions.begin() as session:
            (line,) = await queries.open_tables(session, stranger)
        assert (line.id, line.host, line.taken, line.seats) == (table.id, "Anna", 1, 3)

    async def test_an_open_table_is_closed_to_outsiders_once_it_has_started(
        self, sessions: Sessions
    ) -> None:
        table = await Gathering.of(sessions, visibility="open")
        stranger = await guest(sessions, "Stranger")
        await table.fill_with_bots()
        await table.start()

        with pytest.raises(NotFoundError):
            await table.page(stranger)


class TestCreate:
    async def test_the_same_key_makes_one_table(self, sessions: Sessions) -> None:
        host = await guest(sessions, "Anna")
        wish = NewTable(game="castell", seats=2, key="k", options={})

        made = []
        for _ in range(2):
            async with sessions.begin() as session:
                made.append(
                    await service.create_table(session, host=host, wish=wish, links=LINKS, now=NOON)
                )

        assert made[0] == made[1]

    @pytest.mark.parametrize(
        ("wish", "code"),
        [
            ({"game": "chess"}, "table.unknown_game"),
            ({"seats": 5}, "table.wrong_seats"),
            ({"seats": 1}, "table.wrong_seats"),
            ({"options": {"wheel_side": "both"}}, "table.bad_option"),
            ({"options": {"assistants": 1}}, "table.bad_option"),
            ({"options": {"seed": "00"}}, "table.bad_option"),
            ({"key": ""}, "table.bad_key"),
            ({"key": "a\0b"}, "table.bad_key"),
            ({"key": "x" * 65}, "table.bad_key"),
        ],
    )
    async def test_refused(self, sessions: Sessions, wish: dict[str, object], code: str) -> None:
        host = await guest(sessions, "Anna")
        values = {"game": "castell", "seats": 2, "key": "k", "options": {}} | wish

        async with sessions() as session:
            with pytest.raises(InvalidError) as refused:
                await service.create_table(
                    session,
                    host=host,
                    wish=NewTable(**values),  # type: ignore[arg-type]  # the wrong values are the test
                    links=LINKS,
                    now=NOON,
                )

        assert refused.value.code == code

    async def test_nobody_gathers_more_than_twenty_tables(self, sessions: Sessions) -> None:
        host = await guest(sessions, "Anna")
        async with sessions.begin() as session:
            for _ in range(GATHERING_TABLES):
                wish = NewTable(game="castell", seats=2, key=uuid4().hex, options={})
                await service.create_table(session, host=host, wish=wish, links=LINKS, now=NOON)
            wish = NewTable(game="castell", seats=2, key=uuid4().hex, options={})
            with pytest.raises(ConflictError) as refused:
                await service.create_table(session, host=host, wish=wish, links=LINKS, now=NOON)

        assert refused.value.code == "table.too_many"


class TestStart:
    async def test_starts_a_match_with_everybody_in_it(self, sessions: Sessions) -> None:
        table = await Gathering.of(sessions, seats=3)
        blai = await table.joined("Blai")
        await table.fill_with_bots()

        match_id = await table.start()

        async with sessions.begin() as session:
            assert await seats_of(session, match_id, table.host.id) == (0,)
            assert await seats_of(session, match_id, blai.id) == (1,)
            (card,) = await my_matches(session, blai.id)
            assert [seat.name for seat in card.seats] == ["Anna", "Blai", "Mercè"]
            assert await queries.table_of_match(session, match_id) == table.id
        page = await table.page()
        assert (page.status, page.match_id, page.code) == ("started", match_id, None)

    async def test_shuffles_the_seats_when_asked_to(self, sessions: Sessions) -> None:
        orders = set()
        for _ in range(12):
            table = await Gathering.of(sessions, seats=4, seat_order="shuffled")
            await table.fill_with_bots()
            await table.start()
            async with sessions.begin() as session:
                cards = await my_matches(session, table.host.id)
            orders.add(cards[0].mine)

        assert len(orders) > 1

    async def test_keeps_the_chosen_order(self, sessions: Sessions) -> None:
        table = await Gathering.of(sessions, seats=2)
        await table.joined("Blai")
        async with sessions.begin() as session:
            await seats.move_seat(
                session, table_id=table.id, position=0, to="down", person=table.host
            )

        match_id = await table.start()

        async with sessions.begin() as session:
            assert await seats_of(session, match_id, table.host.id) == (1,)

    async def test_waits_for_every_seat(self, sessions: Sessions) -> None:
        table = await Gathering.of(sessions)

        with pytest.raises(ConflictError) as refused:
            await table.start()

        assert refused.value.code == "table.seats_empty"
        assert (await table.page()).why_not_start == "table.seats_empty"

    async def test_is_for_the_host_alone(self, sessions: Sessions) -> None:
        table = await Gathering.of(sessions, seats=2)
        blai = await table.joined("Blai")
        stranger = await guest(sessions, "Stranger")

        with pytest.raises(ForbiddenError):
            await table.start(blai)
        with pytest.raises(NotFoundError):
            await table.start(stranger)

    async def test_play_bots_starts_at_once_and_once(self, sessions: Sessions) -> None:
        anna = await guest(sessions, "Anna")

        matches = []
        for _ in range(2):
            async with sessions.begin() as session:
                matches.append(
                    await service.play_bots(
                        session,
                        person=anna,
                        game="castell",
                        bots=3,
                        policy="steady",
                        key="click",
                        links=LINKS,
                        now=NOON,
                    )
                )

        assert matches[0] == matches[1]
        async with sessions.begin() as session:
            (card,) = await my_matches(session, anna.id)
        assert sorted(seat.bot or "" for seat in card.seats) == ["", "steady", "steady", "steady"]


class TestClose:
    async def test_nothing_works_at_a_closed_table(self, sessions: Sessions) -> None:
        table = await Gathering.of(sessions)
        late = await guest(sessions, "Late")
        token = await table.token()
        async with sessions.begin() as session:
            await service.close(session, table_id=table.id, person=table.host)

        async with sessions.begin() as session:
            with pytest.raises(ConflictError):
                await seats.join_by_invite(session, token=token, person=late, now=NOON)
            invitation = await queries.invitation_by_token(session, token=token, person=late)
        assert invitation.state == "closed"

    async def test_tables_nobody_fills_expire(self, sessions: Sessions) -> None:
        table = await Gathering.of(sessions)
        life = service.GATHERS_FOR

        async with sessions.begin() as session:
            early = await service.close_expired(session, now=NOON + life - timedelta(seconds=1))
            late = await service.close_expired(session, now=NOON + life)

        assert (early, late) == (0, 1)
        assert (await table.page()).status == "closed"


class TestLinks:
    async def test_new_links_make_the_old_ones_worthless(self, sessions: Sessions) -> None:
        table = await Gathering.of(sessions)
        old, before = await table.token(), await table.page()
        async with sessions.begin() as session:
            await service.renew_links(session, table_id=table.id, person=table.host, links=LINKS)

        late = await guest(sessions, "Late")
        async with sessions.begin() as session:
            with pytest.raises(NotFoundError):
                await seats.join_by_invite(session, token=old, person=late, now=NOON)
            with pytest.raises(NotFoundError):
                await seats.join_by_code(session, code=before.code or "", person=late, now=NOON)
        await table.join(late)

    async def test_no_link_is_stored(self, sessions: Sessions) -> None:
        table = await Gathering.of(sessions, spectators=True)
        page = await table.page()

        async with sessions.begin() as session:
            stored = (await session.execute(text("select t::text from tables t"))).scalar_one()

        for url in (page.invite_url, page.watch_url):
            assert url is not None
            assert url.rpartition("/")[2] not in stored


class TestWatch:
    async def test_watchers_see_only_while_the_host_allows(self, sessions: Sessions) -> None:
        table = await Gathering.of(sessions, seats=2, spectators=True)
        await table.fill_with_bots()
        token = ((await table.page()).watch_url or "").rpartition("/")[2]
        watcher = await guest(sessions, "Watcher")
        async with sessions.begin() as session:
            with pytest.raises(ConflictError) as early:
                await seats.watch(session, token=token, person=watcher)
        match_id = await table.start()

        async with sessions.begin() as session:
            assert not await queries.may_watch(session, match_id=match_id, person_id=watcher.id)
            assert await seats.watch(session, token=token, person=watcher) == table.id
            assert await queries.may_watch(session, match_id=match_id, person_id=watcher.id)
            await service.change_settings(
                session,
                table_id=table.id,
                person=table.host,
                visibility="private",
                seat_order="chosen",
                spectators=False,
            )
            assert not await queries.may_watch(session, match_id=match_id, person_id=watcher.id)
            with pytest.raises(NotFoundError):
                await seats.watch(session, token=token, person=watcher)
        assert early.value.code == "table.not_started"

    async def test_who_came_by_a_link_leaves_with_it(self, sessions: Sessions) -> None:
        table = await Gathering.of(sessions, seats=2, spectators=True)
        await table.fill_with_bots()
        token = ((await table.page()).watch_url or "").rpartition("/")[2]
        match_id = await table.start()
        watcher = await guest(sessions, "Watcher")
        async with sessions.begin() as session:
            await seats.watch(session, token=token, person=watcher)
        async with sessions.begin() as session:
            await service.renew_links(session, table_id=table.id, person=table.host, links=LINKS)

        async with sessions.begin() as session:
            assert not await queries.may_watch(session, match_id=match_id, person_id=watcher.id)
            with pytest.raises(NotFoundError):
                await seats.watch(session, token=token, person=watcher)


async def finish(sessions: Sessions) -> None:
    """End every match, as the rules would after ten rounds."""
    async with sessions.begin() as session:
        await session.execute(
            text("update matches set status = 'finished', finished_at = :now"), {"now": NOON}
        )


class TestRematch:
    async def test_keeps_everybodys_seat_until_they_take_it(self, sessions: Sessions) -> None:
        table = await Gathering.of(sessions, seats=3)
        blai = await table.joined("Blai")
        await table.fill_with_bots()
        await table.start()
        await finish(sessions)

        async with sessions.begin() as session:
            again_id = await service.rematch(
                session, table_id=table.id, person=blai, links=LINKS, now=NOON
            )
        again = Gathering(sessions, again_id, blai)
        page = await again.page()

        assert [(seat.name, seat.confirmed) for seat in page.seats] == [
            ("Anna", False),
            ("Blai", True),
            ("Mercè", True),
        ]
        assert page.host_is_me
        assert page.why_not_start == "table.seats_unconfirmed"
        assert (await table.page()).rematch_id == again_id
        with pytest.raises(ConflictError):
            await again.start()
        async with sessions.begin() as session:
            await seats.confirm(session, table_id=again_id, position=0, person=table.host, now=NOON)
        match_id = await again.start()
        assert (await again.page()).match_id == match_id

    async def test_is_one_for_all(self, sessions: Sessions) -> None:
        table = await Gathering.of(sessions, seats=2)
        blai = await table.joined("Blai")
        await table.start()
        await finish(sessions)

        made = set()
        for person in (blai, table.host):
            async with sessions.begin() as session:
                made.add(
                    await service.rematch(
                        session, table_id=table.id, person=person, links=LINKS, now=NOON
                    )
                )

        assert len(made) == 1

    async def test_waits_for_the_end(self, sessions: Sessions) -> None:
        table = await Gathering.of(sessions, seats=2)
        await table.fill_with_bots()
        await table.start()

        async with sessions.begin() as session:
            with pytest.raises(ConflictError) as refused:
                await service.rematch(
                    session, table_id=table.id, person=table.host, links=LINKS, now=NOON
                )

        assert refused.value.code == "table.match_running"
