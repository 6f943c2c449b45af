import pytest

from app.errors import ConflictError, MoveRejectedError, NotFoundError
from app.ids import new_id
from app.matches import service
from app.matches.pages import Draft
from app.rules.game import Seat
from tests.support import pinya
from tests.support.matches import Matches

pytestmark = pytest.mark.anyio


async def test_a_drafted_move_shows_on_the_seats_own_page_alone(matches: Matches) -> None:
    match_id = await matches.start(None, None)

    draft = await matches.add(match_id, 0, "take 3", "LEAP")

    assert draft == Draft(("take 3", "leap"), revision=2)
    mine, other, watcher = [await matches.page(match_id, seat) for seat in (0, 1, None)]
    assert mine.draft == draft
    assert mine.view == pinya.View(Seat(0), 1, 0, (3, 10), (0, 0))
    assert mine.base_view == pinya.View(Seat(0), 1, 0, (), (0, 0))
    assert mine.options == pinya.Options(("leap", "peek", "end"))
    for page in (other, watcher):
        assert page.view == page.base_view
        assert page.draft == Draft()
        assert page.options is None


async def test_a_line_may_hold_several_moves(matches: Matches) -> None:
    match_id = await matches.start(None)

    draft = await matches.add(match_id, 0, "take 3; leap")

    assert draft.lines == ("take 3", "leap")


async def test_a_draft_changes_nothing_that_others_could_see(matches: Matches) -> None:
    match_id = await matches.start(None, None)
    public = ("matches", "match_seats", "match_events", "match_answers", "procrastinate_jobs")
    before = await matches.dump(*public)

    await matches.add(match_id, 0, "take 3", "take 1")
    await matches.drop(match_id, 0, 0)
    await matches.clear(match_id, 0)

    assert await matches.dump(*public) == before


async def test_every_change_raises_the_revision_and_tells_the_processes(matches: Matches) -> None:
    match_id = await matches.start(None)

    async with matches.listening() as heard:
        await matches.add(match_id, 0, "take 1", "take 2")
        await matches.drop(match_id, 0, 1)
        await matches.clear(match_id, 0)

    assert heard == [f"draft {match_id} 0 {revision}" for revision in (1, 2, 3, 4)]


async def test_dropping_a_move_drops_what_was_legal_only_because_of_it(matches: Matches) -> None:
    match_id = await matches.start(None)
    await matches.add(match_id, 0, "take 3", "leap")

    draft = await matches.drop(match_id, 0, 0)

    assert draft.lines == ()
    assert draft.revision == 3
    assert [(gone.line, gone.refusal.code, gone.refusal.rule) for gone in draft.dropped] == [
        ("leap", "pinya.no_run_up", "3")
    ]
    assert (await matches.page(match_id, 0)).draft == Draft((), revision=3)


async def test_dropping_a_move_keeps_the_later_ones(matches: Matches) -> None:
    match_id = await matches.start(None)
    await matches.add(match_id, 0, "take 1", "take 3", "leap")

    draft = await matches.drop(match_id, 0, 0)

    assert draft == Draft(("take 3", "leap"), revision=4)


@pytest.mark.parametrize("index", [-1, 1, 2**70])
async def test_only_a_drafted_move_can_be_dropped(matches: Matches, index: int) -> None:
    match_id = await matches.start(None)
    await matches.add(match_id, 0, "take 1")

    with pytest.raises(NotFoundError):
        await matches.drop(match_id, 0, index)


async def test_clearing_takes_every_move_back(matches: Matches) -> None:
    match_id = await matches.start(None)
    await matches.add(match_id, 0, "take 1", "take 2")

    assert await matches.clear(match_id, 0) == Draft((), revision=3)


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        pytest.param(("dance",), "notation.unknown", id="no notation"),
        pytest.param(("guess 3",), "pinya.wrong_moment", id="not now"),
        pytest.param(("take 1", "take 1", "take 1"), "pinya.taken_twice", id="once too often"),
        pytest.param(("peek",), "draft.would_draw", id="a draw"),
        pytest.param(("end",), "draft.would_end", id="the end of the turn"),
    ],
)
async def test_what_cannot_be_drafted_is_refused_and_the_draft_stays(
    matches: Matches, lines: tuple[str, ...], code: str
) -> None:
    match_id = await matches.start(None)
    kept = lines[:-1]
    await matches.add(match_id, 0, *kept)

    with pytest.raises(MoveRejectedError) as error:
        await matches.add(match_id, 0, lines[-1])

    assert error.value.code == code
    assert (await matches.page(match_id, 0)).draft.lines == kept


async def test_a_refusal_carries_the_rules_numbers(matches: Matches) -> None:
    match_id = await matches.start(None)
    await matches.add(match_id, 0, "take 1; take 2")

    with pytest.raises(MoveRejectedError) as error:
        await matches.add(match_id, 0, "take 1")

    assert error.value.rule == "2"
    assert error.value.details == {"taken": 2}


async def test_a_draft_has_a_greatest_length(
    matches: Matches, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.matches.drafts.LONGEST_DRAFT", 1)
    match_id = await matches.start(None)
    await matches.add(match_id, 0, "take 1")

    with pytest.raises(MoveRejectedError) as error:
        await matches.add(match_id, 0, "take 1")

    assert error.value.code == "draft.too_long"


async def test_only_a_seat_that_is_asked_can_draft(matches: Matches) -> None:
    match_id = await matches.start(None, None)

    with pytest.raises(ConflictError) as error:
        await matches.add(match_id, 1, "take 1")

    assert error.value.code == "match.not_asked"


async def test_nothing_is_drafted_after_the_end(matches: Matches) -> None:
    match_id = await matches.start(None, options={"rounds": 1})
    await matches.turns(match_id, 1, 1)
    await matches.commit(match_id, 0, 2, "guess 1")

    with pytest.raises(ConflictError) as error:
        await matches.add(match_id, 0, "take 1")

    assert error.value.code == "match.finished"


async def test_nothing_is_drafted_in_a_match_that_is_not(matches: Matches) -> None:
    with pytest.raises(NotFoundError):
        await matches.add(new_id(), 0, "take 1")


async def test_a_page_with_an_older_draft_is_told_so(matches: Matches) -> None:
    match_id = await matches.start(None)
    await matches.add(match_id, 0, "take 1")

    async with matches.sessions() as session:
        with pytest.raises(ConflictError) as error:
            await service.drop_from_draft(
                session, match_id=match_id, seat=Seat(0), index=0, revision=0
            )

    assert error.value.code == "draft.changed"
    assert error.value.details == {"revision": 1}


async def test_a_drafted_answer_is_replaced_by_the_next(matches: Matches) -> None:
    match_id = await matches.start(None, None)
    await matches.turns(match_id, 2, 1)

    await matches.add(match_id, 0, "guess 1")
    draft = await matches.add(match_id, 0, "guess 2")

    assert draft.lines == ("guess 2",)
    page = await matches.page(match_id, 0)
    assert page.draft == draft
    assert page.view == page.base_view


async def test_an_answer_is_one_move(matches: Matches) -> None:
    match_id = await matches.start(None, None)
    await matches.turns(match_id, 2, 1)

    with pytest.raises(MoveRejectedError) as error:
        await matches.add(match_id, 0, "guess 1; guess 2")

    assert error.value.code == "answer.one_move"


async def test_a_prompt_without_a_finish_takes_one_move(matches: Matches) -> None:
    match_id = await matches.start(None, options={"toss": True})
    await matches.add(match_id, 0, "toss 0")

    draft = await matches.add(match_id, 0, "toss 1")

    assert draft.lines == ("toss 1",)
    assert await matches.commit(match_id, 0, 1) == 2


async def test_lines_that_became_illegal_are_shown_with_the_reason(matches: Matches) -> None:
    match_id = await matches.start(None)
    await matches.add(match_id, 0, "take 3", "leap")
    # As if the rules had been corrected meanwhile.
    await matches.run("update match_drafts set moves = '{leap,take 2,dance}'")

    page = await matches.page(match_id, 0)

    assert page.draft.lines == ("take 2",)
    assert [(gone.line, gone.refusal.code) for gone in page.draft.dropped] == [
        ("leap", "pinya.no_run_up"),
        ("dance", "notation.unknown"),
    ]
    assert page.view.taken == (2,)


async def test_the_next_change_forgets_lines_that_became_illegal(matches: Matches) -> None:
    match_id = await matches.start(None)
    await matches.add(match_id, 0, "take 1")
    await matches.run("update match_drafts set moves = '{leap,take 2}'")

    draft = await matches.add(match_id, 0, "take 3")

    assert draft.lines == ("take 2", "take 3")
    assert [gone.line for gone in draft.dropped] == ["leap"]
    assert (await matches.page(match_id, 0)).draft.dropped == ()


async def test_a_draft_for_an_earlier_prompt_is_no_draft(matches: Matches) -> None:
    match_id = await matches.start(None)
    await matches.add(match_id, 0, "take 1")
    await matches.run("update match_drafts set prompt = 'turn:0:0'")

    assert (await matches.page(match_id, 0)).draft == Draft((), revision=1)
    assert (await matches.add(match_id, 0, "take 2")).lines == ("take 2",)
