"""Setting up a match (section 3) and revealing action cards (R2)."""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias, cast

from app.rules.el_grande.edition import (
    CASTILLOS,
    LENGTHS,
    SEAT_COUNTS,
    VETOES,
    Edition,
    cards_by_stack,
    shared,
)
from app.rules.el_grande.edition_checks import edition_from_mapping
from app.rules.el_grande.events import RoundStarted, Started
from app.rules.el_grande.state import State
from app.rules.game import EditionError, Rng, Seat
from app.rules.rng import shuffled

# How the cards of a new round are found: drawn, or read from a record of a match.
Draw: TypeAlias = Callable[[tuple[tuple[str, ...], ...]], tuple[str, ...]]

CHOICES: Final[Mapping[str, tuple[Any, ...]]] = {
    "length": LENGTHS,
    "veto": VETOES,
    "castillo": CASTILLOS,
}


def set_up(seats: int, options: Mapping[str, Any], rng: Rng) -> tuple[Started, RoundStarted]:
    """Return the first events of a match; raises EditionError naming a bad option."""
    if seats not in SEAT_COUNTS:
        allowed = list(SEAT_COUNTS)
        raise EditionError("option.unsupported", key="seats", value=seats, allowed=allowed)
    for key in options:
        if key != "edition" and key not in CHOICES:
            raise EditionError("option.unknown_key", key=key)
    if "edition" not in options:
        raise EditionError("option.missing", key="edition")
    edition = shared(edition_from_mapping(options["edition"]))
    chosen = {key: _choice(options, key) for key in CHOICES}
    dealt = shuffled([region.id for region in edition.regions], rng)
    started = Started(
        edition=edition,
        seats=seats,
        length=cast("int", chosen["length"]),
        veto=cast("str", chosen["veto"]),
        castillo=cast("str", chosen["castillo"]),
        king=dealt[0],
        homes=tuple(dealt[1 : seats + 1]),
        first=Seat(rng.below(seats)),
    )
    stacks = first_stacks(edition, started.veto)
    opened = edition.played(started.length)[0]
    return started, RoundStarted(opened, started.first, reveal(stacks, rng))


def _choice(options: Mapping[str, Any], key: str) -> Any:
    value = options.get(key, CHOICES[key][0])
    if value not in CHOICES[key] or isinstance(value, bool):
        allowed = list(CHOICES[key])
        raise EditionError("option.unsupported", key=key, value=value, allowed=allowed)
    return value


def first_stacks(edition: Edition, veto: str) -> tuple[tuple[str, ...], ...]:
    """Return the stacks from which cards are revealed, before the first round."""
    return cards_by_stack(edition, veto)[:-1]


def reveal(stacks: tuple[tuple[str, ...], ...], rng: Rng) -> tuple[str, ...]:
    """Draw the card that lies on top of each stack (R2)."""
    return tuple(stack[rng.below(len(stack))] for stack in stacks)


def next_round(state: State) -> int | None:
    """Return the round played after this one, None after the last."""
    rounds = state.edition.played(state.length)
    place = rounds.index(state.round) + 1
    return rounds[place] if place < len(rounds) else None
