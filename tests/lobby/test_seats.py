"""Sitting down, getting up, being sent away."""

import pytest

from app.accounts.values import Person
from app.db.session import Sessions
from app.errors import AppError, ConflictError, ForbiddenError, InvalidError, NotFoundError
from app.lobby import queries, seats, service
from tests.support.people import NOON, Gathering, guest

pytestmark = pytest.mark.anyio


class TestJoin:
    async def test_by_invitation(self, sessions: Sessions) -> None:
        table = await Gathering.of(sessions)
        blai = await guest(sessions, "Blai")

        assert await table.join(blai) == table.id

        page = await table.page(blai)
        assert [seat.name for seat in page.seats] == ["Anna", "Blai", None]
        assert page.seats[1].mine
        assert page.member
        assert not page.host_is_me

    @pytest.mark.parametrize("typed", ["{}", " {} ", "{lower}", "{spaced}", "{bare}"])
    async def test_by_code_as_people_type_it(self, sessions: Sessions, typed: str) -> None:
        table = await Gathering.of(sessions)
        code = (await table.page()).code or ""
        blai = await guest(sessions, "Blai")
        text = typed.format(
            code, lower=code.lower(), spaced=code.replace("-", " "), bare=code.replace("-", "")
        )

        async with sessions.begin() as session:
            assert await seats.join_by_code(session, code=text, person=blai, now=NOON) == table.id

    async def test_a_code_ends_with_the_start(self, sessions: Sessions) -> None:
        table = await Gathering.of(sessions, seats=2)
        code = (await table.page()).code or ""
        await table.fill_with_bots()
        await table.start()
        blai = await guest(sessions, "Blai")

        async with sessions.begin() as session:
            with pytest.raises(NotFoundError):
                await seats.join_by_code(session, code=code, person=blai, now=NOON)
            with pytest.raises(NotFoundError) as unknown:
                await queries.invitation_by_code(session, code=code, person=blai)
        assert unknown.value.code == "table.no_such_code"

    @pytest.mark.parametrize("typed", ["nonsense", "PINYA", "", "P" * 41])
    async def test_what_is_no_code_leads_to_no_table(self, sessions: Sessions, typed: str) -> None:
        table = await Gathering.of(sessions, seats=2)
        await table.fill_with_bots()
        await table.start()
        blai = await guest(sessions, "Blai")

        async with sessions.begin() as session:
            with pytest.raises(NotFoundError):
                await seats.join_by_code(session, code=typed, person=blai, now=NOON)
            with pytest.raises(NotFoundError) as unknown:
                await queries.invitation_by_code(session, code=typed, person=blai)
        assert unknown.value.code == "table.no_such_code"

    async def test_twice_is_once(self, sessions: Sessions) -> None:
        table = await Gathering.of(sessions)
        blai = await table.joined("Blai")

        await table.join(blai)

        assert sum(seat.mine for seat in (await table.page(blai)).seats) == 1

    async def test_under_another_name(self, sessions: Sessions) -> None:
        table = await Gathering.of(sessions)
        await table.join(await guest(sessions, "Blai"), name="Blai the Tall")

        assert (await table.page()).seats[1].name == "Blai the Tall"

    @pytest.mark.parametrize("name", ["Anna", "ANNA", "Аnna"])  # noqa: RUF001 - a Cyrillic A
    async def test_nobody_takes_a_name_like_anothers(self, sessions: Sessions, name: str) -> None:
        table = await Gathering.of(sessions)

        with pytest.raises(ConflictError) as refused:
            await table.joined(name)

        assert refused.value.code == "table.name_taken"

    async def test_a_full_table_is_full(self, sessions: Sessions) -> None:
        table = await Gathering.of(sessions, seats=2)
        await table.fill_with_bots()

        with pytest.raises(ConflictError) as refused:
            await table.joined("Late")

        assert refused.value.code == "table.full"

    async def test_a_private_table_is_not_joined_by_its_address(self, sessions: Sessions) -> None:
        table = await Gathering.of(sessions)
        stranger = await guest(sessions, "Stranger")

        async with sessions.begin() as session:
            with pytest.raises(NotFoundError):
                await seats.join_open(session, table_id=table.id, person=stranger, now=NOON)

    async def test_an_open_table_is(self, sessions: Sessions) -> None:
        table = await Gathering.of(sessions, visibility="open")
        blai = await guest(sessions, "Blai")

        async with sessions.begin() as session:
            await seats.join_open(session, table_id=table.id, person=blai, now=NOON)

        assert (await table.page(blai)).member


class TestLeave:
    async def test_frees_the_seat(self, sessions: Sessions) -> None:
        table = await Gathering.of(sessions)
        blai = await table.joined("Blai")

        async with sessions.begin() as session:
            await seats.leave(session, table_id=table.id, person=blai)

        assert (await table.page()).empty_seats == 2
        with pytest.raises(NotFoundError):
            await table.page(blai)

    async def test_the_host_hands_the_table_on(self, sessions: Sessions) -> None:
        table = await Gathering.of(sessions)
        blai = await table.joined("Blai")

        async with sessions.begin() as session:
            await seats.leave(session, table_id=table.id, person=table.host)

        page = await table.page(blai)
        assert page.host_is_me
        assert page.status == "gathering"

    async def test_the_last_one_closes_the_table(self, sessions: Sessions) -> None:
        table = await Gathering.of(sessions)
        token = await table.token()
        await table.fill_with_bots()

        async with sessions.begin() as session:
            await seats.leave(session, table_id=table.id, person=table.host)
            invitation = await queries.invitation_by_token(session, token=token, person=None)

        assert invitation.state == "closed"


class TestSendAway:
    async def send_away(self, table: Gathering, position: int, person: Person) -> None:
        async with table.sessions.begin() as session:
            await seats.free_seat(session, table_id=table.id, position=position, person=person)

    async def test_works_from_the_next_request_and_for_good(self, sessions: Sessions) -> None:
        table = await Gathering.of(sessions)
        blai = await table.joined("Blai")

        await self.send_away(table, 1, table.host)

        with pytest.raises(NotFoundError):
            await table.page(blai)
        with pytest.raises(ForbiddenError) as refused:
            await table.join(blai)
        assert refused.value.code == "table.removed"

    async def test_takes_the_hot_seat_players_along(self, sessions: Sessions) -> None:
        table = await Gathering.of(sessions, seats=4)
        blai = await table.joined("Blai")
        async with sessions.begin() as session:
            await seats.add_player(
                session, table_id=table.id, position=2, name="Carla", person=blai, now=NOON
            )

        await self.send_away(table, 2, table.host)

        assert (await table.page()).empty_seats == 3

    async def test_bots_go_too(self, sessions: Sessions) -> None:
        table = await Gathering.of(sessions, seats=2)
        await table.fill_with_bots()

        await self.send_away(table, 1, table.host)

        assert (await table.page()).empty_seats == 1

    async def test_only_the_host_may(self, sessions: Sessions) -> None:
        table = await Gathering.of(sessions)
        blai = await table.joined("Blai")

        for position in (0, 2):
            with pytest.raises(ForbiddenError):
                await self.send_away(table, position, blai)
        with pytest.raises(NotFoundError):
            await self.send_away(table, 0, await guest(sessions, "Stranger"))

    async def test_not_after_the_start(self, sessions: Sessions) -> None:
        table = await Gathering.of(sessions, seats=2)
        await table.joined("Blai")
        await table.start()

        with pytest.raises(ConflictError):
            await self.send_away(table, 1, table.host)


class TestHotSeat:
    async def test_one_person_holds_several_seats(self, sessions: Sessions) -> None:
        table = await Gathering.of(sessions, seats=2)
        async with sessions.begin() as session:
            await seats.add_player(
                session, table_id=table.id, position=1, name="Blai", person=table.host, now=NOON
            )

        match_id = await table.start()

        page = await table.page()
        assert [(seat.name, seat.mine, seat.extra) for seat in page.seats] == [
            ("Anna", True, False),
            ("Blai", True, True),
        ]
        assert page.match_id == match_id

    async def test_strangers_do_not_fill_an_open_table(self, sessions: Sessions) -> None:
        table = await Gathering.of(sessions, visibility="open")
        blai = await table.joined("Blai")

        async with sessions.begin() as session:
            with pytest.raises(ForbiddenError):
                await seats.add_player(
                    session, table_id=table.id, position=2, name="Carla", person=blai, now=NOON
                )
        assert not (await table.page(blai)).may_add_player
        assert (await table.page()).may_add_player

    async def test_the_owner_gives_the_seat_back(self, sessions: Sessions) -> None:
        table = await Gathering.of(sessions)
        blai = await table.joined("Blai")
        async with sessions.begin() as session:
            await seats.add_player(
                session, table_id=table.id, position=2, name="Carla", person=blai, now=NOON
            )
            await seats.free_seat(session, table_id=table.id, position=2, person=blai)

        page = await table.page(blai)
        assert page.empty_seats == 1
        assert page.member


class TestOrderAndShirts:
    async def test_seats_swap(self, sessions: Sessions) -> None:
        table = await Gathering.of(sessions)
        await table.joined("Blai")

        async with sessions.begin() as session:
            await seats.move_seat(
                session, table_id=table.id, position=1, to="up", person=table.host
            )
            await seats.move_seat(
                session, table_id=table.id, position=0, to="up", person=table.host
            )

        assert [seat.name for seat in (await table.page()).seats] == ["Blai", "Anna", None]

    async def test_not_when_they_are_shuffled_anyway(self, sessions: Sessions) -> None:
        table = await Gathering.of(sessions, seat_order="shuffled")

        async with sessions.begin() as session:
            with pytest.raises(ConflictError):
                await seats.move_seat(
                    session, table_id=table.id, position=0, to="down", person=table.host
                )
        assert not any(seat.may_move_down for seat in (await table.page()).seats)

    @pytest.mark.parametrize(
        ("kit", "refusal"),
        [(5, None), (1, None), (2, ConflictError), (6, InvalidError), (0, InvalidError)],
    )
    async def test_shirts_differ(
        self, sessions: Sessions, kit: int, refusal: type[AppError] | None
    ) -> None:
        table = await Gathering.of(sessions)
        await table.joined("Blai")

        async with sessions.begin() as session:
            wish = seats.change_kit(
                session, table_id=table.id, position=0, kit=kit, person=table.host
            )
            if refusal is None:
                await wish
            else:
                with pytest.raises(refusal):
                    await wish

        assert (await table.page()).seats[0].kit == (1 if refusal else kit)

    async def test_nobody_dresses_another(self, sessions: Sessions) -> None:
        table = await Gathering.of(sessions)
        await table.joined("Blai")

        async with sessions.begin() as session:
            with pytest.raises(ForbiddenError):
                await seats.change_kit(
                    session, table_id=table.id, position=1, kit=5, person=table.host
                )


async def test_every_change_of_a_table_shows_in_its_revision(sessions: Sessions) -> None:
    table = await Gathering.of(sessions, seats=4)
    revisions = [(await table.page()).revision]

    async def note() -> None:
        revisions.append((await table.page()).revision)

    blai = await table.joined("Blai")
    await note()
    await table.fill_with_bots()
    await note()
    async with sessions.begin() as session:
        await seats.free_seat(session, table_id=table.id, position=3, person=table.host)
    await note()
    async with sessions.begin() as session:
        await seats.change_kit(session, table_id=table.id, position=1, kit=5, person=blai)
    await note()
    async with sessions.begin() as session:
        await seats.leave(session, table_id=table.id, person=blai)
    await note()
    async with sessions.begin() as session:
        await service.close(session, table_id=table.id, person=table.host)
    await note()

    assert revisions == sorted(set(revisions))
