"""What a host does: taking turns back, and a log of it."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision: str = "20261130_host"
down_revision: str | None = "20261130_standing"

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Nothing was taken back so far, and nobody is an administrator."""
    op.execute("set local lock_timeout = '4s'")
    op.execute("set local statement_timeout = '60s'")
    op.create_table(
        "match_rollbacks",
        sa.Column("match_id", sa.Uuid(), nullable=False),
        sa.Column("version", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("to_version", sa.Integer(), nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.CheckConstraint("0 < to_version and to_version < version", name="backwards"),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="match_rollbacks_match_id_fkey"),
        sa.PrimaryKeyConstraint("match_id", "version", name="match_rollbacks_pkey"),
    )
    # What still counts of the log: a rollback strikes what lies between it and its goal.
    op.execute("""
        create view match_log as
        select e.match_id, e.seq, e.version, e.seat, e.payload, e.line, e.rules_version, e.at
        from match_events e
        where not exists (
          select from match_rollbacks r
          where r.match_id = e.match_id and e.version > r.to_version and e.version < r.version)
    """)
    op.create_table(
        "audit_log",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.Column("actor", sa.String(128), nullable=False),
        sa.Column("action", sa.String(64), nullable=False),
        sa.Column("subject", sa.String(128), nullable=False),
        sa.Column("details", JSONB(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="audit_log_pkey"),
    )
    op.create_index("audit_log_subject_idx", "audit_log", ["subject"])
    op.add_column(
        "people", sa.Column("admin", sa.Boolean(), server_default=sa.false(), nullable=False)
    )
    op.create_check_constraint("admin_has_account", "people", "not admin or kind = 'account'")


def downgrade() -> None:
    """Forget it; a match with turns taken back cannot be read by the version before."""
    op.execute("set local lock_timeout = '4s'")
    op.execute("set local statement_timeout = '60s'")
    op.drop_constraint("admin_has_account", "people", type_="check")
    op.drop_column("people", "admin")
    op.drop_table("audit_log")
    op.execute("drop view match_log")
    op.drop_table("match_rollbacks")
