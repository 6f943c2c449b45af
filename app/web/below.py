"""The path of a shared host below which all pages lie; empty where the host is ours alone."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_root: ContextVar[str] = ContextVar("root", default="")


@contextmanager
def below(path: str) -> Iterator[None]:
    """Let every address that is made in the block lie below `path`."""
    token = _root.set(path.rstrip("/"))
    try:
        yield
    finally:
        _root.reset(token)


def root() -> str:
    """Return the path, without a slash at its end."""
    return _root.get()
