"""Golden matches: one for each way a match can end, as text anybody can read."""

from pathlib import Path

import pytest

from app.rules.el_grande import EL_GRANDE, match_from_text, match_to_text
from app.rules.el_grande.events import MatchEnded
from app.rules.game import replay

FOLDER = Path(__file__).parents[2] / "replays" / "el_grande"
GOLDEN = [
    ("clear_win", "score", (47, 72, 75, 48, 51), (2,)),
    ("shared_victory", "shared", (68, 65, 68), (0, 2)),
    ("clear_win_six_rounds", "score", (80, 44), (0,)),
    ("shared_victory_six_rounds", "shared", (63, 53, 63, 51), (0, 2)),
]


@pytest.mark.parametrize(("name", "reason", "scores", "winners"), GOLDEN)
def test_a_golden_match_ends_as_it_always_did(
    name: str, reason: str, scores: tuple[int, ...], winners: tuple[int, ...]
) -> None:
    text = (FOLDER / f"{name}.txt").read_text("utf-8")
    events = match_from_text(text)
    outcome = EL_GRANDE.outcome(replay(EL_GRANDE, events))

    assert outcome is not None
    assert events[-1] == MatchEnded(scores)
    assert tuple(outcome.scores.values()) == scores
    assert (outcome.reason, tuple(sorted(outcome.winners))) == (reason, winners)
    assert match_to_text(events) == text


def test_there_is_a_golden_match_for_every_ending() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == {name for name, *_ in GOLDEN}
