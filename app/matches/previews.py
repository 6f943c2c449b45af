"""What a draft would lead to, without drawing anything.

Traps: a preview must never tell what a draw would bring, so chance raises
here; and it must never end the decision it drafts, or the next seat's turn
would be drafted with it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from app.errors import MoveRejectedError
from app.matches.pages import DroppedLine, Refusal
from app.rules.game import Game, IllegalMoveError, NotationError, Prompt, RulesError, Seat, replay
from app.rules.rng import ChanceRefusedError, NoRng

AnyGame = Game[Any, Any, Any, Any]

LONGEST_DRAFT = 50


@dataclass(frozen=True, slots=True)
class Preview:
    """The position a draft leads to, the lines in effect and those that fell away."""

    state: Any
    lines: tuple[str, ...]
    dropped: tuple[DroppedLine, ...]


def rejected(error: RulesError, **extra: Any) -> MoveRejectedError:
    """Return the rules' refusal as the application's error, code and numbers kept."""
    return MoveRejectedError(error.code, rule=error.rule, **{**extra, **error.details})


def parse_line(game: AnyGame, line: str) -> tuple[Any, ...]:
    """Return the moves of one line; raises MoveRejectedError when it is no notation."""
    try:
        return game.parse(line)
    except NotationError as error:
        raise rejected(error) from error


def preview(game: AnyGame, state: Any, seat: Seat, prompt: Prompt, lines: Iterable[str]) -> Preview:
    """Apply each of `lines` that can be applied, in order."""
    kept: list[str] = []
    dropped: list[DroppedLine] = []
    for line in lines:
        try:
            for move in parse_line(game, line):
                state = drafted(game, state, seat, prompt, move)
        except MoveRejectedError as error:
            dropped.append(DroppedLine(line, Refusal(error.code, error.details, error.rule)))
        else:
            kept.append(line)
    return Preview(state, tuple(kept), tuple(dropped))


def is_answer(prompt: Prompt) -> bool:
    """Tell whether one move answers `prompt`, instead of a list that is finished."""
    return prompt.simultaneous or prompt.finish is None


def drafted(game: AnyGame, state: Any, seat: Seat, prompt: Prompt, move: Any) -> Any:
    """Return the state after `move`, which neither draws nor ends `prompt`.

    An answer is only checked: what follows from it may be chance, or up to the
    others' answers.
    """
    try:
        if is_answer(prompt):
            game.check(state, seat, move)
            return state
        after = replay(game, game.decide(state, seat, move, NoRng()), state)
    except IllegalMoveError as error:
        raise rejected(error) from error
    except ChanceRefusedError as error:
        raise MoveRejectedError("draft.would_draw") from error
    still = game.prompts(after).get(seat)
    if still is None or still.key != prompt.key:
        raise MoveRejectedError("draft.would_end")
    return after
