"""Language, theme and sound, kept with the person."""

import sqlalchemy as sa
from alembic import op

revision: str = "20261130_wishes"
down_revision: str | None = "20261130_visitors"


def upgrade() -> None:
    """Nobody has chosen yet."""
    op.execute("set local lock_timeout = '4s'")
    op.execute("set local statement_timeout = '60s'")
    op.add_column("people", sa.Column("locale", sa.String(16)))
    op.add_column("people", sa.Column("theme", sa.String(16)))
    op.add_column("people", sa.Column("sound", sa.Boolean()))


def downgrade() -> None:
    """Forget what was chosen."""
    op.execute("set local lock_timeout = '4s'")
    op.execute("set local statement_timeout = '60s'")
    for column in ("sound", "theme", "locale"):
        op.drop_column("people", column)
