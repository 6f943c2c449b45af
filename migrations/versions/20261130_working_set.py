"""Indexes for the sweeps, and for what hangs on a person who goes."""

import sqlalchemy as sa
from alembic import op

revision: str = "20261130_working_set"
down_revision: str | None = "20261130_wishes"

OF_PERSON = (
    ("talk_reads", "person_id"),
    ("table_removed", "person_id"),
    ("talk_mutes", "muted_id"),
)


def upgrade() -> None:
    """Create them."""
    op.execute("set local lock_timeout = '4s'")
    op.execute("set local statement_timeout = '60s'")
    op.create_index(
        "matches_running_idx",
        "matches",
        ["id"],
        postgresql_where=sa.text("status = 'running'"),
    )
    op.create_index(
        "tables_gathering_idx",
        "tables",
        ["expires_at"],
        postgresql_where=sa.text("status = 'gathering'"),
    )
    for table, column in OF_PERSON:
        op.create_index(f"{table}_{column}_idx", table, [column])


def downgrade() -> None:
    """Drop them."""
    op.execute("set local lock_timeout = '4s'")
    op.execute("set local statement_timeout = '60s'")
    for table, column in OF_PERSON:
        op.drop_index(f"{table}_{column}_idx", table)
    op.drop_index("tables_gathering_idx", "tables")
    op.drop_index("matches_running_idx", "matches")
