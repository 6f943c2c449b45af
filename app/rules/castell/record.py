"""A whole match as text: its options and draws, then one line a turn, answer or refill.

Reading plays the match again, with the refills of the text instead of chance,
and so gives the very events that were printed.

    castell match
    edition.name = "castell-1"
    …
    start.first = 2

    1 seat 2: move GIR; recruit 7 4; train balance
    …
    3 refill: BCN 4 9, GIR 1
    6 festival seat 0: festival BCN = 3x9/3x8/2x5/1x1
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from app.rules.castell.components import SIZES
from app.rules.castell.edition import SEAT_COUNTS, WHEEL_SIDES, Edition, shared, tables
from app.rules.castell.edition_checks import edition_from_mapping
from app.rules.castell.edition_reader import WHEEL_SKILLS, edition_to_mapping
from app.rules.castell.events import (
    Event,
    FestivalAnswered,
    LocalPerformed,
    PawnMoved,
    Recruited,
    RoundStarted,
    Source,
    Started,
    Trained,
    TurnEnded,
)
from app.rules.castell.fold import evolve
from app.rules.castell.moves import (
    DeclineFestival,
    EndTurn,
    EnterFestival,
    Move,
    MovePawn,
    Perform,
    Recruit,
    Special,
    SpecialOption,
    Train,
    TrainSpecial,
)
from app.rules.castell.notation import format_moves, parse
from app.rules.castell.play import Refill, decide
from app.rules.castell.position_checks import check_position
from app.rules.castell.setup import counts_of, shortage
from app.rules.castell.state import State
from app.rules.dotted import from_lines, to_lines
from app.rules.game import EditionError, IllegalMoveError, NotationError, Seat
from app.rules.values import Table

HEADING: Final = "castell match"
UNFINISHED: Final = "; ..."
_LINE: Final = re.compile(r"([0-9]{1,3}) (festival )?seat ([0-9]): (.*)")
_REFILL: Final = re.compile(r"([0-9]{1,3}) refill: (.*)")


def match_to_text(events: Sequence[Event]) -> str:
    """Print a match from its first event on; `match_from_text` gives the events back."""
    start = events[0]
    if not isinstance(start, Started):
        raise TypeError(f"a match begins with Started, not {type(start).__name__}")
    return "\n".join((HEADING, *to_lines(_header(start)), "", *_lines(events[1:]), ""))


def moves_of(events: Iterable[Event]) -> Iterator[tuple[Seat, Move]]:
    """Yield the moves that brought `events` about."""
    for event in events:
        match event:
            case PawnMoved(seat, region, source):
                yield seat, _paid(MovePawn(region), source)
            case Recruited(seat, _, sizes, source):
                yield seat, _paid(Recruit(sizes), source)
            case LocalPerformed(seat, _, tile, tower, _, source):
                yield seat, _paid(Perform(tile, tower), source)
            case Trained(seat, skill, _):
                yield seat, Train(skill)
            case TurnEnded(seat, _):
                yield seat, EndTurn()
            case FestivalAnswered(seat, region, None):
                yield seat, DeclineFestival(region)
            case FestivalAnswered(seat, region, tower) if tower is not None:
                yield seat, EnterFestival(region, tower)


def _paid(option: SpecialOption, source: Source) -> Move:
    if source == "wheel":
        return TrainSpecial(option)
    if source == "token" or isinstance(option, Perform):
        return Special(option)
    return option


def _lines(events: Iterable[Event]) -> Iterator[str]:
    number = 1
    turn: list[Move] = []
    seat = Seat(0)
    for event in events:
        if isinstance(event, RoundStarted):
            number = event.round
            if event.refill:
                yield f"{number} refill: {_print_refill(event.refill)}"
        for seat, move in moves_of((event,)):
            if isinstance(move, EnterFestival | DeclineFestival):
                yield f"{number} festival seat {seat}: {format_moves((move,))}"
            elif isinstance(move, EndTurn):
                yield f"{number} seat {seat}: {format_moves(turn or (move,))}"
                turn = []
            else:
                turn.append(move)
    if turn:
        yield f"{number} seat {seat}: {format_moves(turn)}{UNFINISHED}"


def _print_refill(refill: Refill) -> str:
    return ", ".join(f"{region} {' '.join(map(str, sizes))}" for region, sizes in refill)


def _header(start: Started) -> dict[str, Any]:
    ids = tables(start.edition).ids
    return {
        "edition": edition_to_mapping(start.edition),
        "options": {"wheel_side": start.wheel_side, "assistants": start.assistants},
        "seats": start.seats,
        "start": {
            "first": start.first,
            "wheel": list(start.wheel),
            "festivals": {
                str(number): {"round": held, "region": region, "tokens": list(tokens)}
                for number, (held, region, tokens) in enumerate(start.festivals)
            },
            "castellers": dict(zip(ids, start.castellers, strict=True)),
            "tiles": dict(zip(ids, start.tiles, strict=True)),
            "hands": {str(seat): hand for seat, hand in enumerate(start.hands)},
        },
    }


def match_from_text(text: str) -> tuple[Event, ...]:
    """Read a match and return its events.

    Raises NotationError with the number of the line that cannot be read, or
    that the rules refuse (`reason` holds their code).
    """
    lines = text.splitlines()
    if lines[:1] != [HEADING] or "" not in lines:
        raise NotationError("notation.not_a_match", expected=HEADING)
    body = lines.index("") + 1
    try:
        start = _read_header(from_lines(lines[1 : body - 1], first=2))
    except EditionError as error:
        raise NotationError("notation.bad_match", problem=error.code, **error.details) from error
    _check_start(start)
    state = evolve(None, start)
    check_position(state)
    reader = _Reader(state, lines, body)
    return start, *reader.events()


class _Reader:
    """Plays the lines of a match; `_at` is the index of the next one."""

    def __init__(self, state: State, lines: list[str], first: int) -> None:
        self._state = state
        self._lines = lines
        self._at = first

    def events(self) -> Iterator[Event]:
        while self._at < len(self._lines):
            number, line = self._at + 1, self._lines[self._at]
            self._at += 1
            seat, moves = self._read(number, line)
            for move in moves:
                try:
                    events = decide(self._state, seat, move, self._refill)
                except IllegalMoveError as error:
                    raise NotationError(
                        "notation.illegal_move", line=number, reason=error.code, **error.details
                    ) from error
                for event in events:
                    self._state = evolve(self._state, event)
                    yield event

    def _read(self, number: int, line: str) -> tuple[int, tuple[Move, ...]]:
        found = _LINE.fullmatch(line)
        if found is None or int(found[1]) != self._state.round:
            raise NotationError("notation.bad_line", line=number, text=line[:80])
        seat = int(found[3])
        if seat >= self._state.seats:
            raise NotationError("notation.bad_seat", line=number, seat=seat)
        try:
            moves = parse(found[4].removesuffix(UNFINISHED))
        except NotationError as error:
            error.details["line"] = number
            raise
        festival = isinstance(moves[0], EnterFestival | DeclineFestival)
        if festival != bool(found[2]):
            raise NotationError("notation.bad_line", line=number, text=line[:80])
        if festival or EndTurn() in moves or found[4].endswith(UNFINISHED):
            return seat, moves
        return seat, (*moves, EndTurn())

    def _refill(self, state: State) -> Refill:
        """Read the refill that begins the next round, as it can have been drawn."""
        expected = {
            region.id: count
            for region, count in zip(state.edition.regions, shortage(state), strict=True)
            if count
        }
        if not expected:
            return ()
        number = self._at + 1
        line = self._lines[self._at] if self._at < len(self._lines) else ""
        self._at += 1
        found = _REFILL.fullmatch(line)
        if found is None or int(found[1]) != state.round + 1:
            raise NotationError("notation.refill_expected", line=number, text=line[:80])
        refill = tuple(_read_refill(part, number) for part in found[2].split(", "))
        sizes = counts_of(tuple(size for _, drawn in refill for size in drawn))
        if {region: len(drawn) for region, drawn in refill} != expected or any(
            drawn > there for drawn, there in zip(sizes, state.bag, strict=True)
        ):
            raise NotationError("notation.refill_impossible", line=number, text=line[:80])
        return refill


def _read_refill(text: str, line: int) -> tuple[str, tuple[int, ...]]:
    region, *sizes = text.split(" ")
    if not all(size.isascii() and size.isdecimal() and int(size) in SIZES for size in sizes):
        raise NotationError("notation.bad_refill", line=line, text=text[:80])
    return region, tuple(map(int, sizes))


def _read_header(data: Mapping[str, Any]) -> Started:
    top = Table(data)
    edition = shared(edition_from_mapping(top.table("edition").values))
    options, start = top.table("options"), top.table("start")
    castellers, tiles, hands = (start.table(name) for name in ("castellers", "tiles", "hands"))
    seats = top.integer("seats", SEAT_COUNTS[0], SEAT_COUNTS[-1])
    ids = tables(edition).ids
    started = Started(
        edition=edition,
        seats=seats,
        wheel_side=options.choice("wheel_side", WHEEL_SIDES),
        assistants=options.boolean("assistants"),
        first=Seat(start.integer("first", 0, seats - 1)),
        wheel=start.picks("wheel", WHEEL_SKILLS),
        festivals=_read_calendar(start, edition),
        castellers=tuple(castellers.integers(id_, SIZES[0], SIZES[-1]) for id_ in ids),
        tiles=tuple(tiles.picks(id_, tuple(tables(edition).tiles)) for id_ in ids),
        hands=tuple(hands.integers(str(seat), SIZES[0], SIZES[-1]) for seat in range(seats)),
    )
    for table in (options, castellers, tiles, hands, start, top):
        table.done()
    return started


def _check_start(start: Started) -> None:
    """Raise NotationError if setup cannot have dealt just this (rules 2.2, 3)."""
    edition = start.edition
    column = start.seats - SEAT_COUNTS[0]
    calendar = [
        (plan.round, edition.tokens_of(plan.back))
        for plan in edition.calendar
        for _ in range(plan.festivals[column])
    ]
    dealt = {
        "hands": {len(hand) for hand in start.hands} == {edition.castellers_at_start},
        "castellers": {len(there) for there in start.castellers} == {edition.refill_to[column]},
        "tiles": {len(row) for row in start.tiles} == {edition.tiles_per_region},
        "festivals": [(held, len(tokens)) for held, _, tokens in start.festivals] == calendar,
    }
    for name, as_ruled in dealt.items():
        if not as_ruled:
            raise NotationError("notation.bad_start", key=f"start.{name}")


def _read_calendar(start: Table, edition: Edition) -> tuple[tuple[int, str, tuple[int, ...]], ...]:
    calendar = []
    for _, table in start.optional("festivals").children():
        calendar.append(
            (
                table.integer("round", 1, edition.rounds),
                table.choice("region", tables(edition).ids),
                table.integers("tokens", SIZES[0], SIZES[-1]),
            )
        )
        table.done()
    return tuple(calendar)
