"""Stack 3 and card 2-08: special scorings."""

from typing import Any

import pytest

from app.rules.el_grande import State
from app.rules.el_grande.events import Announced, AreaScored, Placed, SpecialDone, TurnEnded
from tests.rules.el_grande.stage import (
    ARA,
    CVI,
    GAL,
    SEV,
    A,
    events_of,
    play,
    refusal,
    scores,
    specials,
    staged,
)

OPEN = {"castillo": "open"}


def on(card: str, *rows: str, **fields: Any) -> State:
    return staged(*rows, card=card, options=fields.pop("options", OPEN), **fields)


def scored(state: State, line: str = "special") -> dict[str, tuple[int, ...]]:
    """Return the points of every area that a special action scores, bonuses included."""
    return {
        event.area: tuple(map(sum, zip(event.points, event.king, event.home, strict=True)))
        for event in events_of(state, A, line)
        if isinstance(event, AreaScored)
    }


# With three seats two places pay; homes are Aragón, Sevilla and Valencia.
ROWS = ("GAL 3 ARA 1 CNU 2 CAS 1", "GAL 2 SEV 1 CNU 1 CAS 2", "CVI 1 VAL 1 CAT 1")


def test_regions_worth_four_are_scored() -> None:
    assert scored(on("3-01", *ROWS)) == {
        "CAT": (0, 0, 4),
        "GAL": (4 + 2, 2, 0),
        "SEV": (0, 4 + 2, 0),
    }


def test_regions_worth_five_are_scored_and_the_castillo_is_none_of_them() -> None:
    assert scored(on("3-02", *ROWS)) == {"ARA": (7, 0, 0), "PVA": (0, 0, 0), "VAL": (0, 0, 7)}


def test_regions_worth_six_or_seven_are_scored() -> None:
    assert scored(on("3-03", *ROWS)) == {"CNU": (7, 4, 0), "CVI": (0, 0, 6), "GRA": (0, 0, 0)}


def test_a_mobile_scoreboard_changes_what_a_region_is_worth() -> None:
    boards = (GAL, CVI)

    assert scored(on("3-01", *ROWS, boards=boards)).keys() == {"CAT", "SEV", "CVI"}
    assert scored(on("3-03", *ROWS, boards=boards)).keys() == {"CNU", "GRA"}


def test_the_castillo_is_scored_and_everybody_stays_inside() -> None:
    state = on("3-04", *ROWS)

    assert scored(state) == {"CAS": (3, 5, 0)}
    assert [row[9] for row in play(state, A, "special").pieces] == [1, 2, 0]


def test_only_first_places_are_scored_and_ties_give_nothing() -> None:
    points = scored(on("3-05", "GAL 3 ARA 1 CNU 2", "GAL 2 SEV 1 CNU 2", "CVI 1"))

    assert len(points) == 9
    assert points["GAL"] == (4 + 2, 0, 0)
    assert points["CNU"] == (0, 0, 0)
    assert points["CVI"] == (0, 0, 6)
    assert points["SEV"] == (0, 4 + 2, 0)


def test_the_fullest_region_is_scored_the_kings_included() -> None:
    assert scored(on("3-06", *ROWS)) == {"GAL": (6, 2, 0)}


def test_several_fullest_regions_are_all_scored() -> None:
    assert scored(on("3-06", "GAL 3", "ARA 3", "CAS 9")).keys() == {"ARA", "GAL"}


def test_the_emptiest_region_is_scored_but_not_an_empty_one() -> None:
    assert scored(on("3-07", "GAL 3", "ARA 2", "SEV 2 CAS 1")).keys() == {"ARA", "SEV"}
    assert scored(on("3-07", "GAL 1", "ARA 2", "SEV 2")) == {"GAL": (4 + 2, 0, 0)}


@pytest.mark.parametrize("card", ["2-08", "3-08"])
def test_one_area_is_scored_the_kings_and_the_castillo_allowed(card: str) -> None:
    state = on(card, *ROWS)

    assert scored(state, "special score GAL") == {"GAL": (6, 2, 0)}
    assert scored(state, "special score CAS") == {"CAS": (3, 5, 0)}
    assert len(specials(state)) == 10


@pytest.mark.parametrize("card", ["2-08", "3-08"])
def test_scoring_an_empty_region_is_legal_and_gives_nothing(card: str) -> None:
    assert scored(on(card, *ROWS), "special score PVA") == {"PVA": (0, 0, 0)}
    assert refusal(on(card, *ROWS), A, "special score XXX").code == "area.unknown"
    assert refusal(on(card, *ROWS), A, "special").code == "special.wrong_kind"


@pytest.mark.parametrize("card", ["3-01", "3-02", "3-03", "3-04", "3-05", "3-06", "3-07"])
def test_with_nobody_to_score_there_is_nothing_but_to_skip(card: str) -> None:
    state = on(card, "COURT 5", "COURT 5", "COURT 5")

    assert specials(state) == []
    assert refusal(state, A, "special").code == "special.no_effect"


def test_a_scoring_that_pays_nobody_changes_nothing() -> None:
    state = on("3-06", "GAL 3", "GAL 3", seats=2)

    assert refusal(state, A, "special").code == "special.no_effect"


def test_points_of_a_special_scoring_are_kept_apart() -> None:
    state = play(on("3-06", *ROWS), A, "special")

    assert state.tally == ((0, 0, 0, 6), (0, 0, 0, 2), (0, 0, 0, 0))
    assert scores(state) == (6, 2, 0)


def test_two_seats_score_first_places_only() -> None:
    state = on("3-08", "ARA 3", "ARA 1", seats=2)

    assert scored(state, "special score ARA") == {"ARA": (5 + 2, 0)}
    assert state.grandes == (ARA, SEV)


# A hidden Castillo shows its numbers only once the turn is committed.


@pytest.mark.parametrize(("card", "line"), [("3-04", "special"), ("3-08", "special score CAS")])
def test_scoring_a_hidden_castillo_waits_for_the_end_of_the_turn(card: str, line: str) -> None:
    state = on(card, *ROWS, options={})
    (announced,) = events_of(state, A, line)

    assert isinstance(announced, Announced)
    assert announced.sealed
    events = events_of(play(state, A, line), A, "end")
    assert [type(event) for event in events] == [AreaScored, SpecialDone, Placed, TurnEnded]
    assert scores(play(state, A, f"{line}; end")) == (3, 5, 0)


def test_an_empty_hidden_castillo_has_nothing_to_hide() -> None:
    state = on("3-08", "ARA 2", options={})

    assert [type(event) for event in events_of(state, A, "special score CAS")] == [
        Announced,
        AreaScored,
    ]
    assert specials(on("3-04", "ARA 2", options={})) == []


def test_what_is_placed_after_a_hidden_scoring_may_wait_for_its_numbers() -> None:
    state = on("3-04", "CAS 1 COURT 4", "CAS 2", options={})
    after = play(state, A, "special; end")

    assert (after.phase, scores(after)) == ("place", (3, 5, 0))
    assert play(after, A, "place CVI 2; end").pieces[A][CVI] == 2
