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
class Use:
    """What a standing order came to when its `decision` was asked for.

    `order` is what had been left, `played` the answer it gave; None: the seat is asked.
    """

    seat: Seat
    decision: str
    order: str
    played: str | None


@dataclass(frozen=True, slots=True)
class Answers:
    """What is filed, a line a seat, for the simultaneous prompt called `key`.

    `standing` holds the standing orders of each seat by what they answer, and
    `used` what they came to.
    """

    key: str
    filed: Mapping[Seat, str]
    standing: Mapping[Seat, Mapping[str, str]]
    used: tuple[Use, ...] = ()


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

    Standing orders answer for the seats that left one, to whatever prompt this
    opens; one that was open before is its person's to answer.  Returns the answers
    that must wait beside what was decided, which may be nothing.
    """
    game = codec.game
    events: list[LoggedEvent] = []
    while True:
        answers = _still_open(codec, state, answers)
        filed = {seat: game.parse(line) for seat, line in answers.filed.items()}
        due = game.due(state, {seat: moves[0] for seat, moves in filed.items()}) if filed else ()
        if not due:
            step, answers = _turn_by_order(codec, state, answers, rng)
            if step is None:
                return Decided(state, tuple(events)), answers
            state = step.state
            events.extend(step.events)
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
    if key == answers.key:
        filed = {seat: line for seat, line in answers.filed.items() if seat in asked}
        return replace(answers, filed=filed)
    uses = [use for seat in asked if (use := _use(codec, state, seat, answers))]
    filed = {use.seat: use.played for use in uses if use.played is not None}
    return replace(answers, key=key, filed=filed, used=(*answers.used, *uses))


def _turn_by_order(
    codec: Codec, state: Any, answers: Answers, rng: Rng
) -> tuple[Decided | None, Answers]:
    """Decide the turn of the seat that is asked now, if it has left an order for it."""
    for seat, prompt in codec.game.prompts(state).items():
        use = None if prompt.simultaneous else _use(codec, state, seat, answers)
        if use is not None:
            step = _carry_out(codec, state, use, prompt, rng)
            came_to = replace(use, played=None) if step is None else use
            return step, replace(answers, used=(*answers.used, came_to))
    return None, answers


def _carry_out(codec: Codec, state: Any, use: Use, prompt: Prompt, rng: Rng) -> Decided | None:
    if use.played is None:
        return None
    try:
        return decide_turn(codec, state, use.seat, prompt=prompt, lines=[use.played], rng=rng)
    except MoveRejectedError:
        # Nobody else's turn may fail because of it: its person is asked.
        return None


def _use(codec: Codec, state: Any, seat: Seat, answers: Answers) -> Use | None:
    """Return what the seat's order for what it is asked comes to, if it has left one."""
    left = answers.standing.get(seat, {})
    names = codec.game.asked_for(state, seat) if left else ()
    used = {(use.seat, use.decision) for use in answers.used}
    order = next((left[name] for name in names if name in left), None)
    if order is None or (seat, names[0]) in used:
        return None
    move = codec.game.standing(state, seat, order)
    return Use(seat, names[0], order, None if move is None else codec.game.format((move,)))


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
