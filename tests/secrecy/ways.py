"""How each game is played so that it has secrets, and which secrets those are."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count, product
from typing import Any, Final, NamedTuple

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
    """Decline, or leave levels off the best tower; of a turn nothing is secret."""
    move = any_of(state, seat, moves, rng)
    if not isinstance(move, EnterFestival):
        return None
    kept = 4 + rng.below(max(1, len(move.tower) - 4))
    lower = EnterFestival(move.region, move.tower[:kept])
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


class Secrets(NamedTuple):
    """How matches with secrets are played, what has to be among them, and what is published.

    Between two commits a turn is its seat's own draft, which is not stored as a state.
    """

    way: Way
    kinds: frozenset[str]
    published: Callable[[Any], bool]


SECRETS: Final[Mapping[str, Secrets]] = {
    "castell": Secrets(
        Way(choose=to_festivals, instead=another_tower),
        frozenset({"festival"}),
        lambda state: state.phase == "festivals",
    ),
    "el_grande": Secrets(
        Way(comparable=same_piles),
        frozenset({"special", "disc", "place", "return"}),
        lambda state: (state.phase != "turn" or state.took < 0) and not state.placed,
    ),
}


def all_pairs(key: str) -> Iterator[tuple[Mapping[str, Any], Pair]]:
    """Yield pairs of a game, with what its table chose, for all seats and all options."""
    listed = LISTINGS[key]
    chosen = list(product(listed.seats, product(*listed.choices.values())))
    values_of = edition(key)
    for number in count():
        seats, values = chosen[number % len(chosen)]
        options = dict(zip(listed.choices, values, strict=True))
        whole = {**options, "edition": values_of}
        for pair in pairs(listed.game, seats, whole, f"pairs {number}", SECRETS[key].way):
            yield options, pair
