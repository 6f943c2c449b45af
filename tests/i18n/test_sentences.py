"""Every refusal the rules can give, and every event, has its words."""

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.i18n import castell, castell_story, sentences
from app.i18n.castell_words import PLACES, prize_name, skill_name
from app.rules import castell as rules
from app.rules.castell.components import PRIZES, SKILLS
from app.rules.castell.events import (
    EVENT_TYPES,
    FestivalAnswered,
    FestivalHeld,
    FestivalsOpened,
    LocalPerformed,
    MatchEnded,
    PawnMoved,
    Recruited,
    RoundStarted,
    SpecialTokenPlaced,
    Started,
    Trained,
    TurnEnded,
)
from app.rules.castell.goals import ExhibitionGoal, FestivalGoal, Goal, ShapeGoal, check_goal
from app.rules.game import IllegalMoveError, RulesError, Seat
from tests.rules.castell.stage import begin
from tests.rules.castell.tower_text import tower_of

PACKAGE = Path(rules.__file__).parent
SHARED = [PACKAGE.parent / name for name in ("dotted.py", "values.py")]
NAMES = {Seat(0): "Jordi", Seat(1): "Núria", Seat(2): "Pau"}
# What raises or reports a refusal, and what it puts before the code it is given.
REFUSERS = {
    "IllegalMoveError": "",
    "NotationError": "",
    "EditionError": "",
    "TowerProblem": "",
    "_report": "",
}
PREFIXES = {"notation.py": "notation.", "position_checks.py": "position."}


def codes() -> Iterator[str]:
    """Walk the source of the rules for every code of a refusal."""
    for path in [*PACKAGE.glob("*.py"), *SHARED]:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            first = node.args[0]
            prefix = PREFIXES.get(path.name, "") if name == "_refuse" else REFUSERS.get(name)
            if prefix is None:
                continue
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                yield f"{prefix}{first.value}"
            elif isinstance(first, ast.JoinedStr):
                yield ast.unparse(first)


def test_the_walk_finds_the_codes_of_every_part_of_the_rules() -> None:
    found = set(codes())

    assert {"tower.not_narrower", "move.not_adjacent", "notation.bad_group"} <= found
    assert {"position.wheel", "edition.missing", "tower.rank_too_low"} <= found
    assert len(found) > 60


def test_every_code_has_its_sentence() -> None:
    missing = set()
    for code in codes():
        if code == "f'{name}.already'":
            expected = {f"{action}.already" for action in ("move", "recruit", "train", "special")}
        elif code.startswith("f'"):
            # The prefix of a `_refuse`, completed by its callers.
            continue
        else:
            expected = {code}
        missing |= expected - castell._SENTENCES.keys()

    assert not missing


def test_no_sentence_is_left_over() -> None:
    known = {code for code in codes() if not code.startswith("f'")}
    known |= {f"{action}.already" for action in ("move", "recruit", "train", "special")}

    assert castell._SENTENCES.keys() <= known


def test_an_unknown_code_is_still_a_sentence() -> None:
    assert sentences.refusal("castell", "tower.on_fire", {}) == (
        "The rules do not allow that (tower.on_fire)."
    )


def test_the_names_of_the_towns_are_the_editions() -> None:
    path = PACKAGE / "editions" / "castell-1.toml"
    regions = tomllib.loads(path.read_text("utf-8"))["regions"]

    assert {key: region["name"] for key, region in regions.items()} == PLACES


def test_skills_and_prizes_have_names() -> None:
    assert [skill_name(skill) for skill in (*SKILLS, "special")] == [
        "Balance", "Base", "Mix", "Strength", "Width", "Special",
    ]  # fmt: skip
    assert skill_name("luck") == "luck"
    assert [prize_name(prize) for prize in PRIZES] == ["a trophy", "a medal", "a ribbon"]


@pytest.mark.parametrize(
    ("text", "goal", "ranks", "sentence"),
    [
        ("2x9/3x8", FestivalGoal(()), {},
         ("Level 2 is wider than the level below (3 on 2)."
         " At most 1 casteller may stand there.")),
        ("3x9/3x8", FestivalGoal(()), {},
         ("Level 2 is as wide as the level below (3 on 3); that takes Balance 1 and yours is 0."
         " One more rank of Balance would do.")),
        ("5x9", FestivalGoal(()), {},
         "Level 1 holds 5 castellers; your limit is 3. One more rank of Base would do."),
        ("4x9", FestivalGoal(()), {},
         "Level 1 holds 4 castellers; your limit is 3. One more rank of Width would do."),
        ("3x8/2x9", FestivalGoal(()), {},
         ("Level 2 has size 9 on top of size 8: sizes go down from level to level."
         " Use a size smaller than 8.")),
        ("3x9/2x9", FestivalGoal(()), {},
         ("Level 2 stands on its own size 9; that takes Strength 1 and yours is 0."
         " One more rank of Strength would do.")),
        ("2x9+1x8", FestivalGoal(()), {},
         ("Level 1 mixes sizes 9 and 8; that takes Mix 1 and yours is 0."
         " One more rank of Mix would do.")),
        ("2x9+1x7", FestivalGoal(()), {},
         ("Level 1 mixes sizes 9 and 7; even with Mix they may differ by 1 only."
         " Use one size only.")),
        ("1x9+1x8+1x7", FestivalGoal(()), {},
         "Level 1 mixes sizes 9, 8 and 7; Mix allows two. Use one size only."),
        ("3x10", FestivalGoal(()), {},
         "Level 1 needs a 10 too many: you own 2, the tower takes 3."),
        ("0x9", FestivalGoal(()), {}, "Level 1 is not a level."),
        ("3x9/2x8/1x7", FestivalGoal(()), {}, "The tower has 3 levels; it needs 4."),
        ("3x9/2x8", FestivalGoal((4,), 2), {},
         "The festival asks for a casteller of size 4, and none is in the tower."),
        ("3x9/2x8", ShapeGoal((2, 2)), {}, "Level 1 holds 3; the picture shows 2."),
        ("3x9", ShapeGoal((3, 2)), {}, "The tower has 1 level; the tile asks for 2."),
        ("3x9", ExhibitionGoal(("mix",), 1), {},
         "The tile shows Mix, and the tower does not really use it."),
    ],
)  # fmt: skip
def test_a_tower_is_refused_in_plain_words(
    text: str, goal: Goal, ranks: dict[Any, int], sentence: str
) -> None:
    hand = (9,) * 9 + (2,)
    with pytest.raises(IllegalMoveError) as caught:
        check_goal(tower_of(text), goal, ranks, hand)

    assert told(caught.value) == sentence


@pytest.mark.parametrize(
    ("code", "details", "sentence"),
    [
        ("tower.not_narrower",
         {"level": 4, "count": 2, "below": 2, "needed": 3, "rank": 1, "fix": "fewer"},
         ("Level 4 is as wide as the level below (2 on 2); that takes Balance 3 and yours is 1."
         " At most 1 casteller may stand there.")),
        ("tower.too_wide", {"level": 2, "count": 9, "limit": 3, "fix": "fewer"},
         "Level 2 holds 9 castellers; your limit is 3. At most 3 castellers may stand there."),
        ("tower.rank_too_low",
         {"skill": "strength", "level": 3, "sizes": [6], "needed": 2, "rank": 0, "fix": "smaller"},
         ("Level 3 stands on its own size 6; that takes Strength 2 and yours is 0."
         " Use a size smaller than 6.")),
        ("tower.rank_too_low",
         {"skill": "mix", "level": 3, "sizes": [6, 5], "needed": 2, "rank": 0, "fix": "one_size"},
         "Level 3 mixes sizes 6 and 5; that takes Mix 2 and yours is 0. Use one size only."),
        ("move.not_adjacent", {"region": "GIR", "here": "TAR", "adjacent": ["VAL", "VNO"]},
         "Girona does not border on Tarragona. From there you can go to Valls and Vilanova."),
        ("move.unknown_region", {"region": "XXX"}, "There is no region XXX."),
        ("recruit.not_there", {"size": 8, "there": 1, "wanted": 2, "region": "BCN"},
         "Only 1 casteller of size 8 waits in Barcelona."),
        ("recruit.not_there", {"size": 8, "there": 0, "wanted": 1, "region": "BCN"},
         "No casteller of size 8 waits in Barcelona."),
        ("recruit.too_many", {"count": 3, "limit": 2},
         "You may recruit 2 castellers here, not 3."),
        ("train.not_on_offer", {"skill": "base", "region": "TER", "offered": ["mix", "special"]},
         "Base cannot be trained in Terrassa this round. On offer there: Mix and Special."),
        ("train.rank_full", {"skill": "mix", "rank": 5},
         "Your Mix is at rank 5, the highest there is."),
        ("perform.not_buildable", {"tile": "S04", "skills": ["balance", "base"], "sizes": [3]},
         "Your colla cannot build tile S04 yet. One more rank of Balance or Base would do."),
        ("perform.not_buildable", {"tile": "S04", "skills": [], "sizes": [3]},
         "Your colla cannot build tile S04 yet. One more casteller of size 3 would do."),
        ("perform.not_buildable", {"tile": "S04", "skills": [], "sizes": []},
         "Your colla cannot build tile S04 yet."),
        ("perform.tile_not_here", {"tile": "S04", "region": "VAL"},
         "Tile S04 does not lie in Valls."),
        ("festival.other_region", {"region": "VFR", "here": None},
         "Your pawn does not stand in Vilafranca, so its festival is not for you."),
        ("edition.unsupported", {"key": "towers.narrowing", "value": "one", "allowed": ["strict"]},
         "towers.narrowing cannot be one; it can be strict."),
    ],
)  # fmt: skip
def test_a_refusal_names_its_numbers(code: str, details: dict[str, Any], sentence: str) -> None:
    assert sentences.refusal("castell", code, details) == sentence


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("", "Nothing is written."),
        ("jump", "Action 1: “jump” is no action."),
        ("recruit 9;; end", "Action 2: an action is missing between two semicolons."),
        ("train luck", "Action 1: “train luck” names no skill; write it like train balance."),
        ("move", "Action 1: “move” names no region; write it like move BCN."),
        ("recruit many", "Action 1: “recruit many” names no sizes; write it like recruit 8 2."),
        ("festival BCN = 3x11",
         "“3x11” in level 1 has no size from 1 to 10."),
        ("festival BCN = 0x9", "level 1 has a group of nobody."),
        ("festival BCN = three",
         "“three” in level 1 is no group of castellers; write it like 3x9."),
    ],
)  # fmt: skip
def test_text_that_is_no_move_is_explained(line: str, sentence: str) -> None:
    with pytest.raises(RulesError) as caught:
        rules.CASTELL.parse(line)

    assert told(caught.value) == sentence


def told(error: RulesError) -> str:
    return sentences.refusal("castell", error.code, error.details, error.rule)


TOWER = tower_of("3x9/2x8/1x7/1x1")
VIEW = rules.CASTELL.view(begin(3), Seat(0))
STORIES: list[tuple[Any, str | None]] = [
    (RoundStarted(4, Seat(1), ()), "Round 4 begins; Núria goes first."),
    (RoundStarted(5, Seat(1), (("BCN", (3, 4)),)),
     "Round 5 begins; the regions fill up again and Núria goes first."),
    (PawnMoved(Seat(0), "BCN", "action"), "Jordi moves to Barcelona."),
    (PawnMoved(Seat(0), "BCN", "wheel"), "Jordi moves on to Barcelona by a special action."),
    (Recruited(Seat(0), "VAL", (8, 2), "action"), "Jordi recruits 8 and 2 in Valls."),
    (Recruited(Seat(0), "VAL", (8,), "token"),
     "Jordi recruits 8 in Valls by a special action."),
    (Trained(Seat(1), "mix", 2), "Núria trains Mix to rank 2."),
    (LocalPerformed(Seat(1), "TAR", "S04", TOWER, (), "token"),
     "Núria performs S04 in Tarragona with a tower of 4 levels (3x9/2x8/1x7/1x1)."),
    (LocalPerformed(Seat(1), "TAR", "S04", TOWER, (Seat(0), Seat(0)), "token"),
     ("Núria performs S04 in Tarragona with a tower of 4 levels (3x9/2x8/1x7/1x1)."
     " That collects 2 special action tokens.")),
    (SpecialTokenPlaced(Seat(2), "XYZ"), "Pau puts a special action token in XYZ."),
    (TurnEnded(Seat(2), 3), None),
    (FestivalsOpened(3, (("GIR", (Seat(0), Seat(2))), ("TER", (Seat(1),)))),
     ("Jordi and Pau may perform at the festival in Girona."
     " Núria may perform at the festival in Terrassa.")),
    (FestivalAnswered(Seat(0), "GIR", None), "Jordi has decided for the festival in Girona."),
    (FestivalHeld(3, "GIR", (), (), ((4, None),)), "Nobody performs at the festival in Girona."),
    (FestivalHeld(
        3, "GIR", ((Seat(0), TOWER, 7), (Seat(2), TOWER, 7), (Seat(1), TOWER, 5)),
        ((Seat(0), "trophy"), (Seat(2), "trophy")), ((4, None), (9, Seat(0)))),
     ("Jordi shows a tower of 4 levels (3x9/2x8/1x7/1x1) in Girona for 7 points"
     " and wins a trophy and the size token 9."
     " Pau shows a tower of 4 levels (3x9/2x8/1x7/1x1) in Girona for 7 points"
     " and wins a trophy."
     " Núria shows a tower of 4 levels (3x9/2x8/1x7/1x1) in Girona for 5 points.")),
    (MatchEnded((80, 95, 95)), "The match is over. The most points: Núria and Pau with 95."),
    (Started("edition", 3, "all_regions", True, Seat(2), (), (), (), (), ()),  # type: ignore[arg-type]  # its edition is not told
     "The match begins; Pau goes first."),
]  # fmt: skip


@pytest.mark.parametrize(("event", "told"), STORIES, ids=lambda value: type(value).__name__)
def test_an_event_is_told(event: Any, told: str | None) -> None:
    assert sentences.story("castell", event, NAMES) == told


TO_JORDI: list[tuple[Any, str | None]] = [
    (RoundStarted(4, Seat(0), ()), "Round 4 begins; you go first."),
    (RoundStarted(5, Seat(0), (("BCN", (3, 4)),)),
     "Round 5 begins; the regions fill up again and you go first."),
    (PawnMoved(Seat(0), "BCN", "action"), "You move to Barcelona."),
    (PawnMoved(Seat(0), "BCN", "wheel"), "You move on to Barcelona by a special action."),
    (Recruited(Seat(0), "VAL", (8, 2), "action"), "You recruit 8 and 2 in Valls."),
    (Recruited(Seat(0), "VAL", (8,), "token"), "You recruit 8 in Valls by a special action."),
    (Trained(Seat(0), "mix", 2), "You train Mix to rank 2."),
    (LocalPerformed(Seat(0), "TAR", "S03", TOWER, (), "token"),
     ("You perform the shape 2-2-2-1 (3 points) in Tarragona"
     " with a tower of 4 levels (3x9/2x8/1x7/1x1).")),
    (LocalPerformed(Seat(1), "TAR", "E11", TOWER, (), "token"),
     ("Núria performs the exhibition of Balance, Mix and Strength (6 points) in Tarragona"
     " with a tower of 4 levels (3x9/2x8/1x7/1x1).")),
    (SpecialTokenPlaced(Seat(0), "VAL"), "You put a special action token in Valls."),
    (TurnEnded(Seat(0), 3), None),
    (FestivalsOpened(3, (("GIR", (Seat(0), Seat(2))), ("TER", (Seat(1),)))),
     ("You may perform at the festival in Girona, and so may Pau."
     " Núria may perform at the festival in Terrassa.")),
    (FestivalsOpened(3, (("GIR", (Seat(0),)),)), "You may perform at the festival in Girona."),
    (FestivalAnswered(Seat(0), "GIR", None), "You have decided for the festival in Girona."),
    (FestivalHeld(
        3, "GIR", ((Seat(2), TOWER, 7), (Seat(0), TOWER, 5)), ((Seat(2), "trophy"),), ()),
     ("Pau shows a tower of 4 levels (3x9/2x8/1x7/1x1) in Girona for 7 points"
     " and wins a trophy."
     " You show a tower of 4 levels (3x9/2x8/1x7/1x1) in Girona for 5 points.")),
    (FestivalHeld(3, "GIR", ((Seat(0), TOWER, 5),), ((Seat(0), "trophy"),), ()),
     ("You show a tower of 4 levels (3x9/2x8/1x7/1x1) in Girona for 5 points"
     " and win a trophy.")),
    (MatchEnded((95, 95, 80)),
     "The match is over. The most points: you and Núria with 95."),
    (MatchEnded((95, 90, 80)), "The match is over. The most points: you with 95."),
    (Started("edition", 3, "all_regions", True, Seat(0), (), (), (), (), ()),  # type: ignore[arg-type]  # its edition is not told
     "The match begins; you go first."),
]  # fmt: skip


@pytest.mark.parametrize(("event", "told"), TO_JORDI, ids=lambda value: type(value).__name__)
def test_an_event_is_told_to_one_of_its_seats(event: Any, told: str | None) -> None:
    assert sentences.story("castell", event, NAMES, me=Seat(0), view=VIEW) == told


def test_every_kind_of_event_has_been_told() -> None:
    assert {type(event) for event, _ in STORIES} == set(EVENT_TYPES)
    assert {type(event) for event, _ in TO_JORDI} == set(EVENT_TYPES)
    assert set(EVENT_TYPES) - castell_story._STORIES.keys() == {TurnEnded}
