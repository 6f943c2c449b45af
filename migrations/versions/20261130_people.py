"""People, their sessions, one-time links and API tokens."""

import sqlalchemy as sa
from alembic import op

revision: str = "20261130_people"
down_revision: str | None = "20261130_queue"

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Create them."""
    op.execute("set local lock_timeout = '4s'")
    op.execute("set local statement_timeout = '60s'")
    op.create_table(
        "people",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("name_key", sa.String(256)),
        sa.Column("password_hash", sa.String(256)),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.CheckConstraint("kind in ('guest', 'account', 'deleted')", name="kind"),
        sa.CheckConstraint(
            "(kind = 'account') = (name_key is not null and password_hash is not null)",
            name="account_has_password",
        ),
        sa.PrimaryKeyConstraint("id", name="people_pkey"),
        sa.UniqueConstraint("name_key", name="people_name_key_key"),
    )
    op.create_table(
        "sessions",
        sa.Column("token_hash", sa.LargeBinary(32), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("person_id", sa.Uuid(), nullable=False),
        sa.Column("label", sa.String(80), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("seen_at", MOMENT, nullable=False),
        sa.Column("reset_until", MOMENT),
        sa.PrimaryKeyConstraint("token_hash", name="sessions_pkey"),
        sa.UniqueConstraint("id", name="sessions_id_key"),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], ondelete="CASCADE", name="sessions_person_id_fkey"
        ),
    )
    op.create_index("sessions_person_id_idx", "sessions", ["person_id"])
    op.create_table(
        "one_time_links",
        sa.Column("token_hash", sa.LargeBinary(32), nullable=False),
        sa.Column("person_id", sa.Uuid(), nullable=False),
        sa.Column("purpose", sa.String(16), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("expires_at", MOMENT, nullable=False),
        sa.Column("used_at", MOMENT),
        sa.CheckConstraint("purpose in ('device', 'login')", name="purpose"),
        sa.PrimaryKeyConstraint("token_hash", name="one_time_links_pkey"),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], ondelete="CASCADE", name="one_time_links_person_id_fkey"
        ),
    )
    op.create_index("one_time_links_person_id_idx", "one_time_links", ["person_id"])
    op.create_table(
        "api_tokens",
        sa.Column("token_hash", sa.LargeBinary(32), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("person_id", sa.Uuid(), nullable=False),
        sa.Column("label", sa.String(64), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("used_at", MOMENT),
        sa.PrimaryKeyConstraint("token_hash", name="api_tokens_pkey"),
        sa.UniqueConstraint("id", name="api_tokens_id_key"),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], ondelete="CASCADE", name="api_tokens_person_id_fkey"
        ),
    )
    op.create_index("api_tokens_person_id_idx", "api_tokens", ["person_id"])


def downgrade() -> None:
    """Drop them."""
    op.execute("set local lock_timeout = '4s'")
    op.execute("set local statement_timeout = '60s'")
    for table in ("api_tokens", "one_time_links", "sessions", "people"):
        op.drop_table(table)
