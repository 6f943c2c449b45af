import pytest

from app.errors import ConflictError, KeyReusedError, NotFoundError, StaleMatchError
from app.matches import queries, service
from app.rules.game import Seat
from tests.support.matches import LATER, OF_BOTS, TABLES, Matches, all_of

pytestmark = pytest.mark.anyio


async def jobs(matches: Matches) -> list[tuple[int, int]]:
    """Return the seat and the version of every bot's job."""
    rows = await matches.run(
        f"select args->'seat', args->'version' from procrastinate_jobs {OF_BOTS} order by id"
    )
    return [(seat, version) for seat, version in rows]


async def test_a_bot_takes_the_seat_and_everybody_sees_it(matches: Matches) -> None:
    anna, berta = await matches.person("Anna"), await matches.person("Berta")
    match_id = await matches.start(anna, berta)

    async with matches.listening() as heard:
        assert await matches.resign(match_id, 1) == 2

    page = await matches.page(match_id, 0)
    assert [(seat.person_id, seat.bot, seat.resigned) for seat in page.seats] == [
        (anna, None, False),
        (None, "steady", True),
    ]
    assert page.version == 2
    assert heard == [f"match {match_id} 2", f"audience {match_id}"]
    async with matches.sessions() as session:
        assert await queries.seats_of(session, match_id, berta) == ()
    assert await matches.problems() == []


async def test_in_the_middle_of_a_draft_the_draft_goes_and_the_bot_is_asked(
    matches: Matches,
) -> None:
    match_id = await matches.start(None, None)
    await matches.add(match_id, 0, "take 3")

    await matches.resign(match_id, 0)

    assert await jobs(matches) == [(0, 2)]
    assert (await matches.page(match_id, 0)).draft.lines == ()


async def test_out_of_turn_the_bot_waits(matches: Matches) -> None:
    match_id = await matches.start(None, None)

    await matches.resign(match_id, 1)

    assert await jobs(matches) == []
    assert await matches.commit(match_id, 0, 2) == 3
    assert await jobs(matches) == [(1, 3)]


async def test_an_answer_already_given_stands(matches: Matches) -> None:
    match_id = await matches.start(None, None, None)
    version = await matches.turns(match_id, 3, 1)
    await matches.commit(match_id, 0, version, "guess 5")

    await matches.resign(match_id, 0)
    await matches.resign(match_id, 1)

    assert (await matches.page(match_id, 0)).answer == "guess 5"
    assert await jobs(matches) == [(1, version + 3)]
    await matches.commit(match_id, 1, version + 3, "guess 1", key="bot")
    await matches.commit(match_id, 2, version, "guess 2")
    assert await matches.problems() == []


async def test_a_page_from_before_the_resignation_cannot_commit(matches: Matches) -> None:
    match_id = await matches.start(None, None)
    await matches.resign(match_id, 0)

    with pytest.raises(StaleMatchError):
        await matches.commit(match_id, 0, 1, "take 1")


async def test_repeating_a_resignation_is_harmless(matches: Matches) -> None:
    match_id = await matches.start(None, None)
    assert await matches.resign(match_id, 0) == 2
    before = await matches.dump(*TABLES)

    assert await matches.resign(match_id, 0) == 2

    assert await matches.dump(*TABLES) == before


async def test_the_key_of_a_commit_is_no_key_to_resign_with(matches: Matches) -> None:
    match_id = await matches.start(None, None)
    await matches.commit(match_id, 0, 1, key="r")

    with pytest.raises(KeyReusedError):
        await matches.resign(match_id, 0)


async def test_a_bot_cannot_resign(matches: Matches) -> None:
    match_id = await matches.start(None, "steady")

    with pytest.raises(ConflictError) as error:
        await matches.resign(match_id, 1)

    assert error.value.code == "match.seat_is_bot"


async def test_a_seat_that_is_not_cannot_resign(matches: Matches) -> None:
    match_id = await matches.start(None)

    with pytest.raises(NotFoundError):
        await matches.resign(match_id, 1)


async def test_when_the_last_person_leaves_the_match_is_void(matches: Matches) -> None:
    match_id = await matches.start(None, None, "steady")
    version = await matches.turns(match_id, 3, 1)
    await matches.commit(match_id, 0, version, "guess 1")
    await matches.resign(match_id, 0)
    asked = await jobs(matches)

    await matches.resign(match_id, 1)

    page = await matches.page(match_id, 1)
    assert page.status == "void"
    assert page.finished_at == LATER
    assert page.prompts == {}
    assert page.outcome is None
    assert page.seed is not None
    assert await jobs(matches) == asked
    assert await matches.count("match_answers") == 0
    assert await matches.problems() == []


async def test_nobody_resigns_from_a_match_that_is_over(matches: Matches) -> None:
    match_id = await matches.start(None)
    await matches.resign(match_id, 0, key="first")

    with pytest.raises(ConflictError) as error:
        await matches.resign(match_id, 0, key="second")

    assert error.value.code == "match.finished"


async def test_resigning_twice_at_once_asks_one_bot(matches: Matches) -> None:
    match_id = await matches.start(None, None)

    made = await all_of(*(matches.resign(match_id, 0, key=f"r{n}") for n in range(10)))

    assert [type(result).__name__ for result in made].count("int") == 1
    assert await jobs(matches) == [(0, 2)]


async def test_a_resignation_against_the_same_seats_commit_has_one_order(
    matches: Matches,
) -> None:
    for _ in range(10):
        match_id = await matches.start(None, None)
        left, committed = await all_of(
            matches.resign(match_id, 0), matches.commit(match_id, 0, 1, "take 1")
        )
        assert left in {2, 3}
        assert isinstance(committed, StaleMatchError) if left == 2 else committed == 2

    assert await matches.problems() == []


async def test_a_guests_seats_go_to_the_account_it_signs_in_to(matches: Matches) -> None:
    guest, account = await matches.person("Guest"), await matches.person("Account")
    first, second = [await matches.start(guest, account, guest) for _ in range(2)]

    async with matches.listening() as heard, matches.sessions.begin() as session:
        await service.move_seats(session, old=guest, new=account)

    async with matches.sessions() as session:
        assert await queries.seats_of(session, first, account) == (Seat(0), Seat(1), Seat(2))
        assert await queries.seats_of(session, first, guest) == ()
    assert heard == [f"audience {first}", f"audience {second}"]
