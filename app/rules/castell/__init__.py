"""Castell: human towers of Catalonia, two to four collas, ten rounds."""

from app.rules.castell.edition import Edition
from app.rules.castell.edition_checks import edition_from_mapping
from app.rules.castell.events import EVENT_TYPES, Event
from app.rules.castell.game import CASTELL, Castell
from app.rules.castell.known import known_events
from app.rules.castell.moves import Move
from app.rules.castell.position import position_from_text, position_to_text
from app.rules.castell.record import match_from_text, match_to_text
from app.rules.castell.state import State
from app.rules.castell.view import CastellView

__all__ = [
    "CASTELL",
    "EVENT_TYPES",
    "Castell",
    "CastellView",
    "Edition",
    "Event",
    "Move",
    "State",
    "edition_from_mapping",
    "known_events",
    "match_from_text",
    "match_to_text",
    "position_from_text",
    "position_to_text",
]
