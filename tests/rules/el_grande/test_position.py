"""A position goes to text and back; what cannot be is refused."""

from dataclasses import replace
from typing import Any

import pytest

from app.rules.el_grande import State, position_from_text, position_to_text
from app.rules.el_grande.state import Filed
from app.rules.game import NotationError
from tests.rules.el_grande.stage import A, B, C, begin, holding, play, published, staged


def sealed() -> State:
    state = holding(staged("ARA 2 VAL 1", "SEV 2 CAT 1", card="2-07"), C)
    return play(state, A, "special; disc ARA; place 0; end")


POSITIONS = {
    "start": begin(5),
    "turn": staged(),
    "placing": play(staged(card="5-01"), A, "place CVI 1, CAS 1"),
    "moving": play(staged(card="1-01"), A, "special move p1 ARA>SEV 1"),
    "boards": staged(boards=(0, -1)),
    "answers": play(sealed(), B, "disc SEV"),
    "vetoed": play(sealed(), C, "veto"),
    "court": play(staged("ARA 9 CVI 10 COURT 10", card="4-05"), A, "special court CVI 1"),
}


@pytest.mark.parametrize("name", POSITIONS)
def test_a_position_is_read_again_from_its_text(name: str) -> None:
    text = position_to_text(POSITIONS[name])

    assert position_from_text(text) == POSITIONS[name]
    assert position_to_text(position_from_text(text)) == text


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_every_position_of_a_match_is_one(seats: int) -> None:
    for number, state in enumerate(published(seats, "positions", length=6)):
        if number % 5 == 0 or state.phase not in ("power", "turn"):
            assert position_from_text(position_to_text(state)) == state


TEXT = position_to_text(sealed())


def changed(*pairs: tuple[str, str]) -> str:
    text = TEXT
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new, 1)
    return text


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "notation.not_a_position"),
        ("el_grande match", "notation.not_a_position"),
        (changed(("seats = 3", "seats = x")), "notation.bad_value"),
        (changed(('king = "GAL"', 'king = "XXX"')), "notation.bad_position"),
        (changed(("options.length = 9", "options.length = 7")), "notation.bad_position"),
        (changed(("pieces = [2,", "pieces = [")), "notation.bad_position"),
        (changed(('turn.special = "special"', 'turn.special = "end"')), "notation.bad_position"),
        (changed(('special = "special"', 'special = "end; end"')), "notation.bad_position"),
        (changed(('turn.plan = "0"', 'turn.plan = "0; end"')), "notation.bad_position"),
        (changed(('turn.plan = "0"', 'turn.plan = "x"')), "notation.bad_list"),
        (changed(("bids = [[0, 9]", "bids = [[0]")), "notation.bad_position"),
        (changed(("taken = [[0,", "taken = [[")), "notation.bad_position"),
        (changed(("filed = []", "filed = [[1]]")), "notation.bad_position"),
        (changed(("pieces = [2,", "pieces = [3,")), "position.caballeros"),
        (changed(("hand = [1, 2,", "hand = [1,")), "position.powers"),
        (changed(("bids = [[0, 9]", "bids = [[0, 13]")), "position.powers"),
        (changed(("unseen.1 = [", 'unseen.1 = ["1-01", ')), "position.cards"),
        (changed(("vetoes = [[2, 2]]", "vetoes = [[2, 2], [1, 1], [0, 1]]")), "position.vetoes"),
        (changed(('boards.A = ""', 'boards.A = "SEV"'), ('boards.B = ""', 'boards.B = "SEV"')),
         "position.boards"),
        (changed(("round = 2", "round = 12")), "position.moment"),
        (changed(("first = 0", "first = 1")), "position.moment"),
        (changed(("order = [0, 1, 2]", "order = [1, 0, 2]")), "position.moment"),
        (changed(("turns = 0", "turns = 3")), "position.moment"),
        (changed(("turns = 0", "turns = 1")), "position.moment"),
        (changed(('phase = "answers"', 'phase = "power"')), "position.moment"),
        (changed(('phase = "answers"', 'phase = "disc"')), "position.moment"),
        (changed(('phase = "answers"', 'phase = "place"')), "position.moment"),
        (changed(("sealed = true", "sealed = false")), "position.moment"),
        (changed(("filed = []", 'filed = [[0, "pass", "", "0"]]')), "position.moment"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused(text: str, code: str) -> None:
    with pytest.raises(NotationError) as refused:
        position_from_text(text)

    assert refused.value.code == code


@pytest.mark.parametrize(
    "fields",
    [
        {"phase": "disc", "turn": 3, "card": "", "questioned": (0,)},
        {"phase": "disc", "turn": 3, "card": ""},
        {"phase": "over", "turn": 2, "card": ""},
        {"phase": "turn", "filed": (Filed(1, "pass"),)},
        {"phase": "answers"},
    ],
    ids=str,
)
def test_a_position_fits_its_moment(fields: dict[str, Any]) -> None:
    with pytest.raises(NotationError) as refused:
        position_from_text(position_to_text(replace(staged(), **fields)))

    assert refused.value.code == "position.moment"
