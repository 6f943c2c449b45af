"""Two matches that differ only in what a viewer may not know are the same to that viewer.

Pairs of states go through the view, what follows from it, the board and the export.
`SECRECY_STATES` says how many of each game, `SECRECY_EVERY` after how many one is drawn
and printed as well, which takes long.
"""

import os
from collections import Counter
from itertools import islice
from typing import Final

import pytest

from app.rules.registry import LISTINGS
from tests.secrecy.boards import board_of
from tests.secrecy.ways import SECRETS, all_pairs

PAIRS: Final = int(os.environ.get("SECRECY_STATES", "3000"))
EVERY: Final = int(os.environ.get("SECRECY_EVERY", "20"))


@pytest.mark.parametrize("key", LISTINGS)
def test_what_a_viewer_may_not_know_changes_nothing_for_it(key: str) -> None:
    listed, kinds = LISTINGS[key], Counter[str]()
    game = listed.game
    for number, (options, pair) in enumerate(islice(all_pairs(key), PAIRS)):
        one, other = pair.sides
        kinds[pair.kind] += 1
        views = [game.view(side.state, pair.viewer) for side in pair.sides]
        assert views[0] == views[1], pair.kind
        if pair.viewer is not None and pair.viewer in game.prompts(one.state):
            assert game.prompts(other.state)[pair.viewer] == game.prompts(one.state)[pair.viewer]
            moves = [list(game.legal_moves(side.state, pair.viewer)) for side in pair.sides]
            assert moves[0] == moves[1], pair.kind
        known = [listed.record.known(side.events, pair.viewer) for side in pair.sides]
        assert known[0] == known[1], pair.kind
        if number % EVERY == 0:
            boards = [board_of(key, options, side, pair.viewer) for side in pair.sides]
            assert boards[0] == boards[1], pair.kind
            assert listed.record.to_text(known[0]) == listed.record.to_text(known[1])
    assert kinds.total() == PAIRS
    assert kinds.keys() >= SECRETS[key].kinds, kinds
