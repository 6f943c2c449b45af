"""Section 6: areas, ties, bonuses, limits; section 12: the vectors."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.rules.el_grande import EL_GRANDE, if_scored
from app.rules.el_grande.edition_checks import edition_from_mapping
from app.rules.el_grande.scoring import points_for, reckon_area, scored, sole_leader
from tests.rules.el_grande.stage import (
    CNU,
    GAL,
    REGIONS,
    A,
    B,
    area_index,
    lines,
    row,
    scores,
    staged,
    values,
)

VECTORS = json.loads(
    (Path(__file__).parents[2] / "vectors" / "el_grande_scoring.json").read_text("utf-8")
)
EDITION = edition_from_mapping(values())


@pytest.mark.parametrize("vector", VECTORS["region"], ids=lambda v: f"{v['values']} {v['counts']}")
def test_an_area_pays_as_every_vector_says(vector: dict[str, Any]) -> None:
    counts = (*vector["counts"], *(0,) * (vector["seats"] - len(vector["counts"])))
    points, king, home = reckon_area(EDITION, counts, vector["values"], king=False, homes=())

    assert list(points[: len(vector["points"])]) == vector["points"]
    assert not any((*king, *home))


@pytest.mark.parametrize("vector", VECTORS["bonus"], ids=lambda v: f"{v['region']} {v['counts']}")
def test_bonuses_are_as_every_vector_says(vector: dict[str, Any]) -> None:
    home = vector.get("home_of")
    region = area_index(staged(), vector["region"])
    board = vector.get("board")
    worth = vector.get("values") or (
        EDITION.board_values(board) if board else EDITION.regions[region].values
    )
    reckoned = reckon_area(
        EDITION,
        vector["counts"],
        worth,
        king=vector.get("king", False),
        homes=() if home is None else (home,),
    )

    assert [sum(gains) for gains in zip(*reckoned, strict=True)] == vector["points"]


@pytest.mark.parametrize("vector", VECTORS["placement"], ids=lambda v: str(v["king"]))
def test_caballeros_are_placed_where_every_vector_says(vector: dict[str, Any]) -> None:
    state = staged(king=REGIONS.index(vector["king"]), card="3-08")
    places = [line for line in lines(state, 0) if line.startswith("place")]

    assert sorted(places) == sorted(f"place {area} 1" for area in vector["allowed"])


@pytest.mark.parametrize(
    ("counts", "worth", "points"),
    [
        ((4, 4, 4, 3), (5, 3, 1), (3, 3, 3, 1)),
        ((4, 3, 2, 2), (6, 4, 2), (6, 4, 0, 0)),
        ((3, 3, 1), (5, 3, 1), (3, 3, 1)),
        ((5, 5, 5, 5), (5, 3, 1), (3, 3, 3, 3)),
        ((5, 4, 4, 3), (7, 4, 2), (7, 2, 2, 0)),
        ((2, 2, 1, 1), (7, 4, 2), (4, 4, 0, 0)),
        ((1, 0, 0), (7, 4, 2), (7, 0, 0)),
        ((0, 0, 0), (7, 4, 2), (0, 0, 0)),
    ],
)
def test_a_tie_pays_the_next_place_and_uses_up_both(
    counts: tuple[int, ...], worth: tuple[int, ...], points: tuple[int, ...]
) -> None:
    assert points_for(counts, worth) == points


@pytest.mark.parametrize(
    ("counts", "leader"), [((3, 2), 0), ((3, 3), None), ((0, 0), None), ((0, 1), 1)]
)
def test_only_a_sole_leader_leads(counts: tuple[int, ...], leader: int | None) -> None:
    assert sole_leader(counts) == leader


@pytest.mark.parametrize(
    ("seats", "counts", "points"),
    [
        (2, (3, 3), (0, 0)),
        (2, (3, 2), (7, 0)),
        (3, (4, 4, 1), (4, 4, 0)),
        (3, (5, 4, 4), (7, 0, 0)),
        (3, (5, 4, 3), (7, 4, 0)),
        (4, (5, 4, 3, 2), (7, 4, 2, 0)),
        (5, (5, 4, 3, 2, 1), (7, 4, 2, 0, 0)),
    ],
)
def test_fewer_seats_fight_for_fewer_places(
    seats: int, counts: tuple[int, ...], points: tuple[int, ...]
) -> None:
    assert reckon_area(EDITION, counts, (7, 4, 2), king=False, homes=())[0] == points


def test_the_king_and_the_home_each_give_their_bonus_to_the_sole_leader() -> None:
    state = staged("CNU 3", "CNU 2", king=CNU, grandes=(CNU, 7, 8))
    event = scored(state, CNU, "general")

    assert (event.points, event.king, event.home) == ((7, 4, 0), (2, 0, 0), (2, 0, 0))


def test_a_tie_for_first_forfeits_both_bonuses() -> None:
    state = staged("CNU 3", "CNU 3", king=CNU, grandes=(CNU, CNU, 8))
    event = scored(state, CNU, "general")

    assert (event.points, event.king, event.home) == ((4, 4, 0), (0, 0, 0), (0, 0, 0))


def test_a_home_pays_its_owner_only() -> None:
    state = staged("CNU 2", "CNU 3", grandes=(CNU, 7, 8))

    assert scored(state, CNU, "general").home == (0, 0, 0)


def test_a_mobile_scoreboard_covers_the_printed_values() -> None:
    state = staged("CNU 3", "CNU 2", "CNU 1", boards=(-1, CNU))
    event = scored(state, CNU, "general")

    assert (event.values, event.points) == ((4, 0), (4, 0, 0))


def test_the_preview_is_the_scoring_itself() -> None:
    state = staged("CNU 3 CAS 2", "CNU 2 CAS 1", "GAL 1", options={"castillo": "open"})
    preview = {event.area: event for event in if_scored(state)}

    assert len(preview) == 10
    assert replace(preview["CNU"], cause="x") == scored(state, CNU, "x")
    assert preview["CAS"].points == (5, 3, 0)
    assert preview["GAL"].king == (0, 0, 2)


def test_the_preview_leaves_out_a_hidden_castillo() -> None:
    assert [event.area for event in if_scored(staged())] == list(REGIONS)


def test_the_most_points_win_and_equal_points_share() -> None:
    tally = ((1, 2, 3, 4), (4, 3, 2, 1), (0, 0, 0, 9))
    state = staged(tally=tally, phase="over")
    outcome = EL_GRANDE.outcome(state)

    assert outcome is not None
    assert outcome.ranking == ((0, 1), (2,))
    assert outcome.reason == "shared"
    assert outcome.winners == {A, B}
    assert outcome.categories[A] == {
        "scoring_1": 1, "scoring_2": 2, "scoring_3": 3, "special": 4,
    }  # fmt: skip
    assert scores(state) == (10, 10, 9)


def test_a_clear_win_is_settled_by_the_score() -> None:
    outcome = EL_GRANDE.outcome(
        replace(staged(), tally=((9,) * 4, (1,) * 4, (2,) * 4), phase="over")
    )

    assert outcome is not None
    assert (outcome.reason, outcome.ranking) == ("score", ((0,), (2,), (1,)))


def test_there_is_no_result_before_the_end() -> None:
    assert EL_GRANDE.outcome(staged()) is None


def test_everybody_has_thirty_caballeros_on_stage() -> None:
    assert all(sum(row) == 30 for row in staged().pieces)
    assert row("GAL 1 COURT 2")[-1] == 27
    assert staged().king == GAL
