"""El Grande: majorities in old Spain, two to five seats, nine or six rounds."""

from app.rules.el_grande.edition import Edition
from app.rules.el_grande.edition_checks import edition_from_mapping
from app.rules.el_grande.events import EVENT_TYPES, Event
from app.rules.el_grande.game import EL_GRANDE, ElGrande
from app.rules.el_grande.known import known_events
from app.rules.el_grande.moves import Move
from app.rules.el_grande.position import position_from_text, position_to_text
from app.rules.el_grande.record import match_from_text, match_to_text
from app.rules.el_grande.scoring import if_scored
from app.rules.el_grande.state import State
from app.rules.el_grande.view import ElGrandeView

__all__ = [
    "EL_GRANDE",
    "EVENT_TYPES",
    "Edition",
    "ElGrande",
    "ElGrandeView",
    "Event",
    "Move",
    "State",
    "edition_from_mapping",
    "if_scored",
    "known_events",
    "match_from_text",
    "match_to_text",
    "position_from_text",
    "position_to_text",
]
