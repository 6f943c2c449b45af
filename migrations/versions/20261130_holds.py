"""Holding back what would reach people outside, as after a restore."""

import sqlalchemy as sa
from alembic import op

revision: str = "20261130_holds"
down_revision: str | None = "20261130_host"


def upgrade() -> None:
    """Nothing is on hold."""
    op.execute("set local lock_timeout = '4s'")
    op.execute("set local statement_timeout = '60s'")
    op.create_table(
        "job_holds",
        sa.Column("prefix", sa.String(64), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("prefix", name="job_holds_pkey"),
    )


def downgrade() -> None:
    """What is on hold stays so: it is due in a thousand years."""
    op.execute("set local lock_timeout = '4s'")
    op.execute("set local statement_timeout = '60s'")
    op.drop_table("job_holds")
