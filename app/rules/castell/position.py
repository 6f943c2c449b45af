"""A position as text, for tests, bug reports and puzzles, and back.

The text begins with `castell position` and goes on in dotted keys, the edition
among them.  Reading refuses what cannot be: pieces that are missing or too many.
"""

from collections.abc import Mapping
from typing import Any, Final, get_args

from app.rules.castell.components import PRIZES, SIZES, SKILLS, Prize, Tower
from app.rules.castell.edition import SEAT_COUNTS, WHEEL_SIDES, Edition, shared, tables
from app.rules.castell.edition_checks import edition_from_mapping
from app.rules.castell.edition_reader import WHEEL_SKILLS, edition_to_mapping
from app.rules.castell.notation import format_tower, parse_tower
from app.rules.castell.position_checks import check_position
from app.rules.castell.setup import counts_of
from app.rules.castell.state import (
    MOVED,
    NOTHING,
    NOWHERE,
    RECRUITED,
    SPECIAL,
    TRAINED,
    Counts,
    Festival,
    FestivalResult,
    Holding,
    Phase,
    State,
)
from app.rules.dotted import from_lines, to_lines
from app.rules.game import EditionError, NotationError
from app.rules.values import LARGE, Table, as_choice, as_integer, as_text, wrong_type

HEADING: Final = "castell position"
ACTIONS: Final = {"move": MOVED, "recruit": RECRUITED, "train": TRAINED, "special": SPECIAL}
DECLINED: Final = "decline"


def position_to_text(state: State) -> str:
    """Print `state`; `position_from_text` gives it back."""
    return "\n".join((HEADING, *to_lines(_to_mapping(state)), ""))


def position_from_text(text: str) -> State:
    """Read a position; raises NotationError naming the line or the key that is wrong."""
    lines = text.splitlines()
    if lines[:1] != [HEADING]:
        raise NotationError("notation.not_a_position", expected=HEADING)
    data = from_lines(lines[1:], first=2)
    try:
        state = _from_mapping(data)
    except EditionError as error:
        raise NotationError("notation.bad_position", problem=error.code, **error.details) from error
    check_position(state)
    return state


def sizes_of(counts: Counts) -> list[int]:
    """Return castellers one by one, by size ascending."""
    return [size for size, count in zip(SIZES, counts, strict=True) for _ in range(count)]


def _to_mapping(state: State) -> dict[str, Any]:
    ids = tables(state.edition).ids
    return {
        "edition": edition_to_mapping(state.edition),
        "options": {"wheel_side": state.wheel_side, "assistants": state.assistants},
        "seats": state.seats,
        "phase": state.phase,
        "round": state.round,
        "first": state.first,
        "turn": state.turn,
        "used": [name for name, bit in ACTIONS.items() if state.used & bit],
        "wheel": list(state.wheel),
        "bag": list(state.bag),
        "box": list(state.box),
        "regions": {
            region: {
                "castellers": sizes_of(state.castellers[number]),
                "tiles": list(state.tiles[number]),
                "row": list(state.rows[number]),
            }
            for number, region in enumerate(ids)
        },
        "festivals": {
            str(number): _festival(ids, festival) for number, festival in enumerate(state.festivals)
        },
        "entrants": list(state.entrants),
        "entries": [
            [seat, DECLINED if tower is None else format_tower(tower)]
            for seat, tower in state.entries
        ],
        "collas": {str(seat): _colla(state, ids, seat) for seat in range(state.seats)},
    }


def _festival(ids: tuple[str, ...], festival: Festival) -> dict[str, Any]:
    plan: dict[str, Any] = {
        "round": festival.round,
        "region": ids[festival.region],
        "tokens": list(festival.tokens),
    }
    result = festival.result
    if result is None:
        return plan
    return plan | {
        "result": {
            "towers": [[seat, format_tower(tower), score] for seat, tower, score in result.towers],
            "prizes": [list(prize) for prize in result.prizes],
            "token_winners": [
                [size] if winner is None else [size, winner]
                for size, winner in result.token_winners
            ],
        }
    }


def _colla(state: State, ids: tuple[str, ...], seat: int) -> dict[str, Any]:
    pawn = state.pawns[seat]
    return {
        "pawn": "" if pawn == NOWHERE else ids[pawn],
        "castellers": sizes_of(state.hands[seat]),
        "ranks": dict(zip(SKILLS, state.ranks[seat], strict=True)),
        "special_tokens": state.tokens[seat],
        "best": state.best[seat],
        "best_tower": format_tower(state.best_towers[seat]),
        "earned": {
            region: dict(
                zip(("prizes", "sizes", "tiles", "tokens"), map(list, holding), strict=True)
            )
            for region, holding in zip(ids, state.earned[seat], strict=True)
            if holding != NOTHING
        },
    }


def _from_mapping(data: Mapping[str, Any]) -> State:
    top = Table(data)
    edition = shared(edition_from_mapping(top.table("edition").values))
    options, regions, collas = top.table("options"), top.table("regions"), top.table("collas")
    seats = top.integer("seats", SEAT_COUNTS[0], SEAT_COUNTS[-1])
    ids = tables(edition).ids
    places = [regions.table(id_) for id_ in ids]
    boards = [collas.table(str(seat)) for seat in range(seats)]
    festivals = [table for _, table in top.optional("festivals").children()]
    state = State(
        edition=edition,
        seats=seats,
        wheel_side=options.choice("wheel_side", WHEEL_SIDES),
        assistants=options.boolean("assistants"),
        phase=top.choice("phase", get_args(Phase)),
        round=top.integer("round", 1, edition.rounds),
        first=top.integer("first", 0, seats - 1),
        turn=top.integer("turn", 0, seats),
        used=sum(ACTIONS[name] for name in top.choices("used", tuple(ACTIONS))),
        wheel=top.picks("wheel", WHEEL_SKILLS),
        bag=top.integers("bag"),
        box=top.integers("box"),
        castellers=tuple(_counts(place) for place in places),
        tiles=tuple(place.picks("tiles", tuple(tables(edition).tiles)) for place in places),
        rows=tuple(place.integers("row", 0, seats - 1) for place in places),
        festivals=tuple(_read_festival(table, edition, seats) for table in festivals),
        entrants=top.integers("entrants", 0, seats - 1),
        entries=tuple(_entry(top, entry, seats) for entry in top.list("entries")),
        pawns=tuple((("", *ids).index(board.choice("pawn", ("", *ids))) - 1) for board in boards),
        hands=tuple(_counts(board) for board in boards),
        ranks=tuple(board.counts("ranks", SKILLS, edition.max_rank) for board in boards),
        tokens=tuple(board.integer("special_tokens") for board in boards),
        best=tuple(board.integer("best") for board in boards),
        best_towers=tuple(_tower(board, board.get("best_tower")) for board in boards),
        earned=tuple(_earned(board.optional("earned"), edition, seats) for board in boards),
    )
    for table in (options, *places, regions, *boards, collas, top):
        table.done()
    return state


def _counts(table: Table) -> Counts:
    return counts_of(table.integers("castellers", SIZES[0], SIZES[-1]))


def _tower(table: Table, value: Any) -> Tower:
    text = as_text(value, table.key("tower"), longest=1000)
    return parse_tower(text) if text else ()


def _entry(table: Table, entry: Any, seats: int) -> tuple[int, Tower | None]:
    match entry:
        case [seat, tower]:
            seat = as_integer(seat, table.key("entries"), 0, seats - 1)
            return seat, None if tower == DECLINED else _tower(table, tower)
    raise wrong_type(table.key("entries"), "[seat, tower]")


def _read_festival(table: Table, edition: Edition, seats: int) -> Festival:
    index = tables(edition).index
    result = table.optional("result")
    festival = Festival(
        table.integer("round", 1, edition.rounds),
        index[table.choice("region", tuple(index))],
        table.integers("tokens", SIZES[0], SIZES[-1]),
        _result(result, seats) if result.values else None,
    )
    table.done()
    return festival


def _result(table: Table, seats: int) -> FestivalResult:
    result = FestivalResult(
        tuple(_built(table, row, seats) for row in table.list("towers")),
        tuple(_prize(table, row, seats) for row in table.list("prizes")),
        tuple(_won(table, row, seats) for row in table.list("token_winners")),
    )
    table.done()
    return result


def _built(table: Table, row: Any, seats: int) -> tuple[int, Tower, int]:
    key = table.key("towers")
    match row:
        case [seat, tower, score]:
            who = as_integer(seat, key, 0, seats - 1)
            return who, _tower(table, tower), as_integer(score, key, 0, LARGE)
    raise wrong_type(key, "[seat, tower, score]")


def _prize(table: Table, row: Any, seats: int) -> tuple[int, Prize]:
    key = table.key("prizes")
    match row:
        case [seat, prize]:
            return as_integer(seat, key, 0, seats - 1), as_choice(prize, key, PRIZES)
    raise wrong_type(key, "[seat, prize]")


def _won(table: Table, row: Any, seats: int) -> tuple[int, int | None]:
    key = table.key("token_winners")
    match row:
        case [size]:
            return as_integer(size, key, SIZES[0], SIZES[-1]), None
        case [size, seat]:
            size = as_integer(size, key, SIZES[0], SIZES[-1])
            return size, as_integer(seat, key, 0, seats - 1)
    raise wrong_type(key, "[size, seat]")


def _earned(table: Table, edition: Edition, seats: int) -> tuple[Holding, ...]:
    holdings = []
    for id_ in tables(edition).ids:
        if id_ not in table.values:
            holdings.append(NOTHING)
            continue
        place = table.table(id_)
        holding: Holding = (
            place.picks("prizes", PRIZES),
            place.integers("sizes", SIZES[0], SIZES[-1]),
            place.picks("tiles", tuple(tables(edition).tiles)),
            place.integers("tokens", 0, seats - 1),
        )
        place.done()
        holdings.append(holding)
    table.done()
    return tuple(holdings)
