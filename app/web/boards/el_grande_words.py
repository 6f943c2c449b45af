"""The words of an El Grande board: areas, who stands in them, what a scoring would give."""

from collections.abc import Mapping, Sequence
from typing import Final

from app.i18n import gettext
from app.i18n.lists import listed as anded
from app.rules.el_grande.components import CAS, COURT, Counts
from app.rules.el_grande.view import ElGrandeView, RegionView
from app.rules.game import Seat
from app.web.boards.seats import Who

__all__ = [
    "anded",
    "area_label",
    "area_name",
    "counts_words",
    "list_words",
    "points_words",
    "short_name",
    "who_name",
]

# Names longer than this do not fit the overview a phone gets.
_LONG: Final = 12


def area_name(view: ElGrandeView, area: str) -> str:
    """Return the name of a region, of the Castillo or of the court."""
    if area == CAS:
        return gettext("Castillo")
    if area == COURT:
        return gettext("Court")
    return next((region.name for region in view.regions if region.id == area), area)


def short_name(view: ElGrandeView, area: str) -> str:
    """Return the name as the overview writes it."""
    name = area_name(view, area)
    first, _, rest = name.partition(" ")
    return f"{first[0]}. {rest}" if rest and len(name) > _LONG else name


def who_name(who: Who, me: Seat | None) -> str:
    """Return a seat's name in the middle of a sentence."""
    return gettext("you") if who.seat == me else who.name


def counts_words(
    counts: Sequence[int | None], seats: Mapping[Seat, Who], me: Seat | None, *, most: int = 9
) -> str:
    """Say who has how many, the most first: `Jordi 4, you 1`."""
    there = sorted(
        ((count, Seat(seat)) for seat, count in enumerate(counts) if count),
        key=lambda one: (-one[0], one[1]),
    )
    return ", ".join(f"{who_name(seats[seat], me)} {count}" for count, seat in there[:most])


def points_words(points: Sequence[int], seats: Mapping[Seat, Who], me: Seat | None) -> str:
    """Say who would get what, the most first: `Jordi +6, you +4`."""
    there = sorted(
        ((point, Seat(seat)) for seat, point in enumerate(points) if point),
        key=lambda one: (-one[0], one[1]),
    )
    return ", ".join(f"{who_name(seats[seat], me)} +{point}" for point, seat in there)


def list_words(view: ElGrandeView, counts: Counts) -> str:
    """Say a list of places: `2 in Castilla la Vieja and 1 in the Castillo`."""
    return anded(
        gettext("%(count)s in %(place)s", count=count, place=area_name(view, area))
        for area, count in counts
    )


def area_label(
    view: ElGrandeView, region: RegionView | None, seats: Mapping[Seat, Who], points: Sequence[int]
) -> str:
    """Say all that an area holds: the name of its link on the map; None is the Castillo."""
    if region is None:
        said = [_castillo(view, seats)]
    else:
        worth = "/".join(map(str, region.values))
        held = counts_words(region.caballeros, seats, view.seat)
        said = [
            gettext("%(region)s, worth %(values)s: %(held)s.",
                    region=region.name, values=worth, held=held)
            if held
            else gettext("%(region)s, worth %(values)s: nobody.", region=region.name, values=worth)
        ]  # fmt: skip
        if region.board is not None:
            said.append(gettext("A mobile scoreboard lies here."))
        said += [
            gettext("Your home.")
            if seat == view.seat
            else gettext("Home of %(name)s.", name=seats[seat].name)
            for seat in region.grandes
        ]
        if region.king:
            said.append(gettext("The King is here: nothing enters, leaves or moves."))
        elif region.open:
            said.append(gettext("Next to the King."))
    gained = points_words(points, seats, view.seat)
    if gained:
        said.append(gettext("If scored now: %(points)s.", points=gained))
    return " ".join(said)


def _castillo(view: ElGrandeView, seats: Mapping[Seat, Who]) -> str:
    if view.castillo == "hidden":
        mine = next((p.castillo for p in view.players if p.seat == view.seat), None)
        if mine is None:
            return gettext("Castillo: who is inside is hidden.")
        return gettext("Castillo: %(count)s of yours inside, the rest is hidden.", count=mine)
    held = counts_words([p.castillo for p in view.players], seats, view.seat)
    if not held:
        return gettext("Castillo: nobody.")
    return gettext("Castillo: %(held)s.", held=held)
