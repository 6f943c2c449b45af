"""The match page of Castell, worked out: actions and their states, draft, log, collas."""

import re
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest

from app.matches.pages import Draft, MatchPage, StoryEvent
from app.rules.castell import CASTELL
from app.rules.castell.events import FestivalHeld, PawnMoved, Recruited, RoundStarted
from app.rules.castell.notation import parse_tower
from app.rules.castell.state import State
from app.rules.game import Seat
from app.web.boards.castell import CastellBoard, draw
from app.web.boards.castell_reveal import prize_worths
from app.web.boards.castell_turn import TurnPanel
from app.web.boards.opened import Opened
from app.web.boards.seats import who_is_who
from tests.web.boards import positions
from tests.web.boards.positions import ME

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def page_of(
    state: State, *lines: str, seat: Seat | None = ME, since: tuple[Any, ...] = (), **values: Any
) -> MatchPage:
    """The page of `seat` with these lines drafted."""
    drafted = state
    for line in lines:
        drafted = positions.play(drafted, ME, line)
    prompts = CASTELL.prompts(state)
    outcome = CASTELL.outcome(state)
    page = MatchPage(
        id=UUID(int=42),
        game="castell",
        seat=seat,
        version=118,
        latest=118,
        status="finished" if outcome else "running",
        seats=positions.seats(state.seats),
        prompts=prompts,
        view=CASTELL.view(drafted, seat),
        base_view=CASTELL.view(state, seat),
        options=CASTELL.options(drafted, seat) if seat in prompts and seat is not None else None,
        draft=Draft(lines, len(lines)),
        answered=frozenset(),
        answer=None,
        standing={},
        decisions=(),
        since=tuple(StoryEvent(1, None, NOW, event) for event in since),
        outcome=outcome,
        match_options={},
        clock=None,
        proposals=0,
        created_at=NOW,
        finished_at=None,
        commitment="",
        seed=None,
        nonce=None,
    )
    return replace(page, **values)


def board_of(state: State, *lines: str, opened: str = "", **values: Any) -> CastellBoard:
    pick = values.pop("pick", 0)
    return draw(page_of(state, *lines, **values), Opened(opened, pick))


def panel(state: State, *lines: str, opened: str = "", pick: int = 0) -> TurnPanel:
    turn = board_of(state, *lines, opened=opened, pick=pick).turn
    assert turn is not None
    return turn


def lines_of(turn: TurnPanel) -> list[str]:
    return [choice.line for group in turn.groups for choice in group.choices if choice.line]


def here_of(state: State) -> Any:
    return next(region for region in CASTELL.view(state, ME).regions if ME in region.pawns)


@pytest.mark.parametrize("opened", ["move", "recruit", "train", "special", "train-special"])
@pytest.mark.parametrize("pick", [0, 1, 2, 5, 10])
def test_every_button_of_every_panel_is_a_legal_line(opened: str, pick: int) -> None:
    for number in (3, 5, 6, 8):
        state = positions.middle(number=number)

        for line in lines_of(panel(state, opened=opened, pick=pick)):
            (move,) = CASTELL.parse(line)
            CASTELL.check(state, ME, move)


def test_the_first_free_action_is_open() -> None:
    state = positions.middle()
    there = here_of(state).neighbours[0]

    assert panel(state).open == "move"
    assert panel(state, f"move {there}").open == "recruit"


def test_a_used_action_is_done_and_offers_nothing() -> None:
    state = positions.middle()
    there = here_of(state).neighbours[0]

    turn = panel(state, f"move {there}", opened="move")

    assert turn.actions[0].state == "done"
    assert lines_of(turn) == []
    assert turn.groups[0].why == "You have already moved this turn."


def test_before_the_pawn_is_placed_only_moving_is_open() -> None:
    state = positions.start()
    seat = min(CASTELL.prompts(state))
    turn = board_of(state, seat=seat).turn

    assert turn is not None
    assert [action.state for action in turn.actions] == ["open", "blocked", "blocked", "blocked"]
    assert turn.actions[1].why == "Place your pawn in a region first."
    assert len(turn.targets) == 7
    assert turn.call == "place your pawn in any region"


def test_recruiting_two_takes_two_taps() -> None:
    state = positions.middle()
    there = here_of(state).neighbours[0]
    view = CASTELL.view(positions.play(state, ME, f"move {there}"), ME)
    pool = next(region.castellers for region in view.regions if region.id == there)
    first = max(pool)

    picking = panel(state, f"move {there}", opened="recruit")
    pairing = panel(state, f"move {there}", opened="recruit", pick=first)

    assert lines_of(picking) == []
    assert {"open": "recruit", "pick": str(first)} in [
        choice.opens for choice in picking.groups[0].choices
    ]
    assert f"recruit {first}" in lines_of(pairing)
    assert f"recruit {first} {min(pool)}" in lines_of(pairing)
    assert len(lines_of(pairing)) == len(pool)


@pytest.mark.parametrize("place", range(2))
def test_castellers_keep_their_places_when_one_is_picked(place: int) -> None:
    state = positions.middle()
    view = CASTELL.view(state, ME)
    pools = {region.id: region.castellers for region in view.regions}
    there = max(here_of(state).neighbours, key=lambda code: len(set(pools[code])))
    picking = panel(state, f"move {there}", opened="recruit").groups[0].choices
    (size,) = picking[-1 - place].sizes

    pairing = panel(state, f"move {there}", opened="recruit", pick=size).groups[0].choices

    assert len(picking) > 2
    assert [one.sizes for one in pairing if one.sizes] == [one.sizes for one in picking]
    assert [one.skin for one in pairing if one.sizes] == [one.skin for one in picking]
    assert [one.sizes for one in pairing if one.picked] == [(size,)]


def test_a_closed_action_can_be_opened_for_its_reason() -> None:
    state = positions.start()
    turn = board_of(state, opened="train", seat=min(CASTELL.prompts(state))).turn

    assert turn is not None
    assert [action.state for action in turn.actions] == ["free", "blocked", "blocked", "blocked"]
    assert turn.open == "train"
    assert turn.groups[0].why == "Place your pawn in a region first."
    assert turn.groups[0].choices == ()


def test_training_says_the_rank_before_and_after() -> None:
    state = positions.middle()
    ranks = CASTELL.view(state, ME).collas[0].ranks

    (group,) = panel(state, opened="train").groups

    for choice in group.choices:
        if choice.skill != "special":
            rank = ranks[choice.skill]  # type: ignore[index]  # a skill's name by the line above
            assert choice.ranks == (rank, rank + 1)


def test_a_tile_out_of_reach_says_what_is_missing() -> None:
    state = positions.middle(number=3)

    groups = {group.kind: group for group in panel(state, opened="special").groups}

    for choice in groups["tiles"].choices:
        assert bool(choice.line) != bool(choice.why)
        assert choice.workshop


@pytest.mark.parametrize("number", range(1, 8))
def test_of_a_special_action_what_can_be_done_comes_first(number: int) -> None:
    groups = panel(positions.middle(number=number), opened="special").groups
    can = [any(choice.line for choice in group.choices) for group in groups]

    assert can == sorted(can, reverse=True)
    assert not groups[0].legend.startswith("or ")
    assert all(group.legend.startswith("or ") for group in groups[1:])


def test_the_draft_is_told_in_words_with_the_ranks_it_raises() -> None:
    state = positions.middle()
    there = here_of(state).neighbours[0]
    turn = panel(state, f"move {there}", opened="train")
    train = lines_of(turn)[0]

    drawn = board_of(state, f"move {there}", train)

    assert [line.what for line in drawn.draft] == [
        f"move to {drawn.regions[[r.id for r in drawn.regions].index(there)].name}",
        f"Train {train.split()[1].title()}",
    ]
    assert drawn.draft[1].note.startswith("rank ")
    assert drawn.commit_note.startswith("2 actions, Recruit and Special unused")


def test_the_log_leaves_out_what_the_viewer_did_and_marks_the_rest() -> None:
    happened = (
        FestivalHeld(5, "VFR", (), (), ()),
        RoundStarted(6, Seat(1), ()),
        PawnMoved(ME, "TAR", "action"),
        PawnMoved(Seat(1), "BCN", "action"),
        Recruited(Seat(1), "BCN", (8, 2), "action"),
    )

    drawn = board_of(positions.middle(), since=happened)

    assert [item.who.name if item.who else None for item in drawn.log] == [None, None, "Jordi"]
    assert len(drawn.log[2].sentences) == 2
    assert {region.id for region in drawn.regions if region.news} == {"VFR", "BCN"}


def test_the_log_tells_how_high_a_tower_was_and_leaves_its_notation_out() -> None:
    tower = parse_tower("2x8+1x7/2x5/1x4/1x1")
    happened = (FestivalHeld(5, "VFR", ((Seat(1), tower, 6),), (), ()),)

    drawn = board_of(positions.middle(), since=happened)

    assert drawn.log[0].sentences == (
        "Jordi shows a tower of 4 levels in Vilafranca for 6 points.",
    )


def test_spectators_see_everybody_and_act_nowhere() -> None:
    drawn = board_of(positions.middle(), seat=None)

    assert drawn.turn is None
    assert drawn.mine == ()
    assert [colla.who.name for colla in drawn.rivals] == ["Mar", "Jordi", "Txell", "Wiebe"]
    assert drawn.standing.key == "watching"


def test_rivals_are_seen_from_the_left_on() -> None:
    drawn = board_of(positions.middle(seat=ME), seat=Seat(2))

    assert [colla.who.name for colla in drawn.rivals] == ["Wiebe", "Mar", "Jordi"]
    assert drawn.turn is None


def test_a_finished_match_leads_to_its_results() -> None:
    *_, over = positions.playing(positions.start(2))

    drawn = board_of(over)

    assert drawn.standing.key == "over"
    assert all(cell.when == "past" for cell in drawn.calendar)


@pytest.mark.parametrize(
    ("left", "said"),
    [
        (True, "Nobody is left to play it, so it ended without a result."),
        (False, "It ended without a result."),
    ],
)
def test_a_match_broken_off_says_so_and_nobody_is_next(left: bool, said: str) -> None:
    seats = positions.seats(4)
    if left:
        seats = tuple(replace(seat, bot="steady", resigned=True) for seat in seats)
    broken: dict[str, Any] = {"status": "void", "prompts": {}, "options": None, "seats": seats}

    drawn = board_of(positions.middle(), **broken)

    assert drawn.standing.lines == (said,)
    assert {colla.status for colla in (*drawn.mine, *drawn.rivals)} == {""}
    assert drawn.order == ()
    # Earlier, as its history tells it, somebody was to move.
    earlier = board_of(positions.middle(), **broken, version=3)
    assert "now" in {colla.status for colla in (*earlier.mine, *earlier.rivals)}
    assert earlier.standing.lines == ()


def test_a_seat_asked_to_a_festival_is_led_to_the_workshop() -> None:
    asked = next(
        state
        for state in positions.playing(positions.start())
        if state.phase == "festivals" and ME in CASTELL.prompts(state)
    )

    drawn = board_of(asked)

    assert drawn.festival is not None
    assert drawn.festival.id in CASTELL.view(asked, ME).entrants
    assert drawn.standing.title == "Your festival"
    # Levels and castellers of the wanted sizes add up to the points.
    points, *parts = map(int, re.findall(r"(?:^|: |\+ )(\d+)", drawn.best_words))
    assert points == sum(parts)
    assert {builder.who.seat for builder in drawn.builders} == set(CASTELL.prompts(asked))


def test_a_seat_at_a_festival_without_a_tower_for_it_is_told_why() -> None:
    state, region, seat = next(
        (state, region, seat)
        for state in positions.playing(positions.start())
        if state.phase == "festivals"
        for view in [CASTELL.view(state, None)]
        for festival in view.calendar[view.round - 1].festivals
        for region in view.regions
        if region.id == festival.region
        for seat in region.pawns
        if seat not in view.entrants.get(region.id, ())
    )
    asked = min(CASTELL.prompts(state))

    told = board_of(state, seat=seat).standing.lines
    others = board_of(state, seat=asked).standing.lines

    assert told[0].startswith(f"You cannot build in {region.name}: no tower of yours")
    assert len(told) == 2
    assert not any("cannot build" in line for line in others)


def test_every_player_gets_a_letter_of_their_own() -> None:
    names = ("Jordi", "Joan", "Oriol", "J")
    seats = tuple(
        replace(info, name=name) for info, name in zip(positions.seats(), names, strict=True)
    )

    letters = [who.letter for who in who_is_who(seats).values()]

    assert letters == ["J", "O", "R", "J"]


def test_a_colla_says_where_its_points_come_from() -> None:
    state = positions.middle()
    view = CASTELL.view(state, ME)

    (mine,) = board_of(state).mine

    assert [name for name, _ in mine.split] == [
        "Best tower",
        "Regions",
        "Prizes",
        "Size tokens",
        "Local tiles",
    ]
    assert sum(points for _, points in mine.split) == mine.points
    assert prize_worths(view.values) == {
        "trophy": f"the trophy, {view.values.points_of('trophy')} points",
        "medal": f"the medal, {view.values.points_of('medal')} points",
        "ribbon": f"the ribbon, {view.values.points_of('ribbon')} point"
        + ("" if view.values.points_of("ribbon") == 1 else "s"),
    }
