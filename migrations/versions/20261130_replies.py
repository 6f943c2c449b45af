"""Mails that came in, who wants them to be final at once, and codes to sign in by mail."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision: str = "20261130_replies"
down_revision: str | None = "20261130_notices"

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """None has come in, and nobody has chosen."""
    op.execute("set local lock_timeout = '4s'")
    op.execute("set local statement_timeout = '60s'")
    op.create_table(
        "incoming_mails",
        sa.Column("key", sa.LargeBinary(32), nullable=False),
        sa.Column("received_at", MOMENT, nullable=False),
        sa.Column("person_id", sa.Uuid(), nullable=False),
        sa.Column("match_id", sa.Uuid(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("outcome", sa.String(16), nullable=False),
        sa.Column("code", sa.String(64), nullable=False),
        sa.Column("details", postgresql.JSONB(), nullable=False),
        sa.Column("rule", sa.String(32), nullable=False),
        sa.Column("answers", sa.String(998), nullable=False),
        sa.Column("answered_at", MOMENT),
        sa.CheckConstraint("outcome in ('played', 'drafted', 'refused')", name="outcome"),
        sa.PrimaryKeyConstraint("key", name="incoming_mails_pkey"),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], ondelete="CASCADE", name="incoming_mails_person_id_fkey"
        ),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], ondelete="CASCADE", name="incoming_mails_match_id_fkey"
        ),
    )
    for column in ("received_at", "person_id", "match_id"):
        op.create_index(f"incoming_mails_{column}_idx", "incoming_mails", [column])
    op.create_table(
        "mail_codes",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("browser_hash", sa.LargeBinary(32), nullable=False),
        sa.Column("codes", postgresql.JSONB(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("expires_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="mail_codes_pkey"),
        sa.UniqueConstraint("browser_hash", name="mail_codes_browser_hash_key"),
    )
    op.create_index("mail_codes_expires_at_idx", "mail_codes", ["expires_at"])
    op.create_table(
        "reply_habits",
        sa.Column("person_id", sa.Uuid(), nullable=False),
        sa.PrimaryKeyConstraint("person_id", name="reply_habits_pkey"),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], ondelete="CASCADE", name="reply_habits_person_id_fkey"
        ),
    )


def downgrade() -> None:
    """Forget them."""
    op.execute("set local lock_timeout = '4s'")
    op.execute("set local statement_timeout = '60s'")
    op.drop_table("mail_codes")
    op.drop_table("reply_habits")
    op.drop_table("incoming_mails")
