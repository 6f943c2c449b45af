"""A standing order names the decision it answers, and stays to tell what became of it."""

import sqlalchemy as sa
from alembic import op

revision: str = "20261130_orders"
down_revision: str | None = "20261130_replies"

TABLE = "match_standing"


def upgrade() -> None:
    """Those there are answered whenever their seat was asked: they still do."""
    op.execute("set local lock_timeout = '4s'")
    op.execute("set local statement_timeout = '60s'")
    op.add_column(TABLE, sa.Column("decision", sa.String()))
    op.execute("""
        update match_standing as s set decision = case m.game
          when 'castell' then 'festivals' else 'veto' end
        from matches m where m.id = s.match_id
    """)
    op.alter_column(TABLE, "decision", nullable=False)
    op.drop_constraint("match_standing_pkey", TABLE)
    op.create_primary_key("match_standing_pkey", TABLE, ["match_id", "seat", "decision"])
    op.add_column(TABLE, sa.Column("ended", sa.String(8)))
    op.add_column(TABLE, sa.Column("played", sa.String()))
    op.add_column(TABLE, sa.Column("version", sa.Integer()))
    op.create_check_constraint(
        op.f("match_standing_ended_check"), TABLE, "ended in ('played', 'asked', 'passed')"
    )
    op.create_check_constraint(
        op.f("match_standing_version_check"), TABLE, "(ended is null) = (version is null)"
    )


def downgrade() -> None:
    """Keep those that answer whenever their seat is asked, as the version before knew them."""
    op.execute("set local lock_timeout = '4s'")
    op.execute("set local statement_timeout = '60s'")
    op.execute("""
        delete from match_standing where ended is not null
          or decision not in ('festivals', 'veto') or line not in ('best', 'ask', 'pass')
            and line not like 'veto %'
    """)
    for name in ("version", "ended"):
        op.drop_constraint(op.f(f"match_standing_{name}_check"), TABLE)
    op.drop_constraint("match_standing_pkey", TABLE)
    op.create_primary_key("match_standing_pkey", TABLE, ["match_id", "seat"])
    for column in ("decision", "ended", "played", "version"):
        op.drop_column(TABLE, column)
