"""The names of Castell's parts in the language being spoken."""

from collections.abc import Mapping
from functools import cache
from typing import Final

from app.i18n import current_locale, ngettext
from app.i18n import gettext as _
from app.i18n.lists import listed
from app.rules.castell.components import Prize, Tower
from app.rules.castell.edition import Tile
from app.rules.castell.notation import format_tower

# The towns of the built-in edition; a region of another edition shows its id.
PLACES: Final = {
    "TAR": "Tarragona",
    "VAL": "Valls",
    "VFR": "Vilafranca",
    "VNO": "Vilanova",
    "BCN": "Barcelona",
    "TER": "Terrassa",
    "GIR": "Girona",
}


def place(region: str) -> str:
    """Return the name of a region."""
    return PLACES.get(region, region)


def skill_name(skill: str) -> str:
    """Return the name of a skill, or of the Special wheel tile; anything else as it is."""
    return _skill_names(current_locale()).get(skill, skill)


@cache
def _skill_names(_locale: str) -> Mapping[str, str]:
    # A board names five hundred skills.
    return {
        "balance": _("Balance"),
        "base": _("Base"),
        "mix": _("Mix"),
        "strength": _("Strength"),
        "width": _("Width"),
        "special": _("Special"),
    }


def prize_name(prize: Prize) -> str:
    """Return a prize with its article, as the object of a sentence."""
    names = {"trophy": _("a trophy"), "medal": _("a medal"), "ribbon": _("a ribbon")}
    return names[prize]


def tile_name(tile: Tile) -> str:
    """Return what a local tile shows and is worth, as the object of a sentence."""
    if tile.widths:
        return ngettext(
            "the shape %(widths)s (%(n)s point)",
            "the shape %(widths)s (%(n)s points)",
            tile.points,
            widths="-".join(map(str, tile.widths)),
        )
    return ngettext(
        "the exhibition of %(skills)s (%(n)s point)",
        "the exhibition of %(skills)s (%(n)s points)",
        tile.points,
        skills=listed(map(skill_name, tile.skills)),
    )


def tower_words(tower: Tower) -> str:
    """Return how high a tower is, and the tower itself."""
    return ngettext(
        "a tower of %(n)s level (%(tower)s)",
        "a tower of %(n)s levels (%(tower)s)",
        len(tower),
        tower=format_tower(tower),
    )
