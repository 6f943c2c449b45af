"""Bots playing each other, without a server."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from app.bots.policy import Policy
from app.rules.game import Game, Outcome, Seat, replay
from app.rules.rng import HmacRng


@dataclass(frozen=True, slots=True)
class Result:
    """A match: its result, what each seat decided in turn, and how long that took."""

    outcome: Outcome
    lines: tuple[tuple[Seat, str], ...]
    seconds: Mapping[Seat, tuple[float, ...]] = field(compare=False)


def play(
    game: Game[Any, Any, Any, Any],
    players: Sequence[Policy],
    *,
    options: Mapping[str, Any],
    seed: bytes,
    iterations: int,
) -> Result:
    """Play one match; `players[seat]` sees nothing but the view of that seat.

    Raises IllegalMoveError if a player makes a move that the rules refuse.
    """
    chance = HmacRng(seed, "chance")
    state = replay(game, game.setup(len(players), options, chance))
    lines: list[tuple[Seat, str]] = []
    seconds: dict[Seat, list[float]] = {Seat(seat): [] for seat in range(len(players))}
    while prompts := game.prompts(state):
        answers: dict[Seat, Sequence[Any]] = {}
        for seat in sorted(prompts):
            began = perf_counter()
            moves = players[seat].choose(
                game.view(state, seat),
                seat,
                seed=seed + f":{len(lines)}:{seat}".encode(),
                iterations=iterations,
            )
            seconds[seat].append(perf_counter() - began)
            answers[seat] = moves
        together = any(prompt.simultaneous for prompt in prompts.values())
        # What is not due yet is not kept: the seat answers anew when it is asked again.
        due = (
            game.due(state, {seat: moves[0] for seat, moves in answers.items()})
            if together
            else tuple(answers)
        )
        for seat in due:
            lines.append((seat, game.format(answers[seat])))
            for move in answers[seat]:
                state = replay(game, game.decide(state, seat, move, chance), state)
    outcome = game.outcome(state)
    if outcome is None:
        raise RuntimeError("nobody is asked, and the match is not over")
    return Result(outcome, tuple(lines), {seat: tuple(times) for seat, times in seconds.items()})
