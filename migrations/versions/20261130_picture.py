"""Whether mails show the position as a picture."""

import sqlalchemy as sa
from alembic import op

revision: str = "20261130_picture"
down_revision: str | None = "20261130_browsers"


def upgrade() -> None:
    """Everybody sees it until they say otherwise."""
    op.execute("set local lock_timeout = '4s'")
    op.execute("set local statement_timeout = '60s'")
    op.add_column(
        "notice_wishes",
        sa.Column("picture", sa.Boolean, nullable=False, server_default=sa.text("true")),
    )


def downgrade() -> None:
    """Forget who did not want it."""
    op.execute("set local lock_timeout = '4s'")
    op.execute("set local statement_timeout = '60s'")
    op.drop_column("notice_wishes", "picture")
