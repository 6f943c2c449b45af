"""The position of a match as a letter shows it: the picture, and what is said in place of it."""

from dataclasses import dataclass

from app.i18n import gettext
from app.matches.pages import MatchPage
from app.notifications.letters import Picture
from app.web.boards.registry import BOARDS
from app.web.pictures.picture import WIDTH, picture_of


@dataclass(frozen=True, slots=True)
class Pictured:
    """A picture in its place; `words` stand there where none is shown, `credit` below it."""

    picture: Picture
    words: str
    credit: str
    width: int
    height: int


async def pictured(match: MatchPage, where: str) -> Pictured | None:
    """Return the position of `match` as its viewer sees it; None: it could not be drawn."""
    content = await picture_of(match)
    if content is None:
        return None
    picture = Picture(content)
    wide, high = picture.size
    how = BOARDS[match.game]
    words = gettext(
        "%(map)s, %(where)s. What it shows stands below in words.",
        map=how.map_words(),
        where=where,
    )
    return Pictured(picture, words, how.map_credit(), WIDTH, round(high * WIDTH / wide))
