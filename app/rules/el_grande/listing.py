"""El Grande's entry in the registry."""

from typing import Final

from app.rules.el_grande.edition import shared
from app.rules.el_grande.events import Event
from app.rules.el_grande.game import EL_GRANDE
from app.rules.el_grande.known import known_events
from app.rules.el_grande.record import match_from_text, match_to_text
from app.rules.el_grande.setup import CHOICES
from app.rules.el_grande.state import State
from app.rules.listing import Listing, Record


def _share_edition(state: State) -> State:
    """Let equal editions be one: the rules look up their tables by it at every move."""
    state.edition = shared(state.edition)
    return state


LISTING: Final = Listing(
    game=EL_GRANDE,
    name="El Grande",
    state=State,
    event=Event,
    record=Record(match_to_text, match_from_text, known_events),
    edition="el-grande-1",
    choices=CHOICES,
    settle=_share_edition,
)
