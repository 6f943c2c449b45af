"""What a database consists of, in words that can be compared."""

from contextlib import closing
from typing import Any

import psycopg

from app.db.address import conninfo

TABLES = "select tablename from pg_tables where schemaname = 'public' order by 1"


def rows(url: str, query: str) -> list[tuple[Any, ...]]:
    """Return what a query finds."""
    with closing(psycopg.connect(conninfo(url), autocommit=True)) as connection:
        return connection.execute(query.encode()).fetchall()


def shape(url: str, like: str = "%") -> dict[str, list[tuple[Any, ...]]]:
    """Return all that the schema consists of, in words that can be compared."""
    return {
        "columns": rows(
            url,
            "select table_name, column_name, data_type, is_nullable, column_default"
            f" from information_schema.columns where table_schema = 'public'"
            f" and table_name like '{like}' order by 1, 2",
        ),
        "indexes": rows(
            url,
            "select tablename, indexname, indexdef from pg_indexes where schemaname = 'public'"
            f" and tablename like '{like}' order by 1, 2",
        ),
        "constraints": rows(
            url,
            "select conrelid::regclass::text, conname, pg_get_constraintdef(oid)"
            " from pg_constraint where connamespace = 'public'::regnamespace"
            f" and conrelid::regclass::text like '{like}' order by 1, 2",
        ),
        "functions": rows(
            url,
            "select oid::regprocedure::text, md5(prosrc) from pg_proc"
            f" where pronamespace = 'public'::regnamespace and proname like '{like}' order by 1",
        ),
        "triggers": rows(
            url,
            "select tgrelid::regclass::text, tgname, pg_get_triggerdef(oid) from pg_trigger"
            f" where not tgisinternal and tgrelid::regclass::text like '{like}' order by 1, 2",
        ),
        "types": rows(
            url,
            "select typname from pg_type where typnamespace = 'public'::regnamespace"
            f" and typtype in ('c', 'e') and typname like '{like}' order by 1",
        ),
    }


def content(url: str) -> dict[str, tuple[Any, ...]]:
    """Return how many rows each table has, and a hash of them."""
    return {
        name: rows(
            url,
            "select count(*), md5(coalesce(string_agg(t::text, '|' order by t::text), ''))"
            f" from {name} t",
        )[0]
        for (name,) in rows(url, TABLES)
    }
