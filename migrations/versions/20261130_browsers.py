"""Browsers that show notices: each goes with its session."""

import sqlalchemy as sa
from alembic import op

revision: str = "20261130_browsers"
down_revision: str | None = "20261130_oidc"


def upgrade() -> None:
    """What people have pasted is of no session."""
    op.execute("set local lock_timeout = '4s'")
    op.execute("set local statement_timeout = '60s'")
    op.add_column("channels", sa.Column("session_id", sa.Uuid))
    op.create_foreign_key(
        "channels_session_id_fkey",
        "channels",
        "sessions",
        ["session_id"],
        ["id"],
        ondelete="CASCADE",
    )
    op.create_unique_constraint("channels_session_id_key", "channels", ["session_id"])


def downgrade() -> None:
    """Forget them: the program before knows of none."""
    op.execute("set local lock_timeout = '4s'")
    op.execute("set local statement_timeout = '60s'")
    op.execute("delete from channels where session_id is not null")
    op.drop_column("channels", "session_id")
