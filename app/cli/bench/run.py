"""One run: everything that is measured, in order."""

import asyncio
import os
import platform
import tempfile
from collections.abc import Callable
from pathlib import Path

from app.cli.bench import rules, start
from app.cli.bench.figures import MARKS, Figure, Run
from app.cli.bench.setting import Size
from app.cli.bench.web import measure_web
from app.cli.migrate import create
from app.cli.surroundings import DATABASE, database
from app.clock import SYSTEM_CLOCK
from app.config import Settings
from app.db.migrate import upgrade
from app.keys import with_secret_key

QUICK = Size(rounds=1, requests=20, turns=4, seconds=1.0, pages=(20,), matches=2, samples=2)
FULL = Size(
    rounds=5,
    requests=400,
    turns=24,
    seconds=8.0,
    pages=(250, 500, 1000, 2000, 3000, 4000),
    matches=200,
    samples=20,
)


def measure(settings: Settings, *, quick: bool) -> Run:
    """Measure everything; what cannot be measured here is named with the reason."""
    size = QUICK if quick else FULL
    figures: dict[str, Figure] = {}
    missing: dict[str, str] = {}

    def take(name: str, part: Callable[[], dict[str, Figure]]) -> None:
        try:
            figures.update(part())
        except (OSError, RuntimeError) as error:
            for mark in MARKS:
                if mark.startswith(name):
                    missing[mark] = str(error).split("\n")[0]

    take("B", lambda: rules.measure_rules(size))
    with tempfile.TemporaryDirectory(prefix="placa-bench-") as folder:
        # The embedded server's account must get in when root measures.
        Path(folder).chmod(0o755)
        here = settings.model_copy(update={"data_dir": Path(folder) / "data"})
        take("A9", lambda: start.measure_start(here, size))
        with database(with_secret_key(here)) as opened:
            if settings.database_url is None:
                create(opened.required_database_url, DATABASE)
            upgrade(opened.required_database_url)
            figures.update(asyncio.run(measure_web(opened, size, missing)))
    return Run(
        machine=_machine(),
        date=f"{SYSTEM_CLOCK.now():%Y-%m-%d}",
        quick=quick,
        figures={name: figures[name] for name in MARKS if name in figures},
        missing=missing,
    )


def _machine() -> str:
    """Say where this runs, and how busy it is."""
    model = platform.processor() or platform.machine()
    for line in _lines("/proc/cpuinfo"):
        if line.startswith("model name"):
            model = line.partition(":")[2].strip()
            break
    load = os.getloadavg()[0]
    return (
        f"{os.cpu_count()} cores, {model}, {platform.system()},"
        f" Python {platform.python_version()}, load {load:.1f}"
    )


def _lines(path: str) -> list[str]:
    try:
        return Path(path).read_text("utf-8").splitlines()
    except OSError:
        return []
