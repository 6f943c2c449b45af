"""What an installation remembers of itself."""

import sqlalchemy as sa
from alembic import op

revision: str = "20261130_installation"
down_revision: str | None = "20261130_holds"


def upgrade() -> None:
    """It remembers nothing yet."""
    op.execute("set local lock_timeout = '4s'")
    op.execute("set local statement_timeout = '60s'")
    op.create_table(
        "installation",
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("value", sa.String(256), nullable=False),
        sa.PrimaryKeyConstraint("name", name="installation_pkey"),
    )


def downgrade() -> None:
    """Forget it."""
    op.execute("set local lock_timeout = '4s'")
    op.execute("set local statement_timeout = '60s'")
    op.drop_table("installation")
