"""Castell's entry in the registry."""

from types import MappingProxyType
from typing import Final

from app.rules.castell.edition import shared
from app.rules.castell.events import Event
from app.rules.castell.game import CASTELL
from app.rules.castell.known import known_events
from app.rules.castell.record import match_from_text, match_to_text
from app.rules.castell.state import State
from app.rules.listing import Listing, Record


def _share_edition(state: State) -> State:
    """Let equal editions be one: the rules look up their tables by it at every move."""
    state.edition = shared(state.edition)
    return state


LISTING: Final = Listing(
    game=CASTELL,
    name="Castell",
    state=State,
    event=Event,
    record=Record(match_to_text, match_from_text, known_events),
    edition="castell-1",
    choices=MappingProxyType(
        {"wheel_side": ("all_regions", "no_regions"), "assistants": (True, False)}
    ),
    settle=_share_edition,
)
