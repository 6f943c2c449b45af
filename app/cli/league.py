"""`placa league`: let two bots play many matches and count."""

import json
from dataclasses import dataclass, field
from statistics import fmean
from typing import Annotated, Any

import typer

from app.cli import app
from app.cli.surroundings import fail

BAD_INPUT = 2


@dataclass(slots=True)
class Side:
    """What one of the two policies has done so far."""

    wins: float = 0.0
    scores: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    def report(self, matches: int) -> dict[str, Any]:
        """Return the figures as JSON values; times are those of whole decisions."""
        times = sorted(self.seconds)
        return {
            "win_rate": round(self.wins / matches, 4),
            "mean_points": round(fmean(self.scores), 2),
            "decision_ms_mean": round(fmean(times) * 1000, 1),
            "decision_ms_p95": round(times[len(times) * 95 // 100] * 1000, 1),
            "decision_ms_max": round(times[-1] * 1000, 1),
        }


@app.command()
def league(
    game: Annotated[str, typer.Argument(help="The game, e.g. castell.")],
    *,
    a: Annotated[str, typer.Option("--a", help="A policy, e.g. steady.")] = "steady",
    b: Annotated[str, typer.Option("--b", help="The other policy, e.g. random.")] = "random",
    matches: Annotated[int, typer.Option(help="How many matches to play.")] = 200,
    seats: Annotated[int, typer.Option(help="How many seats; A and B take turns.")] = 2,
    alone: Annotated[bool, typer.Option(help="A has one seat, B all the others.")] = False,
    seed: Annotated[int, typer.Option(help="The same seed plays the same matches.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Let policy A play policy B; each match the two change seats.

    A win counts 1 for the policy whose seat is first; seats that share first
    place share the win.
    """
    from app.bots.league import play  # noqa: PLC0415 - only this command needs these
    from app.bots.registry import ITERATIONS, POLICIES  # noqa: PLC0415 - as above
    from app.matches.editions import edition  # noqa: PLC0415 - as above
    from app.rules.registry import GAMES  # noqa: PLC0415 - as above

    if game not in POLICIES:
        fail(f"there is no bot for {game!r}; there are bots for {', '.join(POLICIES)}", BAD_INPUT)
    for name in (a, b):
        if name not in POLICIES[game]:
            fail(f"there is no bot {name!r}; there are {', '.join(POLICIES[game])}", BAD_INPUT)
    if seats not in GAMES[game].seat_counts:
        fail(f"{game} is not for {seats} seats", BAD_INPUT)
    if matches < 1:
        fail("--matches must be at least 1", BAD_INPUT)
    sides = (Side(), Side())
    for number in range(matches):
        sitting = [
            int((seat + number) % seats != 0) if alone else (seat + number) % 2
            for seat in range(seats)
        ]
        result = play(
            GAMES[game],
            [POLICIES[game][(a, b)[side]] for side in sitting],
            options={"edition": edition(game)},
            seed=f"league:{seed}:{number}".encode(),
            iterations=ITERATIONS,
        )
        winners = result.outcome.winners
        for seat, score in result.outcome.scores.items():
            side = sides[sitting[seat]]
            side.wins += (seat in winners) / len(winners)
            side.scores.append(score)
            side.seconds += result.seconds[seat]
    report = {
        "game": game,
        "seats": seats,
        "matches": matches,
        "seed": seed,
        "a": {"policy": a, **sides[0].report(matches)},
        "b": {"policy": b, **sides[1].report(matches)},
    }
    typer.echo(json.dumps(report) if as_json else _table(report))


def _table(report: dict[str, Any]) -> str:
    rows = [
        (
            f"{report['game']}, {report['seats']} seats, {report['matches']} matches,"
            f" seed {report['seed']}"
        )
    ]
    for side in ("a", "b"):
        numbers = "  ".join(f"{name} {value}" for name, value in report[side].items())
        rows.append(f"{side.upper()}  {numbers}")
    return "\n".join(rows)
