"""Letters on pawns, pawns on small maps, people on the square."""

import json
from pathlib import Path

import pytest

import app.web
from app.web.boards.seats import letters
from app.web.cards import MAP_CREDIT
from app.web.square import Group, square, tower


@pytest.mark.parametrize(
    ("names", "signs"),
    [
        (["Mar", "Jordi", "Txell", "Wiebe"], "MJTW"),
        (["Mar", "Mercè", "Marc"], "MEA"),
        (["Al", "Al", "Al"], "ALA"),
        (["", "…", "7a"], "??7"),
    ],
)
def test_a_pawn_carries_the_first_letter_nobody_has_yet(names: list[str], signs: str) -> None:
    assert "".join(letters(names)) == signs


def test_people_take_their_letters_before_bots_do() -> None:
    assert letters(["Mercè", "Marta", "Pau"], ["ground", None, None]) == ("E", "M", "P")


def test_the_credit_of_the_map_is_the_one_its_data_asks_for() -> None:
    data = Path(app.web.__file__).parent / "boards/castell_map.json"

    assert json.loads(data.read_text())["attribution"].startswith(f"Map: {MAP_CREDIT}")


def test_everyone_in_a_tower_stands_on_the_ground_or_on_shoulders() -> None:
    drawn: Group = tower(1, 100, 500, 100, ((3, 9), (2, 6), (1, 2)))
    feet = sorted({round(one.y + one.height) for one in drawn.people}, reverse=True)
    shoulders = [round(500 - (0.56 + 0.044 * 9) * 100 * (1 - 0.335))]

    assert [one.symbol for one in drawn.people].count("enxaneta") == 1
    assert feet[0] == 500
    assert feet[1] in range(shoulders[0] - 1, shoulders[0] + 2)
    assert len(feet) == 3


def test_the_square_is_drawn_once_and_has_room_for_all() -> None:
    scene = square()

    assert scene is square()
    assert [group.kit for group in scene.towers] == [2, 4, 3]
    assert sum(len(group.people) for group in scene.crowd) > 50
    assert all(1 <= one.skin <= 4 for group in scene.towers + scene.crowd for one in group.people)
