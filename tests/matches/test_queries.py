from datetime import timedelta

import pytest

from app.errors import NotFoundError
from app.ids import new_id
from app.matches import lists, queries
from app.matches.pages import MatchCard, MatchPage, SeatPosition
from app.rules.game import Prompt, Seat
from tests.support import pinya
from tests.support.matches import LATER, NOW, Matches

pytestmark = pytest.mark.anyio


async def test_a_match_that_is_not_is_not_found(matches: Matches) -> None:
    with pytest.raises(NotFoundError):
        await matches.page(new_id())


async def test_news_are_what_happened_from_the_seats_own_last_commit_on(matches: Matches) -> None:
    match_id = await matches.start(None, None, None)
    await matches.turns(match_id, 3, 1)

    news = [
        {event.version for event in (await matches.page(match_id, seat)).since}
        for seat in (0, 1, 2)
    ]

    assert news == [{2, 3, 4}, {3, 4}, {4}]


async def test_whoever_answers_last_hears_what_that_brought(matches: Matches) -> None:
    match_id = await matches.start(None, None)
    version = await matches.turns(match_id, 2, 1)
    await matches.commit(match_id, 0, version, "guess 4")

    last = await matches.commit(match_id, 1, version, "guess 1")

    for seat in (0, 1):
        since = (await matches.page(match_id, seat)).since
        told = [event.event for event in since if isinstance(event.event, pinya.Revealed)]
        assert [event.guesses for event in told] == [(4, 1)]
        assert {event.version for event in since} >= {last}


async def test_a_spectators_news_are_about_one_move_of_each_seat(matches: Matches) -> None:
    match_id = await matches.start(None, None)
    version = await matches.turns(match_id, 2, 1)
    await matches.commit(match_id, 0, version, "guess 1")
    await matches.commit(match_id, 1, version, "guess 1")

    page = await matches.page(match_id)

    assert page.version == 5
    assert {event.version for event in page.since} == {5}


async def test_events_hidden_from_a_viewer_are_not_told(matches: Matches) -> None:
    match_id = await matches.start(None, None)
    version = await matches.turns(match_id, 2, 1)
    for seat in (0, 1):
        await matches.commit(match_id, seat, version, "guess 1", key="g")

    async with matches.sessions() as session:
        told = await queries.events_since(session, match_id=match_id, seat=Seat(0), version=4)
        public = await queries.events_since(session, match_id=match_id, seat=None, version=4)

    assert told[0].event == pinya.Guessed(Seat(0), 1)
    assert [type(event.event) for event in told] == [pinya.Guessed, pinya.Revealed]
    assert [type(event.event) for event in public] == [pinya.Revealed]
    assert {event.at for event in told} == {LATER}


async def test_a_match_can_be_seen_at_every_version(matches: Matches) -> None:
    match_id = await matches.start(None, None)
    await matches.turns(match_id, 2, 1)
    await matches.commit(match_id, 1, 3, "guess 1")

    async with matches.sessions() as session:
        pages = [await queries.match_at(session, match_id, Seat(0), v) for v in range(1, 5)]

    assert [page.version for page in pages] == [1, 2, 3, 4]
    assert {page.latest for page in pages} == {4}
    assert [page.view.turn for page in pages] == [0, 1, 2, 2]
    assert [set(page.prompts) for page in pages] == [{0}, {1}, {0, 1}, {0, 1}]
    assert [len(page.since) for page in pages] == [1, 2, 2, 0]
    assert pages[0].since[0].event == pinya.Begun(2, 2, None, toss=False)
    assert pages[3].answered == frozenset()
    assert pages[3].options is None


@pytest.mark.parametrize("version", [0, -1, 2, 2**70])
async def test_a_version_that_is_not_is_not_found(matches: Matches, version: int) -> None:
    match_id = await matches.start(None)

    async with matches.sessions() as session:
        with pytest.raises(NotFoundError):
            await queries.match_at(session, match_id, None, version)


async def test_opening_a_page_takes_two_statements_however_long_the_match(
    matches: Matches,
) -> None:
    match_id = await matches.start(None, None, options={"rounds": 9})
    await matches.turns(match_id, 2, 1)

    with matches.counting() as statements:
        await matches.page(match_id, 0)

    assert len(statements) == 2


async def test_whoever_plays_a_seat_sees_its_view_and_prompt(matches: Matches) -> None:
    match_id = await matches.start("steady", None)

    async with matches.sessions() as session:
        here = await queries.position_of(session, match_id=match_id, seat=Seat(0))
        there = await queries.position_of(session, match_id=match_id, seat=Seat(1))

    assert here == SeatPosition(
        game="pinya",
        version=1,
        status="running",
        seat=Seat(0),
        bot="steady",
        prompt=Prompt("turn:1:0", "turn", finish="end"),
        view=pinya.View(Seat(0), 1, 0, (), (0, 0)),
    )
    assert there.prompt is None
    assert there.bot is None


async def test_a_seat_that_has_answered_is_not_asked_again(matches: Matches) -> None:
    match_id = await matches.start(None, None)
    version = await matches.turns(match_id, 2, 1)
    await matches.commit(match_id, 0, version, "guess 1")

    async with matches.sessions() as session:
        here = await queries.position_of(session, match_id=match_id, seat=Seat(0))

    assert here.prompt is None


async def test_a_seat_that_is_not_has_no_position(matches: Matches) -> None:
    match_id = await matches.start(None)

    async with matches.sessions() as session:
        with pytest.raises(NotFoundError):
            await queries.position_of(session, match_id=match_id, seat=Seat(1))


async def test_a_persons_seats_are_found(matches: Matches) -> None:
    anna, berta = await matches.person("Anna"), await matches.person("Berta")
    match_id = await matches.start(anna, None, anna)

    async with matches.sessions() as session:
        assert await queries.seats_of(session, match_id, anna) == (Seat(0), Seat(2))
        assert await queries.seats_of(session, match_id, berta) == ()
        assert await queries.seats_of(session, new_id(), anna) == ()


async def cards(matches: Matches, person: object) -> tuple[MatchCard, ...]:
    """Return a person's matches."""
    async with matches.sessions() as session:
        return await lists.my_matches(session, person)  # type: ignore[arg-type]  # a UUID


async def test_my_matches_begin_with_those_that_wait_for_me(matches: Matches) -> None:
    anna = await matches.person()
    over = await matches.start(anna, options={"rounds": 1})
    await matches.turns(over, 1, 1)
    await matches.commit(over, 0, 2, "guess 1")
    waiting = await matches.start(None, anna)
    mine = await matches.start(anna, None)
    await matches.start(None, None)

    shown = await cards(matches, anna)

    assert [card.id for card in shown] == [mine, waiting, over]
    assert [card.my_turn for card in shown] == [True, False, False]
    assert [card.mine for card in shown] == [(0,), (1,), (0,)]
    assert [card.status for card in shown] == ["running", "running", "finished"]
    assert [card.asked for card in shown] == [{0}, {0}, set()]
    assert shown[0].updated_at == NOW
    assert [seat.name for seat in shown[0].seats] == ["Seat 0", "Seat 1"]


async def test_a_match_i_have_answered_in_does_not_wait_for_me(matches: Matches) -> None:
    anna = await matches.person()
    match_id = await matches.start(anna, None)
    version = await matches.turns(match_id, 2, 1)
    await matches.commit(match_id, 0, version, "guess 1")

    (card,) = await cards(matches, anna)

    assert card.asked == {1}
    assert not card.my_turn


async def test_a_page_knows_what_its_viewer_is_asked(matches: Matches) -> None:
    match_id = await matches.start(None, None)

    pages: list[MatchPage] = [await matches.page(match_id, seat) for seat in (0, 1, None)]

    assert pages[0].prompt == Prompt("turn:1:0", "turn", finish="end")
    assert pages[1].prompt is pages[2].prompt is None
    assert pages[0].created_at + timedelta(hours=1) == LATER


async def test_legal_lines_follow_the_draft(matches: Matches) -> None:
    match_id = await matches.start(None, None)
    await matches.add(match_id, 0, "take 3", "take 1")

    async with matches.sessions() as session:
        mine = await queries.legal_lines(session, match_id=match_id, seat=Seat(0))
        other = await queries.legal_lines(session, match_id=match_id, seat=Seat(1))

    assert mine == ("leap", "peek", "end")
    assert other == ()


async def test_a_match_says_which_game_it_is_of(matches: Matches) -> None:
    match_id = await matches.start(None)

    async with matches.sessions() as session:
        assert await queries.game_of(session, match_id) == "pinya"
        assert await queries.game_of(session, new_id()) is None
