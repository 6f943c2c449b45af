"""What the workshop says of a tower: levels, tray, counters, check list, repair."""

from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.errors import NotFoundError
from app.i18n.castell_words import skill_name
from app.i18n.lists import ored
from app.matches.pages import MatchPage
from app.rules.castell.assist import unlocks
from app.rules.castell.components import SKILLS, Skill, Tower
from app.rules.castell.notation import format_tower
from app.rules.castell.towers import hand_of, problems
from app.rules.castell.view import CastellView, FestivalView, TileView
from app.rules.game import Prompt, Seat
from app.web.boards.castell_prospects import nothing_yet, suggestion
from app.web.boards.castell_repair import repair
from app.web.boards.castell_steps import Building, add, read_tower
from app.web.boards.castell_submit import submits
from app.web.boards.castell_target import target_of
from app.web.boards.castell_workshop import Workshop, workshop
from tests.support.played import play

HAND = (10, 9, 8, 8, 7, 7, 7, 6, 6, 6, 5, 5, 4, 4, 3, 2, 2, 1)
RANKS: dict[Skill, int] = {"balance": 2, "base": 1, "mix": 1, "strength": 0, "width": 1}
FESTIVAL = "festival:BCN"
MATCH = cache(play)


def position(
    *,
    hand: tuple[int, ...] = HAND,
    ranks: dict[Skill, int] = RANKS,
    tokens: tuple[int, ...] = (7,),
    tiles: tuple[TileView, ...] = (),
    **changes: Any,
) -> MatchPage:
    """Seat 0 stands in Barcelona, where the festival of round 6 asks seats 0, 1 and 3."""
    page = MATCH(4).page(0, version=1)
    view: CastellView = page.view
    mine = replace(view.collas[0], region="BCN", castellers=hand_of(hand), ranks=ranks)
    calendar = tuple(
        replace(one, festivals=(FestivalView("BCN", tokens, False, (), (), ()),))
        if one.number == 6
        else replace(one, festivals=())
        for one in view.calendar
    )
    view = replace(
        view,
        round=6,
        phase="festivals",
        turn=None,
        asked=(Seat(0), Seat(1), Seat(3)),
        entrants={"BCN": (Seat(0), Seat(1), Seat(3))},
        calendar=calendar,
        regions=tuple(
            replace(region, tiles=tiles if region.id == "BCN" else ()) for region in view.regions
        ),
        collas=(mine, *view.collas[1:]),
    )
    asked = Prompt("festival:6", "festival", simultaneous=True)
    return replace(
        page,
        view=view,
        base_view=view,
        prompts={Seat(0): asked, Seat(1): asked, Seat(3): asked},
        **changes,
    )


def build(tower: str, goal: str = FESTIVAL, *, level: int | None = None, **kind: Any) -> Workshop:
    return workshop(position(**kind), Building(goal, read_tower(tower), level))


def card(work: Workshop, size: int) -> Any:
    return next(card for card in work.cards if card.size == size)


def test_a_legal_tower_is_ready_and_scored() -> None:
    work = build("1x8+3x7/3x6/2x4/1x3/1x2/1x1")

    assert work.state == "ready"
    assert (len(work.levels), work.matching, work.total) == (6, 3, 9)
    assert all(check.ok for check in work.checks)
    assert work.line == "festival BCN = 1x8+3x7/3x6/2x4/1x3/1x2/1x1"


def test_a_mistake_is_explained_at_its_level_with_one_tap_that_mends_it() -> None:
    work = build("1x8+3x7/3x6/2x5/2x4/2x2/1x3")

    assert work.state == "bad"
    assert [level.number for level in work.levels if level.is_bad] == [6]
    why = work.levels[0].why
    assert why is not None
    assert why.fix == "Put a 1 here instead"
    assert "tower=1x8%2B3x7/3x6/2x5/2x4/2x2/1x1" in why.query


def test_only_the_lowest_mistake_opens_its_reason() -> None:
    work = build("2x6/3x5/3x7")

    assert [level.number for level in work.levels if level.is_bad] == [3, 2]
    assert [level.number for level in work.levels if level.why] == [2]


def test_counters_say_used_of_rank_and_where() -> None:
    work = build("4x7/2x6/2x5/1x1", hand=(7, *HAND))
    counters = {counter.skill: counter for counter in work.counters}

    assert (counters["balance"].used, counters["balance"].rank) == (1, 2)
    assert counters["balance"].note == "level 3"
    assert counters["strength"].note == "not trained yet"
    assert counters["base"].used + counters["width"].used == 1


@pytest.mark.parametrize(
    ("tower", "missing"),
    [
        ("3x7/2x6/1x1", "4 levels or more"),
        ("3x6/2x5/1x4/1x3", "At least one 7"),
        ("3x7/2x6/1x8/1x1", "Every level legal"),
    ],
)
def test_the_check_list_says_what_is_missing(tower: str, missing: str) -> None:
    assert missing in [check.text for check in build(tower).checks if not check.ok]


def test_an_empty_square_says_what_to_do_and_finds_no_fault() -> None:
    checks = build("").checks

    assert [check.text for check in checks if not check.todo] == ["Your pawn is here"]
    steps = [check.text for check in checks if check.todo]
    assert steps[0] == "Begin on the ground: tap somebody large in the tray"
    assert "Let size 7 stand in it" in steps
    assert not any("0 of 0" in check.value for check in checks)


def test_an_empty_square_says_what_a_tile_asks_for() -> None:
    exhibition = TileView("E01", 5, (), ("balance", "mix"))
    shape = TileView("S04", 3, (3, 3, 2, 1), ())

    assert "Use Balance and Mix" in [
        check.text for check in build("", "tile:E01", tiles=(exhibition,)).checks
    ]
    assert "Build as in the picture, from the ground up" in [
        check.text for check in build("", "tile:S04", tiles=(shape,)).checks
    ]


def test_a_crowd_is_counted_instead_of_drawn() -> None:
    tower = "/".join(f"15x{size}" for size in range(10, 0, -1))
    crowd = build(tower)
    usual = build("9x7/3x6")

    for level in crowd.levels:
        assert len(level.people) == 3
        assert sum(1 + person.more for person in level.people) == 15
    assert crowd.wide == 3
    assert [len(level.people) for level in usual.levels] == [3, 9]


def test_what_one_more_rank_or_casteller_would_change_is_said() -> None:
    page = position()
    target = target_of(page, FESTIVAL)
    best = suggestion(page, target, Building(FESTIVAL))
    more = unlocks(hand_of(HAND), RANKS, target.goal, max_rank=page.view.max_rank)

    assert best is not None
    assert more.skills
    assert more.sizes
    assert best.further == (
        f"One more rank of {ored(map(skill_name, more.skills))} would,"
        f" or one more casteller of size {ored(more.sizes)}."
    )


@pytest.mark.parametrize(
    ("hand", "ranks", "said"),
    [
        (
            (9, 9, 9, 7, 7, 6),
            {"balance": 1},
            " One more casteller of size 1, 2, 3, 4 or 5 would do.",
        ),
        ((9, 9, 9, 7, 7, 6, 2), {}, " One more rank of Balance would do."),
        ((9, 9, 9), {}, ""),
    ],
)
def test_without_any_tower_it_is_said_what_would_make_one(
    hand: tuple[int, ...], ranks: dict[Skill, int], said: str
) -> None:
    page = position(hand=hand, ranks={**dict.fromkeys(SKILLS, 0), **ranks})
    told = nothing_yet(page, target_of(page, FESTIVAL))

    assert told.startswith(f"Your colla cannot build a tower for this festival yet.{said}")
    assert said or told.endswith("yet.")


def test_a_tap_continues_the_level_of_its_size() -> None:
    tapped = card(build("2x7"), 7)

    assert (tapped.state, tapped.starts) == ("legal", None)
    assert "tower=3x7" in tapped.query


def test_a_smaller_casteller_begins_a_level_by_itself() -> None:
    tapped = card(build("3x7"), 6)

    assert (tapped.state, tapped.starts, tapped.why) == ("legal", 2, "level 2")
    assert "tower=3x7/1x6" in tapped.query


def test_a_chosen_level_is_added_to_even_if_that_takes_a_skill() -> None:
    tapped = card(build("2x8", level=1), 7)

    assert (tapped.state, tapped.starts) == ("legal", None)
    assert "tower=2x8%2B1x7" in tapped.query
    assert "level=1" in tapped.query


@pytest.mark.parametrize(
    ("tower", "size", "why"),
    [
        ("3x6", 9, "too big"),
        ("3x6", 7, "Base + Mix"),
        ("3x7/2x6", 5, "level 3"),
        ("3x7/1x6", 5, "Balance"),
        ("3x7", 7, "all up"),
        ("", 1, "fits"),
        ("2x7", 7, "fits"),
    ],
)
def test_a_card_says_in_a_word_why(tower: str, size: int, why: str) -> None:
    assert card(build(tower), size).why == why


def test_sizes_the_colla_does_not_have_are_shown_and_cannot_be_tapped() -> None:
    tapped = card(build("", hand=(9, 9, 9)), 4)

    assert (tapped.state, tapped.query) == ("none", None)


def test_a_tile_shows_its_picture_as_the_goal() -> None:
    tile = TileView("S04", 3, (3, 3, 2, 1), ())
    work = build("3x7/2x6/2x5/1x1", "tile:S04", tiles=(tile,))

    assert work.target.tile == tile
    assert ("As in the picture", "3 of 4") in [(check.text, check.value) for check in work.checks]
    assert [level.note for level in work.levels] == ["", "", "picture: 3", ""]
    assert work.line == "special perform S04 = 3x7/2x6/2x5/1x1"


def test_an_exhibition_checks_every_skill_shown() -> None:
    tile = TileView("E01", 5, (), ("balance", "mix"))
    work = build("3x7/2x6/2x5/1x3/1x2", "tile:E01", tiles=(tile,))

    checks = {check.text: check.ok for check in work.checks}
    assert checks["Balance used"]
    assert not checks["Mix used"]


@pytest.mark.parametrize("goal", ["", "festival:GIR", "festival:XXX", "tile:S04", "dance:BCN"])
def test_a_goal_the_match_does_not_have_is_not_found(goal: str) -> None:
    with pytest.raises(NotFoundError):
        build("", goal)


def test_a_spectator_has_no_workshop() -> None:
    with pytest.raises(NotFoundError):
        workshop(replace(position(), seat=None), Building(FESTIVAL))


def test_an_answer_can_be_performed_declined_and_replaced() -> None:
    page = position(answer="festival BCN = 3x7/2x6/1x5/1x1")
    ready = workshop(page, Building(FESTIVAL, read_tower("3x7/2x6/1x5/1x1")))

    perform, decline = submits(page, ready).buttons

    assert perform.ready
    assert perform.note.startswith("Replaces")
    assert decline.line == "festival BCN = decline"


def test_a_tower_that_is_not_ready_cannot_be_performed_and_says_why() -> None:
    page = position()
    perform, _ = submits(page, workshop(page, Building(FESTIVAL, read_tower("3x7/3x8")))).buttons

    assert not perform.ready
    assert perform.note == "Not legal yet: level 2"


def test_a_festival_to_come_can_be_built_for_and_not_entered() -> None:
    page = position()
    page = replace(page, view=replace(page.view, round=5, phase="turns", entrants={}), prompts={})
    found = submits(page, workshop(page, Building(FESTIVAL, read_tower("3x7"))))

    assert found.buttons == ()
    assert "round 6" in found.closed


def test_a_local_tile_goes_into_the_draft_by_the_ways_the_rules_allow() -> None:
    played = MATCH(4)
    version = next(
        number
        for number, state in enumerate(played.states, start=1)
        if state.phase == "turns" and state.current() == 2 and not state.used and state.round > 3
        and state.tiles[state.pawns[2]]
    )  # fmt: skip
    page = played.page(2, version=version)
    tile = next(r.tiles[0] for r in page.view.regions if r.id == page.view.collas[2].region)
    work = workshop(page, Building(f"tile:{tile.id}", read_tower("1x9/2x8")))

    lines = [button.line for button in submits(page, work).buttons]

    assert f"special perform {tile.id} = 1x9/2x8" in lines
    assert not any(button.ready or button.final for button in submits(page, work).buttons)


hands = st.lists(st.integers(1, 10), min_size=1, max_size=25).map(hand_of)
ranks = st.fixed_dictionaries({skill: st.integers(0, 2) for skill in SKILLS})


@given(hand=hands, skills=ranks, data=st.data())
def test_a_repair_stands_or_starts_over(
    hand: tuple[int, ...], skills: dict[Skill, int], data: st.DataObject
) -> None:
    tower: Tower = ()
    for size, count in enumerate(hand, start=1):
        for _ in range(count):
            level = data.draw(st.integers(1, len(tower) + 1))
            tower = add(tower, level, size)
    found = problems(tower, skills, hand)
    if not found:
        return
    mended = repair(tower, found[0].level or 1, skills, hand, width_limit=3)

    assert mended.tower != tower
    assert not mended.tower or not problems(mended.tower, skills, hand), format_tower(mended.tower)
