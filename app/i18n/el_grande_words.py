"""The names of El Grande's parts in the language being spoken."""

from collections.abc import Iterable, Mapping
from typing import Final

from app.i18n import gettext as _
from app.i18n import ngettext
from app.i18n.lists import listed
from app.rules.el_grande.components import CAS, COURT, Counts

# The regions of the built-in edition; a region of another edition shows its id.
REGIONS: Final[Mapping[str, str]] = {
    "ARA": "Aragón",
    "CAT": "Cataluña",
    "CNU": "Castilla la Nueva",
    "CVI": "Castilla la Vieja",
    "GAL": "Galicia",
    "GRA": "Granada",
    "PVA": "País Vasco",
    "SEV": "Sevilla",
    "VAL": "Valencia",
}


def area_name(area: str) -> str:
    """Return the name of a region, the Castillo or the court, as it stands in a sentence."""
    if area == CAS:
        return _("the Castillo")
    return _("the court") if area == COURT else REGIONS.get(area, area)


def areas_named(areas: Iterable[str]) -> str:
    """Return several areas, joined with a last *and*."""
    return listed(map(area_name, areas))


def caballeros(count: int) -> str:
    """Return a number of caballeros."""
    return ngettext("%(n)s caballero", "%(n)s caballeros", count)


def counted(counts: Counts) -> str:
    """Return how many in each area: `2 in Galicia and 1 in the Castillo`."""
    return listed(
        _("%(count)s in %(area)s", count=count, area=area_name(area)) for area, count in counts
    )


def counted_from(counts: Counts) -> str:
    """Return how many from each area: `2 from Galicia and 1 from the court`."""
    return listed(
        _("%(count)s from %(area)s", count=count, area=area_name(area)) for area, count in counts
    )
