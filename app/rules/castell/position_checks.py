"""What must hold in every position of Castell (rules 1, 5): no piece lost, none added."""

from collections import Counter
from collections.abc import Iterator
from typing import NoReturn

from app.rules.castell.components import SIZES
from app.rules.castell.state import State
from app.rules.game import NotationError


def check_position(state: State) -> None:
    """Raise NotationError `position.*` if pieces are missing, too many or misplaced."""
    _check_castellers(state)
    _check_size_tokens(state)
    _check_special_tokens(state)
    _check_tiles(state)
    _check_moment(state)


def _refuse(code: str, **numbers: int | str) -> NoReturn:
    raise NotationError(f"position.{code}", rule="1", **numbers)


def _check_castellers(state: State) -> None:
    if len(state.bag) != len(SIZES) or len(state.box) != len(SIZES):
        _refuse("not_ten_sizes")
    for size in SIZES:
        counts = (state.bag, *state.castellers, *state.hands)
        there = sum(count[size - 1] for count in counts)
        if there != state.edition.castellers_per_size or state.bag[size - 1] < 0:
            _refuse("castellers", size=size, there=there, needed=state.edition.castellers_per_size)


def _check_size_tokens(state: State) -> None:
    needed = state.edition.size_tokens_per_size
    for size in SIZES:
        shown = sum(festival.tokens.count(size) for festival in state.festivals)
        there = state.box[size - 1] + shown
        if there != needed:
            _refuse("size_tokens", size=size, there=there, needed=needed)
    won = Counter(
        (winner, festival.region, size)
        for festival in state.festivals
        for size, winner in (festival.result.token_winners if festival.result else ())
        if winner is not None
    )
    owned = Counter(
        (seat, region, size)
        for seat, board in enumerate(state.earned)
        for region, (_, sizes, _, _) in enumerate(board)
        for size in sizes
    )
    if won != owned:
        _refuse("won_size_tokens")


def _check_special_tokens(state: State) -> None:
    for seat in range(state.seats):
        placed = sum(row.count(seat) for row in state.rows)
        taken = sum(tokens.count(seat) for board in state.earned for _, _, _, tokens in board)
        there = state.tokens[seat] + placed + taken
        if there != state.edition.special_tokens:
            _refuse("special_tokens", seat=seat, there=there, needed=state.edition.special_tokens)


def _check_tiles(state: State) -> None:
    ids = [*_tiles(state)]
    for tile in ids:
        if ids.count(tile) > 1:
            _refuse("tiles", tile=tile, there=ids.count(tile), needed=1)
    if sorted(state.wheel) != sorted(state.edition.wheel_tiles):
        _refuse("wheel")


def _tiles(state: State) -> Iterator[str]:
    for row in state.tiles:
        yield from row
    for board in state.earned:
        for _, _, tiles, _ in board:
            yield from tiles


def _check_moment(state: State) -> None:
    """A seat to move has a turn left; who is asked stands at a festival."""
    answered = {seat for seat, _ in state.entries}
    here = {state.festivals[number].region for number in state.held_now()}
    fits = {
        "turns": state.turn < state.seats and not state.entrants and not state.entries,
        "festivals": (
            state.turn == state.seats
            and not state.used
            and answered < set(state.entrants)
            and len(answered) == len(state.entries)
            and all(state.pawns[seat] in here for seat in state.entrants)
        ),
        "over": (
            state.round == state.edition.rounds
            and state.turn == state.seats
            and not state.used
            and not state.entrants
            and not state.entries
        ),
    }
    if not fits[state.phase]:
        _refuse("moment", phase=state.phase)
