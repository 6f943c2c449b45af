"""Who somebody is at an issuer, sign-ins there that have begun, and accounts without a password."""

import sqlalchemy as sa
from alembic import op

revision: str = "20261130_oidc"
down_revision: str | None = "20261130_kept"

MOMENT = sa.DateTime(timezone=True)
BEFORE = "(kind = 'account') = (name_key is not null and password_hash is not null)"


def upgrade() -> None:
    """Every account has a password as yet."""
    op.execute("set local lock_timeout = '4s'")
    op.execute("set local statement_timeout = '60s'")
    op.create_table(
        "identities",
        sa.Column("id", sa.Uuid, nullable=False),
        sa.Column("person_id", sa.Uuid, nullable=False),
        sa.Column("issuer", sa.String(2000), nullable=False),
        sa.Column("subject", sa.String(255), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("used_at", MOMENT, nullable=False),
        sa.Column("gives_admin", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.PrimaryKeyConstraint("id", name="identities_pkey"),
        sa.UniqueConstraint("issuer", "subject", name="identities_issuer_subject_key"),
        sa.UniqueConstraint("person_id", "issuer", name="identities_person_id_issuer_key"),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name="identities_person_id_fkey", ondelete="CASCADE"
        ),
    )
    op.create_table(
        "sign_ins",
        sa.Column("state_hash", sa.LargeBinary(32), nullable=False),
        sa.Column("browser_hash", sa.LargeBinary(32), nullable=False),
        sa.Column("person_id", sa.Uuid),
        sa.Column("next", sa.String(300), nullable=False),
        sa.Column("subject", sa.String(255)),
        sa.Column("name", sa.String(64), nullable=False, server_default=""),
        sa.Column("admin", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("expires_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("state_hash", name="sign_ins_pkey"),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name="sign_ins_person_id_fkey", ondelete="CASCADE"
        ),
    )
    for column in ("browser_hash", "person_id", "expires_at"):
        op.create_index(f"sign_ins_{column}_idx", "sign_ins", [column])
    op.drop_constraint(op.f("people_account_has_password_check"), "people")
    op.create_check_constraint(
        op.f("people_account_has_name_check"),
        "people",
        "(kind = 'account') = (name_key is not null)",
    )
    op.create_check_constraint(
        op.f("people_password_is_of_account_check"),
        "people",
        "kind = 'account' or password_hash is null",
    )


def downgrade() -> None:
    """Forget them; accounts that signed in there only need a link from the host."""
    op.execute("set local lock_timeout = '4s'")
    op.execute("set local statement_timeout = '60s'")
    # No password has this hash.
    op.execute(
        "update people set password_hash = 'none' where kind = 'account' and password_hash is null"
    )
    for name in ("account_has_name", "password_is_of_account"):
        op.drop_constraint(op.f(f"people_{name}_check"), "people")
    op.create_check_constraint(op.f("people_account_has_password_check"), "people", BEFORE)
    op.execute("delete from installation where name = 'oidc'")
    op.drop_table("sign_ins")
    op.drop_table("identities")
