"""The properties that are proved again and again, and how a batch of each is asked for."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

ROOT = Path(__file__).parents[2]

# Two run side by side, one of each lane; what is measured in seconds is alone.
Lane: TypeAlias = Literal["alone", "crashes", "others"]


@dataclass(frozen=True, slots=True)
class Part:
    """One property: the tests that show it, and how a batch of them is made.

    `batch` returns the environment of a batch of `size` whose first number is `first`:
    what one run of a version has tried, no other tries again.  `tells` finds seconds in
    what a batch prints, and `worst` says what the longest of them are.
    """

    name: str
    what: str
    lane: Lane
    # Of the time of its lane.
    share: int
    # What one batch is asked for to begin with.
    size: int
    tests: tuple[str, ...]
    batch: Callable[[int, int], Mapping[str, str]]
    # Of these there is nothing more to see in a second batch.
    once: bool = False
    # With less of it the tests find that they have not seen enough.
    fewest: int = 5
    tells: str = ""
    worst: str = ""


def _count(name: str, seed: str = "") -> Callable[[int, int], Mapping[str, str]]:
    """Return a batch that is asked for by its size, and by a `seed` that no other has."""

    def batch(first: int, size: int) -> Mapping[str, str]:
        return {name: str(size), **({seed: str(first)} if seed else {})}

    return batch


PARTS: tuple[Part, ...] = (
    Part(
        "commits seen by other processes",
        "a poll sent to another process within two seconds brings them; none is missed",
        "alone",
        1,
        60,
        ("tests/platform/test_several_processes.py",),
        lambda _first, size: {"PROCESSES_ROUNDS": str(size), "PROCESSES_SECONDS": "2"},
        once=True,
        tells=r"sent [\d.]+/[\d.]+/([\d.]+) s .* answered [\d.]+/[\d.]+/([\d.]+) s",
        worst="the poll that brought it was sent {} s after the commit, and answered {} s after it",
    ),
    Part(
        "kills of the app",
        "acknowledged turns are in the log once, nothing else is",
        "crashes",
        25,
        50,
        ("tests/crash/test_kill.py",),
        _count("CRASH_KILLS", "CRASH_SEED"),
    ),
    Part(
        "crashes of the database",
        "the same; 503 meanwhile; web and worker work again by themselves",
        "crashes",
        22,
        20,
        ("tests/crash/test_restart.py",),
        _count("CRASH_RESTARTS", "CRASH_SEED"),
        tells=r"a commit ([\d.]+) s,\s+the worker ([\d.]+) s",
        worst="a commit {} s after the database was back, the worker {} s after it",
    ),
    Part(
        "commits whose answer is lost",
        "in the log if and only if they were carried out; the key tells, and none is doubled",
        "crashes",
        5,
        50,
        ("tests/crash/test_commit_unknown.py",),
        _count("CRASH_CUTS", "CRASH_SEED"),
    ),
    Part(
        "migrations killed midway",
        "the next one ends as one that nobody kills: the same schema, the same rows",
        "crashes",
        4,
        20,
        ("tests/upgrade/test_killed.py",),
        _count("MIGRATION_KILLS", "MIGRATION_SEED"),
    ),
    Part(
        "boots without a database",
        "the program waits for it, and is healthy soon after it is there",
        "crashes",
        4,
        5,
        ("tests/platform/test_late_database.py",),
        _count("BOOTS"),
    ),
    Part(
        "simulator seeds",
        "every history is explainable wherever a process dies",
        "others",
        30,
        50,
        ("tests/simulator", "-k", "explainable"),
        lambda first, size: {"SIMULATOR_SEEDS": str(size), "SIMULATOR_FIRST": str(first)},
        fewest=10,
    ),
    Part(
        "letters whose worker dies",
        "none is lost; a second copy has the id of the first, and comes only if nobody knew",
        "others",
        6,
        500,
        ("tests/notifications/test_kills.py",),
        lambda first, size: {
            "NOTICES": str(size),
            "NOTICE_KILLS": str(max(size // 20, 1)),
            "NOTICE_SEED": str(first),
        },
    ),
    Part(
        "secrecy pairs over HTTP",
        "a viewer is answered the same bytes, each game",
        "others",
        8,
        600,
        ("tests/secrecy/test_running_app.py",),
        _count("SECRECY_PAIRS"),
        once=True,
    ),
    Part(
        "secrecy pairs of views",
        "view, moves and known log are the same, each game",
        "others",
        2,
        10_000,
        ("tests/secrecy/test_pairs.py",),
        _count("SECRECY_STATES"),
        once=True,
        fewest=3_000,
    ),
    Part(
        "races for seats and starts",
        "each person once, each match started once, with and without locks",
        "others",
        4,
        25,
        ("tests/lobby/test_races.py", "tests/matches/test_races.py"),
        _count("RACES_TRIALS"),
    ),
    Part(
        "examples per API operation",
        "no answer that the schema does not promise, no 500",
        "others",
        4,
        100,
        ("tests/api/test_schema.py",),
        _count("SCHEMA_EXAMPLES"),
        once=True,
    ),
    Part(
        "positions with spoilt lines",
        "forty lines in each, each game: decided or refused, nothing changed",
        "others",
        2,
        1000,
        ("tests/badinput/test_moves.py",),
        _count("BADINPUT_STATES"),
        once=True,
    ),
    Part(
        "bad values in requests",
        "as many over the API as in forms and addresses: no 500, nothing changed by a refusal",
        "others",
        4,
        1000,
        ("tests/badinput/test_values.py",),
        _count("BADINPUT_CASES"),
        once=True,
    ),
    Part(
        "releases finished by bots",
        "running matches of every release kept stand as they stood, and end",
        "others",
        2,
        1,
        ("tests/upgrade/test_upgrade.py",),
        lambda _first, _size: {"UPGRADE_FINISH": "all"},
        once=True,
    ),
)
