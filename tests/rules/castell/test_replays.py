"""Golden matches: one for each way a match can end, as text anybody can read."""

from pathlib import Path

import pytest

from app.rules.castell import CASTELL, match_from_text, match_to_text
from app.rules.castell.events import MatchEnded
from app.rules.game import replay

FOLDER = Path(__file__).parents[2] / "replays" / "castell"


@pytest.mark.parametrize(
    ("name", "reason", "scores", "winners"),
    [
        ("clear_win", "score", (33, 21, 41), (2,)),
        ("tie_broken_by_tower", "best_tower", (11, 34, 34), (1,)),
        ("tie_broken_by_regions", "regions", (42, 42, 42), (0,)),
        ("shared", "shared", (56, 56, 21, 28), (0, 1)),
    ],
)
def test_a_golden_match_ends_as_it_always_did(
    name: str, reason: str, scores: tuple[int, ...], winners: tuple[int, ...]
) -> None:
    text = (FOLDER / f"{name}.txt").read_text("utf-8")
    events = match_from_text(text)
    outcome = CASTELL.outcome(replay(CASTELL, events))

    assert outcome is not None
    assert events[-1] == MatchEnded(scores)
    assert tuple(outcome.scores.values()) == scores
    assert (outcome.reason, tuple(sorted(outcome.winners))) == (reason, winners)
    assert match_to_text(events) == text


def test_there_is_a_golden_match_for_every_ending() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == {
        "clear_win",
        "tie_broken_by_tower",
        "tie_broken_by_regions",
        "shared",
    }
