"""Whoever had a seat that somebody else has now may still look."""

import sqlalchemy as sa
from alembic import op

revision: str = "20261130_kept"
down_revision: str | None = "20261130_channels"


def upgrade() -> None:
    """Those there are came by a link."""
    op.execute("set local lock_timeout = '4s'")
    op.execute("set local statement_timeout = '60s'")
    op.add_column(
        "table_watchers",
        sa.Column("kept", sa.Boolean, nullable=False, server_default=sa.false()),
    )


def downgrade() -> None:
    """They come by a link or not at all."""
    op.execute("set local lock_timeout = '4s'")
    op.execute("set local statement_timeout = '60s'")
    op.execute("delete from table_watchers where kept")
    op.drop_column("table_watchers", "kept")
