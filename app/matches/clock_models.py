"""Tables of the clocks.  Private to `app.matches`.

Every instant is stored in UTC.  What stops the time is stored as spans, so a
deadline is always computed from facts and never from when a worker ran.
"""

from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import CheckConstraint, DateTime, ForeignKey, Index, Integer, Interval, String
from sqlalchemy import text as sql
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column

from app.db.base import Base


class MatchDeadline(Base):
    """Until when a seat has to answer: one row for each person a clocked match waits for.

    `allotted` is the running time the seat had when it was asked; of a daily
    clock it is the least notice.  `missed_at` says that the time ran out and that
    the table has chosen to wait.
    """

    __tablename__ = "match_deadlines"
    __table_args__ = (
        Index("match_deadlines_due_idx", "due_at", postgresql_where=sql("missed_at is null")),
    )

    match_id: Mapped[UUID] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    prompt: Mapped[str]
    secret: Mapped[bool]
    opened_version: Mapped[int]
    opened_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    allotted: Mapped[timedelta] = mapped_column(Interval)
    due_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    missed_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))


class MatchTime(Base):
    """How long a seat took over one prompt, closed by `version`; rows are only ever inserted.

    `bank` is what was left of the seat's bank afterwards; None: this clock has no
    bank, or the prompt was secret and did not touch it.
    """

    __tablename__ = "match_times"

    match_id: Mapped[UUID] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    n: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    seat: Mapped[int]
    version: Mapped[int]
    prompt: Mapped[str]
    opened_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    closed_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    allotted: Mapped[timedelta] = mapped_column(Interval)
    used: Mapped[timedelta] = mapped_column(Interval)
    bank: Mapped[timedelta | None] = mapped_column(Interval)


class MatchPause(Base):
    """The table stopped the clocks, by consent and with an end."""

    __tablename__ = "match_pauses"
    __table_args__ = (CheckConstraint("starts_at <= ends_at", name="forwards"),)

    match_id: Mapped[UUID] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    starts_at: Mapped[datetime] = mapped_column(DateTime(timezone=True), primary_key=True)
    ends_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))


class MatchProposal(Base):
    """Something that needs the consent of the seats `asked`; one of a kind at a time."""

    __tablename__ = "match_proposals"
    __table_args__ = (CheckConstraint("kind in ('pause', 'resume', 'undo', 'void')", name="kind"),)

    match_id: Mapped[UUID] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    kind: Mapped[str] = mapped_column(String(16), primary_key=True)
    # Who proposes; None: the time of a seat ran out.
    seat: Mapped[int | None]
    version: Mapped[int]
    until: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    asked: Mapped[list[int]] = mapped_column(ARRAY(Integer))
    agreed: Mapped[list[int]] = mapped_column(ARRAY(Integer))
    made_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))


class Downtime(Base):
    """A span in which the server was away, and one hour more: nobody's time ran."""

    __tablename__ = "downtimes"
    __table_args__ = (CheckConstraint("starts_at < ends_at", name="forwards"),)

    starts_at: Mapped[datetime] = mapped_column(DateTime(timezone=True), primary_key=True)
    ends_at: Mapped[datetime] = mapped_column(DateTime(timezone=True), index=True)


class Heartbeat(Base):
    """When the worker last looked after the clocks."""

    __tablename__ = "heartbeats"

    name: Mapped[str] = mapped_column(String(32), primary_key=True)
    at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
