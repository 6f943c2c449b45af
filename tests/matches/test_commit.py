import pytest

from app.errors import (
    ConflictError,
    InvalidError,
    KeyReusedError,
    MoveRejectedError,
    NotFoundError,
    StaleMatchError,
)
from app.ids import new_id
from app.matches import service
from app.matches.pages import Draft
from app.rules.game import Prompt, Seat
from tests.support import pinya
from tests.support.matches import LATER, OF_BOTS, TABLES, Matches

pytestmark = pytest.mark.anyio


async def test_a_commit_decides_the_whole_draft_and_ends_the_turn(matches: Matches) -> None:
    match_id = await matches.start(None, None)
    await matches.add(match_id, 0, "take 3", "leap")

    assert await matches.commit(match_id, 0, 1) == 2

    page = await matches.page(match_id, 1)
    assert page.prompts == {1: Prompt("turn:1:1", "turn", finish="end")}
    assert [(event.version, event.seat, event.event) for event in page.since] == [
        (2, 0, pinya.Taken(Seat(0), 3)),
        (2, 0, pinya.Taken(Seat(0), 10)),
        (2, 0, pinya.TurnOver()),
    ]
    assert (await matches.page(match_id, 0)).draft == Draft((), revision=2)
    assert await matches.problems() == []


async def test_a_commit_tells_every_process_once(matches: Matches) -> None:
    match_id = await matches.start(None, None)
    await matches.add(match_id, 0, "take 3")

    async with matches.listening() as heard:
        await matches.commit(match_id, 0, 1)

    assert heard == [f"match {match_id} 2"]


async def test_a_line_is_committed_in_place_of_the_draft(matches: Matches) -> None:
    match_id = await matches.start(None, None)
    await matches.add(match_id, 0, "take 3")

    await matches.commit(match_id, 0, 1, "take 1; take 2; end")

    taken = await matches.run("select payload->'number' from match_events where seq in (2, 3)")
    assert [row[0] for row in taken] == [1, 2]
    assert (await matches.page(match_id, 0)).draft.lines == ()


async def test_an_empty_turn_is_a_turn(matches: Matches) -> None:
    match_id = await matches.start(None, None)

    assert await matches.commit(match_id, 0, 1) == 2

    assert await matches.count("match_events") == 2


async def test_the_log_keeps_the_decided_moves_in_notation(matches: Matches) -> None:
    match_id = await matches.start(None)

    await matches.commit(match_id, 0, 1, "TAKE 3;leap")

    lines = await matches.run("select line from match_events order by seq")
    assert [row[0] for row in lines] == [None, "take 3; leap; end", None, None]


async def test_repeating_a_commit_is_harmless(matches: Matches) -> None:
    match_id = await matches.start(None, "steady")
    await matches.add(match_id, 0, "take 3")

    assert await matches.commit(match_id, 0, 1) == 2
    before = await matches.dump(*TABLES)
    assert await matches.commit(match_id, 0, 1) == 2

    assert await matches.dump(*TABLES) == before


async def test_a_repeat_gets_its_own_answer_however_far_the_match_has_gone(
    matches: Matches,
) -> None:
    match_id = await matches.start(None)
    await matches.commit(match_id, 0, 1, key="first")
    await matches.commit(match_id, 0, 2, "guess 1", key="second")

    assert await matches.commit(match_id, 0, 1, key="first") == 2


async def test_a_key_belongs_to_one_command(matches: Matches) -> None:
    match_id = await matches.start(None, None)
    await matches.commit(match_id, 0, 1, "take 1")

    with pytest.raises(KeyReusedError):
        await matches.commit(match_id, 0, 1, "take 2")

    assert await matches.count("match_commands") == 1


async def test_two_seats_may_use_the_same_key(matches: Matches) -> None:
    match_id = await matches.start(None, None)

    assert await matches.commit(match_id, 0, 1, key="same") == 2
    assert await matches.commit(match_id, 1, 2, key="same") == 3


async def test_an_old_version_is_refused_and_the_draft_kept(matches: Matches) -> None:
    alone = await matches.start(None)
    await matches.turns(alone, 1, 1)
    await matches.commit(alone, 0, 2, "guess 0", key="g")
    await matches.add(alone, 0, "take 3", "leap")
    before = await matches.dump(*TABLES)

    with pytest.raises(StaleMatchError) as error:
        await matches.commit(alone, 0, 2)

    assert error.value.details == {"version": 3}
    assert await matches.dump(*TABLES) == before
    assert (await matches.page(alone, 0)).draft.lines == ("take 3", "leap")


async def test_a_version_yet_to_come_is_refused(matches: Matches) -> None:
    match_id = await matches.start(None)

    with pytest.raises(StaleMatchError):
        await matches.commit(match_id, 0, 2**70)


async def test_a_page_with_an_older_draft_commits_nothing(matches: Matches) -> None:
    match_id = await matches.start(None, None)
    await matches.add(match_id, 0, "take 1", "take 2")

    with pytest.raises(StaleMatchError) as error:
        await matches.commit(match_id, 0, 1, revision=1)

    assert error.value.code == "draft.changed"
    assert await matches.commit(match_id, 0, 1, revision=2) == 2


async def test_a_refused_move_leaves_no_trace(matches: Matches) -> None:
    match_id = await matches.start(None, "steady")
    before = await matches.dump(*TABLES)

    async with matches.listening() as heard:
        with pytest.raises(MoveRejectedError) as error:
            await matches.commit(match_id, 0, 1, "take 1; leap")

    assert heard == []
    assert (error.value.code, error.value.rule) == ("pinya.no_run_up", "3")
    assert error.value.details == {"move": "leap"}
    assert await matches.dump(*TABLES) == before


async def test_one_commit_ends_one_turn(matches: Matches) -> None:
    match_id = await matches.start(None, None)
    with pytest.raises(MoveRejectedError) as error:
        await matches.commit(match_id, 0, 1, "take 1; end; take 2")

    assert (error.value.code, error.value.details) == ("draft.would_end", {"move": "end"})
    assert await matches.commit(match_id, 0, 1, "take 1; end") == 2


async def test_a_draft_with_an_illegal_line_is_refused_as_a_whole(matches: Matches) -> None:
    match_id = await matches.start(None, None)
    await matches.add(match_id, 0, "take 1")
    await matches.run("update match_drafts set moves = '{take 1,leap}'")

    with pytest.raises(MoveRejectedError):
        await matches.commit(match_id, 0, 1)


async def test_a_caller_who_rolls_back_leaves_no_trace(matches: Matches) -> None:
    match_id = await matches.start(None, "steady")
    before = await matches.dump(*TABLES)
    command = service.Commit(
        match_id=match_id, seat=Seat(0), expected_version=1, key="k", line="take 1", now=LATER
    )

    async with matches.listening() as heard:
        with pytest.raises(RuntimeError):
            async with matches.sessions.begin() as session:
                await service.commit(session, command)
                raise RuntimeError

    assert heard == []
    assert await matches.dump(*TABLES) == before


async def test_a_seat_out_of_turn_is_refused(matches: Matches) -> None:
    match_id = await matches.start(None, None)

    with pytest.raises(ConflictError) as error:
        await matches.commit(match_id, 1, 1)

    assert error.value.code == "match.not_asked"


@pytest.mark.parametrize("seat", [2, -1, 2**40])
async def test_a_seat_that_is_not_is_not_found(matches: Matches, seat: int) -> None:
    match_id = await matches.start(None, None)

    with pytest.raises(NotFoundError):
        await matches.commit(match_id, seat, 1)


async def test_a_match_that_is_not_is_not_found(matches: Matches) -> None:
    with pytest.raises(NotFoundError):
        await matches.commit(new_id(), 0, 1)


@pytest.mark.parametrize("key", ["", "x" * 256, "a\0b", "\ud800"])
async def test_a_key_that_cannot_be_kept_is_refused(matches: Matches, key: str) -> None:
    match_id = await matches.start(None)

    with pytest.raises(InvalidError) as error:
        await matches.commit(match_id, 0, 1, key=key)

    assert error.value.code == "command.bad_key"


async def test_a_prompt_without_a_finish_wants_a_move(matches: Matches) -> None:
    match_id = await matches.start(None, options={"toss": True})

    with pytest.raises(MoveRejectedError) as error:
        await matches.commit(match_id, 0, 1)

    assert error.value.code == "draft.empty"


async def test_the_next_seats_bot_is_asked_in_the_same_transaction(matches: Matches) -> None:
    match_id = await matches.start(None, "steady", None)

    await matches.commit(match_id, 0, 1)

    jobs = await matches.run(f"select args from procrastinate_jobs {OF_BOTS}")
    assert [job.args for job in jobs] == [{"match_id": str(match_id), "seat": 1, "version": 2}]


async def test_the_last_commit_finishes_the_match_and_opens_the_seed(matches: Matches) -> None:
    match_id = await matches.start(None, options={"rounds": 1})
    await matches.turns(match_id, 1, 1)

    await matches.commit(match_id, 0, 2, "guess 1")

    page = await matches.page(match_id, 0)
    assert page.status == "finished"
    assert page.finished_at == LATER
    assert page.prompts == {}
    assert page.options is page.prompt is None
    assert page.outcome is not None
    assert page.seed == bytes(range(32)).hex()
    assert page.nonce is not None
    assert await matches.problems() == []


async def test_nothing_is_committed_after_the_end(matches: Matches) -> None:
    match_id = await matches.start(None, options={"rounds": 1})
    await matches.turns(match_id, 1, 1)
    await matches.commit(match_id, 0, 2, "guess 1", key="g")

    with pytest.raises(ConflictError) as error:
        await matches.commit(match_id, 0, 3, "take 1")

    assert error.value.code == "match.finished"


async def test_a_draw_in_a_turn_comes_from_the_seed_and_the_version(matches: Matches) -> None:
    for _ in range(2):
        match_id = await matches.start(None)
        await matches.commit(match_id, 0, 1, "peek; peek; peek")

    peeked = await matches.run(
        "select payload->'number' from match_events where payload->>'type' = 'Peeked' order by seq"
    )
    numbers = [row[0] for row in peeked]
    assert numbers[0::2] == numbers[1::2]
    assert await matches.problems() == []


async def test_what_became_of_a_lost_answer_is_found_by_its_key(matches: Matches) -> None:
    match_id = await matches.start(None)
    await matches.commit(match_id, 0, 1, key="arrived")

    async with matches.sessions() as session:
        found = await service.find_commit(session, match_id=match_id, seat=Seat(0), key="arrived")
        lost = await service.find_commit(session, match_id=match_id, seat=Seat(0), key="lost")

    assert found == service.Committed(2)
    assert lost is None


async def test_a_commit_takes_four_statements_and_one_for_each_bot_asked(matches: Matches) -> None:
    match_id = await matches.start(None, "steady")

    with matches.counting() as statements:
        await matches.commit(match_id, 0, 1)

    assert len(statements) == 4
