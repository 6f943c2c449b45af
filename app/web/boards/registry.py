"""The boards there are, by game: what the match page needs to know of each."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from app.matches.pages import MatchPage
from app.web.boards import castell
from app.web.boards.opened import Opened

__all__ = ["BOARDS", "Board", "Opened"]


@dataclass(frozen=True, slots=True)
class Board:
    """What a game brings to the page.

    `draw` works everything out; `land` is the template of what never changes,
    `parts` the template of the rest, `text` the one of the text board.
    """

    title: str
    draw: Callable[[MatchPage, Opened], Any]
    land: str
    parts: str
    text: str
    sheets: tuple[str, ...]


BOARDS: Final[Mapping[str, Board]] = {
    castell.GAME: Board(
        "Castell",
        castell.draw,
        "matches/_castell_land.html",
        "matches/_castell.html",
        "matches/_castell_text.html",
        ("board", "match", "collas", "tower", "reveal", "reveal_card"),
    )
}
