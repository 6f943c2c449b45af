"""The games there are, by key.  Each is independent of the others."""

from collections.abc import Mapping
from typing import Any, Final

from app.rules.castell.listing import LISTING as CASTELL
from app.rules.el_grande.listing import LISTING as EL_GRANDE
from app.rules.game import Game
from app.rules.listing import Listing, Record

LISTINGS: Final[Mapping[str, Listing]] = {
    listed.game.key: listed for listed in (CASTELL, EL_GRANDE)
}
GAMES: Final[Mapping[str, Game[Any, Any, Any, Any]]] = {
    key: listed.game for key, listed in LISTINGS.items()
}
RECORDS: Final[Mapping[str, Record]] = {key: listed.record for key, listed in LISTINGS.items()}
