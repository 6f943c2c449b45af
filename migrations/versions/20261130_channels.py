"""Other ways than mail to reach people, and by which of them they are told what."""

import sqlalchemy as sa
from alembic import op

revision: str = "20261130_channels"
down_revision: str | None = "20261130_orders"

MOMENT = sa.DateTime(timezone=True)
ROADS = ("turn_by", "reminder_by", "other_by")
ONCE = ["person_id", "about", "event", "seat", "version", "point"]
BY_MAIL = "notices_person_id_about_event_seat_version_point_key"


def upgrade() -> None:
    """Nobody has a channel; what is known already went by mail."""
    op.execute("set local lock_timeout = '4s'")
    op.execute("set local statement_timeout = '60s'")
    op.create_table(
        "channels",
        sa.Column("id", sa.Uuid, nullable=False),
        sa.Column("person_id", sa.Uuid, nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("label", sa.String(120), nullable=False),
        sa.Column("sealed", sa.LargeBinary, nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("refused_at", MOMENT),
        sa.Column("refusal", sa.String(300)),
        sa.PrimaryKeyConstraint("id", name="channels_pkey"),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name="channels_person_id_fkey", ondelete="CASCADE"
        ),
    )
    op.create_index("channels_person_id_idx", "channels", ["person_id"])
    for road in ROADS:
        op.add_column(
            "notice_wishes", sa.Column(road, sa.String(16), nullable=False, server_default="both")
        )
        op.create_check_constraint(
            f"notice_wishes_{road}_check", "notice_wishes", f"{road} in ('mail', 'channel', 'both')"
        )
    op.add_column("notices", sa.Column("channel_id", sa.Uuid))
    op.create_foreign_key(
        "notices_channel_id_fkey",
        "notices",
        "channels",
        ["channel_id"],
        ["id"],
        ondelete="CASCADE",
    )
    op.create_index("notices_channel_id_idx", "notices", ["channel_id"])
    op.drop_constraint(BY_MAIL, "notices")
    op.create_unique_constraint(
        "notices_once_key", "notices", [*ONCE, "channel_id"], postgresql_nulls_not_distinct=True
    )


def downgrade() -> None:
    """Forget them, and what went by them."""
    op.execute("set local lock_timeout = '4s'")
    op.execute("set local statement_timeout = '60s'")
    op.execute("delete from notices where channel_id is not null")
    op.drop_constraint("notices_once_key", "notices")
    op.create_unique_constraint(BY_MAIL, "notices", ONCE)
    op.drop_column("notices", "channel_id")
    for road in ROADS:
        op.drop_column("notice_wishes", road)
    op.drop_table("channels")
