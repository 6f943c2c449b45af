"""Folding events into the state.  Events are trusted: `decide` has checked them."""

from collections.abc import Callable
from typing import Any, Final, TypeVar

from app.rules.castell.components import SKILLS
from app.rules.castell.edition import shared, tables
from app.rules.castell.events import (
    Event,
    FestivalAnswered,
    FestivalHeld,
    FestivalsOpened,
    LocalPerformed,
    MatchEnded,
    PawnMoved,
    Recruited,
    RoundStarted,
    SpecialTokenPlaced,
    Started,
    Trained,
    TurnEnded,
)
from app.rules.castell.setup import counts_of
from app.rules.castell.state import (
    MOVED,
    NOTHING,
    NOWHERE,
    RECRUITED,
    SPECIAL,
    TRAINED,
    Counts,
    Festival,
    FestivalResult,
    Holding,
    State,
)

Item = TypeVar("Item")


def evolve(state: State | None, event: Event) -> State:
    """Return the state after `event`; `state` itself stays as it is."""
    if state is None:
        if not isinstance(event, Started):
            raise TypeError(f"a match begins with Started, not {type(event).__name__}")
        return _begin(event)
    after = state.copy()
    _FOLDS[type(event)](after, event)
    return after


def _begin(event: Started) -> State:
    edition, seats = shared(event.edition), event.seats
    index = tables(edition).index
    castellers = tuple(counts_of(sizes) for sizes in event.castellers)
    hands = tuple(counts_of(sizes) for sizes in event.hands)
    drawn = [sum(column) for column in zip(*castellers, *hands, strict=True)]
    shown = counts_of(tuple(size for _, _, tokens in event.festivals for size in tokens))
    regions = len(edition.regions)
    return State(
        edition=edition,
        seats=seats,
        wheel_side=event.wheel_side,
        assistants=event.assistants,
        phase="turns",
        round=1,
        first=event.first,
        turn=0,
        used=0,
        wheel=event.wheel,
        bag=tuple(edition.castellers_per_size - count for count in drawn),
        box=tuple(edition.size_tokens_per_size - count for count in shown),
        castellers=castellers,
        tiles=event.tiles,
        rows=((),) * regions,
        festivals=tuple(
            Festival(number, index[region], tokens) for number, region, tokens in event.festivals
        ),
        entrants=(),
        entries=(),
        pawns=(NOWHERE,) * seats,
        hands=hands,
        ranks=((0,) * len(SKILLS),) * seats,
        tokens=(edition.special_tokens,) * seats,
        best=(0,) * seats,
        best_towers=((),) * seats,
        earned=((NOTHING,) * regions,) * seats,
    )


def _put(items: tuple[Item, ...], place: int, item: Item) -> tuple[Item, ...]:
    return (*items[:place], item, *items[place + 1 :])


def _add(counts: Counts, sizes: tuple[int, ...], step: int) -> Counts:
    changed = list(counts)
    for size in sizes:
        changed[size - 1] += step
    return tuple(changed)


def _earn(state: State, seat: int, region: int, earned: Holding) -> None:
    old = state.earned[seat][region]
    new: Holding = (
        old[0] + earned[0],
        old[1] + earned[1],
        old[2] + earned[2],
        old[3] + earned[3],
    )
    state.earned = _put(state.earned, seat, _put(state.earned[seat], region, new))


# Each fold below changes a private copy that nobody else has seen yet.


def _round_started(state: State, event: RoundStarted) -> None:
    index = tables(state.edition).index
    for region, sizes in event.refill:
        place = index[region]
        state.castellers = _put(state.castellers, place, _add(state.castellers[place], sizes, 1))
        state.bag = _add(state.bag, sizes, -1)
    state.phase = "turns"
    state.round = event.round
    state.first = event.first
    state.turn = state.used = 0
    state.entrants = state.entries = ()


def _spend(state: State, source: str, action: int) -> None:
    # A special token is spent when it is put down, which has an event of its own.
    if source == "action":
        state.used |= action
    elif source == "wheel":
        state.used |= TRAINED


def _pawn_moved(state: State, event: PawnMoved) -> None:
    state.pawns = _put(state.pawns, event.seat, tables(state.edition).index[event.region])
    _spend(state, event.source, MOVED)


def _recruited(state: State, event: Recruited) -> None:
    place = tables(state.edition).index[event.region]
    state.castellers = _put(state.castellers, place, _add(state.castellers[place], event.sizes, -1))
    state.hands = _put(state.hands, event.seat, _add(state.hands[event.seat], event.sizes, 1))
    _spend(state, event.source, RECRUITED)


def _trained(state: State, event: Trained) -> None:
    ranks = _put(state.ranks[event.seat], SKILLS.index(event.skill), event.rank)
    state.ranks = _put(state.ranks, event.seat, ranks)
    state.used |= TRAINED


def _local_performed(state: State, event: LocalPerformed) -> None:
    place = tables(state.edition).index[event.region]
    left = tuple(tile for tile in state.tiles[place] if tile != event.tile)
    state.tiles = _put(state.tiles, place, left)
    state.rows = _put(state.rows, place, ())
    _earn(state, event.seat, place, ((), (), (event.tile,), event.tokens))
    _spend(state, event.source, SPECIAL)


def _special_token_placed(state: State, event: SpecialTokenPlaced) -> None:
    place = tables(state.edition).index[event.region]
    state.rows = _put(state.rows, place, (*state.rows[place], event.seat))
    state.tokens = _put(state.tokens, event.seat, state.tokens[event.seat] - 1)
    state.used |= SPECIAL


def _turn_ended(state: State, event: TurnEnded) -> None:
    state.turn += 1
    state.used = 0


def _festivals_opened(state: State, event: FestivalsOpened) -> None:
    state.phase = "festivals"
    state.entrants = tuple(sorted(seat for _, seats in event.entrants for seat in seats))


def _festival_answered(state: State, event: FestivalAnswered) -> None:
    state.entries = (*state.entries, (event.seat, event.tower))


def _festival_held(state: State, event: FestivalHeld) -> None:
    region = tables(state.edition).index[event.region]
    result = FestivalResult(event.towers, event.prizes, event.token_winners)
    for number in state.held_now():
        held = state.festivals[number]
        if held.region == region:
            new = Festival(held.round, region, held.tokens, result)
            state.festivals = _put(state.festivals, number, new)
    for seat, prize in event.prizes:
        _earn(state, seat, region, ((prize,), (), (), ()))
    for size, winner in event.token_winners:
        if winner is not None:
            _earn(state, winner, region, ((), (size,), (), ()))
    for seat, tower, score in event.towers:
        if score > state.best[seat]:
            state.best = _put(state.best, seat, score)
            state.best_towers = _put(state.best_towers, seat, tower)


def _match_ended(state: State, event: MatchEnded) -> None:
    state.phase = "over"
    state.entrants = state.entries = ()


# Looked up by class: a `match` over twelve events would be a third of the cost.
_FOLDS: Final[dict[type, Callable[[State, Any], None]]] = {
    RoundStarted: _round_started,
    PawnMoved: _pawn_moved,
    Recruited: _recruited,
    Trained: _trained,
    LocalPerformed: _local_performed,
    SpecialTokenPlaced: _special_token_placed,
    TurnEnded: _turn_ended,
    FestivalsOpened: _festivals_opened,
    FestivalAnswered: _festival_answered,
    FestivalHeld: _festival_held,
    MatchEnded: _match_ended,
}
