"""The compose files, as compose itself reads them."""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
BIN = ROOT / ".venv" / "bin"


def tool(name: str) -> str:
    """Return the path of a tool of the test environment; skip the test if it has none."""
    found = shutil.which(name, path=f"{BIN}{os.pathsep}{os.environ['PATH']}")
    if found is None:
        pytest.skip(f"{name} is not published for this platform")
    return found


def composed(*files: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run compose's own reading of `files`, with no environment but this one."""
    named = [word for file in files for word in ("-f", file)]
    return subprocess.run(
        [tool("docker-compose"), *named, "config"],
        check=False,
        cwd=ROOT,
        capture_output=True,
        text=True,
        env={"PATH": os.environ["PATH"], "HOME": "/nonexistent", **environment},
    )


def read(*files: str, **environment: str) -> dict[str, Any]:
    """Return what compose makes of `files`."""
    done = composed(*files, **environment)

    assert done.returncode == 0, done.stderr
    assert done.stderr == "", "compose warns, about an unset variable for instance"
    loaded: dict[str, Any] = yaml.safe_load(done.stdout)
    return loaded
