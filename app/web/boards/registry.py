"""The boards there are, by game: what the pages need to know of each."""

from collections.abc import Mapping
from typing import Final

from app.web.boards.board import Board
from app.web.boards.castell_board import BOARD as CASTELL
from app.web.boards.el_grande_board import BOARD as EL_GRANDE
from app.web.boards.opened import Opened

__all__ = ["BOARDS", "Board", "Opened"]

BOARDS: Final[Mapping[str, Board]] = {board.key: board for board in (CASTELL, EL_GRANDE)}
