"""The long proof: every property again and again, within a time, and a report of what was seen.

    SOAK_MINUTES=600 make soak

divides the time between the properties, two at a time, and runs each in batches that
differ by their first number.  What it finds is added to docs/soak.json, and stands in
docs/reliability.md.  A batch that fails is counted, its output kept in build/soak, and
the rest goes on; one that takes far longer than its share is cut short, told, and counted
for nothing.  The sizes are for two cores that have nothing else to do.

    SOAK_PARTS=kills,crashes SOAK_MINUTES=30 make soak

gives the time to the properties in whose name one of the words is.  If all of them would
come one after the other, two batches at a time divide their numbers.
"""

import os
import platform
import re
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from tests.soak import report
from tests.soak.ledger import Count, Ledger, Run, longest, this_commit, this_version
from tests.soak.parts import PARTS, ROOT, Lane, Part

LOGS = ROOT / "build" / "soak"
MINUTES = float(os.environ.get("SOAK_MINUTES", "60"))
WORDS = [word.strip() for word in os.environ.get("SOAK_PARTS", "").split(",") if word.strip()]
# A batch that takes this many times its share, and this many seconds, is stuck.
PATIENCE = 4
FEWEST_SECONDS = 300.0
# A batch is as large as takes about so long: what is begun is also ended.
BATCH_SECONDS = 240.0
STOP_SECONDS = 60.0
SIDE_BY_SIDE: tuple[Lane, ...] = ("crashes", "others")


@dataclass(slots=True)
class Soak:
    """One run."""

    ledger: Ledger
    run: Run
    bad: list[str] = field(default_factory=list)
    cut: list[str] = field(default_factory=list)
    # Somebody has stopped it: batches that end now have not failed.
    stopping: threading.Event = field(default_factory=threading.Event)
    _begun: set[str] = field(default_factory=set)
    _mine: threading.Lock = field(default_factory=threading.Lock)

    def lane(self, lane: Lane, minutes: float) -> None:
        """Run every part of a lane for its share of the time, and at least once.

        Another may run the same lane beside it: what is not to be repeated is left to the first.
        """
        here = [part for part in chosen(WORDS) if part.lane == lane]
        shares = sum(part.share for part in here)
        for part in here:
            if self.stopping.is_set():
                return
            with self._mine:
                begun = part.name in self._begun
                self._begun.add(part.name)
            if begun and part.once:
                continue
            self.part(part, minutes * 60 * part.share / shares)

    def part(self, part: Part, budget: float) -> None:
        """Run batches of a part until its time is up."""
        with self._mine:
            count = self.run.parts.setdefault(part.name, Count())
        size, spent = part.size, 0.0
        if part.batch(1, 1) != part.batch(1, 2):
            size = max(part.fewest, round(size * min(1.0, self.run.minutes / 60)))
        while True:
            with self._mine:
                first = 1 + self.ledger.total(self.run.version, part.name).tried
                count.tried += size
            took = self.batch(part, count, first, size, max(FEWEST_SECONDS, budget * PATIENCE))
            spent += took
            left, each = budget - spent, took / size
            if part.once or left < each * part.fewest or self.stopping.is_set():
                return
            size = max(part.fewest, int(min(left, BATCH_SECONDS) / each))

    def batch(self, part: Part, count: Count, first: int, size: int, limit: float) -> float:
        """Run one batch, count it, write down how far it is, and return its seconds."""
        variables = dict(part.batch(first, size))
        log = LOGS / f"{part.name.replace(' ', '-')}-{first}.log"
        began = time.monotonic()
        status = run_tests(part, variables, log, limit)
        named = " ".join([*(f"{name}={value}" for name, value in variables.items()), *part.tests])
        outcome = "passed"
        with self._mine:
            took = time.monotonic() - began
            count.seconds += took
            if status == 0:
                count.done += size
                found = re.search(part.tells, log.read_text()) if part.tells else None
                if found is not None:
                    count.worst = longest(count.worst, [float(one) for one in found.groups()])
            elif status is None or self.stopping.is_set():
                count.cut += 1
                outcome = f"cut short after {took:.0f} s"
                self.cut.append(f"`{named}`: {outcome}")
            else:
                count.failed += 1
                outcome = f"failed with status {status}"
                self.bad.append(f"`{named}`: {outcome}")
            say(f"{part.name}, {named}: {outcome} ({took:.0f} s)")
            self.run.machine = machine()
            self.ledger.write()
            report.write(self.ledger, self.run, self.bad, self.cut)
        return took


def chosen(words: list[str]) -> list[Part]:
    """Return the parts whose name has one of the words in it; all of them without any."""
    return [part for part in PARTS if not words or any(word in part.name for word in words)]


def lanes(words: list[str]) -> list[Lane]:
    """Return what runs side by side: one lane of each, or the only one that is chosen twice."""
    there = {part.lane for part in chosen(words)}
    side_by_side = [lane for lane in SIDE_BY_SIDE if lane in there]
    return side_by_side * 2 if len(side_by_side) == 1 else side_by_side


def run_tests(part: Part, variables: dict[str, str], log: Path, limit: float) -> int | None:
    """Run pytest and return its status; None: it was stopped, time was up."""
    with log.open("w", encoding="utf-8") as output:
        output.write(f"{variables}\n")
        output.flush()
        process = subprocess.Popen(
            [sys.executable, "-m", "pytest", "-q", "-s", "-p", "no:cacheprovider", *part.tests],
            cwd=ROOT,
            env={**os.environ, **variables},
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        try:
            return process.wait(limit)
        except subprocess.TimeoutExpired:
            # pytest then stops its database.
            process.send_signal(signal.SIGINT)
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            return None


def machine() -> str:
    """Say what it ran on."""
    return (
        f"{os.cpu_count()} cores, load {os.getloadavg()[2]:.1f} over the last quarter of an hour,"
        f" {platform.system()} {platform.machine()}, Python {platform.python_version()}"
    )


def say(line: str) -> None:
    """Tell whoever waits."""
    print(line, flush=True)  # noqa: T201 - this is a command


def main() -> None:
    """Soak, report, and fail if anything failed."""
    if not chosen(WORDS):
        sys.exit(f"SOAK_PARTS: none of {', '.join(part.name for part in PARTS)}")
    LOGS.mkdir(parents=True, exist_ok=True)
    ledger, (commit, day) = Ledger.read(), this_commit()
    began = datetime.now(UTC).isoformat(timespec="seconds")
    run = Run(began, this_version(), commit, day, MINUTES, machine())
    soak = Soak(ledger, run)
    ledger.runs.append(run)
    # pytest hears of Ctrl-C by itself, and stops its database.
    signal.signal(signal.SIGINT, lambda *_: soak.stopping.set())
    soak.lane("alone", MINUTES / 60)
    with ThreadPoolExecutor(2) as side_by_side:
        running = [side_by_side.submit(soak.lane, lane, MINUTES) for lane in lanes(WORDS)]
    for lane in running:
        lane.result()
    say(report.told(ledger, run, soak.bad, soak.cut))
    sys.exit(1 if soak.bad else 0)


if __name__ == "__main__":
    main()
