"""`placa tower check` and `placa tower best`: ask the rules about a tower."""

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.cli import app
from app.cli.surroundings import fail

if TYPE_CHECKING:
    from app.rules.castell.components import Skill
    from app.rules.castell.towers import Hand, Uses

BAD_INPUT = 2
MOST_RANKS = 20
MOST_LEVELS = 20
# All the castellers there are.
MOST_CASTELLERS = 150

tower = typer.Typer(help="Check a tower of Castell, or find the best one.", no_args_is_help=True)
app.add_typer(tower, name="tower")

Ranks = Annotated[str, typer.Option(help="Skill ranks, e.g. balance=1,mix=2; others are 0.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


@tower.command()
def check(
    text: Annotated[str, typer.Argument(metavar="TOWER", help="Bottom first: 3x9/2x8+1x7/1x1.")],
    *,
    ranks: Ranks = "",
    hand: Annotated[
        str | None, typer.Option(help="The castellers at hand, one size each: 9,9,8.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Say whether a tower stands, and if not, everything that is wrong with it."""
    from app.rules.castell.notation import parse_tower  # noqa: PLC0415 - see app.cli
    from app.rules.castell.towers import check_tower, problems  # noqa: PLC0415 - as above
    from app.rules.game import NotationError  # noqa: PLC0415 - as above

    try:
        levels = parse_tower(text)
    except NotationError as error:
        at = f", level {error.details['level']}" if "level" in error.details else ""
        fail(f"{text!r} is not a tower{at}: write it like 3x9/2x8+1x7/1x1", BAD_INPUT)
    held = _ranks(ranks)
    castellers = None if hand is None else _hand(hand)
    found = problems(levels, held, castellers)
    refusals = [problem.error() for problem in found]
    uses = None if found else check_tower(levels, held, castellers)
    report: dict[str, Any] = {
        "legal": not found,
        "uses": uses,
        "why": refusals[0].code if refusals else None,
        "problems": [
            {"code": refusal.code, "rule": refusal.rule, "details": refusal.details}
            for refusal in refusals
        ],
    }
    if as_json:
        typer.echo(json.dumps(report))
    elif uses is not None:
        typer.echo(f"It stands. {_spoken(uses)}")
    else:
        typer.echo("\n".join(str(refusal) for refusal in refusals))


@tower.command()
def best(
    *,
    hand: Annotated[str, typer.Option(help="The castellers at hand, one size each: 9,9,8.")],
    ranks: Ranks = "",
    tokens: Annotated[str, typer.Option(help="The size tokens of the festival: 8,9.")] = "",
    min_levels: Annotated[int, typer.Option(help="The fewest levels that qualify.")] = 4,
    as_json: Json = False,
) -> None:
    """Find the tower that scores most at a festival."""
    from app.rules.castell.notation import format_tower  # noqa: PLC0415 - see app.cli
    from app.rules.castell.solver import best_tower  # noqa: PLC0415 - as above

    if not 1 <= min_levels <= MOST_LEVELS:
        fail(f"--min-levels {min_levels} is not a number from 1 to {MOST_LEVELS}", BAD_INPUT)
    wanted = tuple(_sizes("tokens", tokens)) if tokens else ()
    found = best_tower(_hand(hand), _ranks(ranks), wanted, min_levels=min_levels)
    report = {
        "score": found.score if found else None,
        "tower": format_tower(found.tower) if found else None,
        "uses": found.uses if found else None,
    }
    if as_json:
        typer.echo(json.dumps(report))
    elif found:
        typer.echo(f"{found.score}: {format_tower(found.tower)}. {_spoken(found.uses)}")
    else:
        typer.echo("No tower qualifies.")


def _ranks(text: str) -> "dict[Skill, int]":
    from app.rules.castell.components import SKILLS  # noqa: PLC0415 - see app.cli

    ranks: dict[Skill, int] = dict.fromkeys(SKILLS, 0)
    given = set()
    for part in text.split(",") if text.strip() else []:
        name, equals, number = (word.strip() for word in part.partition("="))
        skill = next((skill for skill in SKILLS if skill == name.lower()), None)
        if skill is None or not equals or skill in given:
            fail(f"{part.strip()!r} is not a rank: write --ranks balance=1,mix=2", BAD_INPUT)
        given.add(skill)
        ranks[skill] = _number("rank", number, range(MOST_RANKS + 1))
    return ranks


def _hand(text: str) -> "Hand":
    from app.rules.castell.towers import hand_of  # noqa: PLC0415 - see app.cli

    sizes = _sizes("hand", text)
    if len(sizes) > MOST_CASTELLERS:
        fail(f"--hand holds {len(sizes)} castellers; there are {MOST_CASTELLERS}", BAD_INPUT)
    return hand_of(sizes)


def _sizes(option: str, text: str) -> list[int]:
    from app.rules.castell.components import SIZES  # noqa: PLC0415 - see app.cli

    return [_number(f"size in --{option}", part, SIZES) for part in text.split(",")]


def _number(what: str, text: str, allowed: range) -> int:
    text = text.strip()
    # `int` alone would also read "+1", "1_0" and digits of other scripts.
    if not (text.isascii() and text.isdigit() and len(text) < 4 and int(text) in allowed):
        fail(f"{text!r} is not a {what}: {allowed[0]} to {allowed[-1]}", BAD_INPUT)
    return int(text)


def _spoken(uses: "Uses") -> str:
    used = ", ".join(f"{skill} {count}" for skill, count in uses.items() if count)
    return f"It uses {used}." if used else "It uses no skill."
