"""Moves turned into events and a new position; nothing here touches the database."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from app.errors import MoveRejectedError
from app.matches.codec import Codec, LoggedEvent
from app.matches.previews import parse_line, rejected
from app.rules.game import IllegalMoveError, Prompt, Rng, Seat, replay


@dataclass(frozen=True, slots=True)
class Decided:
    """A position and the events that led to it, ready for the log."""

    state: Any
    events: tuple[LoggedEvent, ...]


@dataclass(frozen=True, slots=True)
class Answers:
    """What is filed, a line a seat, for the simultaneous prompt called `key`.

    `standing` holds the standing order of each seat that has left one.
    """

    key: str
    filed: Mapping[Seat, str]
    standing: Mapping[Seat, str]


def decide_turn(
    codec: Codec, state: Any, seat: Seat, *, prompt: Prompt, lines: Sequence[str], rng: Rng
) -> Decided:
    """Decide all of `lines` and the move that finishes the turn.

    Raises MoveRejectedError, whose details name the `move`, at the first that
    the rules refuse, and `draft.would_end` when a move that is not the last
    ends the turn: what its draws brought would show in how the next is refused.
    """
    moves = [move for line in lines for move in parse_line(codec.game, line)]
    if prompt.finish is not None:
        finish = list(codec.game.parse(prompt.finish))
        if moves[-len(finish) :] != finish:
            moves.extend(finish)
    if not moves:
        raise MoveRejectedError("draft.empty")
    return _decide(codec, state, seat, codec.game.joined(moves), rng, within=prompt.key)


def check_answer(codec: Codec, state: Any, seat: Seat, line: str) -> str:
    """Return `line` as it is printed; raises MoveRejectedError unless it is one legal move."""
    moves = parse_line(codec.game, line)
    if len(moves) != 1:
        raise MoveRejectedError("answer.one_move", moves=len(moves))
    try:
        codec.game.check(state, seat, moves[0])
    except IllegalMoveError as error:
        raise rejected(error) from error
    return codec.game.format(moves)


def decide_answers(codec: Codec, state: Any, answers: Answers, rng: Rng) -> tuple[Decided, Answers]:
    """Decide the answers that are due, in the order in which the rules take them.

    Standing orders answer for the seats that left one, here and to whatever
    prompt that opens.  Returns the answers that must wait beside what was
    decided, which may be nothing.
    """
    game = codec.game
    events: list[LoggedEvent] = []
    while True:
        answers = _still_open(codec, state, answers)
        filed = {seat: game.parse(line) for seat, line in answers.filed.items()}
        due = game.due(state, {seat: moves[0] for seat, moves in filed.items()}) if filed else ()
        if not due:
            return Decided(state, tuple(events)), answers
        for seat in due:
            step = _decide(codec, state, seat, filed[seat], rng)
            state = step.state
            events.extend(step.events)
        left = {seat: line for seat, line in answers.filed.items() if seat not in due}
        answers = replace(answers, filed=left)


def _still_open(codec: Codec, state: Any, answers: Answers) -> Answers:
    """Return the answers to the prompt that is open now, with those of standing orders."""
    game = codec.game
    asked = {seat: prompt for seat, prompt in game.prompts(state).items() if prompt.simultaneous}
    key = next((prompt.key for prompt in asked.values()), "")
    filed = {}
    for seat in asked:
        if key == answers.key and seat in answers.filed:
            filed[seat] = answers.filed[seat]
        elif seat in answers.standing:
            move = game.standing(state, seat, answers.standing[seat])
            if move is not None:
                filed[seat] = game.format((move,))
    return Answers(key, filed, answers.standing)


def _decide(
    codec: Codec, state: Any, seat: Seat, moves: Sequence[Any], rng: Rng, *, within: str = ""
) -> Decided:
    events: list[Any] = []
    for number, move in enumerate(moves):
        if number and not _still_asks(codec, state, seat, within):
            ending = codec.game.format((moves[number - 1],))
            raise MoveRejectedError("draft.would_end", move=ending)
        try:
            new = codec.game.decide(state, seat, move, rng)
        except IllegalMoveError as error:
            raise rejected(error, move=codec.game.format((move,))) from error
        state = replay(codec.game, new, state)
        events.extend(new)
    line = codec.game.format(moves)
    return Decided(
        state,
        tuple(
            codec.logged(seat, event, line if n == 0 else None) for n, event in enumerate(events)
        ),
    )


def _still_asks(codec: Codec, state: Any, seat: Seat, key: str) -> bool:
    prompt = codec.game.prompts(state).get(seat)
    return prompt is not None and prompt.key == key
