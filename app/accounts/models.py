"""Tables of people and of what proves who they are.  Private to `app.accounts`.

No token is stored, only its SHA-256: whoever reads the database cannot sign in.
"""

from datetime import datetime
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


class PersonRow(Base):
    """Somebody known on a device; an account has a name of its own, and ways to sign in."""

    __tablename__ = "people"
    __table_args__ = (
        CheckConstraint("kind in ('guest', 'account', 'deleted')", name="kind"),
        CheckConstraint("(kind = 'account') = (name_key is not null)", name="account_has_name"),
        CheckConstraint("kind = 'account' or password_hash is null", name="password_is_of_account"),
        Index(None, "form_hash", postgresql_where=text("form_hash is not null")),
        CheckConstraint("not admin or kind = 'account'", name="admin_has_account"),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(String(16))
    name: Mapped[str] = mapped_column(String(64))
    # Only accounts own their name: NULLs do not collide.
    name_key: Mapped[str | None] = mapped_column(String(256), unique=True)
    # NULL for an account that signs in at the issuer only.
    password_hash: Mapped[str | None] = mapped_column(String(256))
    # What was chosen about the pages; NULL was not.
    locale: Mapped[str | None] = mapped_column(String(16))
    theme: Mapped[str | None] = mapped_column(String(16))
    sound: Mapped[bool | None]
    # By IANA name, as the browser told it; NULL is UTC.
    time_zone: Mapped[str | None] = mapped_column(String(64))
    # What a guest was made by: one form of one browser, whatever it is sent twice.
    form_hash: Mapped[bytes | None] = mapped_column(LargeBinary(32))
    created_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    # May look after the server from the admin page.
    admin: Mapped[bool] = mapped_column(server_default=false())


class SessionRow(Base):
    """One device on which a person is known."""

    __tablename__ = "sessions"

    token_hash: Mapped[bytes] = mapped_column(LargeBinary(32), primary_key=True)
    id: Mapped[UUID] = mapped_column(unique=True)
    person_id: Mapped[UUID] = mapped_column(ForeignKey("people.id", ondelete="CASCADE"), index=True)
    label: Mapped[str] = mapped_column(String(80))
    created_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    seen_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    # Until then this device may set a password without knowing the old one.
    reset_until: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))


class OneTimeLinkRow(Base):
    """A link that signs a device in, once."""

    __tablename__ = "one_time_links"
    __table_args__ = (
        CheckConstraint("purpose in ('device', 'login')", name="purpose"),
        Index(None, "person_id"),
    )

    token_hash: Mapped[bytes] = mapped_column(LargeBinary(32), primary_key=True)
    person_id: Mapped[UUID] = mapped_column(ForeignKey("people.id", ondelete="CASCADE"))
    purpose: Mapped[str] = mapped_column(String(16))
    created_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    expires_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    used_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))


class MailCodeRow(Base):
    """That a browser has asked to sign in by mail; `codes` leads from hashes to people.

    It stays empty when nobody has the address.
    """

    __tablename__ = "mail_codes"

    id: Mapped[UUID] = mapped_column(primary_key=True)
    browser_hash: Mapped[bytes] = mapped_column(LargeBinary(32), unique=True)
    codes: Mapped[dict[str, str]] = mapped_column(JSONB)
    tries: Mapped[int]
    expires_at: Mapped[datetime] = mapped_column(DateTime(timezone=True), index=True)


class IdentityRow(Base):
    """That somebody at an issuer is a person here: by its two names and by nothing else."""

    __tablename__ = "identities"
    __table_args__ = (
        UniqueConstraint("issuer", "subject"),
        UniqueConstraint("person_id", "issuer"),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    person_id: Mapped[UUID] = mapped_column(ForeignKey("people.id", ondelete="CASCADE"))
    issuer: Mapped[str] = mapped_column(String(2000))
    subject: Mapped[str] = mapped_column(String(255))
    created_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    used_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    # The person is an administrator because the issuer says so.
    gives_admin: Mapped[bool] = mapped_column(server_default=false())


class SignInRow(Base):
    """A sign-in at the issuer that a browser has begun; with `subject`, whom it has proven.

    `person_id` is who wants to be known by the issuer from now on.
    """

    __tablename__ = "sign_ins"

    state_hash: Mapped[bytes] = mapped_column(LargeBinary(32), primary_key=True)
    browser_hash: Mapped[bytes] = mapped_column(LargeBinary(32), index=True)
    person_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("people.id", ondelete="CASCADE"), index=True
    )
    next: Mapped[str] = mapped_column(String(300))
    subject: Mapped[str | None] = mapped_column(String(255))
    name: Mapped[str] = mapped_column(String(64), server_default="")
    admin: Mapped[bool] = mapped_column(server_default=false())
    expires_at: Mapped[datetime] = mapped_column(DateTime(timezone=True), index=True)


class ApiTokenRow(Base):
    """What lets a program act for a person."""

    __tablename__ = "api_tokens"

    token_hash: Mapped[bytes] = mapped_column(LargeBinary(32), primary_key=True)
    id: Mapped[UUID] = mapped_column(unique=True)
    person_id: Mapped[UUID] = mapped_column(ForeignKey("people.id", ondelete="CASCADE"), index=True)
    label: Mapped[str] = mapped_column(String(64))
    created_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    used_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))


class AddressRow(Base):
    """A person's mail address, the one that was typed and is not proven yet, and its code."""

    __tablename__ = "addresses"
    __table_args__ = (
        CheckConstraint("address is not null or refused_at is null", name="refused"),
        Index("addresses_address_idx", text("lower(address)")),
    )

    person_id: Mapped[UUID] = mapped_column(
        ForeignKey("people.id", ondelete="CASCADE"), primary_key=True
    )
    address: Mapped[str | None] = mapped_column(String(254))
    verified_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    pending: Mapped[str | None] = mapped_column(String(254))
    code_hash: Mapped[bytes | None] = mapped_column(LargeBinary(32))
    code_expires_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    code_tries: Mapped[int] = mapped_column(server_default=text("0"))
    # The mail server would not take mail for `address`: when, and what it said.
    refused_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    refusal: Mapped[str | None] = mapped_column(String(300))


class ChannelRow(Base):
    """Another way than mail to reach a person.

    `sealed` is where it leads and what opens it, under a key that is not in the
    database; `label` may be shown.  A browser goes with its `session_id`.
    """

    __tablename__ = "channels"

    id: Mapped[UUID] = mapped_column(primary_key=True)
    person_id: Mapped[UUID] = mapped_column(ForeignKey("people.id", ondelete="CASCADE"), index=True)
    kind: Mapped[str] = mapped_column(String(16))
    label: Mapped[str] = mapped_column(String(120))
    sealed: Mapped[bytes] = mapped_column(LargeBinary)
    created_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    # Nothing is taken there any more: since when, and why.
    refused_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    refusal: Mapped[str | None] = mapped_column(String(300))
    session_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("sessions.id", ondelete="CASCADE"), unique=True
    )


class AbsenceRow(Base):
    """A span in which a person is away: their clocks stand still, as far as a table allows."""

    __tablename__ = "absences"
    __table_args__ = (CheckConstraint("starts_at < ends_at", name="forwards"),)

    id: Mapped[UUID] = mapped_column(primary_key=True)
    person_id: Mapped[UUID] = mapped_column(ForeignKey("people.id", ondelete="CASCADE"), index=True)
    starts_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    ends_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
