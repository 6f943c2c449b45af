"""The policies there are, by game and name."""

from collections.abc import Mapping
from typing import Any, Final

from app.bots.castell_steady import SteadyCastell
from app.bots.el_grande_steady import SteadyElGrande
from app.bots.policy import Policy
from app.bots.random_policy import RandomPolicy
from app.rules.game import Game
from app.rules.registry import GAMES

POLICIES: Final[Mapping[str, Mapping[str, Policy]]] = {
    "castell": {"steady": SteadyCastell(), "random": RandomPolicy(GAMES["castell"])},
    "el_grande": {"steady": SteadyElGrande(), "random": RandomPolicy(GAMES["el_grande"])},
}
# How many positions `steady` looks at in a turn of Castell; few turns have 4,000.
ITERATIONS: Final = 20_000


def policy_for(game: Game[Any, Any, Any, Any], name: str) -> Policy:
    """Return the policy called `name`.

    A game that has none of that name is played at random: a match with a bot in
    it must never come to a halt.
    """
    return POLICIES.get(game.key, {}).get(name) or RandomPolicy(game)
