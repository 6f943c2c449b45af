"""What can be seen of a match from outside: what is committed, read by no code of ours.

Its connection is its own and blocks: while it looks, nothing else happens.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias
from uuid import UUID

import psycopg
from psycopg.rows import namedtuple_row

from app.db.address import conninfo
from app.matches.timeouts import BEAT

Cause: TypeAlias = tuple[int, str]
"""The seat and the key of the command that made a version; NOBODY and a word for what is none."""

NOBODY = -1

_GLANCE = """
    select m.version, m.status, m.prompts, m.clock,
      (select max(version) from match_events where match_id = m.id) as played,
      (select json_object_agg(seat, person_id) from match_seats where match_id = m.id
        and person_id is not null) as people,
      array(select seat from match_answers where match_id = m.id) as answered,
      (select json_agg(p order by p.kind) from match_proposals p where p.match_id = m.id)
        as proposals,
      (select json_object_agg(seat, extract(epoch from due_at)) from match_deadlines
        where match_id = m.id and missed_at is null and due_at is not null) as due,
      array(select seat from match_deadlines where match_id = m.id and missed_at is not null
        and not secret) as late,
      (select json_agg(json_build_array(to_version, version)) from match_rollbacks
        where match_id = m.id) as struck
    from matches m where m.id = %s
"""
_JOBS = """
    select id, task_name, args from procrastinate_jobs
    where status = 'todo' and args ? 'match_id' order by id
"""
_NEWEST = """
    select seat, key from match_commands where match_id = %s and version > %s
    and (key like 'bot:%%' or key like 'timeout:%%')
"""
_NOTICES = """
    select id, person_id, event, about, actor, seat, prompt, version, point, created_at, due_at,
      attempts
    from notices where status = 'waiting' order by event, seat, version, prompt, point
"""
_WAITING = """
    select exists (select from procrastinate_jobs where status = 'todo' and args ? 'match_id')
      as jobs,
      exists (select from notices where status = 'waiting' and due_at <= %s) as letters
"""
_BEAT = """
    insert into heartbeats values (%s, %s) on conflict (name) do update set at = excluded.at
"""
# Everything that a refused command, or one that died before its commit, must leave alone.
_ROWS = "".join(
    f"select {n}, md5(coalesce(string_agg(t::text, '|' order by t::text), '')) from {table} t"
    f" {where} union all "
    for n, (table, where) in enumerate(
        [("matches", "where id = %(id)s"), ("procrastinate_jobs", ""), ("notices", "")]
        + [
            (f"match_{name}", "where match_id = %(id)s")
            for name in (
                *("answers", "commands", "deadlines", "drafts", "events", "pauses"),
                *("proposals", "rollbacks", "seats", "standing", "times"),
            )
        ]
    )
).removesuffix(" union all ")


@dataclass(frozen=True, slots=True)
class Glance:
    """A match as it stands."""

    version: int
    status: str
    prompts: Mapping[int, Mapping[str, Any]]
    clock: Mapping[str, Any] | None
    # The version of the last event, struck or not.
    played: int
    people: Mapping[int, UUID]
    answered: frozenset[int]
    proposals: tuple[Mapping[str, Any], ...]
    due: Mapping[int, float]
    # Whose time has run out while the match waits for them.
    late: frozenset[int]
    # From and to which version turns were taken back, both excluded.
    struck: tuple[tuple[int, int], ...]

    @property
    def asked(self) -> tuple[int, ...]:
        """The seats of people that the match waits for."""
        return tuple(
            seat for seat in self.prompts if seat in self.people and seat not in self.answered
        )

    def waits_for(self, person: UUID) -> bool:
        """Whether the match waits for a person, whichever of their seats it is."""
        return any(self.people[seat] == person for seat in self.asked)


class Observer:
    """Looks at the database, one statement at a time."""

    def __init__(self, url: str) -> None:
        """Connect."""
        self._connection = psycopg.connect(
            conninfo(url), autocommit=True, prepare_threshold=0, row_factory=namedtuple_row
        )

    def glance(self, match_id: UUID) -> Glance:
        """Return how a match stands."""
        (row,) = self.rows(_GLANCE, [match_id])
        return Glance(
            version=row.version,
            status=row.status,
            prompts={int(seat): row.prompts[seat] for seat in sorted(row.prompts)},
            clock=row.clock,
            played=row.played,
            people={int(s): UUID(who) for s, who in sorted((row.people or {}).items())},
            answered=frozenset(row.answered),
            proposals=tuple(row.proposals or ()),
            due={int(seat): due for seat, due in sorted((row.due or {}).items())},
            late=frozenset(row.late),
            struck=tuple((after, before) for after, before in row.struck or ()),
        )

    def jobs(self) -> list[Any]:
        """Return the jobs about matches that nobody has done."""
        return self.rows(_JOBS)

    def waiting(self, now: datetime) -> tuple[bool, bool]:
        """Tell whether a job waits, and whether a letter is due."""
        (row,) = self.rows(_WAITING, [now])
        return row.jobs, row.letters

    def done(self, job: Any) -> None:
        """Take a job out of the queue, as the queue does once its handler has returned."""
        self._connection.execute("delete from procrastinate_jobs where id = %s", [job.id])

    def command_of_program(self, match_id: UUID, version: int) -> Cause | None:
        """Return the bot's command, or that of a time that ran out, that came after `version`."""
        found = self.rows(_NEWEST, [match_id, version])
        assert len(found) < 2, "two commands at once"
        return (found[0].seat, found[0].key) if found else None

    def notices(self) -> list[Any]:
        """Return what waits to be told, to whomever."""
        return self.rows(_NOTICES)

    def beat(self, now: datetime) -> None:
        """Let the worker have ticked just now, as it does three times a minute."""
        self._connection.execute(_BEAT, [BEAT, now])

    def beaten(self, now: datetime) -> bool:
        """Tell whether the worker has ticked at `now`."""
        return bool(self.rows("select from heartbeats where at = %s", [now]))

    def rows_of(self, match_id: UUID) -> list[Any]:
        """Return a hash of the rows of a match, of the outbox and of the queue."""
        found = self._connection.execute(_ROWS.encode(), {"id": match_id}).fetchall()
        return [tuple(row) for row in found]

    def rows(self, query: str, values: Any = ()) -> list[Any]:
        """Return what a query finds."""
        return self._connection.execute(query.encode(), values or None).fetchall()

    def close(self) -> None:
        """Leave."""
        self._connection.close()
