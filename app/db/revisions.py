"""Which revisions of the schema this program brings, read from their files."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
VERSIONS = ROOT / "migrations" / "versions"

_REVISION = re.compile(r'^revision: str = "([^"]+)"', re.MULTILINE)
_PARENT = re.compile(r'^down_revision: str \| None = "([^"]+)"', re.MULTILINE)


def head(versions: Path = VERSIONS) -> str:
    """Return the newest revision; raises RuntimeError unless the history has one end."""
    known: set[str] = set()
    parents: set[str] = set()
    for path in versions.glob("*.py"):
        source = path.read_text(encoding="utf-8")
        known.update(_REVISION.findall(source))
        parents.update(_PARENT.findall(source))
    ends = sorted(known - parents)
    if len(ends) != 1:
        raise RuntimeError(f"the migrations have {len(ends)} ends instead of one: {ends}")
    return ends[0]


def known(versions: Path = VERSIONS) -> frozenset[str]:
    """Return every revision this program can bring a database to."""
    return frozenset(
        revision
        for path in versions.glob("*.py")
        for revision in _REVISION.findall(path.read_text(encoding="utf-8"))
    )
