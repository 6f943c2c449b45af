"""Rule 8: who is asked, who wins which prize, and who takes the size tokens."""

from dataclasses import replace
from typing import Any

import pytest

from app.rules.castell import CASTELL, State
from app.rules.castell.events import (
    FestivalAnswered,
    FestivalHeld,
    FestivalsOpened,
    RoundStarted,
)
from app.rules.castell.festivals import entrants, festival_at
from app.rules.castell.notation import parse_tower
from app.rules.castell.state import Festival
from app.rules.game import Prompt, Seat
from tests.rules.castell.stage import (
    BCN,
    GIR,
    VAL,
    begin,
    end_round,
    events_of,
    hand,
    lines,
    play,
    refusal,
    setup,
)

RICH = hand(9, 9, 9, 8, 8, 7, 6, 6, 6, 5, 5, 1)
POOR = hand(9, 9, 9, 8)
A, B, C, D = map(Seat, range(4))


def evening(
    seats: int = 3,
    *,
    festivals: tuple[Festival, ...] = (Festival(4, VAL, (6,)),),
    changes: dict[str, Any] | None = None,
    **fields: Any,
) -> State:
    """Return a festival round in which the last turn has been played."""
    state = begin(seats, changes=changes)
    usual: dict[str, Any] = {
        "round": 4,
        "first": 0,
        "festivals": festivals,
        "hands": (RICH,) * seats,
        "pawns": (VAL,) * seats,
        "ranks": ((2, 1, 1, 1, 1),) * seats,
    }
    return end_round(replace(state, **(usual | fields)))


def answered(state: State, **towers: str) -> State:
    """Let the seats a, b, c, d answer at the festival where their pawn stands."""
    for name, tower in towers.items():
        seat = "abcd".index(name)
        region = state.edition.regions[state.pawns[seat]].id
        state = play(state, seat, f"festival {region} = {tower}")
    return state


def held(state: State, number: int = 0) -> tuple[Any, Any]:
    result = state.festivals[number].result
    assert result is not None
    return result.prizes, result.token_winners


# Scores with size token 6: 4, 5, 6 and 7 levels and matching castellers.
FIVE = "3x9/2x8/1x7/1x6"
SIX = "3x9/2x8/2x6/1x5"
SEVEN = "3x9/2x8/2x6/1x5/1x1"


def test_seats_there_that_can_build_a_tower_are_asked_together() -> None:
    state = evening(4, pawns=(VAL, VAL, GIR, VAL), hands=(RICH, POOR, RICH, RICH))

    assert CASTELL.prompts(state) == dict.fromkeys(
        (A, D), Prompt("festival:4", "festival", simultaneous=True)
    )
    assert refusal(state, 1, "festival VAL = decline").code == "festival.not_asked"
    assert refusal(state, 2, "festival VAL = decline").code == "festival.not_asked"


@pytest.mark.parametrize(
    ("owned", "ranks"),
    [
        pytest.param(hand(9, 9, 9, 8, 8, 5), (0, 0, 0, 0, 0), id="three levels at most"),
        pytest.param(hand(9, 9, 9, 8, 8, 8, 5, 5, 1), (2, 0, 0, 0, 0), id="no casteller of size 6"),
        pytest.param(hand(6, 6, 6), (2, 0, 0, 0, 0), id="too few castellers"),
    ],
)
def test_a_seat_that_can_build_nothing_is_never_asked(
    owned: tuple[int, ...], ranks: tuple[int, ...]
) -> None:
    state = evening(2, hands=(owned, RICH), ranks=(ranks, (2, 0, 0, 0, 0)))

    assert set(CASTELL.prompts(state)) == {B}


def test_a_seat_that_is_asked_can_always_decline() -> None:
    state = replace(evening(2), hands=(POOR, RICH))

    assert lines(state, 0) == ["festival VAL = decline"]


def test_the_question_is_written_down() -> None:
    state = replace(evening(), phase="turns", turn=2, entrants=())

    assert events_of(state, 2, "end")[-1] == FestivalsOpened(4, (("VAL", (A, B, C)),))


def test_the_choice_is_the_best_tower_or_none() -> None:
    state = evening(2)
    enter, decline = lines(state, 0)

    assert enter.startswith("festival VAL = ")
    assert decline == "festival VAL = decline"
    assert play(state, 0, enter).entries[0][0] == A
    assert lines(answered(state, a=FIVE), 0) == []


@pytest.mark.parametrize(
    ("line", "code", "details"),
    [
        ("festival VAL = 3x9/2x8/1x6", "tower.too_low", {"levels": 3, "needed": 4}),
        ("festival VAL = 3x9/2x8/1x7/1x5", "tower.token_missing", {"size": 6}),
        ("festival VAL = 2x5/2x8/1x7/1x6", "tower.not_descending", {}),
        ("festival VAL = 3x10/2x8/2x6/1x5", "tower.not_owned", {"size": 10}),
        ("festival TAR = decline", "festival.other_region", {"here": "VAL"}),
        ("move TAR", "turn.not_running", {}),
        ("end", "turn.not_running", {}),
    ],
)
def test_an_answer_the_rules_forbid_is_refused(
    line: str, code: str, details: dict[str, Any]
) -> None:
    refused = refusal(evening(), 0, line)

    assert refused.code == code
    assert refused.details.items() >= details.items()


def test_an_answer_is_given_once() -> None:
    state = answered(evening(), a=FIVE)

    assert set(CASTELL.prompts(state)) == {B, C}
    assert refusal(state, 0, "festival VAL = decline").code == "festival.answered"


@pytest.mark.parametrize(
    ("towers", "prizes"),
    [
        pytest.param({"a": "decline", "b": SEVEN}, {B: "trophy"}, id="one participant"),
        pytest.param({"a": SIX, "b": SEVEN}, {B: "trophy", A: "medal"}, id="two"),
        pytest.param(
            {"a": SIX, "b": FIVE, "c": SEVEN}, {C: "trophy", A: "medal", B: "ribbon"}, id="three"
        ),
        pytest.param(
            {"a": SIX, "b": FIVE, "c": SEVEN, "d": "3x9/2x8/1x7/1x6"},
            {C: "trophy", A: "medal", B: "ribbon", D: "ribbon"},
            id="four, the last two tied for third",
        ),
        pytest.param({"a": SIX, "b": SIX}, {A: "trophy", B: "trophy"}, id="two tied for first"),
        pytest.param(
            {"a": SIX, "b": SIX, "c": FIVE},
            {A: "trophy", B: "trophy", C: "ribbon"},
            id="a tie uses up the places it occupies",
        ),
        pytest.param(
            {"a": SEVEN, "b": SIX, "c": SIX},
            {A: "trophy", B: "medal", C: "medal"},
            id="two tied for second",
        ),
        pytest.param(
            {"a": SEVEN, "b": SEVEN, "c": SEVEN, "d": SIX},
            dict.fromkeys((A, B, C), "trophy"),
            id="nothing is left for fourth place",
        ),
    ],
)
def test_prizes_follow_the_chart(towers: dict[str, str], prizes: dict[Seat, str]) -> None:
    after = answered(evening(len(towers)), **towers)

    assert dict(held(after)[0]) == prizes
    for seat, prize in prizes.items():
        assert after.earned[seat][VAL][0] == (prize,)


@pytest.mark.parametrize(
    ("towers", "winner"),
    [
        pytest.param({"a": SIX, "b": FIVE}, A, id="most castellers of the size"),
        pytest.param({"a": SIX, "b": SEVEN}, B, id="as many, and the higher tower"),
        pytest.param({"a": SIX, "b": SIX}, None, id="as many and as high: nobody"),
        pytest.param({"a": "decline", "b": FIVE}, B, id="the only participant"),
        pytest.param({"a": "decline", "b": "decline"}, None, id="no participant"),
    ],
)
def test_a_size_token_goes_to_whoever_shows_most_of_it(
    towers: dict[str, str], winner: Seat | None
) -> None:
    after = answered(evening(2), **towers)

    assert held(after)[1] == ((6, winner),)
    assert [seat for seat in (A, B) if after.earned[seat][VAL][1]] == (
        [] if winner is None else [winner]
    )


def test_an_edition_may_let_tied_tokens_leave_the_game_at_once() -> None:
    state = evening(2, changes={"festivals.size_token_tie": ["nobody"]})

    assert held(answered(state, a=SIX, b=SEVEN))[1] == ((6, None),)


def test_each_of_two_tokens_is_won_by_itself_and_each_match_counts_once() -> None:
    state = evening(2, festivals=(Festival(4, VAL, (6, 9)),))
    after = answered(state, a="3x9/2x8/1x7/1x6/1x5", b="2x9/2x8/2x6/1x5")
    result = after.festivals[0].result

    assert result is not None
    assert [(seat, score) for seat, _, score in result.towers] == [(A, 9), (B, 8)]
    assert result.token_winners == ((6, B), (9, A))


def test_every_token_must_be_matched() -> None:
    state = evening(2, festivals=(Festival(4, VAL, (6, 9)),))

    assert refusal(state, 0, "festival VAL = 2x8/1x7/1x6/1x5").code == "tower.token_missing"


def test_a_better_tower_moves_the_score_marker_and_a_lower_one_does_not() -> None:
    state = answered(evening(2, best=(6, 5)), a=FIVE, b=SIX)

    assert state.best == (6, 6)
    assert state.best_towers == ((), parse_tower(SIX))


def test_two_festivals_are_asked_at_once_and_held_in_calendar_order() -> None:
    state = evening(
        3,
        festivals=(Festival(4, GIR, (9,)), Festival(4, VAL, (6,)), Festival(5, BCN, (1,))),
        pawns=(VAL, GIR, VAL),
    )
    assert set(CASTELL.prompts(state)) == {A, B, C}
    assert entrants(state) == (("GIR", (B,)), ("VAL", (A, C)))
    assert [festival_at(state, region) for region in (VAL, BCN)] == [state.festivals[1], None]

    state = answered(state, c=SIX, a=FIVE)
    events = events_of(state, 1, f"festival GIR = {FIVE}")

    assert [event.region for event in events if isinstance(event, FestivalHeld)] == ["GIR", "VAL"]
    after = answered(state, b=FIVE)
    assert dict(held(after, 0)[0]) == {B: "trophy"}
    assert dict(held(after, 1)[0]) == {C: "trophy", A: "medal"}
    assert after.festivals[2].result is None
    assert after.round == 5


def test_a_festival_nobody_can_enter_is_held_without_asking() -> None:
    state = replace(
        evening(pawns=(GIR, VAL, VAL)), phase="turns", turn=2, entrants=(), pawns=(GIR,) * 3
    )
    events = events_of(state, 2, "end")

    assert events[1] == FestivalHeld(4, "VAL", (), (), ((6, None),))
    assert isinstance(events[2], RoundStarted)


def test_towers_are_revealed_together_and_best_first() -> None:
    state = answered(evening(), a=FIVE, b="decline")
    (answer, revealed, *_) = events_of(state, 2, f"festival VAL = {SEVEN}")

    assert isinstance(answer, FestivalAnswered)
    assert isinstance(revealed, FestivalHeld)
    assert [(seat, score) for seat, _, score in revealed.towers] == [(C, 7), (A, 5)]


def test_castellers_are_not_used_up() -> None:
    state = evening(2)

    assert answered(state, a=SEVEN, b=SIX).hands == state.hands


def test_an_edition_may_ask_for_higher_towers() -> None:
    state = evening(2, changes={"festivals.min_levels": 5})

    assert refusal(state, 0, f"festival VAL = {SIX}").code == "tower.too_low"
    assert answered(state, a=SEVEN, b="decline").best[0] == 7


def test_no_festival_stands_before_round_three() -> None:
    start = setup(4)[0]

    assert CASTELL.evolve(None, start).held_now() == ()
