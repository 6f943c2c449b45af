"""The games a table can choose, and what may be chosen about them."""

from collections.abc import Mapping
from typing import Any, Final

from app.errors import InvalidError
from app.rules.listing import Listing
from app.rules.registry import LISTINGS

BOT_POLICIES: Final = ("steady", "random")
BOT_NAMES: Final = ("Mercè", "Oriol", "Neus", "Jordi", "Laia", "Pau", "Roser", "Biel")


def game_info(key: str) -> Listing:
    """Return the game called `key`; raises InvalidError `table.unknown_game`."""
    if key not in LISTINGS:
        raise InvalidError("table.unknown_game", game=key)
    return LISTINGS[key]


def checked_options(game: Listing, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return `options` completed with the defaults.

    Raises InvalidError `table.bad_option` for an option or a value the game does
    not have.
    """
    for key, value in options.items():
        # 1 == True: the types must be the same too.
        known = [(type(choice), choice) for choice in game.choices.get(key, ())]
        if (type(value), value) not in known:
            raise InvalidError("table.bad_option", key=key)
    return {key: options.get(key, values[0]) for key, values in game.choices.items()}


def check_policy(policy: str) -> str:
    """Return `policy` if bots can follow it; raises InvalidError `table.unknown_policy`."""
    if policy not in BOT_POLICIES:
        raise InvalidError("table.unknown_policy")
    return policy
