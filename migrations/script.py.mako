"""${message}

The old program must be able to run on the new schema: add first, remove one
release later.  Big tables get their indexes with `postgresql_concurrently`.
"""

import sqlalchemy as sa
from alembic import op
${imports if imports else ""}
revision: str = ${repr(up_revision).replace("'", '"')}
down_revision: str | None = ${repr(down_revision).replace("'", '"')}


def upgrade() -> None:
    """Apply it."""
    # Give up rather than queue behind a long transaction and block everybody.
    op.execute("set local lock_timeout = '4s'")
    op.execute("set local statement_timeout = '60s'")
    ${upgrades if upgrades else "pass"}


def downgrade() -> None:
    """Take it back."""
    op.execute("set local lock_timeout = '4s'")
    op.execute("set local statement_timeout = '60s'")
    ${downgrades if downgrades else "pass"}
