"""The rules of play of El Grande, illustrated.

Every number comes from the edition new matches are started with, and every
example is reckoned by the rules themselves.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from app.matches import editions
from app.rules.el_grande.edition import Card, Edition
from app.rules.el_grande.edition_reader import read_edition
from app.rules.el_grande.scoring import points_for
from app.web.boards.el_grande_cards import CardWords, card_words
from app.web.boards.el_grande_map import map_art


@dataclass(frozen=True, slots=True)
class Example:
    """A region reckoned: what it pays, who has how many, and who gets what."""

    values: tuple[int, ...]
    counts: tuple[int, ...]
    points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CardRow:
    """A card of the list: how many copies, and what it says."""

    card: Card
    words: CardWords


# (what the region pays, who has how many)
EXAMPLES: Final = (
    ((6, 4, 2), (4, 3, 2, 1)),
    ((6, 4, 2), (4, 3, 2, 2)),
    ((5, 3, 1), (3, 3, 1)),
    ((5, 3, 1), (4, 4, 4, 3)),
)
KING: Final = "CVI"


@cache
def current_edition() -> Edition:
    """Return the edition that new matches of El Grande are started with."""
    return read_edition(editions.edition("el_grande"))


def examples() -> tuple[Example, ...]:
    """Return every example with its reckoning."""
    return tuple(Example(values, counts, points_for(counts, values)) for values, counts in EXAMPLES)


def context() -> Mapping[str, Any]:
    """Return what the template of the rules needs."""
    edition = current_edition()
    return {
        "edition": edition,
        "art": map_art(),
        "king": KING,
        "near": next(region.neighbours for region in edition.regions if region.id == KING),
        "region_names": {region.id: region.name for region in edition.regions},
        "examples": examples(),
        "stacks": tuple(
            tuple(CardRow(card, card_words(card)) for card in edition.cards if card.stack == stack)
            for stack in range(1, len(edition.placement) + 1)
        ),
    }
