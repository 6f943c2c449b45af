"""Tables of notices; those of mails that came in come along.  Private to `app.notifications`."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import (
    CheckConstraint,
    DateTime,
    ForeignKey,
    Index,
    Integer,
    String,
    UniqueConstraint,
)
from sqlalchemy import text as sql
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column

from app.db.base import Base
from app.notifications.replies import models as replies

__all__ = ["NoticeMuteRow", "NoticeRow", "NoticeWishRow", "replies"]


class NoticeWishRow(Base):
    """When a person wants to be told; who has no row has never chosen.

    Times of the day are minutes since midnight on the person's own clock.
    """

    __tablename__ = "notice_wishes"
    __table_args__ = (
        CheckConstraint("mode in ('immediate', 'coalesced', 'daily', 'off')", name="mode"),
        CheckConstraint("delay_minutes between 1 and 720", name="delay"),
        CheckConstraint("daily_at between 0 and 1439", name="daily"),
        CheckConstraint("(quiet_from is null) = (quiet_until is null)", name="quiet"),
        CheckConstraint("cardinality(remind_hours) <= 5", name="reminders"),
        CheckConstraint("turn_by in ('mail', 'channel', 'both')", name="turn_by"),
        CheckConstraint("reminder_by in ('mail', 'channel', 'both')", name="reminder_by"),
        CheckConstraint("other_by in ('mail', 'channel', 'both')", name="other_by"),
    )

    person_id: Mapped[UUID] = mapped_column(
        ForeignKey("people.id", ondelete="CASCADE"), primary_key=True
    )
    mode: Mapped[str] = mapped_column(String(16))
    delay_minutes: Mapped[int]
    daily_at: Mapped[int]
    quiet_from: Mapped[int | None]
    quiet_until: Mapped[int | None]
    # So many hours before a deadline.
    remind_hours: Mapped[list[int]] = mapped_column(
        ARRAY(Integer), server_default=sql("'{12,2}'::integer[]")
    )
    # By which road decisions, reminders and everything else are told.
    turn_by: Mapped[str] = mapped_column(String(16), server_default="both")
    reminder_by: Mapped[str] = mapped_column(String(16), server_default="both")
    other_by: Mapped[str] = mapped_column(String(16), server_default="both")
    # Whether mails show the position as a picture.
    picture: Mapped[bool] = mapped_column(server_default=sql("true"))


class NoticeMuteRow(Base):
    """A person wants to hear nothing of one match."""

    __tablename__ = "notice_mutes"

    person_id: Mapped[UUID] = mapped_column(
        ForeignKey("people.id", ondelete="CASCADE"), primary_key=True
    )
    match_id: Mapped[UUID] = mapped_column(
        ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True
    )


class NoticeRow(Base):
    """Something a person is to be told of, and what became of it: the outbox and its log.

    `about` is the match or the table, `actor` whose doing it was.  A decision is named by
    `seat`, `prompt` and the `version` at which it opened; of other events they are -1,
    empty and 0.  `point` is how many hours before the deadline a reminder comes.  It goes
    by the person's `channel_id`, or by mail.  `said` is what the mail server or the channel
    answered, or why nothing was sent.
    """

    __tablename__ = "notices"
    __table_args__ = (
        UniqueConstraint(
            "person_id",
            "about",
            "event",
            "seat",
            "version",
            "point",
            "channel_id",
            name="notices_once_key",
            postgresql_nulls_not_distinct=True,
        ),
        Index(None, "channel_id"),
        CheckConstraint("status in ('waiting', 'sent', 'obsolete', 'failed')", name="status"),
        CheckConstraint("(status = 'waiting') = (settled_at is null)", name="settled"),
        Index("notices_waiting_idx", "due_at", postgresql_where=sql("status = 'waiting'")),
        Index("notices_settled_idx", "settled_at"),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    person_id: Mapped[UUID] = mapped_column(ForeignKey("people.id", ondelete="CASCADE"))
    event: Mapped[str] = mapped_column(String(16))
    about: Mapped[UUID]
    actor: Mapped[UUID | None]
    seat: Mapped[int]
    prompt: Mapped[str]
    version: Mapped[int]
    point: Mapped[int] = mapped_column(server_default=sql("0"))
    channel_id: Mapped[UUID | None] = mapped_column(ForeignKey("channels.id", ondelete="CASCADE"))
    created_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    due_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    status: Mapped[str] = mapped_column(String(16), server_default="waiting")
    attempts: Mapped[int] = mapped_column(server_default=sql("0"))
    settled_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    said: Mapped[str | None] = mapped_column(String(300))
