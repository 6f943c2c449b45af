"""Notices: what people wish to be told, what they are to be told, and what became of it."""

import sqlalchemy as sa
from alembic import op

revision: str = "20261130_notices"
down_revision: str | None = "20261130_addresses"


def upgrade() -> None:
    """Nobody has chosen anything, and nothing is to be sent."""
    op.execute("set local lock_timeout = '4s'")
    op.execute("set local statement_timeout = '60s'")
    op.create_table(
        "notice_wishes",
        sa.Column("person_id", sa.Uuid, nullable=False),
        sa.Column("mode", sa.String(16), nullable=False),
        sa.Column("delay_minutes", sa.Integer, nullable=False),
        sa.Column("daily_at", sa.Integer, nullable=False),
        sa.Column("quiet_from", sa.Integer),
        sa.Column("quiet_until", sa.Integer),
        sa.Column(
            "remind_hours",
            sa.ARRAY(sa.Integer),
            nullable=False,
            server_default=sa.text("'{12,2}'::integer[]"),
        ),
        sa.PrimaryKeyConstraint("person_id", name="notice_wishes_pkey"),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name="notice_wishes_person_id_fkey", ondelete="CASCADE"
        ),
        sa.CheckConstraint(
            "mode in ('immediate', 'coalesced', 'daily', 'off')", name="notice_wishes_mode_check"
        ),
        sa.CheckConstraint("delay_minutes between 1 and 720", name="notice_wishes_delay_check"),
        sa.CheckConstraint("daily_at between 0 and 1439", name="notice_wishes_daily_check"),
        sa.CheckConstraint(
            "(quiet_from is null) = (quiet_until is null)", name="notice_wishes_quiet_check"
        ),
        sa.CheckConstraint("cardinality(remind_hours) <= 5", name="notice_wishes_reminders_check"),
    )
    op.create_table(
        "notice_mutes",
        sa.Column("person_id", sa.Uuid, nullable=False),
        sa.Column("match_id", sa.Uuid, nullable=False),
        sa.PrimaryKeyConstraint("person_id", "match_id", name="notice_mutes_pkey"),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name="notice_mutes_person_id_fkey", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name="notice_mutes_match_id_fkey", ondelete="CASCADE"
        ),
    )
    op.create_table(
        "notices",
        sa.Column("id", sa.Uuid, nullable=False),
        sa.Column("person_id", sa.Uuid, nullable=False),
        sa.Column("event", sa.String(16), nullable=False),
        sa.Column("about", sa.Uuid, nullable=False),
        sa.Column("actor", sa.Uuid),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("prompt", sa.String, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("point", sa.Integer, nullable=False, server_default=sa.text("0")),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("status", sa.String(16), nullable=False, server_default="waiting"),
        sa.Column("attempts", sa.Integer, nullable=False, server_default=sa.text("0")),
        sa.Column("settled_at", sa.DateTime(timezone=True)),
        sa.Column("said", sa.String(300)),
        sa.PrimaryKeyConstraint("id", name="notices_pkey"),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name="notices_person_id_fkey", ondelete="CASCADE"
        ),
        sa.UniqueConstraint(
            "person_id",
            "about",
            "event",
            "seat",
            "version",
            "point",
            name="notices_person_id_about_event_seat_version_point_key",
        ),
        sa.CheckConstraint(
            "status in ('waiting', 'sent', 'obsolete', 'failed')", name="notices_status_check"
        ),
        sa.CheckConstraint(
            "(status = 'waiting') = (settled_at is null)", name="notices_settled_check"
        ),
    )
    op.create_index(
        "notices_waiting_idx",
        "notices",
        ["due_at"],
        postgresql_where=sa.text("status = 'waiting'"),
    )
    op.create_index("notices_settled_idx", "notices", ["settled_at"])


def downgrade() -> None:
    """Forget them."""
    op.execute("set local lock_timeout = '4s'")
    op.execute("set local statement_timeout = '60s'")
    op.drop_table("notices")
    op.drop_table("notice_mutes")
    op.drop_table("notice_wishes")
