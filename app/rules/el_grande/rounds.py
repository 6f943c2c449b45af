"""From the end of a turn to the next: rounds, and the general scoring (4 R5, R6; 6.1)."""

from app.rules.el_grande.components import COURT
from app.rules.el_grande.edition import REGIONS, tables
from app.rules.el_grande.events import (
    CastilloEmptied,
    Event,
    MatchEnded,
    RoundEnded,
    RoundStarted,
    ScoringBegan,
    TurnEnded,
)
from app.rules.el_grande.fold import evolve
from app.rules.el_grande.legal import waiting
from app.rules.el_grande.scoring import scored
from app.rules.el_grande.setup import Draw, next_round
from app.rules.el_grande.state import CASTILLO, State
from app.rules.game import Seat

GENERAL = "general"


def turn_ended(state: State, draw: Draw) -> tuple[Event, ...]:
    """Return the end of the running turn, and of the round if it was the last."""
    ended = TurnEnded(state.seat(), state.round)
    if state.turn + 1 < state.seats:
        return (ended,)
    cards = tables(state.edition).cards
    over = RoundEnded(
        state.round,
        tuple(card for card in state.offer if cards[card].stack <= len(state.unseen)),
        tuple(Seat(seat) for seat, taken in state.vetoes if taken != state.round),
    )
    after = evolve(evolve(state, ended), over)
    if state.round not in state.edition.scorings:
        return ended, over, next_started(after, draw)
    asked = tuple(Seat(seat) for seat in range(state.seats) if state.pieces[seat][CASTILLO])
    began = ScoringBegan(state.round, asked)
    if asked:
        return ended, over, began
    return ended, over, began, *general_scoring(evolve(after, began), draw)


def general_scoring(state: State, draw: Draw) -> tuple[Event, ...]:
    """Return the general scoring in its four steps, once all discs are set (6.1)."""
    if waiting(state):
        return ()
    castillo = scored(state, CASTILLO, GENERAL)
    ids = tables(state.edition).ids
    moves = tuple(
        (
            Seat(filed.seat),
            COURT if filed.region == ids[state.king] else filed.region,
            state.pieces[filed.seat][CASTILLO],
        )
        for filed in sorted(state.filed, key=lambda filed: filed.seat)
    )
    emptied = CastilloEmptied(state.round, moves)
    state = evolve(evolve(state, castillo), emptied)
    regions = [scored(state, area, GENERAL) for area in range(REGIONS)]
    if next_round(state) is None:
        for event in regions:
            state = evolve(state, event)
    return castillo, emptied, *regions, next_started(state, draw)


def next_started(state: State, draw: Draw) -> Event:
    """Return the start of the next round played, or the end of the match."""
    number = next_round(state)
    if number is None:
        return MatchEnded(tuple(state.score(seat) for seat in range(state.seats)))
    # Whoever acted last, having played the lowest card, bids first (R3).
    return RoundStarted(number, Seat(state.order[-1]), draw(state.unseen))
