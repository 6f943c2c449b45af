"""Forms: exactly the fields a route names, once each, of a kind the database can hold."""

import re
from collections import Counter
from datetime import date
from typing import Annotated, Any, Final, Literal, TypeAlias

from fastapi import Depends, Request
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from app.errors import InvalidError

# The only fields that may be there several times: earlier towers of the workshop, the ticked
# items of a list, and the rows of a list of choices.
REPEATED: Final = frozenset({"back", "items", "pick", "when"})
_FORMS: Final = ("application/x-www-form-urlencoded", "multipart/form-data")


class FormModel(BaseModel):
    """Parent of all forms: unknown fields are refused; `csrf` was looked at before."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    csrf: str = ""

    @model_validator(mode="before")
    @classmethod
    def _storable(cls, values: Any) -> Any:
        """Refuse what PostgreSQL and UTF-8 cannot hold."""
        if isinstance(values, dict):
            for value in values.values():
                if isinstance(value, str) and not storable(value):
                    raise ValueError("not text")
        return values


def _day(value: str) -> str:
    """Refuse numbers of seconds, times and whatever else makes a day for a library."""
    if value and not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", value):
        raise ValueError("must be like 2026-09-25")
    return value


# What a field for a day sends; nothing while it is empty.
Day: TypeAlias = Annotated[date | Literal[""], BeforeValidator(_day)]
# A checkbox that is not ticked is not sent at all.
Ticked: TypeAlias = Annotated[bool, Field(strict=False)]
# What a list of small things is counted with.
Small: TypeAlias = Annotated[int, Field(ge=0, le=1000)]
Key: TypeAlias = Annotated[str, Field(min_length=1, max_length=64)]
Line: TypeAlias = Annotated[str, Field(max_length=2000)]
Password: TypeAlias = Annotated[str, Field(max_length=4000)]


def storable(value: str) -> bool:
    """Whether the text can be stored: no NUL, no half of a character."""
    return "\0" not in value and not any("\ud800" <= c <= "\udfff" for c in value)


async def fields_once(request: Request) -> None:
    """Refuse a request that gives a field twice, in the address or in the form.

    Of two values one would be believed by a check and the other by what follows.
    """
    names = Counter(name for name, _ in request.query_params.multi_items())
    if not all(storable(value) for value in request.query_params.values()):
        raise InvalidError
    if request.headers.get("Content-Type", "").startswith(_FORMS):
        form = await request.form()
        sent = Counter(name for name, _ in form.multi_items())
        names = Counter({name: max(names[name], sent[name]) for name in names | sent})
    twice = [name for name, count in names.items() if count > 1 and name not in REPEATED]
    if twice:
        raise InvalidError("invalid_field", field=twice[0][:40])


FieldsOnce: Final = Depends(fields_once)
