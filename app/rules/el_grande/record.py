"""A whole match as text: its options, then one entry a line (section 15).

Reading plays the match again, with the cards of the text instead of chance.
Steps of one part are printed as one, as a commit decides them.

    el_grande match
    edition.name = "el-grande-1"
    …
    seats = 3

    deal king GAL; home p1 ARA, p2 SEV, p3 CNU; first p2
    reveal 1-04 2-08 3-01 4-02
    p2: power 9
    …
    p3: card 4-02; special king PVA; place ARA 2, CAS 1
    p1: pass
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NoReturn

from app.rules.dotted import from_lines, to_lines
from app.rules.el_grande.edition import (
    CASTILLOS,
    LENGTHS,
    REGIONS,
    SEAT_COUNTS,
    VETOES,
    shared,
    tables,
)
from app.rules.el_grande.edition_checks import edition_from_mapping
from app.rules.el_grande.edition_reader import edition_to_mapping
from app.rules.el_grande.entries import (
    Deal,
    Entry,
    Line,
    Reveal,
    format_entry,
    of_seat,
    parse_entry,
)
from app.rules.el_grande.events import (
    Announced,
    Answered,
    AnswersOpened,
    CardTaken,
    DiscChosen,
    Event,
    Placed,
    Planned,
    PowerPlayed,
    Refilled,
    RoundStarted,
    SpecialDone,
    SpecialSkipped,
    Started,
    Took,
    TurnEnded,
    Vetoed,
)
from app.rules.el_grande.fold import evolve
from app.rules.el_grande.joining import joined
from app.rules.el_grande.moves import (
    END,
    PASS,
    SKIP,
    VETO,
    Disc,
    Move,
    Place,
    PlayPower,
    Refill,
    Return,
    Take,
    TakeCard,
)
from app.rules.el_grande.play import decide
from app.rules.el_grande.setup import first_stacks
from app.rules.el_grande.state import State
from app.rules.game import EditionError, IllegalMoveError, NotationError, Seat
from app.rules.values import Table

HEADING: Final = "el_grande match"
UNFINISHED: Final = "; ..."


def match_to_text(events: Sequence[Event]) -> str:
    """Print a match from its first event on; `match_from_text` gives the events back.

    Of what a viewer may not know, `recall ?` remains.
    """
    start = events[0]
    if not isinstance(start, Started):
        raise TypeError(f"a match begins with Started, not {type(start).__name__}")
    return "\n".join((HEADING, *to_lines(_header(start)), "", *_lines(events), ""))


def _header(start: Started) -> dict[str, Any]:
    return {
        "edition": edition_to_mapping(start.edition),
        "options": {"length": start.length, "veto": start.veto, "castillo": start.castillo},
        "seats": start.seats,
    }


def _lines(events: Iterable[Event]) -> Iterator[str]:
    seat, turn = Seat(0), list[Move]()
    for event in events:
        match event:
            case Started(king=king, homes=homes, first=first):
                yield format_entry(Deal(king, homes, first))
            case RoundStarted(revealed=revealed):
                yield format_entry(Reveal(revealed))
            case PowerPlayed() | Answered() | Vetoed():
                yield of_seat(event.seat, (_answer(event),))
            case AnswersOpened() | SpecialDone() | TurnEnded():
                if turn:
                    yield of_seat(seat, joined(turn))
                turn = []
            case Took() | Refilled() | CardTaken() | Placed() | Planned():
                seat = event.seat
                turn += _part(event)
            case SpecialSkipped() | Announced() | DiscChosen():
                seat = event.seat
                turn.append(_special(event))
            case _:
                pass  # What a move brings about needs no line of its own.
    if turn:
        yield of_seat(seat, joined(turn)) + UNFINISHED


def _answer(event: PowerPlayed | Answered | Vetoed) -> Move:
    if isinstance(event, PowerPlayed):
        return PlayPower(event.value)
    if isinstance(event, Vetoed):
        return VETO
    if event.answer == "pass":
        return PASS
    return Disc(event.region) if event.answer == "disc" else Return(event.sources)


def _part(event: Took | Refilled | CardTaken | Placed | Planned) -> tuple[Move, ...]:
    """Return how a part is written; the maximum taken, and what the rules placed, are not."""
    match event:
        case Took(count=count, most=most):
            return (Take(count),) if count < most else ()
        case Refilled(sources=sources):
            return (Refill(sources),)
        case CardTaken(card=card):
            return (TakeCard(card),)
        case Planned(to=to):
            return (Place(to),)
    return (Place(event.to),) if event.by == "turn" else ()


def _special(event: SpecialSkipped | Announced | DiscChosen) -> Move:
    if isinstance(event, SpecialSkipped):
        return SKIP
    return event.special if isinstance(event, Announced) else Disc(event.region)


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
        header = _read_header(from_lines(lines[1 : body - 1], first=2))
    except EditionError as error:
        raise NotationError("notation.bad_match", problem=error.code, **error.details) from error
    return tuple(_Reader(header, lines, body).events())


def _read_header(data: Mapping[str, Any]) -> Started:
    """Return the start of the match, but for what the first entry deals."""
    top = Table(data)
    edition = shared(edition_from_mapping(top.table("edition").values))
    options = top.table("options")
    length = options.integer("length")
    if length not in LENGTHS:
        allowed = list(LENGTHS)
        raise EditionError(
            "edition.unsupported", key="options.length", value=length, allowed=allowed
        )
    header = Started(
        edition=edition,
        seats=top.integer("seats", SEAT_COUNTS[0], SEAT_COUNTS[-1]),
        length=length,
        veto=options.choice("veto", VETOES),
        castillo=options.choice("castillo", CASTILLOS),
        king="",
        homes=(),
        first=Seat(0),
    )
    options.done()
    top.done()
    return header


class _Reader:
    """Plays the entries of a match; `_at` is the index of the next line."""

    def __init__(self, header: Started, lines: list[str], first: int) -> None:
        self._header = header
        self._lines = lines
        self._at = first

    def events(self) -> Iterator[Event]:
        start = self._dealt()
        state = evolve(None, start)
        yield start
        stacks = first_stacks(start.edition, start.veto)
        began = RoundStarted(state.round, start.first, self._reveal(stacks))
        yield began
        state = evolve(state, began)
        while self._at < len(self._lines):
            number, line = self._at + 1, self._lines[self._at]
            seat, moves = self._moves(state)
            for move in moves:
                try:
                    events = decide(state, seat, move, self._reveal)
                except IllegalMoveError as error:
                    raise NotationError(
                        "notation.illegal_move",
                        line=number,
                        reason=error.code,
                        **{**error.details, "text": line[:80]},
                    ) from error
                for event in events:
                    state = evolve(state, event)
                    yield event

    def _next(self) -> Entry:
        number = self._at + 1
        line = self._lines[self._at] if self._at < len(self._lines) else ""
        self._at += 1
        try:
            return parse_entry(line.removesuffix(UNFINISHED))
        except NotationError as error:
            error.details["line"] = number
            raise

    def _refuse(self, code: str) -> NoReturn:
        line = self._lines[self._at - 1] if self._at <= len(self._lines) else ""
        raise NotationError(f"notation.{code}", rule="15", line=self._at, text=line[:80])

    def _dealt(self) -> Started:
        """Read what setup dealt, as it can have been dealt (section 3)."""
        deal = self._next()
        if not isinstance(deal, Deal):
            self._refuse("deal_expected")
        seats, regions = self._header.seats, tables(self._header.edition).ids[:REGIONS]
        dealt = {deal.king, *deal.homes}
        if (
            len(deal.homes) != seats
            or len(dealt) != seats + 1
            or not dealt <= set(regions)
            or deal.first >= seats
        ):
            self._refuse("deal_impossible")
        return replace(self._header, king=deal.king, homes=deal.homes, first=deal.first)

    def _reveal(self, stacks: tuple[tuple[str, ...], ...]) -> tuple[str, ...]:
        """Read the cards of a new round, as they can have been drawn from `stacks`."""
        shown = self._next()
        if not isinstance(shown, Reveal):
            self._refuse("reveal_expected")
        if len(shown.cards) != len(stacks) or any(
            card not in stack for card, stack in zip(shown.cards, stacks, strict=False)
        ):
            self._refuse("reveal_impossible")
        return shown.cards

    def _moves(self, state: State) -> tuple[Seat, tuple[Move, ...]]:
        running = self._lines[self._at].endswith(UNFINISHED)
        entry = self._next()
        if not isinstance(entry, Line):
            self._refuse("line_expected")
        if entry.seat >= state.seats:
            self._refuse("bad_seat_name")
        turn = state.phase in ("turn", "place") and END not in entry.moves and not running
        return entry.seat, (*entry.moves, END) if turn else entry.moves
