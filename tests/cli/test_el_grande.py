"""`placa el-grande score`: agrees with every vector, refuses nonsense in one line."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from app.cli.el_grande import el_grande

VECTORS = json.loads(
    (Path(__file__).parents[1] / "vectors" / "el_grande_scoring.json").read_text("utf-8")
)


def run(*arguments: str) -> Any:
    result = CliRunner().invoke(el_grande, ["score", *arguments])

    assert result.exit_code == 0, result.output
    return json.loads(result.stdout) if "--json" in arguments else result.stdout.strip()


def listed(numbers: list[int]) -> str:
    return ",".join(map(str, numbers))


@pytest.mark.parametrize("vector", VECTORS["region"], ids=lambda v: f"{v['values']} {v['counts']}")
def test_score_agrees_with_every_vector(vector: dict[str, Any]) -> None:
    report = run(
        "--values", listed(vector["values"]), "--counts", listed(vector["counts"]),
        "--seats", str(vector["seats"]), "--json",
    )  # fmt: skip

    assert report == {"points": vector["points"]}


@pytest.mark.parametrize(
    ("options", "points"),
    [
        ((), [7, 4]),
        (("--king",), [9, 4]),
        (("--home", "0"), [9, 4]),
        (("--home", "1"), [7, 4]),
        (("--king", "--home", "0", "--home", "1"), [11, 4]),
    ],
)
def test_bonuses_go_to_the_sole_leader(options: tuple[str, ...], points: list[int]) -> None:
    report = run("--values", "7,4,2", "--counts", "3,2", *options, "--json")

    assert report == {"points": points}


def test_a_score_can_be_read() -> None:
    assert run("--values", "5,3,1", "--counts", "4, 3") == "seat 0: 5, seat 1: 3"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--values", "5,x", "--counts", "1"), "'x' in --values is not a number from 0 to 100"),
        (("--values", "5", "--counts", "31"), "'31' in --counts is not a number from 0 to 30"),
        (("--values", "5", "--counts", "+1"), "'+1' in --counts is not a number from 0 to 30"),
        (("--values", "5", "--counts", "1", "--seats", "6"), "--seats must be 2 to 5, not 6"),
        (("--values", "5", "--counts", "1,1,1", "--seats", "2"), "names 3 seats; there are 2"),
        (("--values", "5", "--counts", "1", "--home", "4"), "--home 4 is not a seat: 0 to 3"),
    ],
)
def test_nonsense_is_refused_in_one_line(
    arguments: tuple[str, ...], told: str, capfd: pytest.CaptureFixture[str]
) -> None:
    result = CliRunner().invoke(el_grande, ["score", *arguments])
    error = result.stderr + capfd.readouterr().err

    assert result.exit_code == 2
    assert told in error
    assert len(error.strip().splitlines()) == 1
