"""What a seat may do now, and of everything else why not (section 14).

A board draws this: every choice with its targets, or with the refusal that
forbids it.  Steps are of one caballero; the order of `steps` does not bind here.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from app.rules.el_grande.components import BOARDS, Board, Count, SpecialKind
from app.rules.el_grande.edition import REGIONS, tables
from app.rules.el_grande.legal import check, has_question
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
    Special,
    Take,
    TakeCard,
)
from app.rules.el_grande.reach import (
    before_special,
    court_left,
    most_taken,
    placing_king,
    placing_left,
    return_sources,
    shortage,
    to_return,
)
from app.rules.el_grande.specials import KINDS
from app.rules.el_grande.state import NOWHERE, RECALL, State
from app.rules.game import IllegalMoveError, Seat


@dataclass(frozen=True, slots=True)
class PowerOption:
    """A power card in hand and the caballeros it brings."""

    value: int
    caballeros: int
    refused: IllegalMoveError | None


@dataclass(frozen=True, slots=True)
class TakeOption:
    """Taking fewer than the `most` caballeros that come to the court; `power` is the card's."""

    refused: IllegalMoveError | None
    power: int
    most: int


@dataclass(frozen=True, slots=True)
class Source:
    """Caballeros of `seat` in `area` (or COURT), and to where one of them can go.

    `there` counts those that can still be taken.
    """

    seat: Seat
    area: str
    there: int
    refused: IllegalMoveError | None
    targets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RefillOption:
    """Making up what the province lacks: up to `room` more from `sources`."""

    refused: IllegalMoveError | None
    room: int
    sources: tuple[Source, ...]


@dataclass(frozen=True, slots=True)
class CardOption:
    """An action card of this round: what it places, and who has taken it."""

    card: str
    placement: int
    refused: IllegalMoveError | None
    taken_by: Seat | None


@dataclass(frozen=True, slots=True)
class Target:
    """An area to go to, or to choose."""

    area: str
    refused: IllegalMoveError | None


@dataclass(frozen=True, slots=True)
class PlaceOption:
    """Placing: up to `left` more out of a `court` of so many, next to the `king`."""

    refused: IllegalMoveError | None
    left: int
    court: int
    king: str
    targets: tuple[Target, ...]


@dataclass(frozen=True, slots=True)
class BoardOption:
    """A mobile scoreboard; `origin` is None while it is not in play."""

    board: Board
    origin: str | None
    targets: tuple[Target, ...]


@dataclass(frozen=True, slots=True)
class KindOption:
    """One way to carry out the special action.

    `most` limits the caballeros, all steps together: by `any`, `own`,
    `opponents` or `count`; `done` of them have been chosen.
    """

    kind: SpecialKind
    refused: IllegalMoveError | None
    most: dict[str, int]
    done: int
    sources: tuple[Source, ...] = ()
    targets: tuple[Target, ...] = ()
    boards: tuple[BoardOption, ...] = ()
    values: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SpecialOption:
    """The special action of the card taken; `skip` says why it cannot be skipped."""

    card: str
    skip: IllegalMoveError | None
    kinds: tuple[KindOption, ...]


@dataclass(frozen=True, slots=True)
class DiscTarget:
    """A region of the disc; `warning`: the King's, from which they go to the court (6.1)."""

    region: str
    refused: IllegalMoveError | None
    warning: bool


@dataclass(frozen=True, slots=True)
class ReturnOption:
    """Card 2-04: `needed` caballeros from these sources."""

    needed: int
    sources: tuple[Count, ...]


@dataclass(frozen=True, slots=True)
class Options:
    """All a seat may do; what its prompt does not ask for is None or empty."""

    powers: tuple[PowerOption, ...]
    take: TakeOption | None
    refill: RefillOption | None
    cards: tuple[CardOption, ...]
    place: PlaceOption | None
    special: SpecialOption | None
    discs: tuple[DiscTarget, ...]
    returns: ReturnOption | None
    veto: IllegalMoveError | None
    passing: IllegalMoveError | None
    end: IllegalMoveError | None


def refusal(state: State, seat: Seat, move: Move) -> IllegalMoveError | None:
    """Return why the rules refuse `move`, None if they do not."""
    try:
        check(state, seat, move)
    except IllegalMoveError as error:
        return error
    return None


def options_of(state: State, seat: Seat) -> Options:
    """Return what `seat` may do now, with targets, and why not the rest."""
    own_turn = state.phase in ("turn", "place") and seat == state.current()
    choosing = own_turn and state.phase == "turn"
    return Options(
        powers=_powers(state, seat) if state.phase == "power" else (),
        take=_take(state, seat) if choosing else None,
        refill=_refill(state, seat) if choosing else None,
        cards=_cards(state, seat) if choosing else (),
        place=_place(state, seat) if own_turn and state.card else None,
        special=_special(state, seat) if choosing and state.card else None,
        discs=_discs(state, seat),
        returns=_returns(state, seat),
        veto=refusal(state, seat, VETO),
        passing=refusal(state, seat, PASS),
        end=refusal(state, seat, END),
    )


def _powers(state: State, seat: Seat) -> tuple[PowerOption, ...]:
    return tuple(
        PowerOption(value, state.edition.powers[value - 1], refusal(state, seat, PlayPower(value)))
        for value in state.hands[seat]
    )


def _take(state: State, seat: Seat) -> TakeOption:
    power = state.edition.powers[state.power_of(seat) - 1]
    return TakeOption(refusal(state, seat, Take(0)), power, most_taken(state, seat))


def _refill(state: State, seat: Seat) -> RefillOption:
    room = shortage(state, seat)
    sources = tuple(
        Source(seat, area, there, refusal(state, seat, Refill(((area, 1),))))
        for area, there in _in_regions(state, seat)
    )
    return RefillOption(_but(refusal(state, seat, Refill(())), "refill.nobody"), room, sources)


def _in_regions(state: State, seat: int) -> list[Count]:
    row, ids = state.pieces[seat], tables(state.edition).ids
    return [(ids[area], row[area]) for area in range(REGIONS) if row[area]]


def _but(refused: IllegalMoveError | None, *codes: str) -> IllegalMoveError | None:
    """Return `refused` unless it says no more than that a target is missing."""
    return None if refused is not None and refused.code in codes else refused


def _cards(state: State, seat: Seat) -> tuple[CardOption, ...]:
    cards = tables(state.edition).cards
    gone = [(card, Seat(who)) for who, card in state.taken]
    rows = [*((card, None) for card in state.offer), *gone]
    return tuple(
        CardOption(
            card,
            state.edition.placement[cards[card].stack - 1],
            refusal(state, seat, TakeCard(card)),
            who,
        )
        for card, who in sorted(rows, key=lambda row: row[0])
    )


def _place(state: State, seat: Seat) -> PlaceOption:
    ids = tables(state.edition).ids
    return PlaceOption(
        refused=refusal(state, seat, Place(())),
        left=placing_left(state, seat),
        court=court_left(state, seat),
        king=ids[placing_king(state)],
        targets=tuple(Target(area, refusal(state, seat, Place(((area, 1),)))) for area in ids),
    )


def _special(state: State, seat: Seat) -> SpecialOption:
    kinds = KINDS[state.card_taken().action]
    return SpecialOption(
        card=state.card,
        skip=refusal(state, seat, SKIP),
        kinds=tuple(_kind(state, seat, kind) for kind in kinds),
    )


def _kind(state: State, seat: Seat, kind: SpecialKind) -> KindOption:
    card, begun = state.card_taken(), state.special
    numbers = {"any": card.any, "own": card.own, "opponents": card.opponents}
    if kind in ("add", "court"):
        numbers["count"] = card.count
    done = 0
    if begun is not None and begun.kind == kind:
        done = sum(move[3] for move in begun.moves) + sum(count for _, count in begun.areas)
        done += len(begun.owners)
    return KindOption(
        kind=kind,
        refused=_but(refusal(state, seat, Special(kind)), *_ONLY_THE_TARGET),
        most={name: number for name, number in numbers.items() if number},
        done=done,
        sources=_sources(state, seat, kind),
        targets=_targets(state, seat, kind),
        boards=_boards(state, seat) if kind == "board" else (),
        values=_values(state, seat) if kind == "recall" else (),
    )


# What the rules say of a special action that lacks only its target.
_ONLY_THE_TARGET = ("special.no_target", "area.unknown", "board.unknown", "recall.unnamed")


def _sources(state: State, seat: Seat, kind: SpecialKind) -> tuple[Source, ...]:
    if kind == "move":
        return tuple(_movable(state, seat))
    if kind == "return":
        return tuple(
            Source(Seat(owner), area, there, refusal(state, seat, _one_of(owner, area)))
            for owner in state.clockwise(seat)
            for area, there in _in_regions(state, owner)
        )
    if kind == "court":
        return tuple(
            Source(seat, area, there, refusal(state, seat, Special("court", areas=((area, 1),))))
            for area, there in _in_regions(state, seat)
        )
    return ()


def _one_of(owner: int, area: str) -> Special:
    return Special("return", owners=((Seat(owner), area),))


def _movable(state: State, seat: Seat) -> Iterator[Source]:
    ids, rows = tables(state.edition).ids, before_special(state)
    done = state.special.moves if state.special is not None else ()
    for owner in range(state.seats):
        for origin in range(REGIONS):
            moved = sum(move[3] for move in done if move[:2] == (owner, ids[origin]))
            left = rows[owner][origin] - moved
            if rows[owner][origin]:
                targets = [area for n, area in enumerate(ids) if n not in (origin, state.king)]
                step = Special("move", moves=((Seat(owner), ids[origin], targets[0], 1),))
                refused = refusal(state, seat, step)
                allowed = () if refused else tuple(targets)
                yield Source(Seat(owner), ids[origin], left, refused, allowed)


def _targets(state: State, seat: Seat, kind: SpecialKind) -> tuple[Target, ...]:
    ids = tables(state.edition).ids
    if kind == "add":
        steps = [Special("add", areas=((area, 1),)) for area in ids]
    elif kind in ("score", "king", "expel", "grande"):
        steps = [Special(kind, area=area) for area in ids]
    else:
        return ()
    return tuple(
        Target(area, refusal(state, seat, step)) for area, step in zip(ids, steps, strict=True)
    )


def _boards(state: State, seat: Seat) -> tuple[BoardOption, ...]:
    ids = tables(state.edition).ids
    return tuple(
        BoardOption(
            board,
            None if here == NOWHERE else ids[here],
            tuple(
                Target(area, refusal(state, seat, Special("board", area=area, board=board)))
                for area in ids[:REGIONS]
            ),
        )
        for board, here in zip(BOARDS, state.boards, strict=True)
    )


def _values(state: State, seat: Seat) -> tuple[int, ...]:
    return tuple(sorted(set(state.logs[seat]) - set(state.hands[seat]) - {RECALL}))


def _discs(state: State, seat: Seat) -> tuple[DiscTarget, ...]:
    own = state.phase == "turn" and seat == state.current() and state.awaits_disc
    asked = has_question(state, seat) and not _asks_list(state)
    if not own and not asked:
        return ()
    ids = tables(state.edition).ids
    return tuple(
        DiscTarget(
            ids[area],
            refusal(state, seat, Disc(ids[area])),
            warning=state.phase == "disc" and area == state.king,
        )
        for area in range(REGIONS)
    )


def _asks_list(state: State) -> bool:
    return state.phase == "answers" and state.card_taken().action == "return_chosen"


def _returns(state: State, seat: Seat) -> ReturnOption | None:
    if not _asks_list(state) or not has_question(state, seat):
        return None
    return ReturnOption(to_return(state, seat), return_sources(state, seat))
