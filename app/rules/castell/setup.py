"""Setting up a match (rules 2.2, 3) and drawing from the bag (rule 2.3)."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from app.rules.castell.components import SIZES
from app.rules.castell.edition import SEAT_COUNTS, WHEEL_SIDES, Edition, shared
from app.rules.castell.edition_checks import edition_from_mapping
from app.rules.castell.events import Started
from app.rules.castell.state import Counts, State
from app.rules.game import EditionError, Rng, Seat
from app.rules.rng import shuffled

OPTIONS = ("edition", "wheel_side", "assistants")


def set_up(seats: int, options: Mapping[str, Any], rng: Rng) -> Started:
    """Return the first event of a match; raises EditionError naming a bad option."""
    if seats not in SEAT_COUNTS:
        allowed = list(SEAT_COUNTS)
        raise EditionError("option.unsupported", key="seats", value=seats, allowed=allowed)
    for key in options:
        if key not in OPTIONS:
            raise EditionError("option.unknown_key", key=key)
    if "edition" not in options:
        raise EditionError("option.missing", key="edition")
    edition = shared(edition_from_mapping(options["edition"]))
    side = options.get("wheel_side", WHEEL_SIDES[0])
    if side not in WHEEL_SIDES:
        raise EditionError(
            "option.unsupported", key="wheel_side", value=side, allowed=list(WHEEL_SIDES)
        )
    assistants = options.get("assistants", True)
    if not isinstance(assistants, bool):
        raise EditionError("option.wrong_type", key="assistants", expected="boolean")

    wheel = shuffled(edition.wheel_tiles, rng)
    festivals = _draw_calendar(edition, seats, rng)
    tiles = shuffled(edition.tiles, rng)
    bag = [edition.castellers_per_size] * len(SIZES)
    each = edition.refill_to[seats - SEAT_COUNTS[0]]
    castellers = tuple(_draw_sorted(bag, each, rng) for _ in edition.regions)
    hands = tuple(_draw_sorted(bag, edition.castellers_at_start, rng) for _ in range(seats))
    row = edition.tiles_per_region
    return Started(
        edition=edition,
        seats=seats,
        wheel_side=side,
        assistants=assistants,
        first=Seat(rng.below(seats)),
        wheel=wheel,
        festivals=festivals,
        castellers=castellers,
        tiles=tuple(
            tuple(tile.id for tile in tiles[row * number : row * (number + 1)])
            for number in range(len(edition.regions))
        ),
        hands=hands,
    )


def _draw_calendar(
    edition: Edition, seats: int, rng: Rng
) -> tuple[tuple[int, str, tuple[int, ...]], ...]:
    ids = tuple(region.id for region in edition.regions)
    stacks = {back: list(shuffled(ids, rng)) for back in ("I", "II")}
    supply = [edition.size_tokens_per_size] * len(SIZES)
    calendar = []
    for plan in edition.calendar:
        for _ in range(plan.festivals[seats - SEAT_COUNTS[0]]):
            tokens = _draw_different(supply, edition.tokens_of(plan.back), rng)
            calendar.append((plan.round, stacks[plan.back].pop(0), tokens))
    return tuple(calendar)


def _draw_different(supply: list[int], count: int, rng: Rng) -> tuple[int, ...]:
    """Draw sizes none of which is equal to another; what is redrawn goes back."""
    tokens: list[int] = []
    for _ in range(count):
        left = [0 if size in tokens else number for size, number in zip(SIZES, supply, strict=True)]
        tokens.append(_draw(left, rng))
        supply[tokens[-1] - 1] -= 1
    return tuple(tokens)


def _draw(counts: list[int], rng: Rng) -> int:
    """Take one piece out of `counts` and return its size."""
    number = rng.below(sum(counts))
    index = 0
    while number >= counts[index]:
        number -= counts[index]
        index += 1
    counts[index] -= 1
    return index + 1


def _draw_sorted(bag: list[int], count: int, rng: Rng) -> tuple[int, ...]:
    return tuple(sorted(_draw(bag, rng) for _ in range(count)))


def shortage(state: State) -> list[int]:
    """Return how many castellers each region gets if it is refilled now (rule 2.3).

    When the bag runs out they are placed one at a time in region order.
    """
    full = state.edition.refill_to[state.seats - SEAT_COUNTS[0]]
    missing = [max(full - sum(counts), 0) for counts in state.castellers]
    placed = [0] * len(missing)
    left = min(sum(state.bag), sum(missing))
    while left:
        for region, wanted in enumerate(missing):
            if placed[region] < wanted and left:
                placed[region] += 1
                left -= 1
    return placed


def draw_refill(state: State, rng: Rng) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Draw what the next refill puts into each region."""
    bag = list(state.bag)
    return tuple(
        (region.id, _draw_sorted(bag, count, rng))
        for region, count in zip(state.edition.regions, shortage(state), strict=True)
        if count
    )


@lru_cache(maxsize=8192)
def counts_of(sizes: tuple[int, ...]) -> Counts:
    """Return the counts per size of castellers listed one by one."""
    return tuple(sizes.count(size) for size in SIZES)
