"""No pattern of ours can be made to take for ever, whatever text it is given.

Every pattern that a module keeps is held against long texts made of what it looks
for, with something at the end that spoils the match.  Where the time doubles with
each letter none of them comes to an end; the limit is far beyond what the others need.
"""

import importlib
import pkgutil
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import pytest

import app

LENGTH = 1000
LIMIT_SECONDS = 20
# What patterns of ours look for, a few of each kind.
MORSELS = (
    *"a0A .-_,:;/+*=<>@#%&'\"\t\n{}[]()|\\~!?é",
    "a.",
    "a-",
    "a, ",
    "1 ",
    "\r\n",
    "> ",
    "://",
    "a=b&",
    "&amp;",
    "<b>",
    "/..",
    "%00",
    "=?q?",
    "+-",
)


def patterns() -> Iterator[tuple[str, re.Pattern[str]]]:
    """Return the patterns for texts that stand in a module or a class of ours."""
    seen = set[str]()
    for found in pkgutil.walk_packages(app.__path__, "app."):
        if found.name.endswith("__main__"):
            continue
        module = importlib.import_module(found.name)
        for name, value in vars(module).items():
            kept = value if isinstance(value, tuple | list) else (value,)
            for one in kept:
                if (
                    isinstance(one, re.Pattern)
                    and isinstance(one.pattern, str)
                    and one.pattern not in seen
                ):
                    seen.add(one.pattern)
                    yield f"{found.name}.{name}", one


@contextmanager
def limit(what: str) -> Iterator[None]:
    """End whatever goes on for longer than any sane pattern does."""

    def over(_number: int, _frame: FrameType | None) -> None:
        pytest.fail(f"{what} takes for ever")

    before = signal.signal(signal.SIGALRM, over)
    signal.setitimer(signal.ITIMER_REAL, LIMIT_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_no_pattern_takes_for_ever() -> None:
    found = list(patterns())
    assert len(found) > 30
    for name, pattern in found:
        for morsel in MORSELS:
            text = morsel * (LENGTH // len(morsel))
            with limit(f"{name}, given {morsel!r},"):
                pattern.search(f"{text}\0")
                pattern.fullmatch(f"{text}\0")


def test_one_that_does_is_found() -> None:
    with pytest.raises(pytest.fail.Exception), limit("this one"):
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        re.fullmatch(r"(a+)+b", "a" * LENGTH)
