"""As whom the server runs: PostgreSQL refuses root."""

import os
import pwd
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.db.embedded.problems import EmbeddedServerError


@dataclass(frozen=True, slots=True)
class Account:
    """An unprivileged user to whom root hands the server."""

    name: str
    uid: int
    gid: int

    def process_options(self) -> dict[str, Any]:
        """Return the arguments with which `subprocess` runs something as this user."""
        return {"user": self.uid, "group": self.gid, "extra_groups": []}

    def can_run(self, program: str) -> bool:
        """Tell whether this user gets as far as executing `program`."""
        return self._test("-x", program)

    def can_enter(self, folder: Path) -> bool:
        """Tell whether every folder down to `folder` is open to this user."""
        return self._test("-x", str(folder))

    def take(self, path: Path) -> None:
        """Make `path` this user's own."""
        os.chown(path, self.uid, self.gid)

    def _test(self, flag: str, path: str) -> bool:
        command = ["test", flag, path]
        return (
            subprocess.run(command, check=False, cwd="/", **self.process_options()).returncode == 0
        )


def server_account(cluster: Path, name: str) -> Account | None:
    """Return as whom root runs the server on `cluster`; None for everybody else.

    Data that exists already keeps its owner; new data goes to user `name`.
    """
    if os.geteuid() != 0:
        return None
    try:
        owner = cluster.stat().st_uid if cluster.exists() else 0
        entry = pwd.getpwuid(owner) if owner else pwd.getpwnam(name)
    except KeyError:
        raise EmbeddedServerError(
            f"PostgreSQL does not run as root, and there is no user {name!r} to run it as:"
            f" set PLACA_PG_USER to one that exists, or DATABASE_URL to a server of yours."
        ) from None
    return Account(entry.pw_name, entry.pw_uid, entry.pw_gid)
