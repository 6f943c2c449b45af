"""The ledger of soaks: what adds up, what does not, and what the report says of it."""

from pathlib import Path

from tests.soak.__main__ import chosen, lanes
from tests.soak.ledger import Count, Ledger, Run
from tests.soak.parts import PARTS, ROOT
from tests.soak.report import told

KILLS = "kills of the app"
CRASHES = "crashes of the database"


def run(version: str, day: str, **parts: Count) -> Run:
    named = {"kills": KILLS, "crashes": CRASHES}
    counts = {named[name]: count for name, count in parts.items()}
    return Run(f"{day}T12:00:00+00:00", version, "abc1234", day, 60, "2 cores", counts)


def ledger(tmp_path: Path) -> Ledger:
    made = Ledger(tmp_path / "soak.json")
    made.runs += [
        run("0.1.0", "2026-10-01", kills=Count(done=900, tried=900)),
        run(
            "0.2.0",
            "2026-11-01",
            kills=Count(done=400, tried=450, failed=1, seconds=300),
            crashes=Count(done=20, tried=20, worst=[0.5, 9.25]),
        ),
        run(
            "0.2.0",
            "2026-11-08",
            kills=Count(done=600, tried=600, cut=1),
            crashes=Count(done=30, tried=30, worst=[0.75, 3.0]),
        ),
    ]
    return made


def test_what_is_kept_is_read_again(tmp_path: Path) -> None:
    made = ledger(tmp_path)
    made.write()

    assert Ledger.read(made.file).runs == made.runs
    assert Ledger.read(tmp_path / "none.json").runs == []


def test_the_runs_of_a_version_add_up_and_no_others(tmp_path: Path) -> None:
    made = ledger(tmp_path)

    kills = made.total("0.2.0", KILLS)
    assert (kills.done, kills.tried, kills.failed, kills.cut) == (1000, 1050, 1, 1)
    assert made.total("0.2.0", CRASHES).worst == [0.75, 9.25]
    assert made.total("0.1.0", KILLS).done == 900


def test_the_report_tells_the_last_run_from_all_of_its_version(tmp_path: Path) -> None:
    made = ledger(tmp_path)

    page = told(made, made.runs[-1], [], ["`CRASH_KILLS=9`: cut short after 300 s"])

    assert "All runs: 2 of version 0.2.0, of commits from 2026-11-01 to 2026-11-08." in page
    # A failure is not forgotten because the next run has none.
    assert f"| {KILLS} | 600 | 1,000 | 1 | 1 |" in page
    assert "a commit 0.75 s after the database was back, the worker 9.25 s after it" in page
    assert "counted for nothing" in page
    assert "Failed" not in page
    assert "* 0.1.0, 1 runs until 2026-10-01: 900 kills of the app; 0 batches failed" in page


def test_no_batch_begins_where_another_did() -> None:
    for part in PARTS:
        assert all((ROOT / test).exists() for test in part.tests if test.startswith("tests/"))
        # Either there is a seed, or chance is new every time, or once is enough.
        repeats = part.batch(1, 50) == part.batch(51, 50)
        assert part.once or not repeats or "races" in part.name or "boots" in part.name, part.name


def test_some_parts_can_be_chosen_by_a_word() -> None:
    assert chosen([]) == list(PARTS)
    assert [part.name for part in chosen(["kills", "crashes"])] == [KILLS, CRASHES]
    assert chosen(["nothing"]) == []


def test_two_batches_run_at_a_time_even_of_one_property() -> None:
    assert lanes([]) == ["crashes", "others"]
    assert lanes(["seeds"]) == ["others", "others"]
    assert lanes(["kills of", "seeds"]) == ["crashes", "others"]
    assert lanes(["other processes"]) == []
