"""Rules that decide differently must say so by their version."""

import pytest

from app.matches.games import CODECS
from app.rules.game import Seat
from app.rules.registry import LISTINGS
from tests.upgrade.golden import decided, path_of, read, started

ADVICE = (
    "the rules of {game} decide differently than when version {version} was recorded. Matches are"
    " under way with them: raise rules_version, upcast what is stored (app/matches/codec.py), and"
    " record the new version (.venv/bin/python -m tests.upgrade.golden)"
)


@pytest.mark.parametrize("game", LISTINGS)
def test_rules_that_change_have_another_version(game: str) -> None:
    codec = CODECS[game]
    advice = ADVICE.format(game=game, version=codec.game.rules_version)
    assert path_of(game).exists(), f"record version {codec.game.rules_version} of {game}"
    for golden in read(game):
        state, told, rng = started(codec, golden)
        assert told == golden.start, f"{advice}: a match starts differently"
        for number, (seat, line, expected) in enumerate(golden.steps, 1):
            state, told = decided(codec, state, Seat(seat), line, rng)
            assert told == expected, f"{advice}: move {number}, {line!r}"
        assert str(codec.game.outcome(state)) == golden.outcome, f"{advice}: the result"
