"""Reads an edition from a mapping, and gives the mapping back."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

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
from app.rules.values import Table, as_choice, as_text, wrong_type

WHEEL_SKILLS: tuple[WheelSkill, ...] = (*SKILLS, "special")
BACKS = ("I", "II")


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
        regions=tuple(_region(id_, table) for id_, table in top.table("regions").children()),
        refill_rounds=refill.integers("rounds", 1),
        refill_to=_per_seats(refill, "castellers"),
        wheel_labels=tuple(as_text(label, "wheel.labels") for label in wheel.list("labels")),
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


def _per_seats(table: Table, name: str) -> PerSeats:
    two, three, four = table.counts(name, tuple(map(str, SEAT_COUNTS)))
    return two, three, four


def _region(id_: str, table: Table) -> Region:
    if not (id_.isascii() and id_.isalpha() and id_.isupper()) or id_ == EVERYWHERE:
        raise EditionError("edition.bad_id", key=table.path, value=id_)
    neighbours = tuple(
        as_text(other, table.key("neighbours")) for other in table.list("neighbours")
    )
    region = Region(id_, table.text("name"), neighbours)
    table.done()
    return region


def _wheel_tiles(wheel: Table) -> tuple[WheelSkill, ...]:
    counts = wheel.counts("tiles", WHEEL_SKILLS)
    return tuple(
        skill for skill, count in zip(WHEEL_SKILLS, counts, strict=True) for _ in range(count)
    )


def _shapes(shows: Table) -> Iterator[Tile]:
    for id_, table in shows.table("shapes").children():
        yield Tile(_tile_id(id_, table), table.integer("points"), table.integers("widths", 1), ())
        table.done()


def _exhibitions(shows: Table) -> Iterator[Tile]:
    for id_, table in shows.table("exhibitions").children():
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
            raise wrong_type(key, "list of lists")
    return tuple(tuple(as_choice(prize, key, PRIZES) for prize in row) for row in rows)


def _calendar(festivals: Table) -> tuple[FestivalRound, ...]:
    rounds = []
    for name, table in festivals.table("calendar").children():
        if not (name.isascii() and name.isdecimal()):
            raise wrong_type(table.path, "round number")
        rounds.append(
            FestivalRound(int(name), table.choice("back", BACKS), _per_seats(table, "festivals"))
        )
        table.done()
    return tuple(rounds)


def edition_to_mapping(edition: Edition) -> dict[str, Any]:
    """Return the mapping from which `edition` would be read again."""
    return {
        "name": edition.name,
        "rounds": edition.rounds,
        "rotate_first_player": edition.rotate_first_player,
        "components": {
            "castellers_per_size": edition.castellers_per_size,
            "castellers_at_start": edition.castellers_at_start,
            "size_tokens_per_size": edition.size_tokens_per_size,
            "special_tokens": edition.special_tokens,
            "prizes": _named(PRIZES, edition.prize_supply),
        },
        "regions": {
            region.id: {"name": region.name, "neighbours": list(region.neighbours)}
            for region in edition.regions
        },
        "refill": {
            "rounds": list(edition.refill_rounds),
            "mode": "top_up",
            "when_bag_runs_out": "one_each_in_region_order",
            "castellers": _named(SEAT_COUNTS, edition.refill_to),
        },
        "wheel": {
            "labels": list(edition.wheel_labels),
            "direction": edition.wheel_direction,
            "tiles": {skill: edition.wheel_tiles.count(skill) for skill in WHEEL_SKILLS},
        },
        "turn": {"recruits": edition.recruits, "train_before_placing": False},
        "towers": {
            "max_rank": edition.max_rank,
            "width_limit": edition.width_limit,
            "narrowing": "strict",
            "uses_per_level": 1,
        },
        "performances": {
            "tiles_per_region": edition.tiles_per_region,
            "exhibition_levels": edition.exhibition_levels,
            "collect_own_payment": edition.collect_own_payment,
            "shapes": {
                tile.id: {"widths": list(tile.widths), "points": tile.points}
                for tile in edition.tiles
                if tile.widths
            },
            "exhibitions": {
                tile.id: {"skills": list(tile.skills), "points": tile.points}
                for tile in edition.tiles
                if tile.skills
            },
        },
        "festivals": {
            "min_levels": edition.min_festival_levels,
            "submission": "simultaneous",
            "equal_tokens": "redraw",
            "size_tokens": _named(BACKS, edition.size_tokens),
            "prize_chart": [list(row) for row in edition.prize_chart],
            "prize_tie": "share_higher_skip_next",
            "size_token_tie": list(edition.size_token_tie),
            "calendar": {
                str(plan.round): {
                    "back": plan.back,
                    "festivals": _named(SEAT_COUNTS, plan.festivals),
                }
                for plan in edition.calendar
            },
        },
        "scoring": {
            "regions": list(edition.region_points),
            "prizes": _named(PRIZES, edition.prize_points),
            "size_token_first": edition.size_token_first,
            "size_token_further": edition.size_token_further,
            "collected_token": edition.collected_token,
            "tie_break": list(edition.tie_break),
        },
    }


def _named(names: Iterable[Any], values: tuple[int, ...]) -> dict[str, int]:
    return {str(name): value for name, value in zip(names, values, strict=True)}
