"""Two matches that differ only in what a viewer may not know are the same to that viewer.

10,000 pairs a game, through the view, what follows from it, and the export.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count, islice, product
from typing import Any, Final

import pytest

from app.matches.editions import edition
from app.rules.castell import CASTELL
from app.rules.castell import State as CastellState
from app.rules.castell.moves import (
    DeclineFestival,
    EndTurn,
    EnterFestival,
    MovePawn,
    Recruit,
    Special,
    Train,
)
from app.rules.el_grande import State as ElGrandeState
from app.rules.game import IllegalMoveError, Seat
from app.rules.registry import LISTINGS
from app.rules.rng import HmacRng
from tests.support.twins import Pair, Way, any_of, pairs

PAIRS: Final = 10_000
# Printing a whole log takes long: every so many pairs it is printed as well as compared.
PRINTED: Final = 20


def _target(move: Any) -> str | None:
    option = move.option if isinstance(move, Special) else move
    return option.region if isinstance(option, MovePawn) else None


def to_festivals(state: CastellState, seat: Seat, moves: Sequence[Any], rng: HmacRng) -> Any:
    """Go where a festival is, with all the people and skills there are: secrets arise there."""
    ids = [region.id for region in state.edition.regions]
    held = {ids[state.festivals[number].region] for number in state.held_now()}
    here = state.pawns[seat] < len(ids) and ids[state.pawns[seat]] in held
    wishes = [
        [move for move in moves if isinstance(move, EnterFestival)],
        [move for move in moves if not here and _target(move) in held],
        [move for move in moves if isinstance(move, Train | Recruit)],
        [move for move in moves if not isinstance(move, EndTurn) and not (here and _target(move))],
        moves,
    ]
    return any_of(state, seat, next(wish for wish in wishes if wish), rng)


def another_tower(state: CastellState, seat: Seat, moves: Sequence[Any], rng: HmacRng) -> Any:
    """Decline, or leave the top off the best tower; of a turn nothing is secret."""
    move = any_of(state, seat, moves, rng)
    if not isinstance(move, EnterFestival):
        return None
    lower = EnterFestival(move.region, move.tower[:-1])
    try:
        CASTELL.check(state, seat, lower)
    except IllegalMoveError:
        return DeclineFestival(move.region)
    return lower


def same_piles(one: ElGrandeState, other: ElGrandeState) -> bool:
    """Tell whether the highest cards of all piles agree: they lie open (section 13)."""
    powers = set(range(1, 14))
    highest = [
        [max(powers - set(hand), default=0) for hand in state.hands] for state in (one, other)
    ]
    return highest[0] == highest[1]


WAYS: Final = {
    "castell": Way(choose=to_festivals, instead=another_tower),
    "el_grande": Way(comparable=same_piles),
}
# What is secret in each game, and has to be among the pairs.
SECRETS: Final = {
    "castell": {"festival"},
    "el_grande": {"special", "disc", "place", "return"},
}


def all_pairs(key: str) -> Iterator[Pair]:
    """Yield pairs of a game for all numbers of seats and all options."""
    listed = LISTINGS[key]
    chosen = list(product(listed.seats, product(*listed.choices.values())))
    for number in count():
        seats, values = chosen[number % len(chosen)]
        options = dict(zip(listed.choices, values, strict=True))
        options["edition"] = edition(key)
        yield from pairs(listed.game, seats, options, f"pairs {number}", WAYS[key])


@pytest.mark.parametrize("key", LISTINGS)
def test_what_a_viewer_may_not_know_changes_nothing_for_it(key: str) -> None:
    listed, kinds = LISTINGS[key], Counter[str]()
    game = listed.game
    for number, pair in enumerate(islice(all_pairs(key), PAIRS)):
        one, other = pair.sides
        kinds[pair.kind] += 1
        views = [game.view(side.state, pair.viewer) for side in pair.sides]
        assert views[0] == views[1], pair.kind
        if pair.viewer is not None and pair.viewer in game.prompts(one.state):
            assert game.prompts(other.state)[pair.viewer] == game.prompts(one.state)[pair.viewer]
            moves = [list(game.legal_moves(side.state, pair.viewer)) for side in pair.sides]
            assert moves[0] == moves[1], pair.kind
        known = [listed.record.known(side.events, pair.viewer) for side in pair.sides]
        assert known[0] == known[1], pair.kind
        if number % PRINTED == 0:
            assert listed.record.to_text(known[0]) == listed.record.to_text(known[1])
    assert kinds.total() == PAIRS
    assert kinds.keys() >= SECRETS[key], kinds
