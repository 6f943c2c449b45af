"""Rules 5, 6.1 and 14 read a second time: the actions of a turn, the wheel, the notation."""

import pytest

from app.rules.castell import CASTELL
from app.rules.game import NotationError
from tests.rules.second_reading import (
    REGIONS,
    after,
    colla,
    look,
    morning,
    refused,
)

# Round 1: everywhere Balance; TAR Mix, VAL Strength, VFR Base, VNO Width, BCN Special,
# TER Balance, GIR Mix.  Seat 0 stands in Barcelona.
TOWER = "3x9/3x8/2x5/1x1"


TURNS = [
    # rule, line, may it be done
    ("5 all four", "move TER; recruit 7 7; train balance; special recruit 9", True),
    ("5 any order", "special recruit 9; train balance; recruit 7 7; move TER", True),
    ("5 all optional", "end", True),
    ("5 moved once", "move TER; move BCN", False),
    ("5 recruited once", "recruit 7; recruit 4", False),
    ("5 trained once", "train balance; train balance", False),
    ("5 one token a turn", "special recruit 7; special recruit 4", False),
    ("5 adjacent only", "move TAR", False),
    ("5 adjacent only", "move VAL", False),
    ("5 not to where it stands", "move BCN", False),
    ("5 special to adjacent only", "special move TAR", False),
    ("5 move and special move", "move VNO; special move TAR", True),
    ("5 special move and move", "special move VFR; move VAL", True),
    ("5 both from one region", "move VNO; special move GIR", False),
    ("5 recruits 2", "recruit 9 4", True),
    ("5 not 3", "recruit 9 7 4", False),
    ("5 a token recruits 1", "special recruit 7 4", False),
    ("5 so does the tile", "train special recruit 7 4", False),
    ("5 two alike", "recruit 7 7", True),
    ("5 not more than wait", "recruit 9 9", False),
    ("5 none of that size", "recruit 10", False),
    ("5 one moment", "recruit 9; move TER; recruit 7", False),
    ("5 three by a token", "recruit 7 7; special recruit 4", True),
    ("5 what is gone is gone", "recruit 9 4; special recruit 9", False),
    ("5 recruit where one arrives", "recruit 9 4; move TER; special recruit 9", True),
    ("6.1 own slot", "train special recruit 9", True),
    ("6.1 everywhere", "train balance", True),
    ("6.1 not on offer", "train mix", False),
    ("6.1 old region's slot lost", "move TER; train special recruit 9", False),
    ("6.1 new region's slot", "move VNO; train width", True),
    ("5 Special is the training", "train special recruit 9; train balance", False),
    ("5 Special is the training", "train balance; train special recruit 9", False),
    ("6.1 in addition to a token", "train special recruit 9; special recruit 7", True),
    ("16 in either order", "special recruit 7; train special recruit 9", True),
    ("16 four of one region", "recruit 7 7; special recruit 9; train special recruit 4", True),
    ("16 three moves", "train special move VNO; move TAR; special move VAL", True),
    ("5 Special moves to adjacent only", "train special move TAR", False),
    ("7 only by a special action", f"special perform S04 = {TOWER}", True),
    ("7 or the Special tile", f"train special perform S04 = {TOWER}", True),
    ("7 only in the pawn's region", "special perform S07 = 3x9/3x8/2x5/1x1", False),
    ("7 the pawn's region then", f"move VNO; special perform S04 = {TOWER}", False),
    ("7 one taken is gone", f"special perform S04 = {TOWER}; train special recruit 9", True),
    (
        "7 one taken is gone",
        f"special perform S04 = {TOWER}; train special perform S04 = {TOWER}",
        False,
    ),
    ("7 exactly the shape", "special perform S04 = 3x9/2x8/1x5", False),
    ("7 exactly the shape", "special perform S04 = 3x9/3x8/1x5", False),
    ("6.2 own castellers", "special perform S04 = 3x10/3x8/2x5/1x1", False),
]


@pytest.mark.parametrize(("rule", "line", "legal"), TURNS)
def test_a_turn_may_or_may_not_go_like_this(rule: str, line: str, legal: bool) -> None:
    error = refused(morning(), 0, line)

    assert (error and error.rule) == (None if legal else rule.split(maxsplit=1)[0]), (rule, error)


ADJACENT = {
    "TAR": {"VAL", "VNO"},
    "VAL": {"TAR", "VFR", "TER"},
    "VFR": {"VAL", "VNO", "BCN", "TER"},
    "VNO": {"TAR", "VFR", "BCN"},
    "BCN": {"VNO", "VFR", "TER", "GIR"},
    "TER": {"VFR", "BCN", "GIR", "VAL"},
    "GIR": {"BCN", "TER"},
}


@pytest.mark.parametrize("here", REGIONS)
def test_a_pawn_goes_to_the_neighbours_of_rule_2_1(here: str) -> None:
    state = morning(pawns=[here])

    for line in ("move", "special move"):
        reached = {there for there in REGIONS if refused(state, 0, f"{line} {there}") is None}
        assert reached == ADJACENT[here]


UNPLACED = [
    # rule, line, may it be done before the pawn is placed
    *(("5 any region", f"move {there}", True) for there in REGIONS),
    ("13 may still end", "end", True),
    ("5 only Move", "recruit 7", False),
    ("5 only Move", "train balance", False),
    ("5 only Move", "special move BCN", False),
    ("5 only Move", "special recruit 7", False),
    ("5 only Move", "train special move BCN", False),
    ("5 then all the rest", "move GIR; recruit 9 7; train mix; special move TER", True),
    ("5 placing is the move", "move GIR; move TER", False),
    ("6.1 then the Special tile", "move BCN; train special move TER", True),
]


@pytest.mark.parametrize(("rule", "line", "legal"), UNPLACED)
def test_a_pawn_is_placed_before_all_else(rule: str, line: str, legal: bool) -> None:
    error = refused(morning(pawns=[]), 0, line)

    assert (error and error.rule) == (None if legal else rule.split(maxsplit=1)[0]), (rule, error)


OFFERS = [
    # rule, wheel side, round, region, skills that can be trained
    ("6.1", "all_regions", 1, "TAR", {"mix", "balance"}),
    ("6.1", "all_regions", 1, "TER", {"balance"}),
    ("6.1", "all_regions", 1, "BCN", {"special", "balance"}),
    ("6.1", "all_regions", 2, "GIR", {"balance", "mix"}),
    ("6.1", "all_regions", 3, "VNO", {"balance", "strength"}),
    ("6.1", "all_regions", 4, "BCN", {"balance", "base"}),
    ("6.1", "all_regions", 5, "VFR", {"mix", "width"}),
    ("6.1 Special everywhere", "all_regions", 6, "TER", {"base", "special"}),
    ("6.1", "all_regions", 9, "TAR", {"mix", "balance"}),
    ("6.1", "all_regions", 10, "GIR", {"balance", "mix"}),
    ("6.1 no regions", "no_regions", 1, "TAR", {"mix"}),
    ("6.1 no regions", "no_regions", 1, "BCN", {"special"}),
    ("6.1 dead tile", "no_regions", 6, "TER", {"base"}),
    ("6.1 no regions", "no_regions", 10, "GIR", {"balance"}),
]


@pytest.mark.parametrize(("rule", "side", "number", "here", "skills"), OFFERS)
def test_the_wheel_offers_these_skills(
    rule: str, side: str, number: int, here: str, skills: set[str]
) -> None:
    state = morning(side=side, moment={"round": number}, pawns=[here])
    there = min(ADJACENT[here])
    offered = {
        skill
        for skill in ("balance", "base", "mix", "strength", "width")
        if refused(state, 0, f"train {skill}") is None
    }
    if refused(state, 0, f"train special move {there}") is None:
        offered.add("special")

    assert offered == skills, rule


@pytest.mark.parametrize("number", range(1, 11))
def test_training_ahead_follows_the_slots_of_rule_6_1(number: int) -> None:
    tiles = ("balance", "mix", "strength", "base", "width", "special", "balance", "mix")
    view = look(morning(moment={"round": number}))

    assert view.everywhere == tuple(tiles[(round_ - 1) % 8] for round_ in range(number, 11))
    for label, place in enumerate(view.regions, 1):
        assert place.skills == tuple(tiles[(label + r - 1) % 8] for r in range(number, 11))


RANKS = [
    # rule, ranks before, rank of Balance after (None: it cannot be trained)
    ("6.1 from 0", "", 1),
    ("6.1 one more", "balance 3", 4),
    ("6.1 up to 5", "balance 4", 5),
    ("6.1 no more than 5", "balance 5", None),
    ("6.1 others do not matter", "base 5 mix 5 strength 5 width 5", 1),
]


@pytest.mark.parametrize(("rule", "before", "rank"), RANKS)
def test_training_raises_one_rank_by_one(rule: str, before: str, rank: int | None) -> None:
    state = morning(skills=[before])
    if rank is None:
        assert refused(state, 0, "train balance") is not None, rule
        return
    assert colla(after(state, 0, "train balance"), 0).ranks == {
        **colla(state, 0).ranks,
        "balance": rank,
    }, rule


@pytest.mark.parametrize(
    ("rule", "line", "printed"),
    [
        ("14", " MOVE gir ;RECRUIT 4 7;Train Balance ", "move GIR; recruit 7 4; train balance"),
        ("14", "special perform s04=3X9/1x7+2x8/1x1", "special perform S04 = 3x9/2x8+1x7/1x1"),
        ("14", "train special move ter", "train special move TER"),
        ("14", "FESTIVAL bcn = Decline", "festival BCN = decline"),
    ],
)
def test_a_line_is_read_whatever_its_case_and_spaces(rule: str, line: str, printed: str) -> None:
    assert CASTELL.format(CASTELL.parse(line)) == printed, rule
    assert CASTELL.format(CASTELL.parse(printed)) == printed, rule


@pytest.mark.parametrize(
    "line",
    [
        "recruit",
        "train",
        "train special",
        "special",
        "special train balance",
        "special special recruit 7",
        "special perform S04",
        "festival BCN = 3y9",
    ],
)
def test_a_line_outside_rule_14_is_no_turn(line: str) -> None:
    with pytest.raises(NotationError):
        CASTELL.parse(line)


def test_seats_wait_for_their_turn() -> None:
    state = morning()

    assert look(state).asked == (0,)
    assert refused(state, 1, "move TAR") is not None
    assert look(after(state, 0, "end")).asked == (1,)
