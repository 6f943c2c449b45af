"""How Alembic runs: one migration at a time, never waiting long for a lock."""

import pkgutil
from collections.abc import Iterable
from datetime import UTC, datetime
from importlib import import_module
from typing import Any

from alembic import context
from alembic.operations.ops import MigrationScript
from sqlalchemy import create_engine, pool, text

import app
from app.config import load_settings
from app.db.base import Base
from app.db.engine import driver_url

# Any number that nothing else in this database uses: two programs starting at
# once must not migrate at once.
LOCK = 7_064_352_265


def load_tables() -> None:
    """Import every feature's tables, so that autogenerate sees them."""
    for module in pkgutil.iter_modules(app.__path__):
        if module.ispkg:
            package = import_module(f"app.{module.name}")
            names = {found.name for found in pkgutil.iter_modules(package.__path__)}
            for name in sorted(name for name in names if name.endswith("models")):
                import_module(f"app.{module.name}.{name}")


def ours(name: str | None, kind: str, parents: Any) -> bool:
    """Leave procrastinate's tables to procrastinate."""
    return not (kind == "table" and name is not None and name.startswith("procrastinate_"))


def name_revision(migration: Any, revision: Any, directives: Iterable[MigrationScript]) -> None:
    """Name a new revision by date and slug, as its file is."""
    for directive in directives:
        words = "".join(c if c.isalnum() else "_" for c in (directive.message or "").lower())
        directive.rev_id = f"{datetime.now(UTC):%Y%m%d}_{words}"[:32].strip("_")


def migrate() -> None:
    """Run the migrations asked for on the database of the settings."""
    load_tables()
    url = context.config.attributes.get("url") or load_settings().database_url
    if url is None:
        raise SystemExit("Set DATABASE_URL, or use `placa migrate`.")
    engine = create_engine(driver_url(url), poolclass=pool.NullPool)
    with engine.connect() as connection:
        connection.execute(text("select pg_advisory_lock(:lock)"), {"lock": LOCK})
        connection.commit()
        context.configure(
            connection=connection,
            target_metadata=Base.metadata,
            include_name=ours,
            compare_type=True,
            compare_server_default=True,
            transaction_per_migration=True,
            process_revision_directives=name_revision,
        )
        with context.begin_transaction():
            context.run_migrations()
    engine.dispose()


migrate()
