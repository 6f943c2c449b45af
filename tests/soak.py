"""The long proof: every property again and again, within a time, and a report of what was seen.

    SOAK_MINUTES=600 make soak

divides the time between the properties, runs each in batches that differ by
their seed, and writes figures into docs/reliability.md.  A batch that fails is
counted, its output kept in build/soak, and the rest goes on.  The sizes of batches
are for two cores that have nothing else to do.
"""

import os
import platform
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).parents[1]
REPORT = ROOT / "docs" / "reliability.md"
LOGS = ROOT / "build" / "soak"
BEGIN, END = "<!-- soak: begin -->", "<!-- soak: end -->"
MINUTES = float(os.environ.get("SOAK_MINUTES", "60"))
# A batch that takes this many times its share is stuck.
PATIENCE = 4


@dataclass(slots=True)
class Part:
    """One property: the tests that show it, and how a batch of them is made."""

    name: str
    what: str
    tests: tuple[str, ...]
    share: int
    size: int
    # The environment of batch number n of a size.
    batch: Callable[[int, int], Mapping[str, str]]
    # Of these there is nothing more to see in a second batch.
    once: bool = False
    done: int = 0
    failed: int = 0
    cut: int = 0
    batches: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def run(self, number: int, size: int, limit: float) -> None:
        """Run one batch and count it."""
        variables = dict(self.batch(number, size))
        log = LOGS / f"{self.name.replace(' ', '-')}-{number}.log"
        began = time.monotonic()
        with log.open("w") as output:
            output.write(f"{variables}\n")
            output.flush()
            process = subprocess.Popen(
                [sys.executable, "-m", "pytest", "-q", "-s", *self.tests],
                cwd=ROOT,
                env={**os.environ, **variables},
                stdout=output,
                stderr=subprocess.STDOUT,
            )
            try:
                status: int | None = process.wait(limit)
            except subprocess.TimeoutExpired:
                # pytest then stops its database.
                process.send_signal(signal.SIGINT)
                process.wait()
                status = None
        self.seconds += time.monotonic() - began
        told = " ".join([*(f"{name}={value}" for name, value in variables.items()), *self.tests])
        if status == 0:
            self.done += size
            outcome = "passed"
        elif status is None:
            self.cut += 1
            outcome = f"cut short after {limit:.0f} s"
        else:
            self.failed += 1
            outcome = f"failed with status {status}"
        if status != 0:
            self.batches.append(f"`{told}`: {outcome}")
        say(f"{self.name}, {told}: {outcome}")


def parts() -> list[Part]:
    """Return all properties, with the size of a batch for an hour."""
    return [
        Part(
            "kills of the app",
            "acknowledged turns are in the log once, nothing else is",
            ("tests/crash/test_kill.py",),
            15,
            40,
            lambda n, size: {"CRASH_KILLS": str(size), "CRASH_SEED": str(n)},
        ),
        Part(
            "crashes of the database",
            "the same; 503 meanwhile; web and worker work again by themselves",
            ("tests/crash/test_restart.py",),
            15,
            20,
            lambda n, size: {"CRASH_RESTARTS": str(size), "CRASH_SEED": str(n)},
        ),
        Part(
            "simulator seeds",
            "every history is explainable wherever a process dies",
            ("tests/simulator", "-k", "explainable"),
            20,
            50,
            lambda n, size: {
                "SIMULATOR_SEEDS": str(size),
                "SIMULATOR_FIRST": str(1 + (n - 1) * size),
            },
        ),
        Part(
            "letters whose worker dies",
            "none is lost; a second copy has the id of the first, and comes only if nobody knew",
            ("tests/notifications/test_kills.py",),
            10,
            500,
            lambda n, size: {
                "NOTICES": str(size),
                "NOTICE_KILLS": str(max(size // 20, 1)),
                "NOTICE_SEED": str(n),
            },
        ),
        Part(
            "secrecy pairs over HTTP",
            "a viewer is answered the same bytes, each game",
            ("tests/secrecy/test_running_app.py",),
            20,
            2000,
            lambda n, size: {"SECRECY_PAIRS": str(size)},
            once=True,
        ),
        Part(
            "secrecy pairs of views",
            "view, moves and known log are the same, each game",
            ("tests/secrecy/test_pairs.py",),
            5,
            10_000,
            lambda n, size: {"SECRECY_STATES": str(size)},
            once=True,
        ),
        Part(
            "races for seats and starts",
            "each person once, each match started once, with and without locks",
            ("tests/lobby/test_races.py", "tests/matches/test_races.py"),
            10,
            25,
            lambda n, size: {"RACES_TRIALS": str(size)},
        ),
        Part(
            "examples per API operation",
            "no answer that the schema does not promise, no 500",
            ("tests/api/test_schema.py",),
            10,
            100,
            lambda n, size: {"SCHEMA_EXAMPLES": str(size)},
            once=True,
        ),
        Part(
            "positions with spoilt lines",
            "forty lines in each, each game: decided or refused, nothing changed",
            ("tests/badinput/test_moves.py",),
            5,
            1000,
            lambda n, size: {"BADINPUT_STATES": str(size)},
            once=True,
        ),
        Part(
            "bad values in requests",
            "as many over the API as in forms and addresses: no 500, nothing changed by a refusal",
            ("tests/badinput/test_values.py",),
            10,
            1000,
            lambda n, size: {"BADINPUT_CASES": str(size)},
            once=True,
        ),
        Part(
            "releases finished by bots",
            "running matches of every release kept stand as they stood, and end",
            ("tests/upgrade",),
            5,
            1,
            lambda n, size: {"UPGRADE_FINISH": "all"},
            once=True,
        ),
    ]


def soak(minutes: float) -> list[Part]:
    """Run every part for its share of the time, and at least once."""
    LOGS.mkdir(parents=True, exist_ok=True)
    whole = parts()
    shares = sum(part.share for part in whole)
    # Shorter runs have smaller batches: what is begun is also ended.
    scale = min(1.0, minutes / 60)
    for part in whole:
        budget = minutes * 60 * part.share / shares
        size = part.size
        if part.batch(1, 1) != part.batch(1, 2):
            size = max(5, round(part.size * scale))
        number, longest = 0, 0.0
        while number == 0 or (not part.once and part.seconds + longest < budget):
            number += 1
            before = part.seconds
            part.run(number, size, max(300.0, budget * PATIENCE))
            longest = max(longest, part.seconds - before)
        # Whoever stops it keeps what was seen so far.
        report(whole, minutes)
    return whole


def table(done: list[Part], minutes: float) -> str:
    """Return the report, as it stands in the documentation."""
    today = datetime.now(UTC).date().isoformat()
    spent = sum(part.seconds for part in done) / 60
    lines = [
        f"{today}, {minutes:g} minutes asked for, {spent:.0f} taken; {machine()}.",
        "",
        "| what | N | failed batches | cut short | minutes | what held |",
        "|---|---:|---:|---:|---:|---|",
    ]
    lines += [
        f"| {part.name} | {part.done:,} | {part.failed} | {part.cut} | {part.seconds / 60:.1f}"
        f" | {part.what} |"
        for part in done
        if part.seconds
    ]
    failed = [batch for part in done for batch in part.batches]
    if failed:
        lines += ["", "To be looked at and run again:", "", *(f"* {batch}" for batch in failed)]
    return "\n".join(lines)


def machine() -> str:
    """Say what it ran on."""
    return (
        f"{os.cpu_count()} cores, load {os.getloadavg()[2]:.1f} over the last quarter of an hour,"
        f" {platform.system()} {platform.machine()}, Python {platform.python_version()}"
    )


def say(line: str) -> None:
    """Tell whoever waits."""
    print(line, flush=True)  # noqa: T201 - this is a command


def report(done: list[Part], minutes: float) -> None:
    """Put the figures into the documentation, in place of the last ones."""
    page = REPORT.read_text(encoding="utf-8")
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    page = f"{before}{BEGIN}\n{table(done, minutes)}\n{END}{after}"
    REPORT.write_text(page, encoding="utf-8")


def main() -> None:
    """Soak, report, and fail if anything failed or did not end."""
    done = soak(MINUTES)
    say(table(done, MINUTES))
    sys.exit(1 if any(part.batches for part in done) else 0)


if __name__ == "__main__":
    main()
