"""Part B: the rules alone, without a server: playouts of both games, the rest of Castell."""

import json
import subprocess
from collections.abc import Callable, Sequence
from functools import partial
from itertools import groupby
from statistics import median
from time import process_time
from typing import Any

from app.cli.bench.figures import Figure, percentile
from app.cli.bench.score import Composer, Score
from app.cli.bench.setting import SEED, Size
from app.cli.supervisor import PLACA
from app.matches.games import codec_for
from app.matches.seeds import rng_for
from app.rules.castell import CASTELL
from app.rules.castell.assist import performable_tiles
from app.rules.castell.components import SKILLS
from app.rules.castell.solver import best_tower, shape_tower
from app.rules.game import Seat, replay
from app.rules.rng import HmacRng

SIZES = 10
CASTELLERS = 25
RANKS = 8


def measure_rules(size: Size) -> dict[str, Figure]:
    """Measure B1 to B7."""
    score = Composer().compose(4 * size.turns)
    tiles = [_ms(partial(performable_tiles, state, Seat(0))) for state in score.states]
    steady = percentile(score.seconds, 0.95) * 1000
    return {
        **_playouts(size),
        "B3": Figure.of(_each(size, score, lambda state: state.copy())),
        "B3.view": Figure.of(_each(size, score, lambda state: CASTELL.view(state, Seat(0)))),
        **_towers(size),
        "B5.tiles": Figure(percentile(tiles, 0.95), note=f"{len(tiles)} positions of one match"),
        "B6": Figure.of(
            (_replayed(score) for _ in range(size.rounds)),
            f"{len(score.steps)} commits: read, folded and decided again",
        ),
        "B7": Figure(steady, note=f"{len(score.seconds)} decisions"),
    }


def _ms(work: Callable[[], object]) -> float:
    """Return the milliseconds of processor time that `work` takes."""
    began = process_time()
    work()
    return (process_time() - began) * 1000


def _playouts(size: Size) -> dict[str, Figure]:
    """Measure both games in turn."""
    games = {"B1": "castell", "B2": "el_grande"}
    rounds = [
        {mark: _actions_a_second(game, size) for mark, game in games.items()}
        for _ in range(size.rounds)
    ]
    return {
        mark: Figure.of((speeds[mark] for speeds in rounds), f"`placa simulate {game}`")
        for mark, game in games.items()
    }


def _actions_a_second(game: str, size: Size) -> float:
    command = [*PLACA, "simulate", game, "--seats", "4", "--matches", str(size.matches)]
    done = subprocess.run([*command, "--json"], check=True, capture_output=True, text=True)
    return float(json.loads(done.stdout)["actions_per_second"])


def _each(size: Size, score: Score, work: Callable[[Any], object]) -> list[float]:
    """Return the microseconds of `work` on one state, once for each round."""

    def all_of_them() -> None:
        for _ in range(size.requests):
            for state in score.states:
                work(state)

    count = size.requests * len(score.states)
    return [_ms(all_of_them) * 1000 / count for _ in range(size.rounds)]


def _towers(size: Size) -> dict[str, Figure]:
    """Measure the solver on hands it has not seen."""
    rng = HmacRng(SEED, "hands")
    best, shapes = [], []
    for _ in range(size.requests):
        hand, ranks = _some(rng, SIZES, CASTELLERS), _some(rng, len(SKILLS), RANKS)
        skills = dict(zip(SKILLS, ranks, strict=True))
        tokens = (1 + rng.below(SIZES), 1 + rng.below(SIZES))
        best.append(_ms(partial(best_tower, hand, skills, tokens)))
        widths = tuple(sorted((1 + rng.below(3) for _ in range(4)), reverse=True))
        shapes.append(_ms(partial(shape_tower, hand, skills, widths)))
    note = f"{len(best)} random hands"
    return {
        "B4": Figure(percentile(best, 0.95), note=note),
        "B4.worst": Figure(percentile(best, 0.99), note=note),
        "B5": Figure(median(shapes), note=f"median of {len(shapes)} shapes"),
    }


def _some(rng: HmacRng, kinds: int, count: int) -> tuple[int, ...]:
    """Return how many of each kind, `count` in all."""
    found = [0] * kinds
    for _ in range(count):
        found[rng.below(kinds)] += 1
    return tuple(found)


def _replayed(score: Score) -> float:
    """Return how long the log takes to be read, folded, and decided again."""
    codec = codec_for("castell")
    stored = [[(bytes(codec.dump_event(e)).decode()) for e in step] for step in score.log]
    version = codec.game.rules_version

    def check() -> None:
        log = [[codec.load_event(text, version) for text in step] for step in stored]
        if replay(codec.game, [event for step in log for event in step]) != score.states[-1]:
            raise RuntimeError("the log does not lead to where the match ended")
        _decide_again(codec.game, score, log)

    return _ms(check)


def _decide_again(game: Any, score: Score, log: Sequence[Sequence[Any]]) -> None:
    state = replay(game, log[0])
    steps = groupby(score.moves, key=lambda move: move[0])
    for (version, moves), events in zip(steps, log[1:], strict=True):
        rng, again = rng_for(SEED, version), []
        for _, seat, move in moves:
            new = game.decide(state, seat, move, rng)
            state = replay(game, new, state)
            again.extend(new)
        if again != list(events):
            raise RuntimeError(f"version {version} is decided differently")
