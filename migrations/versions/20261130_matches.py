"""Matches: heads, seats, events, drafts, answers, commands."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import ARRAY, JSONB

revision: str = "20261130_matches"
down_revision: str | None = "20261130_people"

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Create them."""
    op.execute("set local lock_timeout = '4s'")
    op.execute("set local statement_timeout = '60s'")
    op.create_table(
        "matches",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("rules_version", sa.Integer(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("nonce", sa.LargeBinary(), nullable=False),
        sa.Column("seed", sa.LargeBinary(), nullable=False),
        sa.Column("commitment", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("events", sa.Integer(), nullable=False),
        sa.Column("state", JSONB(), nullable=False),
        sa.Column("prompts", JSONB(), nullable=False),
        sa.Column("status", sa.String(), server_default="running", nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("updated_at", MOMENT, nullable=False),
        sa.Column("finished_at", MOMENT),
        sa.CheckConstraint("status in ('running', 'finished', 'void')", name="status"),
        sa.CheckConstraint("(status = 'running') = (finished_at is null)", name="finished"),
        sa.PrimaryKeyConstraint("id", name="matches_pkey"),
    )
    op.create_table(
        "match_seats",
        match_id(),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Uuid()),
        sa.Column("bot", sa.String()),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("kit", sa.Integer(), nullable=False),
        sa.Column("committed_version", sa.Integer(), nullable=False),
        sa.Column("resigned_at", MOMENT),
        sa.CheckConstraint("kit between 1 and 5", name="kit"),
        sa.CheckConstraint("person_id is null or bot is null", name="occupant"),
        sa.PrimaryKeyConstraint("match_id", "seat", name="match_seats_pkey"),
        of_match("match_seats"),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="match_seats_person_id_fkey"),
    )
    op.create_index("match_seats_person_id_idx", "match_seats", ["person_id"])
    op.create_table(
        "match_events",
        match_id(),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer()),
        sa.Column("payload", JSONB(), nullable=False),
        sa.Column("line", sa.String()),
        sa.Column("rules_version", sa.Integer(), nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("match_id", "seq", name="match_events_pkey"),
        of_match("match_events"),
    )
    op.create_index("match_events_match_id_version_idx", "match_events", ["match_id", "version"])
    op.create_table(
        "match_drafts",
        match_id(),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("prompt", sa.String(), nullable=False),
        sa.Column("moves", ARRAY(sa.Text()), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("updated_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("match_id", "seat", name="match_drafts_pkey"),
        of_match("match_drafts"),
    )
    op.create_table(
        "match_answers",
        match_id(),
        sa.Column("prompt", sa.String(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("opened_version", sa.Integer(), nullable=False),
        sa.Column("line", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("match_id", "prompt", "seat", name="match_answers_pkey"),
        of_match("match_answers"),
    )
    op.create_table(
        "match_commands",
        match_id(),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("fingerprint", sa.LargeBinary(), nullable=False),
        sa.Column("version", sa.Integer()),
        sa.PrimaryKeyConstraint("match_id", "seat", "key", name="match_commands_pkey"),
        of_match("match_commands"),
    )


def downgrade() -> None:
    """Drop them with every match played."""
    op.execute("set local lock_timeout = '4s'")
    op.execute("set local statement_timeout = '60s'")
    for table in (
        "match_commands",
        "match_answers",
        "match_drafts",
        "match_events",
        "match_seats",
        "matches",
    ):
        op.drop_table(table)


def match_id() -> sa.Column[object]:
    """Return the column every table beside `matches` begins with."""
    return sa.Column("match_id", sa.Uuid(), nullable=False)


def of_match(table: str) -> sa.ForeignKeyConstraint:
    """Return what ties its rows to their match."""
    return sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=f"{table}_match_id_fkey")
