"""Tables of the match log.  Private to `app.matches`."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import JSON, CheckConstraint, DateTime, ForeignKey, Index, String, Text
from sqlalchemy import text as sql
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.db.base import Base


class Match(Base):
    """The head of a match: its latest state, who is asked what, how many commits made it.

    `nonce` and `seed` stay here until the end; `commitment` is public from the
    start.  `prompts` maps each seat asked to its prompt and to the version at
    which that prompt opened.
    """

    __tablename__ = "matches"
    __table_args__ = (
        CheckConstraint("status in ('running', 'finished', 'void')", name="status"),
        CheckConstraint("(status = 'running') = (finished_at is null)", name="finished"),
        # Of nothing that a turn changes: an index on `updated_at` would cost every commit.
        Index("matches_running_idx", "id", postgresql_where=sql("status = 'running'")),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    game: Mapped[str]
    rules_version: Mapped[int]
    # Not JSONB, which forgets the order of keys: an edition lists its parts in it.
    options: Mapped[dict[str, Any]] = mapped_column(JSON)
    nonce: Mapped[bytes]
    seed: Mapped[bytes]
    commitment: Mapped[str]
    version: Mapped[int]
    events: Mapped[int]
    state: Mapped[Any] = mapped_column(JSONB)
    prompts: Mapped[dict[str, Any]] = mapped_column(JSONB)
    status: Mapped[str] = mapped_column(server_default="running")
    created_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    updated_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    finished_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    # What the table has agreed on about time (`app.matches.clocks.terms`); NULL: no clock.
    clock: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))


class MatchSeat(Base):
    """A place in a match: a person or a bot sits in it.

    `committed_version` is the version of the seat's last commit: what it brought
    and what happened after it is news to whoever sits there.
    """

    __tablename__ = "match_seats"
    __table_args__ = (
        CheckConstraint("kit between 1 and 5", name="kit"),
        CheckConstraint("person_id is null or bot is null", name="occupant"),
        Index(None, "person_id"),
    )

    match_id: Mapped[UUID] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    person_id: Mapped[UUID | None] = mapped_column(ForeignKey("people.id"))
    bot: Mapped[str | None]
    name: Mapped[str]
    kit: Mapped[int]
    committed_version: Mapped[int]
    resigned_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))


class MatchEvent(Base):
    """One thing that happened.  Rows are only ever inserted.

    `line` stands on the first event of each seat's decided moves and holds them
    in notation; `rules_version` is the one that wrote `payload`.
    """

    __tablename__ = "match_events"
    __table_args__ = (Index(None, "match_id", "version"),)

    match_id: Mapped[UUID] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    seq: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    version: Mapped[int]
    seat: Mapped[int | None]
    payload: Mapped[dict[str, Any]] = mapped_column(JSONB)
    line: Mapped[str | None]
    rules_version: Mapped[int]
    at: Mapped[datetime] = mapped_column(DateTime(timezone=True))


class MatchRollback(Base):
    """The host took turns back: at `version` the match went on from `to_version`.

    Nothing leaves the log: the events in between are struck.  The view
    `match_log` shows the others.
    """

    __tablename__ = "match_rollbacks"
    __table_args__ = (CheckConstraint("0 < to_version and to_version < version", name="backwards"),)

    match_id: Mapped[UUID] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    version: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    to_version: Mapped[int]
    at: Mapped[datetime] = mapped_column(DateTime(timezone=True))


class MatchDraft(Base):
    """A seat's private list of moves before it commits.

    The row outlives its drafts: `revision` only ever rises, so an equal
    revision always means an equal draft.
    """

    __tablename__ = "match_drafts"

    match_id: Mapped[UUID] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    prompt: Mapped[str]
    moves: Mapped[list[str]] = mapped_column(ARRAY(Text))
    revision: Mapped[int]
    updated_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))


class MatchAnswer(Base):
    """A seat's answer to a simultaneous prompt; gone once the prompt has closed."""

    __tablename__ = "match_answers"

    match_id: Mapped[UUID] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    prompt: Mapped[str] = mapped_column(primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    opened_version: Mapped[int]
    line: Mapped[str]


class MatchStanding(Base):
    """What a seat answers ahead to a `decision`: its standing order, and what became of it.

    `ended` is None while it stands; `played` is what it answered, with `version`.
    """

    __tablename__ = "match_standing"
    __table_args__ = (
        CheckConstraint("ended in ('played', 'asked', 'passed')", name="ended"),
        CheckConstraint("(ended is null) = (version is null)", name="version"),
    )

    match_id: Mapped[UUID] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    decision: Mapped[str] = mapped_column(primary_key=True)
    line: Mapped[str]
    ended: Mapped[str | None] = mapped_column(String(8))
    played: Mapped[str | None]
    version: Mapped[int | None]


class MatchCommand(Base):
    """A command that was carried out, kept for some weeks so that a repeat is harmless.

    A turn makes one row and ends; an answer can be changed without end, so of a
    seat that changes its answer only the last rows are kept.
    """

    __tablename__ = "match_commands"
    __table_args__ = (Index(None, "at"),)

    match_id: Mapped[UUID] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    key: Mapped[str] = mapped_column(primary_key=True)
    fingerprint: Mapped[bytes]
    version: Mapped[int | None]
    at: Mapped[datetime] = mapped_column(
        DateTime(timezone=True), server_default=sql("clock_timestamp()")
    )
