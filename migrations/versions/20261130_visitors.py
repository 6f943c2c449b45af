"""Which form made a guest, so that sending it twice makes one."""

import sqlalchemy as sa
from alembic import op

revision: str = "20261130_visitors"
down_revision: str | None = "20261130_upkeep"


def upgrade() -> None:
    """Guests there are came from no form that is still open."""
    op.execute("set local lock_timeout = '4s'")
    op.execute("set local statement_timeout = '60s'")
    op.add_column("people", sa.Column("form_hash", sa.LargeBinary(32)))
    op.create_index(
        "people_form_hash_idx",
        "people",
        ["form_hash"],
        postgresql_where=sa.text("form_hash is not null"),
    )


def downgrade() -> None:
    """Forget it."""
    op.execute("set local lock_timeout = '4s'")
    op.execute("set local statement_timeout = '60s'")
    op.drop_index("people_form_hash_idx", "people")
    op.drop_column("people", "form_hash")
