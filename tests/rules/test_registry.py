"""The games there are, each under its own key."""

from typing import Any

import pytest

from app.rules.game import Game, replay
from app.rules.registry import GAMES, RECORDS


@pytest.mark.parametrize("key", GAMES)
def test_a_game_knows_its_key_and_prints_its_matches(key: str) -> None:
    game = GAMES[key]

    assert game.key == key
    assert game.rules_version >= 1
    assert key in RECORDS
    assert min(game.seat_counts) >= 2


def test_no_events_are_no_match() -> None:
    game: Game[Any, Any, Any, Any] = GAMES["castell"]

    with pytest.raises(ValueError, match="at least one event"):
        replay(game, ())
