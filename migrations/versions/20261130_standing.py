"""Standing orders: what a seat answers by itself when it is asked."""

import sqlalchemy as sa
from alembic import op

revision: str = "20261130_standing"
down_revision: str | None = "20261130_working_set"


def upgrade() -> None:
    """There are none yet."""
    op.execute("set local lock_timeout = '4s'")
    op.execute("set local statement_timeout = '60s'")
    op.create_table(
        "match_standing",
        sa.Column("match_id", sa.Uuid(), nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("line", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name=op.f("match_standing_match_id_fkey")
        ),
        sa.PrimaryKeyConstraint("match_id", "seat", name=op.f("match_standing_pkey")),
    )


def downgrade() -> None:
    """Forget them: everybody is asked again."""
    op.execute("set local lock_timeout = '4s'")
    op.execute("set local statement_timeout = '60s'")
    op.drop_table("match_standing")
