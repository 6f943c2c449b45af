"""Tables, their seats, watchers and talk."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision: str = "20261130_tables"
down_revision: str | None = "20261130_matches"

MOMENT = sa.DateTime(timezone=True)


def person(
    table: str, column: str = "person_id", *, cascade: bool = True
) -> sa.ForeignKeyConstraint:
    """Return the reference of `table` to a person."""
    return sa.ForeignKeyConstraint(
        [column],
        ["people.id"],
        ondelete="CASCADE" if cascade else None,
        name=f"{table}_{column}_fkey",
    )


def at_table(table: str) -> sa.ForeignKeyConstraint:
    """Return the reference of `table` to a table of the lobby."""
    return sa.ForeignKeyConstraint(
        ["table_id"], ["tables.id"], ondelete="CASCADE", name=f"{table}_table_id_fkey"
    )


def upgrade() -> None:
    """Create them."""
    op.execute("set local lock_timeout = '4s'")
    op.execute("set local statement_timeout = '60s'")
    op.create_table(
        "tables",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("options", JSONB(), nullable=False),
        sa.Column("host_id", sa.Uuid(), nullable=False),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("visibility", sa.String(16), nullable=False),
        sa.Column("seat_order", sa.String(16), nullable=False),
        sa.Column("spectators", sa.Boolean(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("talk_count", sa.Integer(), nullable=False),
        sa.Column("code", sa.String(32)),
        sa.Column("nonce", sa.LargeBinary(16), nullable=False),
        sa.Column("invite_hash", sa.LargeBinary(32), nullable=False),
        sa.Column("watch_hash", sa.LargeBinary(32), nullable=False),
        sa.Column("match_id", sa.Uuid()),
        sa.Column("rematch_of", sa.Uuid()),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("expires_at", MOMENT, nullable=False),
        sa.CheckConstraint("status in ('gathering', 'started', 'closed')", name="status"),
        sa.CheckConstraint("visibility in ('private', 'open')", name="visibility"),
        sa.CheckConstraint("seat_order in ('shuffled', 'chosen')", name="seat_order"),
        sa.CheckConstraint(
            "(status = 'started') = (match_id is not null)", name="started_has_match"
        ),
        sa.PrimaryKeyConstraint("id", name="tables_pkey"),
        sa.UniqueConstraint("host_id", "key", name="tables_host_id_key_key"),
        sa.UniqueConstraint("code", name="tables_code_key"),
        sa.UniqueConstraint("invite_hash", name="tables_invite_hash_key"),
        sa.UniqueConstraint("watch_hash", name="tables_watch_hash_key"),
        sa.UniqueConstraint("match_id", name="tables_match_id_key"),
        sa.UniqueConstraint("rematch_of", name="tables_rematch_of_key"),
        person("tables", "host_id", cascade=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="tables_match_id_fkey"),
        sa.ForeignKeyConstraint(["rematch_of"], ["tables.id"], name="tables_rematch_of_fkey"),
    )
    op.create_index("tables_host_id_idx", "tables", ["host_id"])
    op.create_index(
        "tables_open_idx",
        "tables",
        ["created_at"],
        postgresql_where=sa.text("status = 'gathering' and visibility = 'open'"),
    )
    op.create_table(
        "table_seats",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("table_id", sa.Uuid(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Uuid()),
        sa.Column("bot", sa.String(32)),
        sa.Column("name", sa.String(64)),
        sa.Column("name_key", sa.String(256)),
        sa.Column("kit", sa.Integer()),
        sa.Column("extra", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("confirmed", sa.Boolean(), server_default=sa.text("true"), nullable=False),
        sa.Column("joined_at", MOMENT),
        sa.CheckConstraint("position between 0 and 4", name="position"),
        sa.CheckConstraint("kit between 1 and 5", name="kit"),
        sa.CheckConstraint("person_id is null or bot is null", name="one_occupant"),
        sa.CheckConstraint(
            "(person_id is null and bot is null) = (name is null)"
            " and (name is null) = (name_key is null) and (name is null) = (kit is null)",
            name="occupant_has_name",
        ),
        sa.PrimaryKeyConstraint("id", name="table_seats_pkey"),
        sa.UniqueConstraint(
            "table_id",
            "position",
            name="table_seats_table_id_position_key",
            deferrable=True,
            initially="IMMEDIATE",
        ),
        sa.UniqueConstraint("table_id", "name_key", name="table_seats_table_id_name_key_key"),
        sa.UniqueConstraint("table_id", "kit", name="table_seats_table_id_kit_key"),
        at_table("table_seats"),
        person("table_seats", cascade=False),
    )
    op.create_index("table_seats_person_id_idx", "table_seats", ["person_id"])
    op.create_index(
        "table_seats_person_idx",
        "table_seats",
        ["table_id", "person_id"],
        unique=True,
        postgresql_where=sa.text("not extra"),
    )
    for name in ("table_removed", "table_watchers"):
        op.create_table(
            name,
            sa.Column("table_id", sa.Uuid(), nullable=False),
            sa.Column("person_id", sa.Uuid(), nullable=False),
            sa.PrimaryKeyConstraint("table_id", "person_id", name=f"{name}_pkey"),
            at_table(name),
            person(name),
        )
    op.create_index("table_watchers_person_id_idx", "table_watchers", ["person_id"])
    op.create_table(
        "talk",
        sa.Column("table_id", sa.Uuid(), nullable=False),
        sa.Column("n", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("person_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("text", sa.String(500), nullable=False),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "n", name="talk_pkey"),
        sa.UniqueConstraint("table_id", "person_id", "key", name="talk_table_id_person_id_key_key"),
        at_table("talk"),
        person("talk", cascade=False),
    )
    op.create_index("talk_person_id_idx", "talk", ["person_id"])
    op.create_table(
        "talk_reads",
        sa.Column("table_id", sa.Uuid(), nullable=False),
        sa.Column("person_id", sa.Uuid(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("table_id", "person_id", name="talk_reads_pkey"),
        at_table("talk_reads"),
        person("talk_reads"),
    )
    op.create_table(
        "talk_mutes",
        sa.Column("person_id", sa.Uuid(), nullable=False),
        sa.Column("muted_id", sa.Uuid(), nullable=False),
        sa.PrimaryKeyConstraint("person_id", "muted_id", name="talk_mutes_pkey"),
        person("talk_mutes"),
        person("talk_mutes", "muted_id"),
    )


def downgrade() -> None:
    """Drop them."""
    op.execute("set local lock_timeout = '4s'")
    op.execute("set local statement_timeout = '60s'")
    for table in (
        "talk_mutes",
        "talk_reads",
        "talk",
        "table_watchers",
        "table_removed",
        "table_seats",
        "tables",
    ):
        op.drop_table(table)
