"""Signing in, a limited number of times.

Tries are counted by household and by name.  A browser in which the account was
opened before has a count of its own: whoever attacks a name from elsewhere does
not lock its owner out.  Names nobody has are counted alike.
"""

from collections.abc import Callable
from datetime import datetime
from uuid import UUID

import structlog
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.limits import (
    LOGIN_BY_ADDRESS,
    LOGIN_BY_NAME,
    LOGIN_FROM_KNOWN_DEVICE,
    Limiter,
)
from app.accounts.names import clean_name, name_key
from app.accounts.service import find_account, sign_in
from app.accounts.values import Person
from app.errors import InvalidError, NotFoundError

log = structlog.get_logger("placa.security")


async def sign_in_at_the_gate(
    session: AsyncSession,
    *,
    limiter: Limiter,
    name: str,
    password: str,
    network: str,
    is_device_of: Callable[[UUID], bool],
    now: datetime,
) -> Person:
    """Return the account that `name` and `password` open.

    Raises InvalidError `account.wrong_password`, TooManyError.  Tries that
    succeed are not counted.
    """
    called = _key_of(name)
    counted = [(LOGIN_BY_ADDRESS, network), (LOGIN_BY_NAME, called)]
    if await _is_known_device(session, name, is_device_of):
        counted = [(LOGIN_FROM_KNOWN_DEVICE, called)]
    for limit, key in counted:
        limiter.check(limit, key, now=now)
    for limit, key in counted:
        limiter.spend(limit, key, now=now)
    try:
        person = await sign_in(session, name=name, password=password)
    except InvalidError:
        log.warning("login.failed", network=network)
        raise
    for limit, key in counted:
        limiter.give_back(limit, key, now=now)
    log.info("login.succeeded", person=str(person.id))
    return person


def _key_of(name: str) -> str:
    """Return what all spellings that open one account are counted under."""
    try:
        return name_key(clean_name(name))
    except InvalidError:
        # Nobody can be called so: the tries open nothing.
        return ""


async def _is_known_device(
    session: AsyncSession, name: str, is_device_of: Callable[[UUID], bool]
) -> bool:
    try:
        account = await find_account(session, name=name)
    except NotFoundError:
        return False
    return is_device_of(account.id)
