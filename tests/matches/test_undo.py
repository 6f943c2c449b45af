"""Taking a committed turn back: by consent, never past what has been shown, and no time won."""

from datetime import timedelta
from uuid import UUID

import pytest

from app.errors import ConflictError, NotFoundError
from app.matches.proposals import drop_proposal, open_proposals
from app.matches.rescue import roll_back
from app.matches.undoing import Undo, undo_of
from app.rules.game import Seat
from tests.support.clocks import DAY, HOUR, Clocks, terms
from tests.support.matches import NOW, Matches

pytestmark = pytest.mark.anyio

MINUTE = timedelta(minutes=1)


@pytest.fixture
def clocks(matches: Matches) -> Clocks:
    return Clocks(matches)


async def undo(matches: Matches, match_id: UUID, seat: int) -> Undo:
    async with matches.sessions.begin() as session:
        return await undo_of(session, match_id, Seat(seat))


async def state(matches: Matches, match_id: UUID) -> str:
    rows = await matches.run("select state::text from matches where id = :id", id=match_id)
    return str(rows[0][0])


async def test_with_everybodys_consent_the_match_is_where_it_was(
    matches: Matches, clocks: Clocks
) -> None:
    people = [await matches.person(name) for name in ("Anna", "Bert", "Clara")]
    match_id = await matches.start(*people)
    before = await state(matches, match_id)
    version = await matches.commit(match_id, 0, 1, "take 2", key="a")
    await matches.commit(match_id, 1, version, "take 3", key="b")

    assert await undo(matches, match_id, 0) == Undo(2, 1, "take 2; end")
    assert not await clocks.propose(match_id, 0, people[0], "undo")
    assert not await clocks.agree(match_id, people[2], "undo")
    assert await clocks.agree(match_id, people[1], "undo")

    page = await matches.page(match_id)
    assert list(page.prompts) == [0]
    assert await state(matches, match_id) == before
    assert await matches.count("match_proposals") == 0
    struck = await matches.run(
        "select line from match_events where line is not null"
        " except select line from match_log order by 1"
    )
    assert struck == [("take 2; end",), ("take 3; end",)]
    assert await matches.problems() == []


async def test_among_bots_nobody_need_be_asked(matches: Matches, clocks: Clocks) -> None:
    anna = await matches.person()
    match_id = await matches.start(anna, "steady", "random")
    await matches.commit(match_id, 0, 1, "take 2")

    assert await clocks.propose(match_id, 0, anna, "undo")
    assert list((await matches.page(match_id)).prompts) == [0]


async def test_nothing_goes_back_past_a_draw_or_a_reveal(matches: Matches, clocks: Clocks) -> None:
    anna, bert = await matches.person("Anna"), await matches.person("Bert")
    match_id = await matches.start(anna, bert)
    with pytest.raises(ConflictError, match="nothing"):
        await undo(matches, match_id, 0)

    version = await matches.commit(match_id, 0, 1, "take 1; peek", key="a")
    with pytest.raises(ConflictError, match="past_draw"):
        await clocks.propose(match_id, 0, anna, "undo")

    version = await matches.commit(match_id, 1, version, "take 1", key="b")

    assert await undo(matches, match_id, 1) == Undo(3, 2, "take 1; end")

    for seat in (0, 1):
        version = await matches.commit(match_id, seat, version, "guess 1", key="c")
    for seat in (0, 1):
        with pytest.raises(ConflictError, match="past_reveal"):
            await undo(matches, match_id, seat)


async def test_who_plays_on_has_not_consented(matches: Matches, clocks: Clocks) -> None:
    anna, bert = await matches.person("Anna"), await matches.person("Bert")
    match_id = await matches.start(anna, bert)
    version = await matches.commit(match_id, 0, 1, "take 2", key="a")
    await clocks.propose(match_id, 0, anna, "undo")
    await matches.commit(match_id, 1, version + 1, "take 3", key="b")

    async with matches.sessions.begin() as session:
        assert await open_proposals(session, match_id, now=NOW) == ()
    with pytest.raises(ConflictError, match=r"proposal\.changed"):
        await clocks.agree(match_id, bert, "undo")

    # Proposed again, it takes both turns back.
    await clocks.propose(match_id, 0, anna, "undo")
    assert await clocks.agree(match_id, bert, "undo")
    assert list((await matches.page(match_id)).prompts) == [0]


async def test_a_refusal_takes_it_off_the_table_and_strangers_have_no_say(
    matches: Matches, clocks: Clocks
) -> None:
    anna, bert, eve = [await matches.person(name) for name in ("Anna", "Bert", "Eve")]
    match_id = await matches.start(anna, bert)
    await matches.commit(match_id, 0, 1, "take 2")

    with pytest.raises(NotFoundError):
        await clocks.propose(match_id, 0, bert, "undo")
    await clocks.propose(match_id, 0, anna, "undo")
    for person in (anna, eve):
        with pytest.raises(NotFoundError):
            await clocks.agree(match_id, person, "undo")
    async with matches.sessions.begin() as session:
        await drop_proposal(session, match_id=match_id, person_id=bert, kind="undo", now=NOW)

    assert await matches.count("match_proposals") == 0
    assert list((await matches.page(match_id)).prompts) == [1]


@pytest.mark.parametrize("kind", ["turn", "bank"])
async def test_a_hundred_times_doing_and_undoing_wins_nobody_any_time(
    matches: Matches, clocks: Clocks, kind: str
) -> None:
    anna = await matches.person("Anna")
    match_id = await matches.start(anna, "steady", None, clock=terms(kind))
    first = await clocks.due(match_id, 0)
    assert first is not None
    left, now, version = first - NOW, NOW, 1
    for n in range(100):
        now += MINUTE
        version = await matches.commit(match_id, 0, version, "take 2", key=f"{n}", now=now)
        now += MINUTE
        await clocks.propose(match_id, 0, anna, "undo", now=now)
        version = (await matches.page(match_id)).version
        due = await clocks.due(match_id, 0)
        assert due is not None

        assert due - now == left - MINUTE

        left = due - now
    assert left == first - NOW - 100 * MINUTE
    assert await matches.problems() == []


async def test_clocks_point_back_to_who_is_asked_again_and_spent_time_stays_spent(
    matches: Matches, clocks: Clocks
) -> None:
    anna, bert = await matches.person("Anna"), await matches.person("Bert")
    match_id = await matches.start(anna, bert, clock=terms("bank"))
    version = await matches.commit(match_id, 0, 1, "take 2", key="a", now=NOW + 10 * HOUR)

    # Bert thinks for five hours, then lets Anna take it back.
    now = NOW + 15 * HOUR
    await clocks.propose(match_id, 0, anna, "undo", now=now)
    await clocks.agree(match_id, bert, "undo", now=now)

    assert await clocks.whose(match_id) == [0]
    # 48 h less the ten that Anna took; the increment is given back.
    assert await clocks.due(match_id, 0) == now + 38 * HOUR

    version = (await matches.page(match_id)).version
    await matches.commit(match_id, 0, version, "take 3", key="b", now=now)

    assert await clocks.due(match_id, 1) == now + 43 * HOUR


async def test_a_daily_clock_is_still_due_at_the_same_hour(
    matches: Matches, clocks: Clocks
) -> None:
    anna = await matches.person("Anna")
    match_id = await matches.start(anna, "steady", clock=terms("daily"))
    before = await clocks.due(match_id, 0)
    await matches.commit(match_id, 0, 1, "take 2", now=NOW + 7 * HOUR)

    await clocks.propose(match_id, 0, anna, "undo", now=NOW + 7 * HOUR)

    assert await clocks.due(match_id, 0) == before == NOW + 8 * HOUR


async def test_the_hosts_rollback_puts_the_clocks_right_too(
    matches: Matches, clocks: Clocks
) -> None:
    match_id = await matches.start(None, None, clock=terms())
    await matches.commit(match_id, 0, 1, "take 2", now=NOW + 20 * HOUR)
    async with matches.sessions.begin() as session:
        await roll_back(session, match_id=match_id, to_version=1, now=NOW + DAY)

    assert await clocks.whose(match_id) == [0]
    assert await clocks.due(match_id, 0) == NOW + DAY + 4 * HOUR


async def test_a_proposal_does_not_outlive_turns_that_the_host_took_back(
    matches: Matches, clocks: Clocks
) -> None:
    """It would take back another turn than the one that everybody was asked about."""
    people = [await matches.person(name) for name in ("Anna", "Bert")]
    match_id = await matches.start(*people)
    version = await matches.commit(match_id, 0, 1, "take 2", key="a")
    await clocks.propose(match_id, 0, people[0], "undo")
    async with matches.sessions.begin() as session:
        await roll_back(session, match_id=match_id, to_version=version, now=NOW)

    async with matches.sessions.begin() as session:
        assert await open_proposals(session, match_id, now=NOW) == ()
    with pytest.raises(ConflictError, match=r"proposal\.changed"):
        await clocks.agree(match_id, people[1], "undo")
