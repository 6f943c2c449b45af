"""The editions that come with the program."""

import pytest

from app.matches.editions import edition, names
from app.rules.registry import LISTINGS


@pytest.mark.parametrize("game", LISTINGS)
def test_what_is_done_to_the_values_of_an_edition_concerns_nobody_else(game: str) -> None:
    for name in names(game):
        mine = edition(game, name)
        for value in mine.values():
            if isinstance(value, dict | list):
                value.clear()

        assert edition(game, name) != mine
        assert any(
            isinstance(value, dict | list) and value for value in edition(game, name).values()
        )


def test_there_is_no_edition_of_another_name() -> None:
    with pytest.raises(KeyError):
        edition("castell", "castell-0")
