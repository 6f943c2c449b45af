"""What is within reach: courts, sources and choices, from public facts alone (section 14)."""

from itertools import combinations_with_replacement

from app.rules.el_grande.components import COURT, Counts
from app.rules.el_grande.edition import REGIONS, Card, tables
from app.rules.el_grande.joining import joined_counts
from app.rules.el_grande.scoring import areas_of, pays, scored, scored_by
from app.rules.el_grande.state import AT_COURT, CASTILLO, PROVINCE, Pieces, State


def most_taken(state: State, seat: int) -> int:
    """Return how many caballeros the power card brings from the province at most (R4.1)."""
    power = state.edition.powers[state.power_of(seat) - 1]
    return min(power, state.pieces[seat][PROVINCE])


def shortage(state: State, seat: int) -> int:
    """Return how many caballeros may still be taken from regions, as the province is empty.

    Only after the maximum has been taken (section 14, Rulings).
    """
    power = state.edition.powers[state.power_of(seat) - 1]
    if state.took < 0:
        return max(power - state.pieces[seat][PROVINCE], 0)
    if state.pieces[seat][PROVINCE]:
        return 0
    return power - state.took - sum(count for _, count in state.refilled)


def courted_from_province(state: State, seat: int) -> int:
    """Return how many caballeros a card that fills the court takes from the province now."""
    return min(state.card_taken().count - state.courted, state.pieces[seat][PROVINCE])


def court_left(state: State, seat: int) -> int:
    """Return the caballeros a seat can place, as if an announced special had been done."""
    left = state.pieces[seat][AT_COURT]
    special = state.special
    if state.sealed and special is not None:
        if special.kind == "add":
            left -= sum(count for _, count in special.areas)
        elif special.kind == "court":
            left += courted_from_province(state, seat)
            left += sum(count for _, count in special.areas)
    return left - _planned(state)


def _planned(state: State) -> int:
    # After a veto the plan is a draft again.
    return 0 if state.vetoed else sum(count for _, count in state.plan or ())


def placing_king(state: State) -> int:
    """Return next to which region caballeros are placed: an announced King stands there."""
    if state.sealed and state.special is not None and state.special.kind == "king":
        return tables(state.edition).index[state.special.area]
    return state.king


def placing_left(state: State, seat: int) -> int:
    """Return how many caballeros may still be placed in this turn."""
    limit = state.edition.placement[state.card_taken().stack - 1]
    used = sum(count for _, count in state.placed) + _planned(state)
    return min(limit - used, court_left(state, seat))


def before_special(state: State) -> tuple[Pieces, ...]:
    """Return the pieces as they stood before the special action began."""
    if state.special is None or state.sealed or not state.special.moves:
        return state.pieces
    index = tables(state.edition).index
    rows = [list(row) for row in state.pieces]
    for owner, origin, target, count in state.special.moves:
        rows[owner][index[target]] -= count
        rows[owner][index[origin]] += count
    return tuple(map(tuple, rows))


def outside(state: State, seat: int, least: int = 1) -> tuple[int, ...]:
    """Return the regions, not the King's, in which a seat has at least so many caballeros."""
    row, king = state.pieces[seat], state.king
    return tuple(area for area in range(REGIONS) if row[area] >= least and area != king)


def disc_choices(state: State, seat: int) -> tuple[int, ...]:
    """Return the regions to which `seat` may set its disc now (sections 5, 6.1)."""
    if state.phase == "disc":
        return tuple(range(REGIONS))
    card = state.card_taken()
    if card.action == "disc_return":
        return outside(state, seat, card.least)
    if card.action == "expel" and state.special is not None:
        source = tables(state.edition).index[state.special.area]
        return tuple(area for area in range(REGIONS) if area not in (source, state.king))
    return tuple(range(REGIONS))


def return_sources(state: State, seat: int) -> Counts:
    """Return from where a seat can return caballeros by card 2-04: court and regions."""
    ids, row = tables(state.edition).ids, state.pieces[seat]
    court = ((COURT, row[AT_COURT]),) if row[AT_COURT] else ()
    return (*court, *((ids[area], row[area]) for area in outside(state, seat)))


def to_return(state: State, seat: int) -> int:
    """Return how many caballeros a seat has to return by card 2-04."""
    there = sum(count for _, count in return_sources(state, seat))
    return min(state.card_taken().count, there)


def return_choices(state: State, seat: int) -> tuple[Counts, ...]:
    """Return all that a seat may answer to card 2-04."""
    sources = dict(return_sources(state, seat))
    picks = combinations_with_replacement(sources, to_return(state, seat))
    lists = (joined_counts(tuple((area, 1) for area in pick)) for pick in picks)
    return tuple(
        counts for counts in lists if all(count <= sources[area] for area, count in counts)
    )


def returns_freely(state: State, seat: int) -> bool:
    """Tell whether a seat has more than one answer to card 2-04."""
    sources = return_sources(state, seat)
    return len(sources) > 1 and sum(count for _, count in sources) > state.card_taken().count


def can_change(state: State, seat: int, card: Card) -> bool:
    """Tell whether the special action of `card`, which leaves no choice, changes anything."""
    others = state.clockwise(seat)
    match card.action:
        case "return_courts":
            return any(state.pieces[other][AT_COURT] for other in others)
        case "return_chosen":
            return any(return_sources(state, other) for other in others)
        case "disc_return":
            return any(outside(state, other, card.least) for other in range(state.seats))
        case "score_picked":
            return any(pays(scored(state, area, card.id)) for area in range(REGIONS))
    areas = areas_of(state, card)
    return any(area_can_pay(state, area, card) for area in areas)


def area_can_pay(state: State, area: int, card: Card) -> bool:
    """Tell whether scoring an area may pay, as far as the board shows (section 13)."""
    if not any(row[area] for row in state.pieces):
        return False
    if area == CASTILLO and state.castillo == "hidden":
        return True
    return pays(scored_by(state, card, (area,))[0])
