"""`placa bench`: it runs, says the same in three forms, and tells met from not met."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from app.cli.bench.figures import MARKS, Figure, Run, as_json, as_table, percentile
from app.cli.bench.page import as_page
from tests.conftest import MakeDatabase

RUN = Run(
    machine="a machine",
    date="2026-09-24",
    quick=False,
    figures={"A1": Figure.of([0.7, 0.9, 0.8], "why"), "A4": Figure(1.2)},
    missing={"A3": "no pgbench"},
)


def test_a_quick_run_measures_everything(make_database: MakeDatabase, tmp_path: Path) -> None:
    page = tmp_path / "performance.md"
    done = subprocess.run(
        [sys.executable, "-m", "app.cli", "bench", "--quick", "--write", str(page)],
        env={**os.environ, "DATABASE_URL": make_database("bench")},
        capture_output=True,
        text=True,
        check=True,
    )
    table, _, line = done.stdout.rstrip().rpartition("\n")
    report = json.loads(line)

    assert set(report) == {"machine", "date", "quick", "figures", "missing"}
    assert set(report["figures"]) | set(report["missing"]) == set(MARKS)
    assert set(report["missing"]) <= {"A3", "A9", "A9.memory"}
    for figure in report["figures"].values():
        assert set(figure) == {"value", "unit", "mark", "met", "rounds", "note"}
    assert all(name in table for name in MARKS)
    assert "**A quick run: these figures mean nothing.**" in page.read_text("utf-8")


def test_a_figure_is_the_median_of_its_rounds_and_is_held_against_its_mark() -> None:
    report = as_json(RUN, MARKS)

    assert report["figures"]["A1"] == {
        "value": 0.8,
        "unit": "times as many",
        "mark": "≥ 0.75 times as many",
        "met": True,
        "rounds": [0.7, 0.9, 0.8],
        "note": "why",
    }
    assert report["figures"]["A4"]["met"] is False


def test_what_was_not_measured_says_why() -> None:
    row = next(line for line in as_page(RUN).splitlines() if line.startswith("| A3 "))

    assert row.endswith("| — | ≥ 0.2 of it | not measured | no pgbench |")
    assert "not measured" in as_table(RUN)


def test_only_a_quick_run_is_marked_as_one() -> None:
    assert "quick run" not in as_page(RUN)
    assert "quick run" in as_page(replace(RUN, quick=True))


@pytest.mark.parametrize(("share", "expected"), [(0.5, 3), (0.95, 4), (0.0, 1)])
def test_a_percentile_is_one_of_the_values(share: float, expected: float) -> None:
    assert percentile([4, 1, 3, 2], share) == expected
