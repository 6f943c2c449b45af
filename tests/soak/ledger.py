"""What every soak has found: numbers of one version add up, those of others are told apart."""

import subprocess
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from tests.soak.parts import ROOT

FILE = ROOT / "docs" / "soak.json"


class Count(msgspec.Struct, omit_defaults=True):
    """What became of one property in one run.

    `done` were tried in batches that passed, `tried` in any, ended or not; `cut` batches
    were stopped because time was up, and count for nothing; `worst` are the longest seconds.
    """

    done: int = 0
    tried: int = 0
    failed: int = 0
    cut: int = 0
    seconds: float = 0.0
    worst: list[float] = msgspec.field(default_factory=list)


class Run(msgspec.Struct):
    """One soak; `commit` ends in `+` if files had been changed since."""

    began: str
    version: str
    commit: str
    committed: str
    minutes: float
    machine: str
    parts: dict[str, Count] = msgspec.field(default_factory=dict)


@dataclass(slots=True)
class Ledger:
    """Every run there was, oldest first."""

    file: Path
    runs: list[Run] = field(default_factory=list)

    @classmethod
    def read(cls, file: Path = FILE) -> "Ledger":
        """Read it; there is none before the first soak."""
        if not file.exists():
            return cls(file)
        return cls(file, msgspec.json.decode(file.read_bytes(), type=list[Run]))

    def write(self) -> None:
        """Keep it."""
        text = msgspec.json.format(msgspec.json.encode(self.runs), indent=1)
        self.file.write_bytes(text + b"\n")

    def versions(self) -> list[str]:
        """Return the versions that were soaked, in the order of their first runs."""
        return list(dict.fromkeys(run.version for run in self.runs))

    def of(self, version: str) -> list[Run]:
        """Return the runs of a version."""
        return [run for run in self.runs if run.version == version]

    def total(self, version: str, part: str) -> Count:
        """Add up what the runs of a version have found of one property."""
        total = Count()
        for count in (run.parts.get(part, Count()) for run in self.of(version)):
            total.done += count.done
            total.tried += count.tried
            total.failed += count.failed
            total.cut += count.cut
            total.seconds += count.seconds
            total.worst = longest(total.worst, count.worst)
        return total


def longest(one: list[float], other: list[float]) -> list[float]:
    """Return the longer of each two seconds."""
    return [max(pair) for pair in zip(one, other, strict=True)] if one and other else one or other


def this_version() -> str:
    """Return the version that these files say they are."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    return str(tomllib.loads(text)["project"]["version"])


def this_commit() -> tuple[str, str]:
    """Return the commit these files come from, and its day; a dash for files without a history."""
    named = _git("log", "-1", "--format=%h %cs")
    if not named:
        return "-", "-"
    commit, day = named.split()
    written_here = ("docs/soak.json", "docs/reliability.md")
    changed = _git(
        "diff", "HEAD", "--name-only", "--", ".", *(f":!{name}" for name in written_here)
    )
    return f"{commit}+" if changed else commit, day


def _git(*arguments: str) -> str:
    try:
        done = subprocess.run(
            ["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return ""
    return done.stdout.strip()
