"""The editions that come with the program: data files beside the rules."""

import tomllib
from collections.abc import Mapping
from copy import deepcopy
from functools import cache
from importlib.resources import files
from typing import Any

from app.errors import InvalidError
from app.rules.registry import LISTINGS


@cache
def _read(game: str, name: str) -> dict[str, Any]:
    file = files(f"app.rules.{game}").joinpath("editions", f"{name}.toml")
    return tomllib.loads(file.read_text("utf-8"))


def edition(game: str, name: str | None = None) -> dict[str, Any]:
    """Return the values of edition `name` of `game`, or of its default edition.

    The mapping is fresh and may be changed.  Raises KeyError for an unknown name.
    """
    name = name or LISTINGS[game].edition
    if name not in names(game):
        raise KeyError(name)
    return deepcopy(_read(game, name))


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


def with_edition(game: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return `options` with the values of the edition they name, or of the default one.

    An edition given as values is left alone.  Raises InvalidError for an unknown name.
    """
    chosen = options.get("edition")
    if isinstance(chosen, Mapping) or game not in LISTINGS:
        return dict(options)
    name = LISTINGS[game].edition if chosen is None else chosen
    if name not in names(game):
        raise InvalidError("option.unknown_edition", key="edition", value=str(name))
    return {**options, "edition": edition(game, name)}
