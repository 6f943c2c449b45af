"""The editions that come with the program: data files beside the rules."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

DEFAULTS = {"castell": "castell-1"}


@cache
def _read(game: str, name: str) -> str:
    return files(f"app.rules.{game}").joinpath("editions", f"{name}.toml").read_text("utf-8")


def edition(game: str, name: str | None = None) -> dict[str, Any]:
    """Return the values of edition `name` of `game`, or of its default edition.

    The mapping is fresh and may be changed.  Raises KeyError for an unknown name.
    """
    name = name or DEFAULTS[game]
    if name not in names(game):
        raise KeyError(name)
    return tomllib.loads(_read(game, name))


@cache
def names(game: str) -> tuple[str, ...]:
    """Return the names of the editions of `game`, in alphabetical order."""
    folder = files(f"app.rules.{game}").joinpath("editions")
    return tuple(
        sorted(
            entry.name.removesuffix(".toml")
            for entry in folder.iterdir()
            if entry.name.endswith(".toml")
        )
    )
