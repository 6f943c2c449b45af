"""The match page of El Grande, worked out: every state of a turn and every question."""

from dataclasses import replace
from typing import Any

import pytest

from app.rules.el_grande import EL_GRANDE
from app.rules.el_grande.edition import tables
from app.rules.el_grande.events import CardTaken, KingMoved, Placed, PowerPlayed
from app.rules.el_grande.state import State
from app.rules.game import Seat
from app.web.boards.el_grande import ElGrandeBoard
from app.web.boards.el_grande_answers import answer_words
from app.web.boards.el_grande_map import Box, places
from app.web.boards.el_grande_scene import SceneFacts, draw_scene
from app.web.boards.el_grande_turn import TurnPanel
from app.web.boards.registry import BOARDS
from app.web.boards.seats import who_is_who
from tests.web.boards import el_grande_positions as positions
from tests.web.boards.el_grande_positions import ME, board_of

# How high the figures over a stack are, and how far under its foot those beneath it begin.
DIGIT = 13
BENEATH = 32
CARDS = tuple(card.id for card in positions.start().edition.cards if card.id != "2-01")


def panel(state: State, *lines: str, opened: str = "", pick: int = 0) -> TurnPanel:
    turn = board_of(state, *lines, opened=opened, pick=pick).turn
    assert turn is not None
    return turn


def lines_of(board: ElGrandeBoard) -> list[str]:
    """Every line that a button of the page would note."""
    turn = board.turn
    if turn is None:
        return []
    found = [card.line for card in board.cards]
    placers = [*(turn.filling.placers if turn.filling else ())]
    if turn.placing is not None:
        placers += turn.placing.placers
    for way in turn.special.ways if turn.special else ():
        placers += way.placers
        found += [pick.line for pick in way.picks]
        if way.moving is not None:
            found += [pick.line for pick in way.moving.targets]
            found += [pick.line for group in way.moving.groups for pick in group.picks]
    found += [line for one in placers for line in (one.line, one.more)]
    return [line for line in found if line]


def opens_of(turn: TurnPanel) -> list[str]:
    """What the links of the special action open."""
    moving = [way.moving for way in turn.special.ways if way.moving] if turn.special else []
    picks = [pick for one in moving for group in one.groups for pick in group.picks]
    picks += [pick for one in moving for pick in one.numbers]
    return [pick.opens["open"] for pick in picks if pick.opens]


@pytest.mark.parametrize("card", CARDS)
def test_every_button_of_every_card_is_a_legal_line(card: str) -> None:
    state = positions.my_turn(card, number=3)
    drawn = board_of(state, f"card {card}", opened="special")
    assert drawn.turn is not None
    after = positions.play(state, ME, f"card {card}")

    lines = lines_of(drawn)
    for action in opens_of(drawn.turn):
        for pick in (0, 1, 3, 9):
            lines += lines_of(board_of(state, f"card {card}", opened=action, pick=pick))
    for line in lines:
        for move in EL_GRANDE.parse(line):
            EL_GRANDE.check(after, ME, move)


def test_a_match_broken_off_says_so_and_nobody_is_next() -> None:
    turn = positions.my_turn()

    running, broken = board_of(turn), board_of(turn, status="void", prompts={}, options=None)

    assert "now" in {seat.state for seat in running.seats}
    assert broken.standing.lines == ("It ended without a result.",)
    assert {seat.state for seat in broken.seats} == {""}


def test_before_a_card_is_taken_only_taking_one_is_open() -> None:
    state = positions.my_turn()
    drawn = board_of(state)
    turn = panel(state)

    assert turn.choosing
    assert turn.parts == ()
    assert turn.end is not None
    assert {card.line for card in drawn.cards if card.line} == {
        f"card {card}" for card in state.offer
    }
    assert {card.state for card in drawn.cards if not card.line} <= {"taken"}


def test_placing_is_offered_next_to_the_king_and_in_the_castillo_alone() -> None:
    state = positions.my_turn()
    card = max(state.offer)
    turn = panel(state, f"card {card}", opened="place")
    lookup = tables(state.edition)
    near = {lookup.ids[area] for area in lookup.neighbours[state.king]}

    assert turn.placing is not None
    assert {one.area for one in turn.placing.placers if one.line} == near | {"CAS"}
    assert set(turn.taps) == near | {"CAS"}
    assert all(acts.startswith("act-place-") for _, acts in turn.taps.values())
    told = " ".join(one.names for one in turn.placing.refused)
    assert state.edition.regions[state.king].name in told


def test_a_step_back_is_offered_where_something_was_placed() -> None:
    state = positions.my_turn("5-01")
    lookup = tables(state.edition)
    near = lookup.ids[lookup.neighbours[state.king][0]]
    turn = panel(state, "card 5-01", f"place {near} 1", f"place {near} 1", opened="place")

    assert turn.placing is not None
    (one,) = [placer for placer in turn.placing.placers if placer.count]
    assert (one.area, one.count, one.drop) == (near, 2, 2)


def test_equal_steps_stand_together_in_the_draft() -> None:
    state = positions.my_turn("5-01")
    lookup = tables(state.edition)
    near = lookup.ids[lookup.neighbours[state.king][0]]

    drawn = board_of(state, "card 5-01", f"place {near} 1", f"place {near} 2")

    name = state.edition.regions[lookup.neighbours[state.king][0]].name
    assert [(step.index, step.words) for step in drawn.draft] == [
        (0, "Card 5: Move the King"),
        (2, f"Place 3 in {name}"),
    ]


def test_the_note_says_what_stays_unused() -> None:
    state = positions.my_turn("5-01")

    turn = panel(state, "card 5-01")

    assert "special action left out" in turn.note
    assert "could still be placed" in turn.note
    assert turn.end is None


def test_beginning_the_special_action_is_said_to_end_placing_before_and_after() -> None:
    state = positions.my_turn("5-01")
    lookup = tables(state.edition)
    near = lookup.ids[lookup.neighbours[state.king][0]]
    lines = ["card 5-01", f"place {near} 1"]

    before = panel(state, *lines, opened="special")
    assert before.special is not None
    (king, *_) = [pick for way in before.special.ways for pick in way.picks]
    after = panel(state, *lines, king.line)

    assert before.special.ends.startswith("Placing ends when the special action begins: ")
    assert "could still be placed" in before.note
    assert "could still be placed" not in after.note
    assert "placing is over" in after.note
    assert panel(state, lines[0], king.line).special.ends == ""  # type: ignore[union-attr] # as above


def test_a_special_action_half_done_is_said_to_end_when_placing_begins() -> None:
    state = positions.my_turn("1-01", number=5)
    action = opens_of(panel(state, "card 1-01", opened="special"))[0]
    (way,) = panel(state, "card 1-01", opened=action, pick=1).special.ways  # type: ignore[union-attr] # offered
    assert way.moving is not None

    half = panel(state, "card 1-01", way.moving.targets[0].line, opened="place")

    assert half.placing is not None
    assert half.placing.ends == "The special action ends when placing begins."
    fresh = panel(state, "card 1-01", opened="place").placing
    assert fresh is not None
    assert fresh.ends == ""


@pytest.mark.parametrize("castillo", ["open", "hidden"])
@pytest.mark.parametrize("seats", [2, 5])
def test_the_number_over_a_stack_keeps_clear_of_what_the_area_is_worth(
    castillo: str, seats: int
) -> None:
    state = positions.my_turn(count=seats, castillo=castillo)
    hit = set()
    for height in range(1, 25):
        view = EL_GRANDE.view(state, ME)
        regions = tuple(replace(one, caballeros=(height,) * seats) for one in view.regions)
        players = tuple(replace(one, castillo=height) for one in view.players)
        full = replace(view, regions=regions, players=players)
        for area in draw_scene(full, full, SceneFacts(who_is_who(positions.seats(seats)))):
            plate = area.detail.plate
            for squad in area.detail.squads:
                top = squad.count_y - DIGIT
                beside = squad.x + 26 <= plate.x or squad.x >= plate.x + plate.width
                if not beside and top < plate.y + plate.height:
                    hit.add((area.id, height))

    assert hit == set()


@pytest.mark.parametrize("area", [area for area in places() if area != "CAS"])
def test_nothing_stands_on_what_a_stack_would_earn(area: str) -> None:
    boxes = places()[area].detail
    squads = boxes["squads"]
    earned = Box(squads.x, squads.y + squads.height + BENEATH, squads.width, DIGIT)

    crossing = [
        kind
        for kind, box in boxes.items()
        if box.x < earned.x + earned.width
        and earned.x < box.x + box.width
        and box.y < earned.y + earned.height
        and earned.y < box.y + box.height
    ]

    assert crossing == []


def test_news_are_marked_at_the_end_of_a_name() -> None:
    state = positions.my_turn()
    for area in board_of(state).areas:
        assert 0 < area.detail.news_x - area.detail.name_x < area.detail.badge_width / 2, area.id


def test_a_draft_is_a_ghost_on_the_map() -> None:
    state = positions.my_turn("5-01")
    lookup = tables(state.edition)
    near = lookup.ids[lookup.neighbours[state.king][0]]

    drawn = board_of(state, "card 5-01", f"place {near} 1")
    area = next(area for area in drawn.areas if area.id == near)
    (mine,) = [squad for squad in area.detail.squads if squad.kit == 1]

    assert len(mine.ghosts) == 1
    assert mine.changed
    assert drawn.mine is not None
    assert drawn.mine.to_court - drawn.mine.from_court != 0 or drawn.mine.brought == 1


def test_moving_takes_a_source_then_a_number_then_a_target() -> None:
    state = positions.my_turn("1-01", number=5)
    sources = panel(state, "card 1-01", opened="special")
    action = opens_of(sources)[0]
    owner, area = action.removeprefix("from-").split("-")

    picked = panel(state, "card 1-01", opened=action, pick=1)

    assert sources.call.startswith("tap where a caballero leaves")
    assert sources.special is not None
    assert picked.special is not None
    (way,) = picked.special.ways
    assert way.moving is not None
    assert all(one.line.startswith(f"special move {owner} {area}>") for one in way.moving.targets)
    assert picked.keep == {"open": action, "pick": "1"}
    assert set(picked.taps) == {one.area for one in way.moving.targets}


def test_several_in_one_area_are_told_apart_by_a_second_tap() -> None:
    state = positions.my_turn("1-01", number=6)
    turn = panel(state, "card 1-01", opened="special")
    assert turn.special is not None
    moving = turn.special.ways[0].moving
    assert moving is not None
    crowded = next(group for group in moving.groups if len(group.picks) > 1)

    alone = panel(state, "card 1-01", opened=f"at-{crowded.area}")

    assert turn.taps[crowded.area] == ("i-recruit", f"at-{crowded.area}")
    assert alone.special is not None
    shown = alone.special.ways[0].moving
    assert shown is not None
    assert [group.area for group in shown.groups] == [crowded.area]
    assert moving.asks == ""
    assert shown.asks == alone.call == f"choose whose caballeros leave {crowded.name}"


def test_power_cards_are_picked_first_and_played_by_one_button() -> None:
    state = positions.asked("power")
    drawn = board_of(state)
    (ask,) = drawn.asking
    value = int(ask.picks[0].name)

    (chosen,) = board_of(state, opened=f"power-{value}").asking

    assert ask.confirm is None
    assert chosen.confirm is not None
    assert chosen.confirm.line == f"power {value}"
    assert {one.line for one in ask.direct} == {f"power {pick.name}" for pick in ask.picks}


def test_power_cards_played_by_others_say_why_they_are_blocked() -> None:
    state = positions.find(
        lambda state: (
            state.phase == "power"
            and ME in EL_GRANDE.prompts(state)
            and any(value in state.hands[ME] for _, value in state.bids)
        )
    )

    drawn = board_of(state)

    assert drawn.mine is not None
    blocked = [card for card in drawn.mine.hand if card.why]
    assert {card.value for card in blocked} == {
        value for _, value in state.bids if value in state.hands[ME]
    }
    assert all(not card.opens for card in blocked)


def test_a_disc_on_the_kings_region_warns_what_it_means() -> None:
    state = positions.asked("disc")
    king = state.edition.regions[state.king].id

    (ask,) = board_of(state, opened=f"disc-{king}").asking

    assert ask.confirm is not None
    assert ask.confirm.line == f"disc {king}"
    assert "back to your court" in ask.confirm.warning
    assert len(ask.taps) == 9


def test_the_veto_is_asked_with_what_was_announced() -> None:
    drawn = board_of(positions.veto())

    assert drawn.standing.title == "Your answer"
    assert drawn.announcement is not None
    assert drawn.announcement.title
    assert "Carry out" not in drawn.announcement.words
    assert BOARDS["el_grande"].following(EL_GRANDE.view(positions.veto(), ME)) is None
    assert {"veto"} <= {one.line for one in drawn.asking[0].at_once}
    assert drawn.order is not None
    assert drawn.order.kind == "ask"


def test_whoever_is_to_choose_too_reads_so_before_the_others() -> None:
    state = positions.find(
        lambda state: bool(
            state.phase == "answers"
            and len(EL_GRANDE.view(state, ME).questioned) > 1
            and ME in EL_GRANDE.view(state, ME).questioned
        )
    )

    news = board_of(state).announcement

    assert news is not None
    assert news.may_choose.startswith("To choose: you")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("disc VAL", "Valencia"),
        ("return COURT 1, GAL 2", "1 in Court and 2 in Galicia"),
        ("veto", "Veto"),
        ("pass", "Let it happen"),
    ],
)
def test_an_answer_that_is_in_is_told_in_words(line: str, words: str) -> None:
    assert answer_words(line, EL_GRANDE.view(positions.start(), ME)) == words


def test_what_is_returned_is_chosen_one_by_one() -> None:
    state = positions.find(
        lambda state: (
            state.phase == "answers"
            and bool(state.card)
            and state.card_taken().action == "return_chosen"
            and ME in state.questioned
            and ME in EL_GRANDE.prompts(state)
        )
    )
    action, ask = "", board_of(state).asking[-1]
    while ask.confirm is None:
        action = next(pick.opens["open"] for pick in ask.picks if pick.opens)
        ask = board_of(state, opened=action).asking[-1]

    (move,) = EL_GRANDE.parse(ask.confirm.line)
    EL_GRANDE.check(state, ME, move)
    EL_GRANDE.check(state, ME, *EL_GRANDE.parse(ask.sample))
    assert all(not pick.opens for pick in ask.picks)


def test_spectators_see_everybody_and_act_nowhere() -> None:
    drawn = board_of(positions.my_turn(), seat=None)

    assert drawn.turn is None
    assert drawn.mine is None
    assert drawn.asking == ()
    assert not any(area.badge for area in drawn.areas)
    assert drawn.standing.key == "watching"


def test_seats_are_told_in_the_order_of_their_turns() -> None:
    state = positions.my_turn()

    drawn = board_of(state)

    assert [seat.who.seat for seat in drawn.seats] == list(state.order)
    assert [seat.state for seat in drawn.seats].count("now") == 1
    powers = [seat.power for seat in drawn.seats]
    assert powers == sorted(powers, reverse=True)


def test_a_closed_castillo_shows_only_ones_own() -> None:
    state = positions.find(
        lambda state: bool(state.pieces[0][9] and state.pieces[1][9]) and state.phase == "turn"
    )

    castillo = board_of(state).areas[-1]
    opened = board_of(replace_castillo(state)).areas[-1]

    assert castillo.inside == f"{state.pieces[0][9]} yours + ?"
    assert castillo.detail.squads == ()
    assert {squad.kit for squad in opened.detail.squads} >= {1, 2}
    assert opened.inside == ""


def replace_castillo(state: State) -> State:
    """The same position at a table that plays the Castillo open."""
    for other, _ in positions.playing(positions.start(castillo="open")):
        if other.phase == "turn" and other.pieces[0][9] and other.pieces[1][9]:
            return other
    raise AssertionError("nobody went into the Castillo")


def test_the_log_leaves_out_what_the_viewer_did_and_marks_the_rest() -> None:
    happened: tuple[Any, ...] = (
        PowerPlayed(Seat(1), 4, 9),
        CardTaken(ME, "5-01"),
        CardTaken(Seat(1), "3-01"),
        Placed(Seat(1), (("CAT", 2),)),
        KingMoved(Seat(2), "ARA", "SEV"),
    )

    drawn = board_of(positions.my_turn(), since=happened)

    assert {area.id for area in drawn.areas if area.news} == {"CAT", "SEV"}
    assert ME not in {item.who.seat for item in drawn.log if item.who}


def test_a_match_that_is_over_leads_to_its_results() -> None:
    state, _ = positions.over()

    drawn = board_of(state)

    assert drawn.standing.key == "over"
    assert all(round_.when == "past" for round_ in drawn.track_rounds)


def test_the_other_seats_secrets_leave_no_trace_on_the_page() -> None:
    state = positions.asked("answers")
    other = next(seat for seat in map(Seat, range(4)) if seat not in EL_GRANDE.prompts(state))
    page = positions.page_of(state, seat=other)
    prompts = {seat: prompt for seat, prompt in page.prompts.items() if not prompt.secret}

    drawn = board_of(state, seat=other, prompts=prompts)
    answered = board_of(state, seat=other, prompts=prompts, answered=frozenset(page.prompts))

    assert replace(drawn, log=()) == replace(answered, log=())
