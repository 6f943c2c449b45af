"""`placa tower`: agrees with every vector, refuses what makes no sense in one line."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from app.cli.tower import tower

VECTORS = Path(__file__).parents[1] / "vectors"
TOWERS = json.loads((VECTORS / "castell_towers.json").read_text("utf-8"))
BEST = json.loads((VECTORS / "castell_best_towers.json").read_text("utf-8"))


def run(*arguments: str) -> Any:
    result = CliRunner().invoke(tower, arguments)

    assert result.exit_code == 0, result.output
    return json.loads(result.stdout) if "--json" in arguments else result.stdout.strip()


def written(ranks: dict[str, int]) -> str:
    return ",".join(f"{skill}={rank}" for skill, rank in ranks.items())


@pytest.mark.parametrize("vector", TOWERS, ids=lambda vector: vector["tower"])
def test_check_agrees_with_every_vector(vector: dict[str, Any]) -> None:
    report = run("check", vector["tower"], "--ranks", written(vector["ranks"]), "--json")

    assert report["legal"] == vector["legal"]
    assert report["uses"] == vector["uses"]
    assert (report["why"] is None) == vector["legal"]


@pytest.mark.parametrize("vector", BEST, ids=lambda vector: str(vector["hand"]))
def test_best_agrees_with_every_vector(vector: dict[str, Any]) -> None:
    hand, tokens = (",".join(map(str, vector[name])) for name in ("hand", "tokens"))
    ranks = written(vector["ranks"])
    report = run("best", "--hand", hand, "--ranks", ranks, "--tokens", tokens, "--json")

    assert report["score"] == vector["best_score"]
    if report["score"] is None:
        assert report["tower"] is None
        assert report["uses"] is None
    else:
        again = run("check", report["tower"], "--ranks", ranks, "--hand", hand, "--json")

        assert again["legal"]
        assert again["uses"] == report["uses"]


def test_the_example_of_the_manual_scores_nine() -> None:
    hand, ranks = "9,9,9,8,8,7,5", "balance=1,mix=1"
    report = run("best", "--hand", hand, "--ranks", ranks, "--tokens", "8,9", "--json")

    assert report["score"] == 9


def test_a_refusal_carries_all_its_numbers() -> None:
    report = run("check", "3x9/3x8/4x5", "--hand", "9,9,9,8,8,8,5,5,5", "--json")

    assert report["why"] == "tower.not_narrower"
    assert [problem["code"] for problem in report["problems"]] == [
        "tower.not_narrower",
        "tower.wider_than_below",
        "tower.too_wide",
        "tower.not_owned",
    ]
    assert report["problems"][0] == {
        "code": "tower.not_narrower",
        "rule": "6.2",
        "details": {
            "level": 2,
            "count": 3,
            "below": 3,
            "needed": 1,
            "rank": 0,
            "fix": "balance",
        },
    }


def test_people_get_plain_text() -> None:
    assert run("check", "3x9/2x8") == "It stands. It uses no skill."
    assert run("check", "2x9/2x8", "--ranks", "Balance = 1") == "It stands. It uses balance 1."
    assert run("check", "2x9/3x8").startswith("tower.wider_than_below level=2")
    assert run("best", "--hand", "9,9,9,8,8,7", "--min-levels", "3") == (
        "3: 3x9/2x8/1x7. It uses no skill."
    )
    assert run("best", "--hand", "9") == "No tower qualifies."


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("check", "three nines"), "'three nines' is not a tower, level 1"),
        (("check", "3x9//1x1"), "'3x9//1x1' is not a tower, level 2"),
        (("check", ""), "'' is not a tower: write it like"),
        (("check", "3x9/0x8"), "is not a tower, level 2"),
        (("check", "3x11"), "is not a tower, level 1"),
        (("check", "3x9", "--ranks", "luck=1"), "'luck=1' is not a rank"),
        (("check", "3x9", "--ranks", "mix"), "'mix' is not a rank"),
        (("check", "3x9", "--ranks", "mix=1,mix=2"), "'mix=2' is not a rank"),
        (("check", "3x9", "--ranks", "mix=-1"), "'-1' is not a rank: 0 to 20"),
        (("check", "3x9", "--ranks", "mix=1000000000000"), "is not a rank: 0 to 20"),
        (("check", "3x9", "--ranks", "mix=1,"), "'' is not a rank"),
        (("check", "3x9", "--hand", "9,11"), "'11' is not a size in --hand: 1 to 10"),
        (("check", "3x9", "--hand", ""), "'' is not a size in --hand"),
        (("best", "--hand", "9,x"), "'x' is not a size in --hand"),
        (("best", "--hand", "9,\u0669"), "is not a size in --hand"),
        (("best", "--hand", ",".join(["9"] * 151)), "--hand holds 151 castellers"),
        (("best", "--hand", "9", "--tokens", "0"), "'0' is not a size in --tokens"),
        (("best", "--hand", "9", "--min-levels", "0"), "--min-levels 0 is not a number"),
    ],
)
def test_what_makes_no_sense_ends_with_status_2_and_one_line(
    arguments: tuple[str, ...], message: str
) -> None:
    result = CliRunner().invoke(tower, [*arguments, "--json"])

    assert result.exit_code == 2
    assert result.stdout == ""
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
