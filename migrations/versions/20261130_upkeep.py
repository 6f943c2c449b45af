"""When a command was carried out, so that old ones can be forgotten."""

import sqlalchemy as sa
from alembic import op

revision: str = "20261130_upkeep"
down_revision: str | None = "20261130_tables"


def upgrade() -> None:
    """Commands there are count as carried out now."""
    op.execute("set local lock_timeout = '4s'")
    op.execute("set local statement_timeout = '60s'")
    op.add_column(
        "match_commands",
        sa.Column(
            "at",
            sa.DateTime(timezone=True),
            server_default=sa.text("clock_timestamp()"),
            nullable=False,
        ),
    )
    op.create_index("match_commands_at_idx", "match_commands", ["at"])


def downgrade() -> None:
    """Forget it."""
    op.execute("set local lock_timeout = '4s'")
    op.execute("set local statement_timeout = '60s'")
    op.drop_index("match_commands_at_idx", "match_commands")
    op.drop_column("match_commands", "at")
