"""Rule 9: five categories, and what settles first place."""

from dataclasses import replace
from typing import Any

import pytest

from app.rules.castell import CASTELL, State
from app.rules.castell.scoring import categories, reckon
from app.rules.castell.state import NOTHING, Holding
from app.rules.game import Seat
from tests.rules.castell.stage import begin, staged

A, B, C = map(Seat, range(3))


def board(*holdings: Holding) -> tuple[Holding, ...]:
    return (*holdings, *((NOTHING,) * (7 - len(holdings))))


RIBBON: Holding = (("ribbon",), (), (), ())


def scored(holdings: tuple[Holding, ...], best: int = 0) -> dict[str, int]:
    state = staged(earned=(holdings, board(), board()), best=(best, 0, 0))
    return categories(state, 0)


def test_the_worked_example_of_the_rules_is_worth_45() -> None:
    holdings = board(
        (("trophy",), (6,), (), ()),
        (("trophy",), (6,), (), ()),
        (("medal",), (3,), (), ()),
        ((), (), ("S05",), (1, 2)),
        ((), (), ("S12",), ()),
    )

    assert scored(holdings, best=9) == {
        "best_tower": 9,
        "regions": 7,
        "prizes": 13,
        "size_tokens": 5,
        "local": 11,
    }


@pytest.mark.parametrize(
    ("regions", "points"), [(0, 0), (1, 0), (2, 1), (3, 3), (4, 5), (5, 7), (6, 10), (7, 14)]
)
def test_variety_of_regions_pays(regions: int, points: int) -> None:
    assert scored(board(*(RIBBON,) * regions))["regions"] == points


@pytest.mark.parametrize(
    "holding",
    [RIBBON, ((), (4,), (), ()), ((), (), ("S01",), ()), ((), (), (), (1,))],
    ids=["prize", "size token", "tile", "collected token"],
)
def test_anything_earned_counts_for_its_region(holding: Holding) -> None:
    assert scored(board(holding, RIBBON))["regions"] == 1


@pytest.mark.parametrize(
    ("prizes", "points"), [(("trophy",), 5), (("medal",), 3), (("ribbon", "ribbon"), 2)]
)
def test_prizes_pay(prizes: Any, points: int) -> None:
    assert scored(board((prizes, (), (), ())))["prizes"] == points


@pytest.mark.parametrize(
    ("sizes", "points"), [((), 0), ((4,), 2), ((4, 4), 3), ((4, 5), 4), ((4, 5, 4, 4), 6)]
)
def test_the_first_token_of_a_size_pays_two_and_each_further_one(
    sizes: tuple[int, ...], points: int
) -> None:
    halves = board(((), sizes[:2], (), ()), ((), sizes[2:], (), ()))

    assert scored(halves)["size_tokens"] == points


def test_unspent_tokens_pay_nothing() -> None:
    assert sum(scored(board()).values()) == 0


def finished(
    best: tuple[int, ...], earned: tuple[tuple[Holding, ...], ...], **fields: Any
) -> State:
    return replace(begin(len(best)), phase="over", best=best, earned=earned, **fields)


TROPHIES = board((("trophy", "trophy"), (), (), ()))
SPREAD = board(*(RIBBON,) * 3)


@pytest.mark.parametrize(
    ("best", "earned", "ranking", "reason"),
    [
        pytest.param((9, 8, 2), (board(),) * 3, ((A,), (B,), (C,)), "score", id="clear"),
        pytest.param((9, 2, 9), (board(),) * 3, ((A, C), (B,)), "shared", id="shared by two"),
        pytest.param((0, 0, 0), (board(),) * 3, ((A, B, C),), "shared", id="shared by all"),
        pytest.param(
            (4, 14, 3), (TROPHIES, board(), board()), ((B,), (A,), (C,)), "best_tower", id="tower"
        ),
        pytest.param(
            (5, 5, 0),
            (board((("medal", "medal"), (), (), ())), SPREAD, board()),
            ((B,), (A,), (C,)),
            "regions",
            id="regions",
        ),
        pytest.param(
            (9, 4, 4), (board(),) * 3, ((A,), (B, C)), "score", id="a tie for second is shared"
        ),
    ],
)
def test_the_ranking_and_what_settled_it(
    best: tuple[int, ...],
    earned: tuple[tuple[Holding, ...], ...],
    ranking: tuple[tuple[Seat, ...], ...],
    reason: str,
) -> None:
    outcome = CASTELL.outcome(finished(best, earned))

    assert outcome is not None
    assert (outcome.ranking, outcome.reason) == (ranking, reason)
    assert outcome.winners == set(ranking[0])


def test_an_edition_may_settle_ties_otherwise() -> None:
    state = begin(2, changes={"scoring.tie_break": ["regions", "shared"]})
    tied = replace(state, best=(4, 14), earned=(TROPHIES, board()))

    assert reckon(tied).reason == "regions"
    assert reckon(tied).ranking == ((A,), (B,))


def test_there_is_no_outcome_before_the_end() -> None:
    assert CASTELL.outcome(begin()) is None
