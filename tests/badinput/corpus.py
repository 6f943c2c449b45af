"""The cases, as they lie in the data files, and what of the database must not change."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Value:
    """Something to put where a field is: JSON as it is sent, and as a form has it."""

    name: str
    # None: the field is left out.
    json: str | None
    form: str | None
    refused: bool
    # In a form it is a text like any other, however broken it is as JSON: bytes that are no
    # characters are read as the sign for one that is missing.
    text_in_forms: bool = False


def values() -> list[Value]:
    """Return every case of values.json."""
    return [_value(number, case) for number, case in enumerate(_read("values.json"))]


def _value(number: int, case: dict[str, Any]) -> Value:
    name, refused = f"{case['class']} {number}", case.get("expect") == "refused"
    times = case.get("times", 1)
    if case.get("absent"):
        return Value(name, None, None, refused)
    if "raw" in case:
        raw = case["raw"] * times + case.get("middle", "") + case.get("close", "") * times
        return Value(name, raw, raw, refused=refused, text_in_forms=True)
    value = case["value"]
    value = value * times if isinstance(value, str) else value
    as_text = case.get("form") == "text"
    return Value(name, json.dumps(value), _as_form(value), refused, text_in_forms=as_text)


def _as_form(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def read_texts() -> list[dict[str, str]]:
    """Return every case of texts.json."""
    return _read("texts.json")


def read_paths() -> dict[str, list[str]]:
    """Return what redirects.json says."""
    paths: dict[str, list[str]] = json.loads((FOLDER / "redirects.json").read_text("utf-8"))
    return paths


def _read(name: str) -> list[dict[str, Any]]:
    cases: list[dict[str, Any]] = json.loads((FOLDER / name).read_text("utf-8"))
    return cases


# Of these a request that is refused may change something: when somebody was last seen,
# and how often they have tried.
_TOUCHED = ("sessions", "api_tokens", "alembic_version")

_TABLES = text("""
    select relname from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace
      and relname not like 'procrastinate%' and relname <> all(:touched) order by 1
""")


async def fingerprint(session: AsyncSession) -> str:
    """Return the hash of all that lies in the database and that play consists of."""
    tables = (await session.execute(_TABLES, {"touched": list(_TOUCHED)})).scalars()
    parts = [
        f"(select coalesce(sum(hashtextextended(t::text, 0)), 0)::text from {name} t)"
        for name in tables
    ]
    found = await session.execute(text(f"select md5(concat_ws(',', {', '.join(parts)}))"))
    return str(found.scalar_one())
