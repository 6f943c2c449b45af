"""Addresses of databases, for programs that speak to libpq without an engine."""

import re

_SCHEME = re.compile(r"^postgres(ql)?(\+\w+)?://")


def conninfo(url: str) -> str:
    """Return `url` as libpq and its programs (psql, pg_dump) read it."""
    return _SCHEME.sub("postgresql://", url)
