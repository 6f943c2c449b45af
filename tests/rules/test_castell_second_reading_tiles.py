"""Rules 5 and 7 read a second time: special action tokens and local performances."""

import pytest

from app.rules.castell.events import LocalPerformed, SpecialTokenPlaced
from tests.rules.second_reading import (
    after,
    colla,
    lot,
    morning,
    owned,
    refused,
    region,
    told,
)

# Seat 0 stands in Barcelona with 3x9 3x8 2x5 1 and Balance 1; S04 and E05 lie there.
TOWER = "3x9/3x8/2x5/1x1"

TOKENS = [
    # rule, line, row of Barcelona, of Vilanova, of Terrassa, tokens left
    ("5 where the pawn stands", "special recruit 9", [0], [], [], 6),
    ("5 where it arrives", "special move VNO", [], [0], [], 6),
    ("5 moved before", "move TER; special recruit 9", [], [], [0], 6),
    ("5 moved after", "special recruit 9; move TER", [0], [], [], 6),
    ("5 moved on by the tile", "special move TER; move BCN", [], [], [0], 6),
    ("6.1 the tile takes no token", "train special recruit 9", [], [], [], 7),
    ("6.1 the tile takes no token", "train special move VNO", [], [], [], 7),
    ("6.1 tile and token", "train special move VNO; special recruit 9", [], [0], [], 6),
    ("7 its own payment stays", f"special perform S04 = {TOWER}", [0], [], [], 6),
    ("7 nothing paid, nothing stays", f"train special perform S04 = {TOWER}", [], [], [], 7),
]


@pytest.mark.parametrize(("rule", "line", "bcn", "vno", "ter", "left"), TOKENS)
def test_a_token_goes_to_the_row_of_the_pawns_region(
    *, rule: str, line: str, bcn: list[int], vno: list[int], ter: list[int], left: int
) -> None:
    state = after(morning(), 0, line)

    rows = [list(region(state, name).tokens) for name in ("BCN", "VNO", "TER")]
    assert rows == [bcn, vno, ter], rule
    assert colla(state, 0).special_tokens == left, rule


TWO = f"train special perform S04 = {TOWER}"
COLLECTED = [
    # rule, row before, line, what lies at Barcelona of the player board, row after
    ("7 an empty row", [], f"special perform S04 = {TOWER}", {"tiles": ["S04"]}, [0]),
    ("7 all of the row", [1, 2, 1], TWO, {"tiles": ["S04"], "tokens": [1, 1, 2]}, []),
    ("7 own ones too", [0, 1], TWO, {"tiles": ["S04"], "tokens": [0, 1]}, []),
    (
        "7 not its payment",
        [0, 1],
        f"special perform S04 = {TOWER}",
        {"tiles": ["S04"], "tokens": [0, 1]},
        [0],
    ),
    (
        "16 paid before, collected after",
        [2],
        f"special recruit 9; {TWO}",
        {"tiles": ["S04"], "tokens": [0, 2]},
        [],
    ),
    ("16 paid after", [2], f"{TWO}; special recruit 9", {"tiles": ["S04"], "tokens": [2]}, [0]),
    ("5 recruiting collects nothing", [1, 2], "special recruit 9", {}, [1, 2, 0]),
    ("5 leaving pays elsewhere", [1], "special move TER", {}, [1]),
]


@pytest.mark.parametrize(("rule", "row", "line", "earned", "left"), COLLECTED)
def test_a_performance_takes_the_tokens_of_its_row(
    rule: str, row: list[int], line: str, earned: dict[str, list[object]], left: list[int]
) -> None:
    state = after(morning(rows={"BCN": row, "VNO": [1]}), 0, line)
    got = lot(state, 0, "BCN")

    assert {kind: sorted(things) for kind, things in got.items()} == earned, rule
    assert sorted(region(state, "BCN").tokens) == sorted(left), rule
    assert region(state, "VNO").tokens == (1,)


def test_two_tiles_of_a_row_fall_in_one_turn_and_the_second_takes_the_first_ones_token() -> None:
    state = morning(
        tiles={"BCN": ["S04", "S03"]},
        skills=["balance 2"],
        rows={"BCN": [2]},
        hands=["3x9 3x8 2x5 2x4 1"],
    )
    four = "2x9/2x8/2x5/1x1"

    token_first = after(
        state, 0, f"special perform S04 = {TOWER}; train special perform S03 = {four}"
    )
    tile_first = after(
        state, 0, f"train special perform S03 = {four}; special perform S04 = {TOWER}"
    )

    assert sorted(lot(token_first, 0, "BCN")["tokens"]) == [0, 2]
    assert region(token_first, "BCN").tokens == ()
    assert lot(tile_first, 0, "BCN")["tokens"] == [2]
    assert region(tile_first, "BCN").tokens == (0,)
    assert not region(tile_first, "BCN").tiles


def test_without_tokens_only_the_special_tile_acts() -> None:
    state = morning(spent={0: 7})

    assert colla(state, 0).special_tokens == 0
    assert refused(state, 0, "special recruit 9") is not None
    assert refused(state, 0, "special move TER") is not None
    assert owned(after(state, 0, "train special recruit 9"), 0) == "1 5 5 8 8 8 9 9 9 9"


def test_an_edition_may_let_a_performer_collect_the_payment() -> None:
    state = morning(changes={"performances.collect_own_payment": True}, rows={"BCN": [1]})
    state = after(state, 0, f"special perform S04 = {TOWER}")

    assert sorted(lot(state, 0, "BCN")["tokens"]) == [0, 1]
    assert region(state, "BCN").tokens == ()
    assert colla(state, 0).special_tokens == 6


def test_a_token_is_laid_after_its_option_is_done() -> None:
    events = told(morning(), 0, f"special perform S04 = {TOWER}")

    assert [type(event) for event in events] == [LocalPerformed, SpecialTokenPlaced]


def test_a_performance_uses_nothing_up_and_is_no_best_tower() -> None:
    state = after(morning(), 0, f"special perform S04 = {TOWER}")

    assert owned(state, 0) == "1 5 5 8 8 8 9 9 9"
    assert colla(state, 0).ranks["balance"] == 1
    assert colla(state, 0).best_tower == 0
    assert [tile.id for tile in region(state, "BCN").tiles] == ["E05"]


def test_what_a_turn_brought_serves_its_performance() -> None:
    state = morning(hands=["3x9 3x8 2x5"], skills=[""])
    line = "special perform S04 = 3x9/3x8/2x5/1x4"

    assert refused(state, 0, line) is not None
    assert refused(state, 0, f"recruit 4; {line}") is not None
    assert refused(state, 0, f"train balance; {line}") is not None
    assert refused(state, 0, f"recruit 4; train balance; {line}") is None


TILES = [
    # rule, tile, owned, ranks, tower, does it earn the tile
    ("S01", "S01", "balance 3", "1x4/1x3/1x2/1x1", True),
    ("S01 by Strength", "S01", "balance 3 strength 3", "1x4/1x4/1x4/1x4", True),
    ("S01", "S01", "balance 2", "1x4/1x3/1x2/1x1", False),
    ("S05 by Base", "S05", "balance 1 base 1", "4x9/2x8/2x7/1x6", True),
    ("S05 by Width", "S05", "balance 1 width 1", "4x9/2x8/2x7/1x6", True),
    ("S05", "S05", "balance 1", "4x9/2x8/2x7/1x6", False),
    ("S07 mixed", "S07", "base 1 mix 1", "3x9+1x8/3x7/2x6/1x5", True),
    ("S07 taller", "S07", "base 1 balance 1", "4x9/3x8/2x7/1x6/1x5", False),
    ("S11 by Base", "S11", "base 1", "5x9/3x8/2x7/1x6", True),
    ("S11 by one Width", "S11", "width 1", "5x9/3x8/2x7/1x6", False),
    ("S11 by two Widths", "S11", "width 2", "5x9/3x8/2x7/1x6", True),
    ("S16 by Base", "S16", "base 2", "5x9/4x8/3x7/2x6/1x5", True),
    ("S16 by both", "S16", "base 1 width 1", "5x9/4x8/3x7/2x6/1x5", True),
    ("S16 by one", "S16", "base 1", "5x9/4x8/3x7/2x6/1x5", False),
    ("E05 both", "E05", "mix 1 strength 1 balance 1", "2x9+1x8/2x8/1x7/1x6", True),
    ("E05 too low", "E05", "mix 1 strength 1", "2x9+1x8/2x8/1x7", False),
    ("E05 no Strength", "E05", "mix 1 strength 1 balance 1", "2x9+1x8/2x7/1x6/1x5", False),
    ("E05 no Mix", "E05", "mix 1 strength 1 balance 1", "3x9/2x9/1x7/1x6", False),
    ("E05 higher", "E05", "mix 1 strength 1 balance 2", "2x9+1x8/2x8/1x7/1x6/1x5", True),
    ("E01 levels as points", "E01", "balance 2 mix 1", "3x9/3x8/2x7+1x6/1x4", False),
    ("E01 levels as points", "E01", "balance 2 mix 1", "3x9/3x8/2x7/1x6/1x5", False),
    ("E01 both", "E01", "balance 2 mix 1", "2x9+1x8/3x7/2x6/1x5/1x4", True),
    ("E02 one level, both", "E02", "balance 2 strength 1", "3x9/3x9/2x8/1x7/1x6", True),
    ("E03 Base unneeded", "E03", "balance 2 base 1", "3x9/3x8/2x7/1x6/1x5", False),
    ("E03 both", "E03", "balance 1 base 1", "4x9/3x8/3x7/2x6/1x5", True),
    ("E03 two Bases", "E03", "balance 1 base 2", "4x9/4x8/3x7/2x6/1x5", True),
    ("E03 Width instead", "E03", "balance 1 base 1 width 1", "4x9/4x8/3x7/2x6/1x5", False),
    ("E04 Width, Base at hand", "E04", "balance 1 base 2 width 1", "4x9/4x8/3x7/2x6/1x5", True),
    ("E06 Base, Width at hand", "E06", "mix 1 base 1 width 1", "2x9+2x8/3x7/2x6/1x5", True),
    ("E07 Width, Base at hand", "E07", "mix 1 base 1 width 1", "2x9+2x8/3x7/2x6/1x5", True),
    ("E10 one wide level", "E10", "base 1 width 1", "4x9/3x8/2x7/1x6", False),
    ("E10 Width on paper", "E10", "base 1 width 1", "5x9/3x8/2x7/1x6", False),
    ("E10 two wide levels", "E10", "base 1 width 1", "5x9/4x8/3x7/2x6", True),
    ("E10 two wide levels", "E10", "base 2 width 1", "5x9/4x8/3x7/2x6", True),
    ("E10 Widths alone", "E10", "base 1 width 2", "5x9/3x8/2x7/1x6", False),
    ("E10 Width of two", "E10", "base 1 width 2", "6x9/5x8/3x7/2x6", True),
    ("E14 all three", "E14", "balance 1 base 1 width 1", "5x9/4x8/4x7/2x6/1x5", True),
    ("E14 no Balance", "E14", "balance 1 base 1 width 1", "5x9/4x8/3x7/2x6/1x5", False),
]


@pytest.mark.parametrize(("rule", "tile", "skills", "tower", "earns"), TILES)
def test_a_tile_is_earned_by_this_tower_or_not(
    rule: str, tile: str, skills: str, tower: str, earns: bool
) -> None:
    rich = "4x1 4x2 4x3 6x4 7x5 7x6 7x7 8x8 9x9"
    state = morning(tiles={"BCN": [tile]}, hands=[rich], skills=[skills], waiting={})
    error = refused(state, 0, f"special perform {tile} = {tower}")

    assert (error is None) == earns, (rule, error)


def test_an_edition_may_ask_for_exactly_as_many_levels() -> None:
    state = morning(
        changes={"performances.exhibition_levels": "exact"},
        hands=["3x9 3x8 1x7 1x6 1x5"],
        skills=["mix 1 strength 1 balance 2"],
    )

    assert refused(state, 0, "special perform E05 = 2x9+1x8/2x8/1x7/1x6") is None
    assert refused(state, 0, "special perform E05 = 2x9+1x8/2x8/1x7/1x6/1x5") is not None
