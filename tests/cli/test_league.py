"""`placa league`: two bots play each other and are counted."""

import json
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from app.cli.league import league

COMMAND = typer.Typer()
COMMAND.command()(league)
TWO = ("castell", "--a", "random", "--b", "random", "--matches", "4")


def report(*arguments: str) -> dict[str, Any]:
    result = CliRunner().invoke(COMMAND, [*arguments, "--json"])

    assert result.exit_code == 0, result.output
    loaded: dict[str, Any] = json.loads(result.stdout)
    return loaded


def test_a_league_counts_wins_points_and_time_of_both_sides() -> None:
    found = report(*TWO)

    assert (found["game"], found["seats"], found["matches"]) == ("castell", 2, 4)
    assert found["a"]["win_rate"] + found["b"]["win_rate"] == pytest.approx(1, abs=0.001)
    for side in ("a", "b"):
        assert found[side]["policy"] == "random"
        assert found[side]["mean_points"] >= 0
        assert 0 < found[side]["decision_ms_mean"] <= found[side]["decision_ms_max"]


def test_the_same_seed_plays_the_same_matches() -> None:
    first, again, other = report(*TWO), report(*TWO), report(*TWO, "--seed", "2")

    assert [first[side]["mean_points"] for side in "ab"] == [
        again[side]["mean_points"] for side in "ab"
    ]
    assert [first[side]["mean_points"] for side in "ab"] != [
        other[side]["mean_points"] for side in "ab"
    ]


def test_with_three_seats_each_side_sits_in_one_or_two() -> None:
    assert report(*TWO, "--seats", "3")["seats"] == 3


def test_people_get_a_table() -> None:
    result = CliRunner().invoke(COMMAND, [*TWO[:-1], "1"])

    assert result.exit_code == 0
    heading, a, b = result.stdout.splitlines()
    assert heading == "castell, 2 seats, 1 matches, seed 1"
    assert a.startswith("A  policy random  win_rate ")
    assert b.startswith("B  policy random  win_rate ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("chess",), "there is no bot for 'chess'; there are bots for castell, el_grande"),
        (("castell", "--a", "clever"), "there is no bot 'clever'; there are steady, random"),
        (("castell", "--seats", "5"), "castell is not for 5 seats"),
        (("castell", "--matches", "0"), "--matches must be at least 1"),
    ],
)
def test_what_makes_no_sense_ends_with_status_2_and_one_line(
    arguments: tuple[str, ...], message: str
) -> None:
    result = CliRunner().invoke(COMMAND, [*arguments])

    assert result.exit_code == 2
    assert result.stderr == f"placa: {message}\n"
