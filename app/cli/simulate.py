"""`placa simulate`: let chance play whole matches, and check each by replaying it."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from time import process_time
from typing import Annotated, Any

import typer

from app.cli import app
from app.cli.surroundings import fail
from app.rules.game import Game, Outcome, RulesError, replay
from app.rules.rng import HmacRng

BAD_INPUT = 2
# No match of any game comes near; what does will never end.
MOST_ACTIONS = 100_000


@dataclass(slots=True)
class Tally:
    """What has been seen so far; `seconds` is processor time of playing alone, not of replaying."""

    matches: int = 0
    actions: int = 0
    seconds: float = 0.0
    errors: int = 0
    stuck: int = 0
    replay_mismatches: int = 0
    first_error: str | None = None
    outcomes: list[Outcome] = field(default_factory=list)
    last: tuple[Any, ...] = ()

    def report(self) -> dict[str, Any]:
        """Return the figures as JSON values."""
        speed = self.seconds or 1.0
        tables = [sorted(outcome.scores.values()) for outcome in self.outcomes]
        split: dict[str, list[int]] = {}
        for outcome in self.outcomes:
            for categories in outcome.categories.values():
                for name, points in categories.items():
                    split.setdefault(name, []).append(points)
        return {
            "matches": self.matches,
            "actions": self.actions,
            "errors": self.errors,
            "stuck": self.stuck,
            "replay_mismatches": self.replay_mismatches,
            "actions_per_second": round(self.actions / speed),
            "matches_per_second": round(self.matches / speed, 1),
            "mean_score": _mean([score for table in tables for score in table]),
            "mean_winner": _mean([table[-1] for table in tables]),
            "mean_last": _mean([table[0] for table in tables]),
            "mean_categories": {name: _mean(points) for name, points in split.items()},
            "settled_by": dict(Counter(outcome.reason for outcome in self.outcomes)),
            "first_error": self.first_error,
        }


@app.command()
def simulate(
    game: Annotated[str, typer.Argument(help="The game, e.g. castell.")],
    *,
    seats: Annotated[int, typer.Option(help="How many seats play.")] = 4,
    matches: Annotated[int, typer.Option(help="How many matches to play.")] = 100,
    seed: Annotated[int, typer.Option(help="The same seed plays the same matches.")] = 1,
    option: Annotated[
        list[str] | None, typer.Option(help="A match option, e.g. edition.towers.max_rank=4.")
    ] = None,
    wheel: Annotated[str | None, typer.Option(help="Short for --option wheel_side=…")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    export: Annotated[Path | None, typer.Option(help="Write the last match as text.")] = None,
) -> None:
    """Play random matches through the rules alone; no server, no database."""
    from app.rules.registry import GAMES, RECORDS  # noqa: PLC0415 - only this command needs them

    if game not in GAMES:
        fail(f"there is no game {game!r}; there is {', '.join(GAMES)}", BAD_INPUT)
    for name, number, least in (("matches", matches, 1), ("seed", seed, 0)):
        if number < least:
            fail(f"--{name} must be {least} or more, not {number}", BAD_INPUT)
    chosen = [*(option or ()), *([f"wheel_side={wheel}"] if wheel else ())]
    options = _options(game, chosen)
    tally = Tally()
    try:
        # Refuses what the game cannot be set up with, before anything is counted.
        GAMES[game].setup(seats, options, HmacRng(b"", "check"))
    except RulesError as error:
        fail(str(error), BAD_INPUT)
    for number in range(matches):
        _play_one(GAMES[game], seats, options, f"{seed}:{number}", tally)
    report = {"game": game, "seats": seats, "seed": seed, **tally.report()}
    if export is not None:
        _write(export, RECORDS[game].to_text(tally.last))
    if as_json:
        typer.echo(json.dumps(report))
    else:
        typer.echo("\n".join(f"{name:20} {_shown(value)}" for name, value in report.items()))
    if tally.errors or tally.stuck or tally.replay_mismatches:
        raise typer.Exit(1)


def _play_one(
    game: Game[Any, Any, Any, Any], seats: int, options: Mapping[str, Any], name: str, tally: Tally
) -> None:
    seed = name.encode()
    chance, choice = HmacRng(seed, "chance"), HmacRng(seed, "choice")
    events = list(game.setup(seats, options, chance))
    state = replay(game, events)
    actions = 0
    began = process_time()
    try:
        while prompts := game.prompts(state):
            seat = min(prompts)
            moves = list(game.legal_moves(state, seat))
            if not moves or actions == MOST_ACTIONS:
                tally.stuck += 1
                break
            move = moves[choice.below(len(moves))]
            for event in game.decide(state, seat, move, chance):
                state = game.evolve(state, event)
                events.append(event)
            actions += 1
    except Exception as error:  # noqa: BLE001 - whatever goes wrong is what we are here to count
        tally.errors += 1
        tally.first_error = tally.first_error or f"match {name}: {error!r}"
    tally.seconds += process_time() - began
    tally.actions += actions
    tally.matches += 1
    tally.last = tuple(events)
    if replay(game, events) != state:
        tally.replay_mismatches += 1
    outcome = game.outcome(state)
    if outcome is not None:
        tally.outcomes.append(outcome)


def _options(game: str, chosen: Sequence[str]) -> dict[str, Any]:
    """Return the options of a match; `edition.…` changes one value of the edition."""
    from app.matches.editions import edition  # noqa: PLC0415 - only this command needs it

    options: dict[str, Any] = {}
    changes: list[tuple[list[str], Any]] = []
    for text in chosen:
        key, equals, value = text.partition("=")
        if not equals:
            fail(f"--option {text!r} is not key=value", BAD_INPUT)
        if key.startswith("edition."):
            changes.append((key.split("."), _value(value)))
        else:
            options[key] = _value(value)
    try:
        options["edition"] = edition(game, options.get("edition"))
    except KeyError as error:
        fail(f"there is no edition {error}", BAD_INPUT)
    for path, value in changes:
        table: Any = options
        for step in path[:-1]:
            table = table.get(step, {}) if isinstance(table, dict) else {}
        if not isinstance(table, dict) or path[-1] not in table:
            fail(f"there is no value {'.'.join(path)}", BAD_INPUT)
        table[path[-1]] = value
    return options


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, "utf-8")
    except OSError as error:
        fail(f"cannot write {path}: {error.strerror}", BAD_INPUT)


def _mean(values: Sequence[int]) -> float:
    return round(fmean(values), 2) if values else 0.0


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {number}" for name, number in value.items())
    return str(value)
