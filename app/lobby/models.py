"""Tables of the lobby.  Private to `app.lobby`.

Every rule that two people could break at the same moment is a constraint: the
seats of a table are rows made with the table, so nobody can be seated twice over
the last one, and a person owns at most one seat that is not a hot-seat one.
"""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    CheckConstraint,
    DateTime,
    ForeignKey,
    Index,
    LargeBinary,
    String,
    UniqueConstraint,
    false,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.db.base import Base


class TableRow(Base):
    """A table; `revision` rises with every change that its page shows."""

    __tablename__ = "tables"
    __table_args__ = (
        CheckConstraint("status in ('gathering', 'started', 'closed')", name="status"),
        CheckConstraint("visibility in ('private', 'open')", name="visibility"),
        CheckConstraint("seat_order in ('shuffled', 'chosen')", name="seat_order"),
        CheckConstraint("(status = 'started') = (match_id is not null)", name="started_has_match"),
        UniqueConstraint("host_id", "key"),
        Index(
            "tables_open_idx",
            "created_at",
            postgresql_where=text("status = 'gathering' and visibility = 'open'"),
        ),
        Index("tables_gathering_idx", "expires_at", postgresql_where=text("status = 'gathering'")),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    game: Mapped[str] = mapped_column(String(32))
    options: Mapped[dict[str, Any]] = mapped_column(JSONB)
    # What the match will have for a clock; NULL: none.
    clock: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    host_id: Mapped[UUID] = mapped_column(ForeignKey("people.id"), index=True)
    # What the form carried: a double click makes one table.
    key: Mapped[str] = mapped_column(String(64))
    status: Mapped[str] = mapped_column(String(16))
    visibility: Mapped[str] = mapped_column(String(16))
    seat_order: Mapped[str] = mapped_column(String(16))
    spectators: Mapped[bool]
    revision: Mapped[int]
    talk_count: Mapped[int]
    # Only a gathering table has a code.
    code: Mapped[str | None] = mapped_column(String(32), unique=True)
    # The links are derived from the nonce and the secret key, so they can be shown
    # again although only their hashes are stored.
    nonce: Mapped[bytes] = mapped_column(LargeBinary(16))
    invite_hash: Mapped[bytes] = mapped_column(LargeBinary(32), unique=True)
    watch_hash: Mapped[bytes] = mapped_column(LargeBinary(32), unique=True)
    match_id: Mapped[UUID | None] = mapped_column(ForeignKey("matches.id"), unique=True)
    rematch_of: Mapped[UUID | None] = mapped_column(ForeignKey("tables.id"), unique=True)
    created_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    expires_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))


class SeatRow(Base):
    """One seat of a table, empty or taken."""

    __tablename__ = "table_seats"
    __table_args__ = (
        # Deferrable, so that one statement can swap two seats.
        UniqueConstraint("table_id", "position", deferrable=True, initially="IMMEDIATE"),
        UniqueConstraint("table_id", "name_key"),
        UniqueConstraint("table_id", "kit"),
        CheckConstraint("position between 0 and 4", name="position"),
        CheckConstraint("kit between 1 and 5", name="kit"),
        CheckConstraint("person_id is null or bot is null", name="one_occupant"),
        CheckConstraint(
            "(person_id is null and bot is null) = (name is null)"
            " and (name is null) = (name_key is null) and (name is null) = (kit is null)",
            name="occupant_has_name",
        ),
        # A second click, or a second tab, does not take a second seat; hot-seat
        # players are `extra`.
        Index(
            "table_seats_person_idx",
            "table_id",
            "person_id",
            unique=True,
            postgresql_where=text("not extra"),
        ),
        Index("table_seats_person_id_idx", "person_id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    table_id: Mapped[UUID] = mapped_column(ForeignKey("tables.id", ondelete="CASCADE"))
    position: Mapped[int]
    person_id: Mapped[UUID | None] = mapped_column(ForeignKey("people.id"))
    bot: Mapped[str | None] = mapped_column(String(32))
    name: Mapped[str | None] = mapped_column(String(64))
    name_key: Mapped[str | None] = mapped_column(String(256))
    kit: Mapped[int | None]
    extra: Mapped[bool] = mapped_column(server_default=text("false"))
    # False: kept for somebody by a rematch, and not yet taken.
    confirmed: Mapped[bool] = mapped_column(server_default=text("true"))
    joined_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))


class RemovedRow(Base):
    """A person the host sent away; the same person does not get back in."""

    __tablename__ = "table_removed"

    table_id: Mapped[UUID] = mapped_column(
        ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True
    )
    person_id: Mapped[UUID] = mapped_column(
        ForeignKey("people.id", ondelete="CASCADE"), primary_key=True, index=True
    )


class WatcherRow(Base):
    """A person who may watch: came by the spectator link, or (`kept`) had a seat once."""

    __tablename__ = "table_watchers"

    table_id: Mapped[UUID] = mapped_column(
        ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True
    )
    person_id: Mapped[UUID] = mapped_column(
        ForeignKey("people.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    kept: Mapped[bool] = mapped_column(server_default=false())


class TalkRow(Base):
    """One thing said at a table; `n` counts from 1 without gaps."""

    __tablename__ = "talk"
    __table_args__ = (UniqueConstraint("table_id", "person_id", "key"),)

    table_id: Mapped[UUID] = mapped_column(
        ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True
    )
    n: Mapped[int] = mapped_column(primary_key=True)
    person_id: Mapped[UUID] = mapped_column(ForeignKey("people.id"), index=True)
    name: Mapped[str] = mapped_column(String(64))
    text: Mapped[str] = mapped_column(String(500))
    key: Mapped[str] = mapped_column(String(64))
    at: Mapped[datetime] = mapped_column(DateTime(timezone=True))


class TalkReadRow(Base):
    """How far a person has read."""

    __tablename__ = "talk_reads"

    table_id: Mapped[UUID] = mapped_column(
        ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True
    )
    person_id: Mapped[UUID] = mapped_column(
        ForeignKey("people.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    n: Mapped[int]


class TalkMuteRow(Base):
    """`person_id` does not want to read what `muted_id` says, at any table."""

    __tablename__ = "talk_mutes"

    person_id: Mapped[UUID] = mapped_column(
        ForeignKey("people.id", ondelete="CASCADE"), primary_key=True
    )
    muted_id: Mapped[UUID] = mapped_column(
        ForeignKey("people.id", ondelete="CASCADE"), primary_key=True, index=True
    )
