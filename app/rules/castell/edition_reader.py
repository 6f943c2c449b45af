"""Reads an edition from a mapping and says exactly what is wrong with it.

Every refusal is an `EditionError` whose `key` is the dotted name of the value
and whose code is one of `edition.missing`, `edition.unknown_key`,
`edition.wrong_type`, `edition.out_of_range`, `edition.unsupported` and
`edition.contradiction` (with a `reason`).
"""

from collections.abc import Iterator, Mapping
from typing import Any, NoReturn, TypeVar, cast

from app.rules.castell.components import PRIZES, SIZES, SKILLS, Prize, Skill, WheelSkill
from app.rules.castell.edition import (
    EVERYWHERE,
    SEAT_COUNTS,
    Edition,
    FestivalRound,
    PerSeats,
    Region,
    Tile,
)
from app.rules.game import EditionError

Name = TypeVar("Name", bound=str)

WHEEL_SKILLS: tuple[WheelSkill, ...] = (*SKILLS, "special")
BACKS = ("I", "II")
LARGE = 1000


class Table:
    """One table of the mapping; `done` refuses the keys nobody has asked for."""

    def __init__(self, values: Any, path: str = "") -> None:
        if not isinstance(values, Mapping):
            _wrong_type(path, "table")
        self.path = path
        self.values: Mapping[Any, Any] = values
        self.asked: set[str] = set()

    def key(self, name: str) -> str:
        return f"{self.path}.{name}" if self.path else name

    def get(self, name: str) -> Any:
        self.asked.add(name)
        if name not in self.values:
            raise EditionError("edition.missing", key=self.key(name))
        return self.values[name]

    def table(self, name: str) -> "Table":
        return Table(self.get(name), self.key(name))

    def tables(self, name: str) -> Iterator[tuple[str, "Table"]]:
        table = self.table(name)
        return ((str(key), table.table(key)) for key in table.values)

    def integer(self, name: str, low: int = 0, high: int = LARGE) -> int:
        return _integer(self.get(name), self.key(name), low, high)

    def integers(self, name: str, low: int = 0, high: int = LARGE) -> tuple[int, ...]:
        return tuple(_integer(value, self.key(name), low, high) for value in self.list(name))

    def boolean(self, name: str) -> bool:
        value = self.get(name)
        if not isinstance(value, bool):
            _wrong_type(self.key(name), "boolean")
        return value

    def text(self, name: str) -> str:
        return _text(self.get(name), self.key(name))

    def list(self, name: str) -> tuple[Any, ...]:
        value = self.get(name)
        if not isinstance(value, list | tuple):
            _wrong_type(self.key(name), "list")
        return tuple(value)

    def choice(self, name: str, allowed: tuple[Name, ...]) -> Name:
        return _choice(self.get(name), self.key(name), allowed)

    def choices(self, name: str, allowed: tuple[Name, ...]) -> tuple[Name, ...]:
        chosen = tuple(_choice(value, self.key(name), allowed) for value in self.list(name))
        if len(set(chosen)) < len(chosen):
            contradiction(self.key(name), "repeated")
        return chosen

    def counts(self, name: str, keys: tuple[str, ...], high: int = LARGE) -> tuple[int, ...]:
        table = self.table(name)
        counts = tuple(table.integer(key, 0, high) for key in keys)
        table.done()
        return counts

    def per_seats(self, name: str, high: int = LARGE) -> PerSeats:
        two, three, four = self.counts(name, tuple(map(str, SEAT_COUNTS)), high)
        return two, three, four

    def done(self) -> None:
        for name in self.values:
            if name not in self.asked:
                raise EditionError("edition.unknown_key", key=self.key(str(name)))


def contradiction(key: str, reason: str, **numbers: Any) -> NoReturn:
    """Refuse a value that does not fit the rest of the edition."""
    raise EditionError("edition.contradiction", key=key, reason=reason, **numbers)


def _wrong_type(key: str, expected: str) -> NoReturn:
    raise EditionError("edition.wrong_type", key=key, expected=expected)


def _integer(value: Any, key: str, low: int, high: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        _wrong_type(key, "integer")
    if not low <= value <= high:
        raise EditionError("edition.out_of_range", key=key, value=value, low=low, high=high)
    return value


def _text(value: Any, key: str) -> str:
    if not isinstance(value, str):
        _wrong_type(key, "text")
    return value


def _choice(value: Any, key: str, allowed: tuple[Name, ...]) -> Name:
    if value not in allowed:
        raise EditionError("edition.unsupported", key=key, value=value, allowed=list(allowed))
    return cast("Name", value)


def read_edition(data: Mapping[str, Any]) -> Edition:
    """Return the edition `data` describes, each value checked by itself."""
    top = Table(data)
    components = top.table("components")
    refill, wheel, turn = top.table("refill"), top.table("wheel"), top.table("turn")
    towers, shows = top.table("towers"), top.table("performances")
    festivals, scoring = top.table("festivals"), top.table("scoring")
    # Rulings that so far have one answer each; another is refused, not ignored.
    refill.choice("mode", ("top_up",))
    refill.choice("when_bag_runs_out", ("one_each_in_region_order",))
    towers.choice("narrowing", ("strict",))
    towers.integer("uses_per_level", 1, 1)
    festivals.choice("submission", ("simultaneous",))
    festivals.choice("equal_tokens", ("redraw",))
    festivals.choice("prize_tie", ("share_higher_skip_next",))
    if turn.boolean("train_before_placing"):
        raise EditionError(
            "edition.unsupported", key="turn.train_before_placing", value=True, allowed=[False]
        )
    one, two = festivals.counts("size_tokens", BACKS, len(SIZES))
    edition = Edition(
        name=top.text("name"),
        rounds=top.integer("rounds", 1, 100),
        rotate_first_player=top.boolean("rotate_first_player"),
        castellers_per_size=components.integer("castellers_per_size", 1),
        castellers_at_start=components.integer("castellers_at_start"),
        size_tokens_per_size=components.integer("size_tokens_per_size"),
        special_tokens=components.integer("special_tokens"),
        prize_supply=components.counts("prizes", PRIZES),
        regions=tuple(_region(id_, table) for id_, table in top.tables("regions")),
        refill_rounds=refill.integers("rounds", 1),
        refill_to=refill.per_seats("castellers"),
        wheel_labels=tuple(_text(label, "wheel.labels") for label in wheel.list("labels")),
        wheel_direction=wheel.choice("direction", ("clockwise", "counterclockwise")),
        wheel_tiles=_wheel_tiles(wheel),
        recruits=turn.integer("recruits", 1),
        max_rank=towers.integer("max_rank", 1, 100),
        width_limit=towers.integer("width_limit", 1, 100),
        tiles_per_region=shows.integer("tiles_per_region"),
        exhibition_levels=shows.choice("exhibition_levels", ("at_least", "exact")),
        collect_own_payment=shows.boolean("collect_own_payment"),
        tiles=(*_shapes(shows), *_exhibitions(shows)),
        min_festival_levels=festivals.integer("min_levels", 1),
        size_tokens=(one, two),
        prize_chart=_prize_chart(festivals),
        size_token_tie=festivals.choices("size_token_tie", ("tower_score", "nobody")),
        calendar=_calendar(festivals),
        region_points=scoring.integers("regions"),
        prize_points=scoring.counts("prizes", PRIZES),
        size_token_first=scoring.integer("size_token_first"),
        size_token_further=scoring.integer("size_token_further"),
        collected_token=scoring.integer("collected_token"),
        tie_break=scoring.choices("tie_break", ("best_tower", "regions", "shared")),
    )
    for table in (components, refill, wheel, turn, towers, shows, festivals, scoring, top):
        table.done()
    return edition


def _region(id_: str, table: Table) -> Region:
    if not (id_.isascii() and id_.isalpha() and id_.isupper()) or id_ == EVERYWHERE:
        raise EditionError("edition.bad_id", key=table.path, value=id_)
    neighbours = tuple(_text(other, table.key("neighbours")) for other in table.list("neighbours"))
    region = Region(id_, table.text("name"), neighbours)
    table.done()
    return region


def _wheel_tiles(wheel: Table) -> tuple[WheelSkill, ...]:
    counts = wheel.counts("tiles", WHEEL_SKILLS)
    return tuple(
        skill for skill, count in zip(WHEEL_SKILLS, counts, strict=True) for _ in range(count)
    )


def _shapes(shows: Table) -> Iterator[Tile]:
    for id_, table in shows.tables("shapes"):
        yield Tile(_tile_id(id_, table), table.integer("points"), table.integers("widths", 1), ())
        table.done()


def _exhibitions(shows: Table) -> Iterator[Tile]:
    for id_, table in shows.tables("exhibitions"):
        skills: tuple[Skill, ...] = table.choices("skills", SKILLS)
        yield Tile(_tile_id(id_, table), table.integer("points", 1), (), skills)
        table.done()


def _tile_id(id_: str, table: Table) -> str:
    if not (id_.isascii() and id_.isalnum() and id_.isupper()):
        raise EditionError("edition.bad_id", key=table.path, value=id_)
    return id_


def _prize_chart(festivals: Table) -> tuple[tuple[Prize, ...], ...]:
    key = festivals.key("prize_chart")
    rows = festivals.list("prize_chart")
    for row in rows:
        if not isinstance(row, list | tuple):
            _wrong_type(key, "list of lists")
    return tuple(tuple(_choice(prize, key, PRIZES) for prize in row) for row in rows)


def _calendar(festivals: Table) -> tuple[FestivalRound, ...]:
    rounds = []
    for name, table in festivals.tables("calendar"):
        if not (name.isascii() and name.isdecimal()):
            _wrong_type(table.path, "round number")
        rounds.append(
            FestivalRound(int(name), table.choice("back", BACKS), table.per_seats("festivals"))
        )
        table.done()
    return tuple(rounds)
