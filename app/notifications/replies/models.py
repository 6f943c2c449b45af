"""Tables of mails that came in.  Private to `app.notifications`."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import CheckConstraint, DateTime, ForeignKey, LargeBinary, String
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.db.base import Base


class IncomingMailRow(Base):
    """A mail that answered a letter of ours: what became of it, and what its author is told.

    `key` is a hash of its Message-ID and the address it came to: a second copy, by
    whatever road, finds it and does nothing.  Neither addresses nor text are kept,
    but for the one line that could not be understood.
    """

    __tablename__ = "incoming_mails"
    __table_args__ = (
        CheckConstraint("outcome in ('played', 'drafted', 'refused')", name="outcome"),
    )

    key: Mapped[bytes] = mapped_column(LargeBinary(32), primary_key=True)
    received_at: Mapped[datetime] = mapped_column(DateTime(timezone=True), index=True)
    person_id: Mapped[UUID] = mapped_column(ForeignKey("people.id", ondelete="CASCADE"), index=True)
    match_id: Mapped[UUID] = mapped_column(ForeignKey("matches.id", ondelete="CASCADE"), index=True)
    seat: Mapped[int]
    outcome: Mapped[str] = mapped_column(String(16))
    # Of a refusal: the code of the sentence, the numbers in it, the paragraph of the rules.
    code: Mapped[str] = mapped_column(String(64))
    details: Mapped[dict[str, Any]] = mapped_column(JSONB)
    rule: Mapped[str] = mapped_column(String(32))
    # The mail's Message-ID, so that the answer is shown below it.
    answers: Mapped[str] = mapped_column(String(998))
    answered_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))


class ReplyHabitRow(Base):
    """A person whose mails are final at once; who has no row is asked to commit."""

    __tablename__ = "reply_habits"

    person_id: Mapped[UUID] = mapped_column(
        ForeignKey("people.id", ondelete="CASCADE"), primary_key=True
    )
