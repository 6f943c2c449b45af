"""A position as text, for tests, bug reports and puzzles, and back.

The text begins with `el_grande position` and goes on in dotted keys, the
edition among them; moves are written as in section 15.  Reading refuses what
cannot be: pieces or cards that are missing or too many.
"""

from collections.abc import Mapping
from typing import Any, Final, get_args

from app.rules.dotted import from_lines, to_lines
from app.rules.el_grande.components import BOARDS, AnswerKind, Counts
from app.rules.el_grande.edition import (
    CASTILLOS,
    LENGTHS,
    SCORINGS,
    SEAT_COUNTS,
    VETOES,
    Edition,
    shared,
    tables,
)
from app.rules.el_grande.edition_checks import edition_from_mapping
from app.rules.el_grande.edition_reader import edition_to_mapping
from app.rules.el_grande.moves import Move, Place, Special
from app.rules.el_grande.notation import format_list, format_move, parse
from app.rules.el_grande.position_checks import check_position
from app.rules.el_grande.state import NOWHERE, PROVINCE, Filed, Phase, State
from app.rules.game import EditionError, NotationError
from app.rules.values import LARGE, Table, as_choice, as_integer, as_text, wrong_type

HEADING: Final = "el_grande position"
# A plan, or caballeros that have come to the court, of which nothing is known yet.
NOT_YET: Final = ""
LONGEST: Final = 1000


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


def _to_mapping(state: State) -> dict[str, Any]:
    ids = tables(state.edition).ids
    return {
        "edition": edition_to_mapping(state.edition),
        "options": {"length": state.length, "veto": state.veto, "castillo": state.castillo},
        "seats": state.seats,
        "phase": state.phase,
        "round": state.round,
        "first": state.first,
        "bids": [list(bid) for bid in state.bids],
        "order": list(state.order),
        "turns": state.turn,
        "offer": list(state.offer),
        "taken": [list(taken) for taken in state.taken],
        "unseen": {str(number): list(stack) for number, stack in enumerate(state.unseen, 1)},
        "king": ids[state.king],
        "boards": {
            board: "" if here == NOWHERE else ids[here]
            for board, here in zip(BOARDS, state.boards, strict=True)
        },
        "vetoes": [list(veto) for veto in state.vetoes],
        "players": {str(seat): _player(state, ids, seat) for seat in range(state.seats)},
        "turn": _turn(state),
        "holders": list(state.holders),
        "questioned": list(state.questioned),
        "filed": [
            [filed.seat, filed.answer, filed.region, format_list(filed.sources)]
            for filed in state.filed
        ],
    }


def _player(state: State, ids: tuple[str, ...], seat: int) -> dict[str, Any]:
    return {
        "grande": ids[state.grandes[seat]],
        "pieces": list(state.pieces[seat]),
        "hand": list(state.hands[seat]),
        "log": list(state.logs[seat]),
        "points": list(state.tally[seat]),
    }


def _turn(state: State) -> dict[str, Any]:
    return {
        "took": state.took,
        "refilled": format_list(state.refilled),
        "courted": state.courted,
        "card": state.card,
        "parts": state.parts,
        "placed": format_list(state.placed),
        "special": NOT_YET if state.special is None else format_move(state.special),
        "sealed": state.sealed,
        "awaits_disc": state.awaits_disc,
        "disc": state.disc,
        "plan": NOT_YET if state.plan is None else format_list(state.plan),
        "vetoed": state.vetoed,
    }


def _from_mapping(data: Mapping[str, Any]) -> State:
    top = Table(data)
    edition = shared(edition_from_mapping(top.table("edition").values))
    options, unseen, boards = top.table("options"), top.table("unseen"), top.table("boards")
    players, turn = top.table("players"), top.table("turn")
    lookup = tables(edition)
    seats = top.integer("seats", SEAT_COUNTS[0], SEAT_COUNTS[-1])
    last, cards, regions = seats - 1, tuple(lookup.cards), lookup.ids[:-1]
    rows = [players.table(str(seat)) for seat in range(seats)]
    state = State(
        edition=edition,
        seats=seats,
        length=_length(options),
        veto=options.choice("veto", VETOES),
        castillo=options.choice("castillo", CASTILLOS),
        phase=top.choice("phase", get_args(Phase)),
        round=top.integer("round", 1, LARGE),
        first=top.integer("first", 0, last),
        bids=tuple(
            _pair(top, "bids", row, (last, len(edition.powers))) for row in top.list("bids")
        ),
        order=top.integers("order", 0, last),
        turn=top.integer("turns", 0, seats),
        offer=top.picks("offer", cards),
        taken=tuple(_taken(top, row, last, cards) for row in top.list("taken")),
        unseen=tuple(unseen.picks(str(number), cards) for number in range(1, 5)),
        king=lookup.index[top.choice("king", regions)],
        boards=tuple(
            ("", *regions).index(boards.choice(board, ("", *regions))) - 1 for board in BOARDS
        ),
        grandes=tuple(lookup.index[row.choice("grande", regions)] for row in rows),
        pieces=tuple(_fixed(row, "pieces", PROVINCE + 1) for row in rows),
        hands=tuple(row.integers("hand", 1, len(edition.powers)) for row in rows),
        logs=tuple(row.integers("log", 0, len(edition.powers)) for row in rows),
        vetoes=tuple(_pair(top, "vetoes", row, (last, LARGE)) for row in top.list("vetoes")),
        tally=tuple(_fixed(row, "points", SCORINGS + 1) for row in rows),
        took=turn.integer("took", NOWHERE, LARGE),
        refilled=_counts(turn, turn.get("refilled")),
        courted=turn.integer("courted"),
        card=turn.choice("card", ("", *cards)),
        parts=turn.choice("parts", ("", "p", "s", "ps", "sp")),
        placed=_counts(turn, turn.get("placed")),
        special=_special(turn),
        sealed=turn.boolean("sealed"),
        awaits_disc=turn.boolean("awaits_disc"),
        disc=turn.choice("disc", ("", *regions)),
        plan=_plan(turn),
        vetoed=turn.boolean("vetoed"),
        holders=top.integers("holders", 0, last),
        questioned=top.integers("questioned", 0, last),
        filed=tuple(_filed(top, row, last, edition) for row in top.list("filed")),
    )
    for table in (options, unseen, boards, *rows, players, turn, top):
        table.done()
    return state


def _length(options: Table) -> int:
    length = options.integer("length")
    if length not in LENGTHS:
        allowed = list(LENGTHS)
        raise EditionError(
            "edition.unsupported", key=options.key("length"), value=length, allowed=allowed
        )
    return length


def _fixed(table: Table, name: str, size: int) -> tuple[int, ...]:
    values = table.integers(name)
    if len(values) != size:
        raise wrong_type(table.key(name), f"list of {size}")
    return values


def _pair(table: Table, name: str, row: Any, most: tuple[int, int]) -> tuple[int, int]:
    match row:
        case [seat, value]:
            key = table.key(name)
            return as_integer(seat, key, 0, most[0]), as_integer(value, key, 1, most[1])
    raise wrong_type(table.key(name), "[seat, number]")


def _taken(table: Table, row: Any, last: int, cards: tuple[str, ...]) -> tuple[int, str]:
    match row:
        case [seat, card]:
            key = table.key("taken")
            return as_integer(seat, key, 0, last), as_choice(card, key, cards)
    raise wrong_type(table.key("taken"), "[seat, card]")


def _filed(table: Table, row: Any, last: int, edition: Edition) -> Filed:
    key = table.key("filed")
    match row:
        case [seat, answer, region, sources]:
            return Filed(
                as_integer(seat, key, 0, last),
                as_choice(answer, key, get_args(AnswerKind)),
                as_choice(region, key, ("", *tables(edition).ids[:-1])),
                _counts(table, sources),
            )
    raise wrong_type(key, "[seat, answer, region, list]")


def _counts(table: Table, value: Any) -> Counts:
    move = _one_move(table, f"place {as_text(value, table.path, longest=LONGEST)}")
    return move.to if isinstance(move, Place) else ()


def _one_move(table: Table, text: str) -> Move:
    moves = parse(text)
    if len(moves) != 1:
        raise wrong_type(table.path, "one move")
    return moves[0]


def _plan(turn: Table) -> Counts | None:
    return None if turn.get("plan") == NOT_YET else _counts(turn, turn.get("plan"))


def _special(turn: Table) -> Special | None:
    text = as_text(turn.get("special"), turn.key("special"), longest=LONGEST)
    if text == NOT_YET:
        return None
    move = _one_move(turn, text)
    if not isinstance(move, Special):
        raise wrong_type(turn.key("special"), "special action")
    return move
