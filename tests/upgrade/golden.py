"""Matches as the rules of one version decide them, move by move.

    .venv/bin/python -m tests.upgrade.golden

records them for each game whose rules have a version that is not recorded yet.
A record is never made again: rules that decide differently are another version,
and matches under way need an upcast (`app.matches.codec`).
"""

import hashlib
import json
import lzma
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

from app.matches.codec import Codec
from app.matches.editions import with_edition
from app.matches.games import CODECS
from app.rules.game import Rng, Seat, replay
from app.rules.registry import LISTINGS
from app.rules.rng import HmacRng

FOLDER = Path(__file__).parent / "golden"
# Matches of each number of seats.
EACH = 6
OPTIONS: dict[str, list[dict[str, Any]]] = {
    "castell": [{}, {"wheel_side": "no_regions"}],
    "el_grande": [{}, {"length": 6, "castillo": "open"}],
}

Step: TypeAlias = tuple[int, str, str]
"""The seat, its move in notation, and the digest of what it could do and of what came of it."""


@dataclass(frozen=True, slots=True)
class Golden:
    """One recorded match."""

    seats: int
    seed: str
    options: dict[str, Any]
    start: str
    steps: list[Step]
    outcome: str


def path_of(game: str) -> Path:
    """Return where the matches of the game's present rules are recorded."""
    return FOLDER / f"{game}-{CODECS[game].game.rules_version}.json.xz"


def read(game: str) -> Iterator[Golden]:
    """Yield the matches that are recorded."""
    for one in json.loads(lzma.decompress(path_of(game).read_bytes())):
        yield Golden(**one)


def started(codec: Codec, golden: Golden) -> tuple[Any, str, Rng]:
    """Return the first position, the digest of how it came about, and what draws next."""
    rng = HmacRng(bytes.fromhex(golden.seed), "golden")
    events = codec.game.setup(golden.seats, golden.options, rng)
    return replay(codec.game, events), digest(codec, [], events), rng


def decided(codec: Codec, state: Any, seat: Seat, line: str, rng: Rng) -> tuple[Any, str]:
    """Return the position after one recorded move, and the digest of the move."""
    (move,) = codec.game.parse(line)
    legal = sorted(codec.game.format((one,)) for one in codec.game.legal_moves(state, seat))
    prompt = codec.game.prompts(state)[seat]
    events = codec.game.decide(state, seat, move, rng)
    return replay(codec.game, events, state), digest(codec, [str(prompt), *legal], events)


def digest(codec: Codec, choices: list[str], events: tuple[Any, ...]) -> str:
    """Return the hash of what could be done and of what happened."""
    told = [bytes(codec.dump_event(event)).decode() for event in events]
    return hashlib.sha256("\n".join([*choices, *told]).encode()).hexdigest()[:16]


def _played(codec: Codec, seats: int, number: int) -> Golden:
    seed = hashlib.sha256(f"{codec.game.key} {seats} {number}".encode())
    options = OPTIONS[codec.game.key][number % len(OPTIONS[codec.game.key])]
    options = with_edition(codec.game.key, options)
    golden = Golden(seats, seed.hexdigest(), options, "", [], "")
    state, start, rng = started(codec, golden)
    chance = HmacRng(seed.digest(), "choices")
    while codec.game.outcome(state) is None:
        asked = sorted(codec.game.prompts(state))
        seat = asked[chance.below(len(asked))]
        legal = list(codec.game.legal_moves(state, seat))
        line = codec.game.format((legal[chance.below(len(legal))],))
        state, told = decided(codec, state, seat, line, rng)
        golden.steps.append((seat, line, told))
    return replace(golden, start=start, outcome=str(codec.game.outcome(state)))


def main() -> None:
    """Record what is not recorded."""
    for game in LISTINGS:
        path, codec = path_of(game), CODECS[game]
        if path.exists():
            continue
        matches = [
            _played(codec, seats, number)
            for seats in codec.game.seat_counts
            for number in range(EACH)
        ]
        plain = [asdict(one) for one in matches]
        with path.open("xb") as file:
            file.write(lzma.compress(json.dumps(plain).encode(), preset=9))


if __name__ == "__main__":
    main()
