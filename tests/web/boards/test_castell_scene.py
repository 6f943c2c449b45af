"""What stands on the map, and where: even the fullest region there can be is read at a glance."""

import json
import re
from itertools import combinations
from pathlib import Path

import pytest

from app.rules.castell import CASTELL
from app.web.boards import castell_map
from app.web.boards.castell_map import Box, map_art, places
from app.web.boards.castell_scene import RegionArt, SceneFacts, draw_scene
from app.web.boards.seats import who_is_who
from tests.web.boards import positions
from tests.web.boards.positions import ME

WHO = who_is_who(positions.seats())
NUMBER = r"-?(?:[0-9]*\.[0-9]+|[0-9]+)"
REGIONS = [land.id for land in map_art().regions]


def scene(*lines: str) -> dict[str, RegionArt]:
    """The scene of my turn in round 6 with these lines drafted."""
    state = drafted = positions.middle()
    for line in lines:
        drafted = positions.play(drafted, ME, line)
    drawn = draw_scene(CASTELL.view(drafted, ME), CASTELL.view(state, ME), SceneFacts(WHO))
    return {region.id: region for region in drawn}


def overlap(one: Box, other: Box) -> bool:
    across = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
    down = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
    return across > 0 and down > 0


@pytest.mark.parametrize("level", ["detail", "overview"])
def test_no_two_things_are_ever_drawn_over_each_other(level: str) -> None:
    boxes = [
        (f"{code} {kind}", box)
        for code, place in places().items()
        for kind, box in getattr(place, level).items()
    ]

    crossing = [(one, other) for (one, a), (other, b) in combinations(boxes, 2) if overlap(a, b)]

    assert crossing == []


@pytest.mark.parametrize("code", REGIONS)
@pytest.mark.parametrize("level", ["detail", "overview"])
def test_every_place_is_on_the_sheet(code: str, level: str) -> None:
    for box in getattr(places()[code], level).values():
        assert box.x >= 6
        assert box.y >= 2
        assert box.x + box.width <= 994
        assert box.y + box.height <= 932


def test_a_full_region_stays_inside_its_places() -> None:
    full = positions.bursting(CASTELL.view(positions.middle(), ME))

    for region in draw_scene(full, full, SceneFacts(WHO)):
        boxes = places()[region.id].detail
        men, pawns, stage = boxes["men"], boxes["pawns"], boxes["stage"]
        assert len(region.detail.men) == 5
        assert min(man.x for man in region.detail.men) >= men.x
        assert max(man.x + man.width for man in region.detail.men) <= men.x + men.width
        assert max(pawn.x + 36 for pawn in region.detail.pawns) <= pawns.x + pawns.width + 0.1
        assert region.detail.stage is not None
        assert stage.x <= region.detail.stage.x
        assert region.detail.stage.x + region.detail.stage.width <= stage.x + stage.width
        pill, room = region.overview.pill, places()[region.id].overview["pill"]
        assert pill.width <= room.width


def test_drafted_castellers_are_ghosts_and_the_others_stay_as_they_were() -> None:
    view = CASTELL.view(positions.middle(), ME)
    here = next(region for region in view.regions if ME in region.pawns)
    size = here.castellers[0]

    men = scene(f"recruit {size}")[here.id].detail.men

    assert sorted(man.size for man in men) == sorted(here.castellers)
    assert [man.size for man in men if man.taken] == [size]


def test_a_drafted_move_leaves_a_ghost_behind() -> None:
    view = CASTELL.view(positions.middle(), ME)
    here = next(region for region in view.regions if ME in region.pawns)
    there = here.neighbours[0]

    drawn = scene(f"move {there}")

    assert [pawn.ghost for pawn in drawn[here.id].detail.pawns if pawn.letter == "M"] == [True]
    assert [pawn.mine for pawn in drawn[there].detail.pawns if pawn.letter == "M"] == [True]
    assert drawn[there].here


def test_a_drafted_token_is_marked_as_new() -> None:
    view = CASTELL.view(positions.middle(), ME)
    here = next(region for region in view.regions if ME in region.pawns)
    there = here.neighbours[0]

    stage = scene(f"special move {there}")[there].detail.stage

    assert stage is not None
    assert [(token.kit, token.letter) for token in stage.tokens if token.new] == [(1, "M")]


def test_many_tokens_of_one_owner_become_a_number() -> None:
    full = positions.bursting(CASTELL.view(positions.middle(), ME))

    region = draw_scene(full, full, SceneFacts(WHO))[-1]

    assert region.detail.stage is not None
    assert sum(token.count for token in region.detail.stage.tokens) == 10
    assert len(region.detail.stage.tokens) == 4


def test_the_name_of_a_region_says_all_that_it_holds() -> None:
    view = CASTELL.view(positions.middle(), ME)
    facts = SceneFacts(WHO, targets=frozenset({"VAL"}))

    labels = {region.id: region.label for region in draw_scene(view, view, facts)}

    assert labels["VAL"].startswith("Move to Valls.")
    for region in view.regions:
        assert f"Castellers {', '.join(map(str, region.castellers[::-1]))}." in labels[region.id]
        for seat in region.pawns:
            said = "You are here." if seat == ME else f"{WHO[seat].name} is here."
            assert said in labels[region.id]


def test_places_outside_reach_step_back_while_targets_are_shown() -> None:
    view = CASTELL.view(positions.middle(), ME)
    here = next(region for region in view.regions if ME in region.pawns)
    facts = SceneFacts(WHO, targets=frozenset(here.neighbours))

    far = {region.id for region in draw_scene(view, view, facts) if region.far}

    assert far == set(REGIONS) - {here.id, *here.neighbours}


def test_outlines_are_drawn_in_steps_that_meet_every_corner() -> None:
    data = json.loads(Path(castell_map.__file__).with_name("castell_map.json").read_text("utf-8"))
    drawn = [map_art().coast, *(land.path for land in (*map_art().regions, *map_art().neutral))]
    plain = [data["coast"], *(land["path"] for land in (*data["regions"], *data["neutral"]))]

    for steps, corners in zip(drawn, plain, strict=True):
        for outline, expected in zip(steps.split("M")[1:], corners.split("M")[1:], strict=True):
            start, moves = (re.findall(NUMBER, part) for part in outline.split("l"))
            numbers = [round(float(number) * 10) for number in start + moves]
            met = [sum(numbers[n % 2 : n + 1 : 2]) for n in range(len(numbers))]
            assert met == [round(float(number) * 10) for number in re.findall(NUMBER, expected)]


@pytest.mark.parametrize("code", REGIONS)
def test_no_flag_stands_on_the_plate_or_the_dot_of_a_name(code: str) -> None:
    """A place to move to wears a plate wider than its name, and news hang at its end."""
    drawn = draw_scene(
        CASTELL.view(positions.middle(), ME),
        CASTELL.view(positions.middle(), ME),
        SceneFacts(WHO, targets=frozenset(REGIONS)),
    )
    flag = places()[code].overview["pen"]

    for region in drawn:
        kit = region.overview
        plate = Box(kit.plate_x, kit.name_y - 23, kit.plate_width, 46)
        dot = Box(kit.news_x - 11, kit.name_y - 27, 22, 22)
        assert not overlap(flag, plate), region.id
        assert not overlap(flag, dot), region.id
