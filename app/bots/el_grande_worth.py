"""What a position of El Grande is worth to a seat, in points (engine of `steady`).

The points it has, what the board would pay in the scorings ahead, and a little
for caballeros that can still be placed; against the best of the others.
"""

from dataclasses import dataclass

from app.rules.el_grande.edition import REGIONS, SEAT_COUNTS
from app.rules.el_grande.scoring import points_for, sole_leader
from app.rules.el_grande.state import AT_COURT, CASTILLO, PROVINCE, State


@dataclass(frozen=True, slots=True)
class Weights:
    """How much what lies ahead counts; found by letting them play each other.

    `near` and `far` are what a general scoring counts that is so many rounds
    ahead: the board will have changed until then.  `later` is what each further
    scoring adds.
    """

    near: float = 1.0
    fade: float = 0.88
    later: float = 0.35
    region: float = 0.22
    castillo: float = 0.3
    court: float = 0.16
    province: float = 0.03
    bring: float = 0.2
    card: float = 0.12
    best_rival: float = 0.6
    other_rivals: float = 0.4


class Worth:
    """Values positions for one seat, within one decision."""

    def __init__(self, state: State, seat: int, weights: Weights) -> None:
        self._seat = seat
        self._weights = weights
        edition = state.edition
        self._places = edition.places[state.seats - SEAT_COUNTS[0]]
        self._bonuses = edition.king_bonus, edition.home_bonus
        ahead = [
            round_
            for round_ in edition.scorings
            if round_ >= state.round and round_ in edition.played(state.length)
        ]
        self._board = 0.0
        if ahead:
            weight = weights.near * weights.fade ** (ahead[0] - state.round)
            self._board = weight + weights.later * (len(ahead) - 1)

    def of(self, state: State) -> float:
        """Return what `state` is worth, in points ahead of the others."""
        weights = self._weights
        values = [float(state.score(seat)) for seat in range(state.seats)]
        if state.phase != "over":
            for seat, points in enumerate(self._projected(state)):
                values[seat] += self._board * points
            for seat, row in enumerate(state.pieces):
                values[seat] += (
                    weights.region * sum(row[:REGIONS])
                    + weights.castillo * row[CASTILLO]
                    + weights.court * row[AT_COURT]
                    + weights.province * row[PROVINCE]
                )
        mine = values.pop(self._seat)
        return (
            mine
            - weights.best_rival * max(values)
            - weights.other_rivals * sum(values) / len(values)
        )

    def _projected(self, state: State) -> list[float]:
        """Return what each seat would earn if everything were scored as it stands."""
        total = [0.0] * state.seats
        king_bonus, home_bonus = self._bonuses
        for area in range(CASTILLO + 1):
            counts = [row[area] for row in state.pieces]
            if not any(counts):
                continue
            for seat, points in enumerate(
                points_for(counts, state.values_of(area)[: self._places])
            ):
                total[seat] += points
            leader = None if area == CASTILLO else sole_leader(counts)
            if leader is not None:
                if area == state.king:
                    total[leader] += king_bonus
                if area == state.grandes[leader]:
                    total[leader] += home_bonus
        return total
