"""The statements of a commit, run by pgbench without any of our code."""

import re
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
from psycopg import sql

from app.db.address import conninfo
from app.db.embedded.binaries import find_binaries
from app.db.notices import CHANNEL, match_moved

# Not a copy that could differ: the very statements of a commit.
from app.matches.heads import _BESIDE, _LOCK
from app.matches.writes import _ADVANCE, _CLAIM

_STORED = """
    select m.rules_version, m.version, m.state::text, m.prompts::text,
      (select jsonb_agg(jsonb_build_object('seat', seat, 'payload', payload, 'line', line)
        order by seq)::text
       from match_events e where e.match_id = m.id and e.version = m.version)
    from matches m where m.id = %s
"""
_FIRST = "select events as first from matches where id = :id \\gset"
_NAME = re.compile(r"(?<!:):([a-z_]+)")
_TPS = re.compile(r"tps = ([0-9.]+)")


def transactions_per_second(url: str, match_id: UUID, binaries: Path | None, count: int) -> float:
    """Let pgbench commit to a match `count` times; raises FileNotFoundError without pgbench."""
    found = find_binaries(binaries).program("pgbench")
    if not Path(found).exists():
        raise FileNotFoundError(f"no pgbench beside {found}")
    with psycopg.connect(conninfo(url)) as connection:
        script = _script(connection, match_id)
    with tempfile.NamedTemporaryFile("w", suffix=".sql", encoding="utf-8") as file:
        file.write(script)
        file.flush()
        done = subprocess.run(
            [found, "-n", "-c", "1", "-t", str(count), "-f", file.name, conninfo(url)],
            check=True,
            capture_output=True,
            text=True,
        )
    rate = _TPS.search(done.stdout)
    if rate is None:
        raise RuntimeError(done.stdout)
    return float(rate[1])


def _script(connection: "psycopg.Connection[Any]", match_id: UUID) -> str:
    """Return one commit as pgbench runs it again and again, each time one version further."""
    row = connection.execute(_STORED, [match_id]).fetchone()
    if row is None:
        raise RuntimeError(f"there is no match {match_id}")
    rules_version, version, state, prompts, rows = row
    now = sql.SQL("now()")
    values: dict[str, Any] = {
        "id": match_id,
        "seat": 0,
        "fingerprint": b"bench",
        "prompt": "turn:0:0",
        "waiting": "{}",
        "state": state,
        "rules_version": rules_version,
        "version": version,
        "added": rows.count('"payload":'),
        "prompts": prompts,
        "status": "running",
        "now": now,
        "finished_at": None,
        "rows": rows,
        "channel": CHANNEL,
        "notice": match_moved(match_id, version),
        "key": sql.SQL("'pgbench ' || :first"),
        "first": sql.SQL(":first"),
    }

    def render(statement: Any) -> str:
        return _filled(connection, str(statement), values)

    return "\n".join(
        [
            render(_FIRST),
            "begin;",
            render(_CLAIM) + ";",
            render(_LOCK) + ";",
            render(_BESIDE) + ";",
            render(_ADVANCE) + ";",
            "commit;",
            "",
        ]
    )


def _filled(
    connection: "psycopg.Connection[Any]", statement: str, values: Mapping[str, Any]
) -> str:
    """Return a statement in one line with its parameters written into it."""

    def literal(found: "re.Match[str]") -> str:
        value = values[found[1]]
        return (
            value.as_string(connection)
            if isinstance(value, sql.SQL)
            else (sql.Literal(value).as_string(connection))
        )

    return " ".join(_NAME.sub(literal, statement).split())
