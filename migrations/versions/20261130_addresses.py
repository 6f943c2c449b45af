"""Mail addresses of people."""

import sqlalchemy as sa
from alembic import op

revision: str = "20261130_addresses"
down_revision: str | None = "20261130_clocks"


def upgrade() -> None:
    """Nobody has one yet."""
    op.execute("set local lock_timeout = '4s'")
    op.execute("set local statement_timeout = '60s'")
    op.create_table(
        "addresses",
        sa.Column("person_id", sa.Uuid, nullable=False),
        sa.Column("address", sa.String(254)),
        sa.Column("verified_at", sa.DateTime(timezone=True)),
        sa.Column("pending", sa.String(254)),
        sa.Column("code_hash", sa.LargeBinary(32)),
        sa.Column("code_expires_at", sa.DateTime(timezone=True)),
        sa.Column("code_tries", sa.Integer, nullable=False, server_default=sa.text("0")),
        sa.Column("refused_at", sa.DateTime(timezone=True)),
        sa.Column("refusal", sa.String(300)),
        sa.PrimaryKeyConstraint("person_id", name="addresses_pkey"),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name="addresses_person_id_fkey", ondelete="CASCADE"
        ),
        sa.CheckConstraint(
            "address is not null or refused_at is null", name="addresses_refused_check"
        ),
    )
    op.create_index("addresses_address_idx", "addresses", [sa.text("lower(address)")])


def downgrade() -> None:
    """Forget them."""
    op.execute("set local lock_timeout = '4s'")
    op.execute("set local statement_timeout = '60s'")
    op.drop_table("addresses")
