"""Rule 12: what the built-in edition says, and which values are refused."""

import tomllib
from typing import Any

import pytest

from app.matches import editions
from app.rules.castell import CASTELL, edition_from_mapping
from app.rules.castell.edition_reader import edition_to_mapping
from app.rules.dotted import from_lines, to_lines
from app.rules.game import EditionError
from tests.rules.castell.stage import chance, values

TOO_FEW_TOKENS = {"components.size_tokens_per_size": 2}


def test_the_built_in_edition_holds_the_numbers_of_the_rules() -> None:
    edition = edition_from_mapping(values())

    assert edition.castellers_per_size * 10 == 150
    assert edition.size_tokens_per_size * 10 == 30
    assert sorted(edition.wheel_tiles) == sorted(
        ["balance"] * 2 + ["mix"] * 2 + ["strength", "base", "width", "special"]
    )
    assert edition.refill_rounds == (3, 5, 7, 9)
    assert edition.refill_to == (3, 4, 5)
    assert [tile.id for tile in edition.tiles if tile.widths] == [f"S{n:02}" for n in range(1, 17)]
    assert [tile.id for tile in edition.tiles if tile.skills] == [f"E{n:02}" for n in range(1, 17)]
    assert sum(tile.points for tile in edition.tiles) / 32 == pytest.approx(4.7, abs=0.05)
    assert edition.tie_break == ("best_tower", "regions", "shared")
    assert edition.points_of("trophy") == 5
    assert (edition.tokens_of("I"), edition.tokens_of("II")) == (1, 2)


@pytest.mark.parametrize(("column", "festivals", "tokens"), [(0, 8, 12), (1, 12, 18), (2, 14, 21)])
def test_the_calendar_has_as_many_festivals_as_rule_2_2_says(
    column: int, festivals: int, tokens: int
) -> None:
    edition = edition_from_mapping(values())
    held = [(plan.festivals[column], edition.tokens_of(plan.back)) for plan in edition.calendar]

    assert sum(count for count, _ in held) == festivals
    assert sum(count * each for count, each in held) == tokens


def test_the_map_has_eleven_edges_and_three_steps_at_most() -> None:
    neighbours = {r.id: set(r.neighbours) for r in edition_from_mapping(values()).regions}
    two_steps = {
        r: {far for near in ns for far in neighbours[near]} for r, ns in neighbours.items()
    }

    assert sum(map(len, neighbours.values())) == 22
    assert {len(ns) for ns in neighbours.values()} == {2, 3, 4}
    assert all(
        {far for mid in two_steps[r] for far in neighbours[mid]} | two_steps[r] | neighbours[r]
        == set(neighbours)
        for r in neighbours
    )


def test_an_edition_goes_to_a_mapping_and_to_text_and_back() -> None:
    edition = edition_from_mapping(values())
    lines = list(to_lines(edition_to_mapping(edition)))

    assert edition_to_mapping(edition) == values()
    assert edition_from_mapping(from_lines(lines)) == edition
    assert tomllib.loads("\n".join(lines)) == values()


@pytest.mark.parametrize(
    ("changes", "code", "key"),
    [
        ({"towers": 5}, "edition.wrong_type", "towers"),
        ({"rounds": "ten"}, "edition.wrong_type", "rounds"),
        ({"rounds": True}, "edition.wrong_type", "rounds"),
        ({"rounds": 0}, "edition.out_of_range", "rounds"),
        ({"name": 5}, "edition.wrong_type", "name"),
        ({"name": "x" * 61}, "edition.bad_text", "name"),
        ({"name": "a\nb"}, "edition.bad_text", "name"),
        ({"colour": "red"}, "edition.unknown_key", "colour"),
        ({"towers.max_height": 3}, "edition.unknown_key", "towers.max_height"),
        ({"regions.TAR.hue": 3}, "edition.unknown_key", "regions.TAR.hue"),
        ({"rotate_first_player": 1}, "edition.wrong_type", "rotate_first_player"),
        ({"refill.rounds": 3}, "edition.wrong_type", "refill.rounds"),
        ({"refill.rounds": [5, 3]}, "edition.contradiction", "refill.rounds"),
        ({"refill.rounds": [1, 3]}, "edition.contradiction", "refill.rounds"),
        ({"refill.mode": "add"}, "edition.unsupported", "refill.mode"),
        ({"refill.castellers": {"2": 3, "3": 4}}, "edition.missing", "refill.castellers.4"),
        ({"refill.castellers.4": 20}, "edition.contradiction", "components.castellers_per_size"),
        ({"turn.train_before_placing": True}, "edition.unsupported", "turn.train_before_placing"),
        ({"towers.narrowing": "one_fewer"}, "edition.unsupported", "towers.narrowing"),
        ({"towers.uses_per_level": 2}, "edition.out_of_range", "towers.uses_per_level"),
        ({"towers.max_rank": 0}, "edition.out_of_range", "towers.max_rank"),
        ({"wheel.direction": "up"}, "edition.unsupported", "wheel.direction"),
        ({"wheel.labels": ["ALL", "TAR"]}, "edition.contradiction", "wheel.labels"),
        ({"wheel.labels": ["ALL", 5]}, "edition.wrong_type", "wheel.labels"),
        ({"wheel.tiles.mix": 3}, "edition.contradiction", "wheel.tiles"),
        ({"wheel.tiles.jump": 1}, "edition.unknown_key", "wheel.tiles.jump"),
        ({"regions": {}}, "edition.contradiction", "regions"),
        ({"regions.Reus": {}}, "edition.bad_id", "regions.Reus"),
        ({"regions.ALL": {}}, "edition.bad_id", "regions.ALL"),
        ({"regions.TAR.neighbours": ["VAL"]}, "edition.contradiction", "regions.VNO.neighbours"),
        (
            {"regions.TAR.neighbours": ["VAL", "VNO", "VNO"]},
            "edition.contradiction",
            "regions.TAR.neighbours",
        ),
        (
            {"regions.TAR.neighbours": ["TAR", "VAL", "VNO"]},
            "edition.contradiction",
            "regions.TAR.neighbours",
        ),
        (
            {"regions.TAR.neighbours": ["REU", "VAL", "VNO"]},
            "edition.contradiction",
            "regions.TAR.neighbours",
        ),
        (
            {
                "regions.GIR.neighbours": [],
                "regions.BCN.neighbours": ["VNO", "VFR", "TER"],
                "regions.TER.neighbours": ["VFR", "BCN", "VAL"],
            },
            "edition.contradiction",
            "regions",
        ),
        ({"performances.tiles_per_region": 5}, "edition.contradiction", None),
        ({"performances.exhibition_levels": "most"}, "edition.unsupported", None),
        ({"performances.shapes.s1": {}}, "edition.bad_id", "performances.shapes.s1"),
        (
            {"performances.shapes.S01.widths": [1, 2]},
            "edition.contradiction",
            "performances.shapes.S01.widths",
        ),
        ({"performances.shapes.S01.widths": []}, "edition.contradiction", "performances.S01"),
        (
            {"performances.exhibitions.S01": {"skills": ["mix"], "points": 4}},
            "edition.contradiction",
            "performances.exhibitions.S01",
        ),
        (
            {"performances.exhibitions.E01.skills": ["mix", "mix"]},
            "edition.contradiction",
            "performances.exhibitions.E01.skills",
        ),
        (
            {"performances.exhibitions.E01.skills": ["jump"]},
            "edition.unsupported",
            "performances.exhibitions.E01.skills",
        ),
        ({"festivals.prize_chart": ["trophy"]}, "edition.wrong_type", "festivals.prize_chart"),
        ({"festivals.prize_chart": [[]]}, "edition.contradiction", "festivals.prize_chart"),
        (
            {"festivals.prize_chart": [["medal"] * 2, [], [], []]},
            "edition.contradiction",
            "festivals.prize_chart",
        ),
        ({"festivals.prize_chart": [["cup"]]}, "edition.unsupported", "festivals.prize_chart"),
        ({"festivals.size_token_tie": []}, "edition.contradiction", "festivals.size_token_tie"),
        ({"festivals.submission": "open"}, "edition.unsupported", "festivals.submission"),
        ({"festivals.calendar.final": {}}, "edition.wrong_type", "festivals.calendar.final"),
        ({"festivals.calendar.3.back": "III"}, "edition.unsupported", "festivals.calendar.3.back"),
        ({"festivals.calendar.3.festivals.4": 2}, "edition.contradiction", "festivals.calendar"),
        ({"rounds": 9}, "edition.contradiction", "festivals.calendar"),
        (TOO_FEW_TOKENS, "edition.contradiction", "components.size_tokens_per_size"),
        ({"scoring.regions": [0, 1]}, "edition.contradiction", "scoring.regions"),
        ({"scoring.tie_break": ["regions"]}, "edition.contradiction", "scoring.tie_break"),
        ({"scoring.tie_break": ["luck", "shared"]}, "edition.unsupported", "scoring.tie_break"),
    ],
)
def test_a_bad_value_is_refused_by_its_key(
    changes: dict[str, Any], code: str, key: str | None
) -> None:
    with pytest.raises(EditionError) as refused:
        edition_from_mapping(values(changes))

    assert refused.value.code == code
    assert key is None or refused.value.details["key"] == key


def test_an_edition_that_is_no_table_is_refused() -> None:
    with pytest.raises(EditionError) as refused:
        CASTELL.setup(2, {"edition": []}, chance())

    assert refused.value.code == "edition.wrong_type"


def test_an_edition_without_a_table_is_refused() -> None:
    data = values()
    del data["wheel"]

    with pytest.raises(EditionError) as refused:
        edition_from_mapping(data)

    assert str(refused.value) == "edition.missing key=wheel"


def test_two_tokens_at_a_festival_need_two_sizes_to_be_left() -> None:
    enough = values({"festivals.size_tokens": {"I": 0, "II": 1}, **TOO_FEW_TOKENS})

    assert edition_from_mapping(enough).size_tokens == (0, 1)


def test_the_files_of_a_game_are_found_by_name() -> None:
    assert editions.names("castell") == ("castell-1",)
    assert editions.edition("castell") == editions.edition("castell", "castell-1")
    with pytest.raises(KeyError):
        editions.edition("castell", "castell-2")
