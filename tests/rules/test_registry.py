"""The games there are, each under its own key."""

from typing import Any

import pytest

from app.matches.editions import edition
from app.rules.game import Game, replay
from app.rules.registry import GAMES, LISTINGS, RECORDS
from app.rules.rng import HmacRng


@pytest.mark.parametrize("key", GAMES)
def test_a_game_knows_its_key_and_prints_its_matches(key: str) -> None:
    game = GAMES[key]

    assert game.key == key
    assert game.rules_version >= 1
    assert key in RECORDS
    assert min(game.seat_counts) >= 2


@pytest.mark.parametrize("key", LISTINGS)
def test_a_listed_game_can_be_set_up_with_every_choice_it_offers(key: str) -> None:
    listed = LISTINGS[key]
    values = edition(key, listed.edition)
    for seats in listed.seats:
        for option, choices in listed.choices.items():
            for choice in choices:
                defaults = {name: values[0] for name, values in listed.choices.items()}
                chosen = {**defaults, option: choice, "edition": values}
                events = listed.game.setup(seats, chosen, HmacRng(b"", key))
                assert listed.game.prompts(replay(listed.game, events))


def test_no_events_are_no_match() -> None:
    game: Game[Any, Any, Any, Any] = GAMES["castell"]

    with pytest.raises(ValueError, match="at least one event"):
        replay(game, ())
