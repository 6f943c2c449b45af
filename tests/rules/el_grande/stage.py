"""Setting the stage: the matches and positions from which the tests start."""

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from app.matches.editions import edition
from app.rules.el_grande import EL_GRANDE, Event, Move, State
from app.rules.el_grande.edition import tables
from app.rules.el_grande.moves import END
from app.rules.el_grande.state import AT_COURT, CASTILLO, PROVINCE, Pieces
from app.rules.game import IllegalMoveError, Rng, Seat, replay
from app.rules.rng import HmacRng, NoRng

A, B, C, D, E = map(Seat, range(5))
REGIONS = ("ARA", "CAT", "CNU", "CVI", "GAL", "GRA", "PVA", "SEV", "VAL")
ARA, CAT, CNU, CVI, GAL, GRA, PVA, SEV, VAL = range(9)
AREAS = {**{name: n for n, name in enumerate(REGIONS)}, "CAS": CASTILLO, "COURT": AT_COURT}
STACKS = (("1-01",), ("2-08",), ("3-08",), ("4-01",))


def values(changes: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return the values of el-grande-1 with some, by dotted key, changed."""
    data = deepcopy(edition("el_grande"))
    for key, value in (changes or {}).items():
        *path, name = key.split(".")
        table = data
        for step in path:
            table = table[step]
        table[name] = value
    return data


def chance(seed: object = 1) -> Rng:
    return HmacRng(b"el grande", str(seed))


def setup(
    seats: int = 3, seed: object = 1, changes: Mapping[str, Any] | None = None, **options: Any
) -> tuple[Event, ...]:
    return EL_GRANDE.setup(seats, {"edition": values(changes), **options}, chance(seed))


def begin(
    seats: int = 3, seed: object = 1, changes: Mapping[str, Any] | None = None, **options: Any
) -> State:
    """Return the state after setup."""
    return replay(EL_GRANDE, setup(seats, seed, changes, **options))


def row(text: str) -> Pieces:
    """Return the pieces of one seat, `ARA 2 COURT 5 CAS 1`; the rest is in the province."""
    words = text.split()
    pieces = [0] * (PROVINCE + 1)
    for area, count in zip(words[::2], words[1::2], strict=True):
        pieces[AREAS[area]] = int(count)
    pieces[PROVINCE] = 30 - sum(pieces)
    return tuple(pieces)


def pieces_of(state: State, seat: int) -> str:
    """Return where a seat's caballeros are, but for the province, as `row` reads it."""
    there = zip(AREAS, state.pieces[seat], strict=False)
    return " ".join(f"{area} {count}" for area, count in there if count)


def staged(
    *rows: str,
    card: str | None = None,
    options: Mapping[str, Any] | None = None,
    changes: Mapping[str, Any] | None = None,
    **fields: Any,
) -> State:
    """Return round 2 with seat 0 to take its turn, then 1, 2, …; the King is in Galicia.

    Grandes stand in Aragón, Sevilla and Valencia (Cataluña, Granada). `rows`
    are pieces by seat (usually two at home and five at court).  With `card`
    seat 0 has taken it.
    """
    seats = max(len(rows), 3) if "seats" not in fields else fields.pop("seats")
    homes = ("ARA", "SEV", "VAL", "CAT", "GRA")[:seats]
    texts = [*rows, *(f"{home} 2 COURT 5" for home in homes[len(rows) :])]
    base = begin(seats, changes=changes, **(options or {}))
    bids = tuple((seat, 9 - seat) for seat in range(seats))
    usual: dict[str, Any] = {
        "phase": "turn",
        "round": 2,
        "first": 0,
        "bids": bids,
        "order": tuple(range(seats)),
        "offer": ("1-01", "2-08", "3-08", "4-01", "5-01"),
        "king": GAL,
        "grandes": tuple(AREAS[home] for home in homes),
        "pieces": tuple(map(row, texts)),
        "hands": tuple(tuple(v for v in range(1, 14) if v != 9 - s) for s in range(seats)),
        "logs": tuple((9 - seat,) for seat in range(seats)),
        "took": 0,
    }
    state = replace(base, **(usual | fields))
    if card is not None:
        offer = (card, *(other for other in state.offer if other[0] != card[0]))
        state = replace(state, offer=tuple(sorted(offer)))
    if "unseen" not in fields:
        state = replace(state, unseen=tuple(_unseen(state, number) for number in range(1, 5)))
    return state if card is None else play(state, 0, f"card {card}")


def _unseen(state: State, number: int) -> tuple[str, ...]:
    """Return a stack without the cards that lie open or have been taken."""
    stack = list(state.edition.stack(number, state.veto))
    for card in (*state.offer, *(card for _, card in state.taken)):
        if card in stack:
            stack.remove(card)
    return tuple(stack)


def holding(state: State, *holders: int, taken: int = 2) -> State:
    """Return `state` in which these seats hold a Veto."""
    return replace(state, vetoes=tuple((holder, taken) for holder in holders))


def play(state: State, seat: int, line: str, rng: Rng | None = None) -> State:
    """Return the state after a line of notation; draws only from `rng`."""
    return replay(EL_GRANDE, events_of(state, seat, line, rng), state)


def events_of(state: State, seat: int, line: str, rng: Rng | None = None) -> list[Event]:
    """Return all events of a line of notation."""
    happened: list[Event] = []
    for move in EL_GRANDE.parse(line):
        new = EL_GRANDE.decide(state, Seat(seat), move, rng or NoRng())
        state = replay(EL_GRANDE, new, state)
        happened += new
    return happened


def refusal(state: State, seat: int, line: str) -> IllegalMoveError:
    """Return the refusal of the last move of a line; those before it are made."""
    *made, last = EL_GRANDE.parse(line)
    for move in made:
        state = replay(EL_GRANDE, EL_GRANDE.decide(state, Seat(seat), move, NoRng()), state)
    with pytest.raises(IllegalMoveError) as refused:
        EL_GRANDE.check(state, Seat(seat), last)
    return refused.value


def lines(state: State, seat: int) -> list[str]:
    """Return every legal move in notation."""
    return [EL_GRANDE.format((move,)) for move in EL_GRANDE.legal_moves(state, Seat(seat))]


def specials(state: State, seat: int = 0) -> list[str]:
    """Return every step of the special action in notation."""
    return [line for line in lines(state, seat) if line.startswith("special")]


def scores(state: State) -> tuple[int, ...]:
    return tuple(map(state.score, range(state.seats)))


def area_index(state: State, area: str) -> int:
    return tables(state.edition).index[area]


@dataclass(slots=True)
class Table:
    """A match that chance plays as a table of people would.

    A turn is drafted step by step and committed with its parts joined; answers
    are filed in any order and decided when they are due.
    """

    state: State
    rng: Rng
    choose: Rng
    events: list[Event] = field(default_factory=list)
    filed: dict[Seat, Move] = field(default_factory=dict)
    key: str = ""

    def over(self) -> bool:
        return not EL_GRANDE.prompts(self.state)

    def pick(self, state: State, seat: Seat) -> Move:
        moves = list(EL_GRANDE.legal_moves(state, seat))
        assert moves, "a seat that is asked has something to answer"
        return moves[self.choose.below(len(moves))]

    def decide(self, seat: Seat, move: Move) -> Iterator[tuple[State, Event, State]]:
        for event in EL_GRANDE.decide(self.state, seat, move, self.rng):
            before, self.state = self.state, EL_GRANDE.evolve(self.state, event)
            self.events.append(event)
            yield before, event, self.state

    def step(self) -> Iterator[tuple[State, Event, State]]:
        """Let the match go on by one commit; yield its events, which may be none."""
        prompts = EL_GRANDE.prompts(self.state)
        seat, prompt = next(iter(prompts.items()))
        if prompt.simultaneous:
            yield from self.answer(tuple(prompts), prompt.key)
        elif prompt.finish is None:
            yield from self.decide(seat, self.pick(self.state, seat))
        else:
            for move in EL_GRANDE.joined(self.drafted(seat)):
                yield from self.decide(seat, move)

    def drafted(self, seat: Seat) -> Sequence[Move]:
        moves: list[Move] = []
        state = self.state
        while not moves or moves[-1] != END:
            moves.append(self.pick(state, seat))
            if moves[-1] != END:
                new = EL_GRANDE.decide(state, seat, moves[-1], NoRng())
                state = replay(EL_GRANDE, new, state)
        return moves

    def answer(self, asked: tuple[Seat, ...], key: str) -> Iterator[tuple[State, Event, State]]:
        if key != self.key:
            self.filed, self.key = {}, key
        waiting = [seat for seat in asked if seat not in self.filed]
        assert waiting, "what is filed by all is due"
        seat = waiting[self.choose.below(len(waiting))]
        self.filed[seat] = self.pick(self.state, seat)
        for due in EL_GRANDE.due(self.state, self.filed):
            yield from self.decide(due, self.filed.pop(due))


def table(seats: int, seed: object, choices: Rng | None = None, **options: Any) -> Table:
    """Return a table at which a match has just begun."""
    events = list(setup(seats, seed, **options))
    choose = choices or chance(f"choices {seed}")
    return Table(replay(EL_GRANDE, events), chance(f"draws {seed}"), choose, events)


def random_match(
    seats: int, seed: object, choices: Rng | None = None, **options: Any
) -> Iterator[tuple[State, Event, State]]:
    """Play at random; yield each event with the state before and after it."""
    match = table(seats, seed, choices, **options)
    while not match.over():
        yield from match.step()


def random_events(seats: int, seed: object, **options: Any) -> list[Event]:
    """Return all events of a random match."""
    match = table(seats, seed, **options)
    while not match.over():
        for _ in match.step():
            pass
    return match.events


def published(seats: int, seed: object, **options: Any) -> Iterator[State]:
    """Yield the positions between the commits of a random match."""
    match = table(seats, seed, **options)
    yield match.state
    while not match.over():
        for _ in match.step():
            pass
        yield match.state


def stepped(seats: int, seed: object, **options: Any) -> Iterator[State]:
    """Yield the positions between the steps of a random match, drafts and half answers too."""
    state = begin(seats, seed, **options)
    rng, choose = chance(f"draws {seed}"), chance(f"choices {seed}")
    yield state
    while prompts := EL_GRANDE.prompts(state):
        asked = sorted(prompts)
        seat = asked[choose.below(len(asked))]
        moves = list(EL_GRANDE.legal_moves(state, seat))
        move = moves[choose.below(len(moves))]
        state = replay(EL_GRANDE, EL_GRANDE.decide(state, seat, move, rng), state)
        yield state
