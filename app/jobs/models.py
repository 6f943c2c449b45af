"""Tables of the queue that are not procrastinate's.  Private to `app.jobs`."""

from datetime import datetime

from sqlalchemy import DateTime, String
from sqlalchemy.orm import Mapped, mapped_column

from app.db.base import Base


class JobHold(Base):
    """Jobs of tasks that begin with `prefix` wait until a host lets them go."""

    __tablename__ = "job_holds"

    prefix: Mapped[str] = mapped_column(String(64), primary_key=True)
    since: Mapped[datetime] = mapped_column(DateTime(timezone=True))
