"""The words of a Castell board: skills, regions, what stands in them."""

from collections.abc import Iterable, Mapping

from app.i18n import gettext, ngettext
from app.i18n.castell_words import skill_name
from app.i18n.lists import listed as anded
from app.rules.castell.view import CastellView, RegionView
from app.rules.game import Seat
from app.web.boards.seats import Who

__all__ = ["anded", "festivals_to_come", "listed", "region_label", "skill_name"]


def listed(parts: Iterable[object]) -> str:
    """Join with commas."""
    return ", ".join(map(str, parts))


def region_label(
    view: CastellView, region: RegionView, seats: Mapping[Seat, Who], *, target: bool
) -> str:
    """Say all that a region holds: the name of its link on the map."""
    said = [
        gettext("Move to %(region)s.", region=region.name)
        if target
        else gettext("%(region)s.", region=region.name)
    ]
    if region.castellers:
        said.append(gettext("Castellers %(sizes)s.", sizes=listed(sorted(region.castellers)[::-1])))
    else:
        said.append(gettext("No castellers."))
    if region.skills and region.skills[0] is not None:
        said.append(gettext("Trains %(skill)s.", skill=skill_name(region.skills[0])))
    said += [
        gettext("Festival in round %(round)s: %(sizes)s.", round=number, sizes=anded(tokens))
        for number, tokens in festivals_to_come(view, region.id)
    ]
    if region.tiles:
        said.append(
            ngettext("%(n)s performance tile.", "%(n)s performance tiles.", len(region.tiles))
        )
    if region.tokens:
        said.append(ngettext("%(n)s token.", "%(n)s tokens.", len(region.tokens)))
    said += [
        gettext("You are here.")
        if seat == view.seat
        else gettext("%(name)s is here.", name=seats[seat].name)
        for seat in region.pawns
    ]
    return " ".join(said)


def festivals_to_come(view: CastellView, region: str) -> list[tuple[int, tuple[int, ...]]]:
    """Return (round, size tokens) of the festivals of `region` still to be held."""
    return [
        (number.number, festival.tokens)
        for number in view.calendar
        for festival in number.festivals
        if festival.region == region and not festival.resolved
    ]
