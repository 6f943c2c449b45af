"""Reads an edition from a mapping, and gives the mapping back."""

from collections.abc import Iterable, Mapping
from typing import Any, Final, get_args

from app.rules.el_grande.components import BOARDS, STACKS, Action
from app.rules.el_grande.edition import ALL, LENGTHS, SEAT_COUNTS, Card, Edition, Region
from app.rules.game import EditionError
from app.rules.values import Table, as_text

ACTIONS: Final[tuple[Action, ...]] = get_args(Action)
# The numbers an action needs, and those it may have.
NEEDED: Final[Mapping[str, tuple[str, ...]]] = {
    "move_from": ("any",),
    "add": ("count",),
    "move_all_or_add": ("count",),
    "return_chosen": ("count",),
    "disc_return": ("least",),
    "court": ("count",),
}
ALLOWED: Final[Mapping[str, tuple[str, ...]]] = {
    "move": ("any", "own", "opponents"),
    "return_courts": ("count",),
    "disc_return": ("count",),
}


def read_edition(data: Mapping[str, Any]) -> Edition:
    """Return the edition `data` describes, each value checked by itself."""
    top = Table(data)
    rounds, start, scoring = top.table("rounds"), top.table("start"), top.table("scoring")
    boards, power, stacks = top.table("boards"), top.table("power"), top.table("stacks")
    played = rounds.table("played")
    edition = Edition(
        name=top.text("name"),
        rounds=tuple(played.integers(str(length), 1, 100) for length in LENGTHS),
        scorings=rounds.integers("scorings", 1, 100),
        caballeros=start.integer("caballeros", 1),
        at_home=start.integer("home"),
        at_court=start.integer("court"),
        castillo=scoring.integers("castillo"),
        king_bonus=scoring.integer("king_bonus"),
        home_bonus=scoring.integer("home_bonus"),
        places=scoring.counts("places", tuple(map(str, SEAT_COUNTS))),
        boards=tuple(boards.integers(board) for board in BOARDS),
        powers=power.integers("caballeros"),
        regions=tuple(_region(id_, table) for id_, table in _sorted(top.table("regions"))),
        placement=stacks.integers("placement"),
        cards=tuple(_card(id_, table) for id_, table in _sorted(top.table("cards"))),
    )
    for table in (played, rounds, start, scoring, boards, power, stacks, top):
        table.done()
    return edition


def _sorted(table: Table) -> list[tuple[str, Table]]:
    return sorted(table.children(), key=lambda child: child[0])


def _region(id_: str, table: Table) -> Region:
    if not (id_.isascii() and id_.isalpha() and id_.isupper() and len(id_) == 3) or id_ == "CAS":
        raise EditionError("edition.bad_id", key=table.path, value=id_)
    neighbours = tuple(
        as_text(other, table.key("neighbours")) for other in table.list("neighbours")
    )
    region = Region(id_, table.text("name"), table.integers("values"), tuple(sorted(neighbours)))
    table.done()
    return region


def _card(id_: str, table: Table) -> Card:
    stack = table.integer("stack", STACKS[0], STACKS[-1])
    number = id_.removeprefix(f"{stack}-")
    if not (len(id_) == 4 and len(number) == 2 and number.isascii() and number.isdecimal()):
        raise EditionError("edition.bad_id", key=table.path, value=id_)
    action = table.choice("action", ACTIONS)
    names = NEEDED.get(action, ()) + tuple(
        name for name in ALLOWED.get(action, ()) if name in table.values
    )
    numbers = {name: table.integer(name, 1) for name in names}
    card = Card(
        id=id_,
        stack=stack,
        copies=table.integer("copies", 1, 20),
        action=action,
        any=numbers.get("any", 0),
        own=numbers.get("own", 0),
        opponents=numbers.get("opponents", 0),
        count=numbers.get("count", ALL),
        least=numbers.get("least", 0),
        values=table.integers("values") if action == "score_valued" else (),
    )
    table.done()
    return card


def edition_to_mapping(edition: Edition) -> dict[str, Any]:
    """Return the mapping from which `edition` would be read again."""
    return {
        "name": edition.name,
        "rounds": {
            "played": {
                str(length): list(rounds)
                for length, rounds in zip(LENGTHS, edition.rounds, strict=True)
            },
            "scorings": list(edition.scorings),
        },
        "start": {
            "caballeros": edition.caballeros,
            "home": edition.at_home,
            "court": edition.at_court,
        },
        "scoring": {
            "castillo": list(edition.castillo),
            "king_bonus": edition.king_bonus,
            "home_bonus": edition.home_bonus,
            "places": _named(SEAT_COUNTS, edition.places),
        },
        "boards": {
            board: list(values) for board, values in zip(BOARDS, edition.boards, strict=True)
        },
        "power": {"caballeros": list(edition.powers)},
        "regions": {
            region.id: {
                "name": region.name,
                "values": list(region.values),
                "neighbours": list(region.neighbours),
            }
            for region in edition.regions
        },
        "stacks": {"placement": list(edition.placement)},
        "cards": {card.id: _card_mapping(card) for card in edition.cards},
    }


def _card_mapping(card: Card) -> dict[str, Any]:
    row: dict[str, Any] = {"stack": card.stack, "copies": card.copies, "action": card.action}
    for name in ("any", "own", "opponents", "least"):
        if getattr(card, name):
            row[name] = getattr(card, name)
    if card.count != ALL:
        row["count"] = card.count
    if card.values:
        row["values"] = list(card.values)
    return row


def _named(names: Iterable[int], values: tuple[int, ...]) -> dict[str, int]:
    return {str(name): value for name, value in zip(names, values, strict=True)}
