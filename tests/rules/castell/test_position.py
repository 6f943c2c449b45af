"""A position goes to text and back, and an impossible one is refused."""

from collections.abc import Callable

import pytest

from app.rules.castell import CASTELL, State, position_from_text, position_to_text
from app.rules.game import NotationError, replay
from tests.rules.castell.stage import begin, random_events, random_match, setup


def late_match() -> State:
    """Return a state with seats asked, one of them having answered."""
    return next(
        state
        for seed in range(100)
        for _, _, state in random_match(4, f"late {seed}")
        if len(state.entries) == 1 and CASTELL.prompts(state) and any(state.tiles)
    )


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_position_of_a_match_is_read_again(seats: int) -> None:
    for number, (_, _, state) in enumerate(random_match(seats, "positions")):
        if (CASTELL.prompts(state) and number % 7 == 0) or state.phase == "over":
            text = position_to_text(state)
            assert position_from_text(text) == state
            assert position_to_text(position_from_text(text)) == text


def test_a_position_between_answers_is_read_again() -> None:
    state = late_match()

    assert position_from_text(position_to_text(state)) == state


def test_the_text_reads_like_a_table() -> None:
    text = position_to_text(begin(2, "text"))

    assert text.startswith('castell position\nedition.name = "castell-1"\n')
    assert '\nphase = "turns"\nround = 1\n' in text
    assert "\ncollas.1.ranks.strength = 0\n" in text


FINISHED = position_to_text(replay(CASTELL, random_events(2, "finished 3")))
START = position_to_text(replay(CASTELL, setup(2, "start")))


def edit(key: str, change: Callable[[str], str]) -> Callable[[str], str]:
    """Change the value of the first line whose key begins so."""

    def apply(text: str) -> str:
        lines = text.splitlines()
        number = next(n for n, line in enumerate(lines) if line.startswith(key))
        name, _, value = lines[number].partition(" = ")
        lines[number] = f"{name} = {change(value)}"
        return "\n".join(lines)

    return apply


def put(key: str, value: str) -> Callable[[str], str]:
    return edit(key, lambda _: value)


def add(line: str) -> Callable[[str], str]:
    return lambda text: f"{text}{line}\n"


@pytest.mark.parametrize(
    ("change", "code", "detail"),
    [
        (lambda _: "", "notation.not_a_position", None),
        (lambda _: "castell match\n", "notation.not_a_position", None),
        (lambda text: text.replace("seats = 2", "seats = 5"), "notation.bad_position", "seats"),
        (lambda text: text.replace("seats = 2\n", ""), "notation.bad_position", "seats"),
        (add('colour = "red"'), "notation.bad_position", "colour"),
        (add("collas.7.best = 3"), "notation.bad_position", "collas.7"),
        (put("phase", '"sleep"'), "notation.bad_position", "phase"),
        (put("round", "11"), "notation.bad_position", "round"),
        (put("wheel", "[]"), "position.wheel", None),
        (put("bag", "[]"), "position.not_ten_sizes", None),
        (put("bag", f"[{', '.join('1' * 10)}]"), "position.castellers", None),
        (put("box", f"[{', '.join('1' * 10)}]"), "position.size_tokens", None),
        (put("collas.0.special_tokens", "6"), "position.special_tokens", None),
        (put("regions.TAR.tiles", '["S01", "S01"]'), "position.tiles", None),
        (put("turn", "2"), "position.moment", None),
        (put("entrants", "[0]"), "position.moment", None),
        (put("phase", '"over"'), "position.moment", None),
        (put("phase", '"festivals"'), "position.moment", None),
        (put("entries", "[0]"), "notation.bad_position", "entries"),
        (put("entries", '[[0, "3y9"]]'), "notation.bad_group", None),
        (put("entries", "[[0, 5]]"), "notation.bad_position", "tower"),
        (put("collas.0.pawn", '"REU"'), "notation.bad_position", "collas.0.pawn"),
        (put("edition.towers.max_rank", "0"), "notation.bad_position", "towers.max_rank"),
        (put("festivals.0.region", '"REU"'), "notation.bad_position", "festivals.0.region"),
        (add("festivals.0.result.towers = [[0]]"), "notation.bad_position", None),
        (
            add("festivals.0.result.towers = []\nfestivals.0.result.prizes = [[0]]"),
            "notation.bad_position",
            None,
        ),
        (
            add(
                "festivals.0.result.towers = []\nfestivals.0.result.prizes = []\n"
                "festivals.0.result.token_winners = [[]]"
            ),
            "notation.bad_position",
            None,
        ),
        (
            add(
                "festivals.0.result.towers = []\nfestivals.0.result.prizes = []\n"
                "festivals.0.result.token_winners = [[6, 0]]"
            ),
            "position.won_size_tokens",
            None,
        ),
    ],
)
def test_an_impossible_position_is_refused(
    change: Callable[[str], str], code: str, detail: str | None
) -> None:
    with pytest.raises(NotationError) as refused:
        position_from_text(change(START))

    assert refused.value.code == code
    assert detail is None or detail in str(refused.value.details)


def test_prizes_and_tokens_won_are_read_again() -> None:
    assert "prizes = [" in FINISHED
    assert position_to_text(position_from_text(FINISHED)) == FINISHED
