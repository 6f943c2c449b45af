"""Passwords: Argon2id, a few at a time, and the same work whether a name exists or not."""

import asyncio
from functools import cache
from importlib.resources import files
from typing import Final
from weakref import WeakKeyDictionary

from argon2 import PasswordHasher, Type
from argon2.exceptions import InvalidHashError, VerificationError

from app.errors import InvalidError

MIN_CODE_POINTS: Final = 8
MAX_BYTES: Final = 1024
# Each hash fills 19 MiB: a Raspberry Pi survives four of them at once.
AT_ONCE: Final = 4

_HASHER: Final = PasswordHasher(
    time_cost=2, memory_cost=19 * 1024, parallelism=1, hash_len=32, salt_len=16, type=Type.ID
)
_gates: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = WeakKeyDictionary()


def check_password(password: str) -> None:
    """Raise InvalidError `password.too_short`, `.too_long` or `.too_common`.

    Any characters are welcome, and all of them count.
    """
    if len(password) < MIN_CODE_POINTS:
        raise InvalidError("password.too_short", min=MIN_CODE_POINTS)
    if len(password.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        raise InvalidError("password.too_long", max=MAX_BYTES)
    if password.casefold() in common_passwords():
        raise InvalidError("password.too_common")


@cache
def common_passwords() -> frozenset[str]:
    """Return the passwords everybody tries first."""
    lines = files("app.accounts").joinpath("common_passwords.txt").read_text("utf-8").splitlines()
    return frozenset(line.casefold() for line in lines if not line.startswith("#"))


async def hash_password(password: str) -> str:
    """Return what is stored of `password`."""
    async with _gate():
        return await asyncio.to_thread(_HASHER.hash, _bytes(password))


async def verify_password(stored: str | None, password: str) -> bool:
    """Whether `password` is the one stored.

    Without a stored one (the name is unknown) a dummy is checked, so that the
    answer takes as long.
    """
    async with _gate():
        right = await asyncio.to_thread(_verify, stored or _dummy(), _bytes(password))
    return right and stored is not None


def needs_rehash(stored: str) -> bool:
    """Whether `stored` was made with weaker parameters than today's."""
    return _HASHER.check_needs_rehash(stored)


def _verify(stored: str, password: bytes) -> bool:
    try:
        return _HASHER.verify(stored, password)
    except (VerificationError, InvalidHashError):
        return False


def _bytes(password: str) -> bytes:
    # Nobody who types a password more than 1 kB long waits for an answer worth having.
    return password.encode("utf-8", "surrogatepass")[: MAX_BYTES + 1]


@cache
def _dummy() -> str:
    return _HASHER.hash(b"nobody has this password")


def _gate() -> asyncio.Semaphore:
    loop = asyncio.get_running_loop()
    gate = _gates.get(loop)
    if gate is None:
        gate = _gates[loop] = asyncio.Semaphore(AT_ONCE)
    return gate
