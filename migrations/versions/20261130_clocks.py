"""Clocks: what a table has agreed on, who has until when, and what stops the time."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision: str = "20261130_clocks"
down_revision: str | None = "20261130_installation"


def upgrade() -> None:
    """No match has a clock yet, and nobody is away."""
    op.execute("set local lock_timeout = '4s'")
    op.execute("set local statement_timeout = '60s'")
    op.add_column("people", sa.Column("time_zone", sa.String(64)))
    op.add_column("tables", sa.Column("clock", postgresql.JSONB(none_as_null=True)))
    op.add_column("matches", sa.Column("clock", postgresql.JSONB(none_as_null=True)))
    op.create_table(
        "match_deadlines",
        sa.Column("match_id", sa.Uuid(), nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("prompt", sa.String(), nullable=False),
        sa.Column("secret", sa.Boolean(), nullable=False),
        sa.Column("opened_version", sa.Integer(), nullable=False),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("allotted", sa.Interval(), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("missed_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name=op.f("match_deadlines_match_id_fkey")
        ),
        sa.PrimaryKeyConstraint("match_id", "seat", name=op.f("match_deadlines_pkey")),
    )
    op.create_index(
        "match_deadlines_due_idx",
        "match_deadlines",
        ["due_at"],
        postgresql_where=sa.text("missed_at is null"),
    )
    op.create_table(
        "match_times",
        sa.Column("match_id", sa.Uuid(), nullable=False),
        sa.Column("n", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("prompt", sa.String(), nullable=False),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("allotted", sa.Interval(), nullable=False),
        sa.Column("used", sa.Interval(), nullable=False),
        sa.Column("bank", sa.Interval(), nullable=True),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name=op.f("match_times_match_id_fkey")
        ),
        sa.PrimaryKeyConstraint("match_id", "n", name=op.f("match_times_pkey")),
    )
    op.create_table(
        "match_pauses",
        sa.Column("match_id", sa.Uuid(), nullable=False),
        sa.Column("starts_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("starts_at <= ends_at", name=op.f("match_pauses_forwards_check")),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name=op.f("match_pauses_match_id_fkey")
        ),
        sa.PrimaryKeyConstraint("match_id", "starts_at", name=op.f("match_pauses_pkey")),
    )
    op.create_table(
        "match_proposals",
        sa.Column("match_id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("asked", postgresql.ARRAY(sa.Integer()), nullable=False),
        sa.Column("agreed", postgresql.ARRAY(sa.Integer()), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "kind in ('pause', 'resume', 'undo', 'void')",
            name=op.f("match_proposals_kind_check"),
        ),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name=op.f("match_proposals_match_id_fkey")
        ),
        sa.PrimaryKeyConstraint("match_id", "kind", name=op.f("match_proposals_pkey")),
    )
    op.create_table(
        "absences",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("person_id", sa.Uuid(), nullable=False),
        sa.Column("starts_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("starts_at < ends_at", name=op.f("absences_forwards_check")),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["people.id"],
            name=op.f("absences_person_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("absences_pkey")),
    )
    op.create_index(op.f("absences_person_id_idx"), "absences", ["person_id"])
    op.create_table(
        "downtimes",
        sa.Column("starts_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("starts_at < ends_at", name=op.f("downtimes_forwards_check")),
        sa.PrimaryKeyConstraint("starts_at", name=op.f("downtimes_pkey")),
    )
    op.create_index(op.f("downtimes_ends_at_idx"), "downtimes", ["ends_at"])
    op.create_table(
        "heartbeats",
        sa.Column("name", sa.String(32), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("heartbeats_pkey")),
    )


def downgrade() -> None:
    """Stop every clock."""
    op.execute("set local lock_timeout = '4s'")
    op.execute("set local statement_timeout = '60s'")
    for table in (
        "heartbeats",
        "downtimes",
        "absences",
        "match_proposals",
        "match_pauses",
        "match_times",
        "match_deadlines",
    ):
        op.drop_table(table)
    for table, column in (("matches", "clock"), ("tables", "clock"), ("people", "time_zone")):
        op.drop_column(table, column)
