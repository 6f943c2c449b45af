"""Addresses for templates of pages that are rendered where no page is."""

from typing import Any


class _Nowhere(str):
    """Stands for every address: empty, whatever is asked of it."""

    __slots__ = ()

    def __getattr__(self, name: str) -> "_Nowhere":
        return self

    def __call__(self, *arguments: Any, **named: Any) -> "_Nowhere":
        return self

    def __getitem__(self, name: Any) -> "_Nowhere":
        return self


def nowhere() -> Any:
    """Return what stands for `links` and `url_for` of a page: all of it is empty."""
    return _Nowhere()
