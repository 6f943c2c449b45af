"""Positions of both games to be drawn: one for each kind of thing that a letter asks."""

from collections.abc import Mapping
from functools import cache
from typing import Final

from app.matches.pages import MatchPage
from app.rules.el_grande import EL_GRANDE, State
from app.rules.game import Prompt, Seat
from tests.support import played
from tests.web.boards import el_grande_positions as el_grande

ROUND: Final = 4
KINDS: Final[Mapping[str, tuple[str, ...]]] = {
    "castell": ("turns", "festivals"),
    "el_grande": ("power", "turn", "answers", "place", "disc"),
}
# As pytest names them.
EVERY: Final = tuple((game, kind) for game, kinds in KINDS.items() for kind in kinds)


@cache
def page(game: str, kind: str) -> MatchPage:
    """Return the page of somebody who is asked, well into a match."""
    if game == "castell":
        match = _castell()
        return match.page(0, version=match.first(kind, round_=ROUND))
    state = el_grande.find(
        lambda state: state.round >= 2 and kind in {one.kind for one in asking(state).values()}
    )
    asked = next(seat for seat, prompt in asking(state).items() if prompt.kind == kind)
    return el_grande.page_of(state, seat=asked)


def asking(state: State) -> Mapping[Seat, Prompt]:
    """Return what is asked of whom."""
    return EL_GRANDE.prompts(state)


@cache
def _castell() -> played.Played:
    return played.play(4)
