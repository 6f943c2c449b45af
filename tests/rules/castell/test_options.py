"""What a board is told: every action with its targets, or why it is closed."""

from dataclasses import replace

import pytest

from app.rules.castell import CASTELL, State
from app.rules.castell.components import WheelSkill
from app.rules.castell.goals import check_goal
from app.rules.castell.legal import tile_goal
from app.rules.castell.moves import Perform, Recruit, Special, Train, TrainSpecial
from app.rules.castell.options import Options, SpecialAction, TileOption
from app.rules.castell.state import MOVED, NOWHERE, RECRUITED, SPECIAL, TRAINED, Festival
from app.rules.game import IllegalMoveError, Seat
from app.rules.rng import HmacRng
from tests.rules.castell.stage import BCN, REGIONS, VAL, begin, hand, play, staged, with_ranks

ME = Seat(0)
RICH = hand(9, 9, 9, 8, 8, 8, 5, 5, 1)


def options(state: State, seat: int = 0) -> Options:
    return CASTELL.options(state, Seat(seat))


def code(refused: IllegalMoveError | None) -> str | None:
    return refused.code if refused else None


def test_an_open_turn_offers_all_actions_with_their_targets() -> None:
    found = options(staged())

    assert found.move.refused is None
    assert [there.region for there in found.move.destinations] == ["TAR", "VFR", "TER"]
    assert found.recruit.refused is None
    assert (found.recruit.sizes, found.recruit.most) == ((9, 7, 7, 4), 2)
    assert found.train.refused is None
    assert [(one.skill, one.here, one.everywhere) for one in found.train.skills] == [
        ("mix", True, False),
        ("special", False, True),
    ]
    assert all(one.refused is None for one in found.train.skills)
    assert found.special.refused is None
    assert found.special.sizes == (9, 7, 7, 4)
    assert [there.region for there in found.special.destinations] == ["TAR", "VFR", "TER"]
    assert found.wheel is not None
    assert found.wheel.refused is None
    assert found.festival is None


def test_a_destination_says_what_it_gives_this_round() -> None:
    state = staged(
        festivals=(Festival(1, BCN, (4,)), Festival(2, VAL, (5,))),
        pawns=(BCN, VAL, VAL),
        rows=((), (), (1, 2), (), (), (), ()),
    )
    gives = {there.region: there for there in options(state).move.destinations}

    assert gives.keys() == {"VNO", "VFR", "TER", "GIR"}
    assert gives["VFR"].castellers == (9, 7, 7, 4)
    assert gives["VFR"].skills == ("strength", "special")
    assert gives["VFR"].tiles == ()
    assert gives["VFR"].tokens == 2
    assert gives["VFR"].festival is None
    assert options(replace(state, pawns=(VAL,) * 3)).move.destinations[0].tiles == ("S01",)
    here = options(replace(state, pawns=(NOWHERE,) * 3)).move.destinations[BCN]
    assert here.festival == (4,)


def test_before_the_pawn_is_placed_only_moving_is_open_and_leads_everywhere() -> None:
    found = options(staged(pawns=(NOWHERE,) * 3))

    assert [there.region for there in found.move.destinations] == list(REGIONS)
    assert found.move.refused is None
    assert code(found.recruit.refused) == "turn.pawn_not_placed"
    assert code(found.train.refused) == "turn.pawn_not_placed"
    assert code(found.special.refused) == "turn.pawn_not_placed"
    assert (found.train.skills, found.recruit.sizes, found.special.tiles) == ((), (), ())
    assert found.wheel is None
    assert found.festival is None


@pytest.mark.parametrize(
    ("used", "closed"),
    [
        (MOVED, "move.already"),
        (RECRUITED, "recruit.already"),
        (TRAINED, "train.already"),
        (SPECIAL, "special.already"),
    ],
)
def test_what_is_used_up_says_so(used: int, closed: str) -> None:
    found = options(staged(used=used))
    actions = (found.move, found.recruit, found.train, found.special)
    said = [code(one.refused) for one in actions if code(one.refused)]

    assert said == [closed]
    if used == TRAINED:
        assert found.wheel is not None
        assert code(found.wheel.refused) == "train.already"
        assert {code(one.refused) for one in found.train.skills} == {"train.already"}


def test_without_tokens_only_the_wheel_gives_a_special_action() -> None:
    found = options(staged(tokens=(0, 7, 7)))

    assert code(found.special.refused) == "special.no_token"
    assert found.wheel is not None
    assert found.wheel.refused is None


def test_a_full_skill_is_closed_but_training_stays_open() -> None:
    found = options(with_ranks(staged(), 0, mix=5, balance=5))

    assert found.train.refused is None
    assert [code(one.refused) for one in found.train.skills] == ["train.rank_full", None]


def test_where_the_wheel_shows_no_special_there_is_none() -> None:
    state = begin(3, wheel_side="no_regions")
    wheel: tuple[WheelSkill, ...]
    wheel = ("balance", "mix", "strength", "base", "width", "balance", "mix", "special")
    found = options(replace(state, wheel=wheel, pawns=(VAL, VAL, VAL), first=0))

    assert found.wheel is None
    assert [one.skill for one in found.train.skills] == ["strength"]


def test_a_seat_that_is_not_asked_is_told_so() -> None:
    found = options(staged(), seat=1)
    actions = (found.move, found.recruit, found.train, found.special)

    assert {code(one.refused) for one in actions} == {"turn.not_yours"}


def test_a_tile_comes_with_a_tower_or_with_what_it_lacks() -> None:
    shape, exhibition = tiles(with_ranks(staged(), 0, balance=1))

    assert shape.refused is None
    assert shape.unlocks is None
    assert shape.tower is not None
    goal = tile_goal(staged().edition, next(t for t in staged().edition.tiles if t.id == "S04"))
    assert check_goal(shape.tower, goal, {"balance": 1}, RICH)
    assert exhibition.tower is None
    assert code(exhibition.refused) == "perform.not_buildable"
    unskilled = tiles(staged())[0]
    assert unskilled.unlocks is not None
    assert unskilled.refused is not None
    assert unskilled.refused.details == {"tile": "S04", "skills": ["balance"], "sizes": []}
    assert unskilled.unlocks.skills == {"balance": 1}


def test_where_assistants_are_off_tiles_keep_their_secret() -> None:
    state = with_ranks(staged(options={"assistants": False}), 0, balance=1)

    assert tiles(state) == tuple(TileOption(tile, None, None, None) for tile in ("S04", "E01"))


def tiles(state: State) -> tuple[TileOption, ...]:
    return options(state).special.tiles


def test_a_seat_asked_for_a_festival_sees_it_and_its_best_tower() -> None:
    festivals = (Festival(1, VAL, (8, 9)),)
    state = with_ranks(staged(festivals=festivals, turn=2, first=1), 0, balance=1)
    asked = play(state, 0, "end")
    found = options(asked)

    assert asked.phase == "festivals"
    assert found.festival is not None
    assert (found.festival.region, found.festival.tokens) == ("VAL", (8, 9))
    assert found.festival.best is not None
    assert found.festival.best.score == 10
    assert code(found.move.refused) == "turn.not_running"
    assert options(asked, seat=2).festival is None
    silent = options(replace(asked, assistants=False)).festival
    assert silent is not None
    assert silent.best is None


def test_options_and_legal_moves_say_the_same_in_random_matches() -> None:
    for seed in range(4):
        for state, seat in positions(seed):
            found = options(state, seat)
            moves = list(CASTELL.legal_moves(state, Seat(seat)))

            assert (found.recruit.refused is None and bool(found.recruit.sizes)) == any(
                isinstance(move, Recruit) for move in moves
            )
            trained = {move.skill for move in moves if isinstance(move, Train)}
            assert trained == {
                one.skill
                for one in found.train.skills
                if one.refused is None and one.skill != "special"
            }
            for kind, action in ((Special, found.special), (TrainSpecial, found.wheel)):
                shown = {
                    move.option.tile
                    for move in moves
                    if isinstance(move, kind) and isinstance(move.option, Perform)
                }
                assert shown == _open_tiles(action)


def _open_tiles(action: SpecialAction | None) -> set[str]:
    if action is None or action.refused is not None:
        return set()
    return {tile.tile for tile in action.tiles if tile.refused is None}


def positions(seed: int) -> list[tuple[State, int]]:
    """Play a match at random and return each position with the seat that is asked."""
    chance, choice = HmacRng(bytes([seed]), "chance"), HmacRng(bytes([seed]), "choice")
    state = begin(3, seed)
    found = []
    while prompts := CASTELL.prompts(state):
        seat = min(prompts)
        found.append((state, int(seat)))
        moves = list(CASTELL.legal_moves(state, seat))
        move = moves[choice.below(len(moves))]
        for event in CASTELL.decide(state, seat, move, chance):
            state = CASTELL.evolve(state, event)
    return found
