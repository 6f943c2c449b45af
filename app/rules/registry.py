"""The games there are, by key.  Each is independent of the others."""

from collections.abc import Mapping
from typing import Any, Final

from app.rules.castell import CASTELL
from app.rules.game import Game

GAMES: Final[Mapping[str, Game[Any, Any, Any, Any]]] = {CASTELL.key: CASTELL}
