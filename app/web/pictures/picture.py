"""A picture of a position as its reader sees it: PNG bytes, or none.

Nothing waits for a picture.  The drawing is put together in a thread and made a PNG by a
process of its own, which may take so long and no more; what goes wrong is logged.
"""

import asyncio
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree as ET

import structlog

from app.matches.pages import MatchPage
from app.web.boards.opened import Opened
from app.web.boards.registry import BOARDS
from app.web.nowhere import nowhere
from app.web.pictures.painting import Painter, symbols
from app.web.pictures.sheets import sheets_of
from app.web.templating import environment

# On paper so wide; twice as many dots, for screens that have them.
WIDTH: Final = 600
DOTS: Final = 2 * WIDTH
MOST_BYTES: Final = 150_000
# A letter is written in a transaction, and the database ends one in which nothing happens.
LONGEST: Final = 30.0

FONTS: Final = tuple(sorted((Path(__file__).parent / "fonts").glob("*.ttf")))
PROGRAM: Final = (sys.executable, "-I", str(Path(__file__).parent / "child.py"))

# What of the page around a drawing its style sheets ask for.
_PAGE: Final = (
    '<html data-theme="light"><body class="app app--match">'
    '<div class="match-page" data-game="{game}"><main class="table">{land}'
    '<section class="board">{map}</section></main></div></body></html>'
)

log = structlog.get_logger(__name__)


class PictureError(Exception):
    """The drawing could not be made a PNG."""


async def picture_of(
    match: MatchPage, *, program: Sequence[str] = PROGRAM, seconds: float = LONGEST
) -> bytes | None:
    """Return the position of `match`, as its viewer sees it, as a PNG of at most `MOST_BYTES`.

    None: it could not be drawn, which is logged.
    """
    try:
        async with asyncio.timeout(seconds):
            drawing = await asyncio.to_thread(drawing_of, match)
            return await rasterised(drawing, program=program)
    except Exception:
        # Whatever it was: the words say the same.
        log.exception("picture.not_drawn", match=str(match.id))
        return None


def drawing_of(match: MatchPage) -> str:
    """Return the same as SVG that needs no style sheet and no sprite.

    Raises StyleError if a style sheet says of the drawing what SVG cannot say.
    """
    view_box, page = page_of(match)
    painter = Painter(sheets_of(BOARDS[match.game].sheets), symbols())
    return ET.tostring(painter.paint(page, view_box), encoding="unicode")


def page_of(match: MatchPage) -> tuple[str, ET.Element]:
    """Return what frames the drawing, and as much of the match page as there is to draw."""
    how = BOARDS[match.game]
    # As somebody sees it who only looks: nothing waits for a tap.
    board: Any = how.draw(replace(match, options=None), Opened())
    context = {
        "board": board,
        "art": board.art,
        "links": nowhere(),
        "sprite": "",
    }
    land, drawn = (environment().get_template(name).render(context) for name in (how.land, how.map))
    page = _PAGE.format(game=match.game, land=land, map=drawn)
    return board.art.view_box, ET.fromstring(page)  # noqa: S314 - a template of ours, escaped


async def rasterised(drawing: str, *, program: Sequence[str] = PROGRAM) -> bytes:
    """Return an SVG file as a PNG; raises PictureError."""
    process = await asyncio.create_subprocess_exec(
        *program,
        str(DOTS),
        str(MOST_BYTES),
        *map(str, FONTS),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        made, complaint = await process.communicate(drawing.encode())
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
    if process.returncode != 0 or not made:
        raise PictureError(f"{process.returncode}: {complaint.decode(errors='replace')[-300:]}")
    return made
