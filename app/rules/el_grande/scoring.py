"""Scoring areas (section 6): one reckoning for scorings, special scorings and previews."""

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache

from app.rules.el_grande.edition import REGIONS, SEAT_COUNTS, Card, Edition, tables
from app.rules.el_grande.events import AreaScored
from app.rules.el_grande.state import CASTILLO, State
from app.rules.game import Outcome, Seat

CATEGORIES = ("scoring_1", "scoring_2", "scoring_3", "special")
PREVIEW = "preview"


def points_for(counts: Sequence[int], values: Sequence[int]) -> tuple[int, ...]:
    """Return what each seat earns in an area that pays `values`, the best place first (6.2).

    A tie pays the next lower place and uses up both, whatever its size.

    >>> points_for((4, 4, 4, 3), (5, 3, 1))
    (3, 3, 3, 1)
    """
    points = [0] * len(counts)
    place = 0
    for count in sorted({*counts, 0}, reverse=True)[:-1]:
        level = [seat for seat, number in enumerate(counts) if number == count]
        place += len(level) > 1
        if place >= len(values):
            break
        for seat in level:
            points[seat] = values[place]
        place += 1
    return tuple(points)


# The same few caballeros stand in the same regions again and again.
_points_for = lru_cache(maxsize=65536)(points_for)


def sole_leader(counts: Sequence[int]) -> int | None:
    """Return the seat with more caballeros than any other, None if there is none (6.3)."""
    most = max(counts)
    return counts.index(most) if most and counts.count(most) == 1 else None


def reckon_area(
    edition: Edition,
    counts: Sequence[int],
    values: Sequence[int],
    *,
    king: bool,
    homes: Collection[int],
) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """Return, seat by seat, the points, the King's bonus and the home bonus (6.2 to 6.4).

    `counts` names every seat; with two or three of them fewer places pay.
    `homes` are the seats whose Grande stands in the area.
    """
    seats = len(counts)
    bonus, at_home = [0] * seats, [0] * seats
    leader = sole_leader(counts)
    if leader is not None:
        bonus[leader] = edition.king_bonus if king else 0
        at_home[leader] = edition.home_bonus if leader in homes else 0
    paid = tuple(values[: edition.places[seats - SEAT_COUNTS[0]]])
    return _points_for(tuple(counts), paid), tuple(bonus), tuple(at_home)


def scored(state: State, area: int, cause: str, *, first_only: bool = False) -> AreaScored:
    """Return the scoring of an area as it stands, bonuses included.

    The Castillo is no region: it knows no bonus.
    """
    edition = state.edition
    counts = tuple([row[area] for row in state.pieces])
    places = 1 if first_only else edition.places[state.seats - SEAT_COUNTS[0]]
    values = state.values_of(area)[:places]
    homes = [seat for seat, home in enumerate(state.grandes) if home == area]
    points, king, home = reckon_area(edition, counts, values, king=area == state.king, homes=homes)
    return AreaScored(tables(edition).ids[area], cause, counts, values, points, king, home)


def pays(event: AreaScored) -> bool:
    """Tell whether a scoring gives anybody a point."""
    return any(event.points) or any(event.king) or any(event.home)


def areas_of(state: State, card: Card) -> tuple[int, ...]:
    """Return the areas that a card of stack 3 scores without a choice (section 5)."""
    regions = range(REGIONS)
    if card.action == "score_castillo":
        return (CASTILLO,)
    if card.action == "score_valued":
        # The value it has now: a mobile scoreboard changes it (5.3).
        return tuple(area for area in regions if state.values_of(area)[0] in card.values)
    if card.action == "score_first":
        return tuple(regions)
    totals = [sum(row[area] for row in state.pieces) for area in regions]
    there = [total for total in totals if total]
    wanted = (max if card.action == "score_most" else min)(there, default=-1)
    return tuple(area for area in regions if totals[area] == wanted)


def scored_by(state: State, card: Card, areas: Iterable[int]) -> tuple[AreaScored, ...]:
    """Return what a card's special scoring of `areas` gives."""
    first_only = card.action == "score_first"
    return tuple(scored(state, area, card.id, first_only=first_only) for area in areas)


def if_scored(state: State) -> tuple[AreaScored, ...]:
    """Return what each area would give if it were scored now, by the code that scores.

    A hidden Castillo is left out: its numbers show when it is scored (section 13).
    """
    areas = range(REGIONS if state.castillo == "hidden" else REGIONS + 1)
    return tuple(scored(state, area, PREVIEW) for area in areas)


def reckon(state: State) -> Outcome:
    """Return the result the match would have if it ended now (6.5); ties share the place."""
    seats = [Seat(number) for number in range(state.seats)]
    scores = {seat: state.score(seat) for seat in seats}
    ranking = tuple(
        tuple(seat for seat in seats if scores[seat] == score)
        for score in sorted(set(scores.values()), reverse=True)
    )
    split = {seat: dict(zip(CATEGORIES, state.tally[seat], strict=True)) for seat in seats}
    return Outcome(scores, split, ranking, "score" if len(ranking[0]) == 1 else "shared")
