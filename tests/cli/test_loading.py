"""What every command costs before it begins."""

import subprocess
import sys

SLOW = {
    "aiosmtpd",
    "alembic",
    "app.db.engine",
    "app.rules.castell",
    "app.rules.el_grande",
    "fastapi",
    "jinja2",
    "procrastinate",
    "psycopg",
    "sqlalchemy",
    "structlog",
    "uvicorn",
}
LOAD = "import sys; from app.cli.__main__ import load; load(); print(*sys.modules, sep='\\n')"


def test_no_command_waits_for_what_only_another_needs() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOAD], capture_output=True, text=True, check=True, timeout=60
    )

    loaded = set(done.stdout.split())
    assert "app.cli.play" in loaded
    assert loaded & SLOW == set()
