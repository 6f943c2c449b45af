"""The turn mail: what has happened, what to decide, what may be chosen, and the position."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from app.i18n import gettext, ngettext
from app.i18n.lists import listed
from app.i18n.names import shown_name
from app.i18n.times import when
from app.matches.deadlines import Deadline
from app.matches.pages import MatchPage
from app.notifications.choices import Choice, choices
from app.web.boards.opened import Opened
from app.web.boards.registry import BOARDS
from app.web.letters.blocks import Block, Part, sections, until_heading
from app.web.nowhere import nowhere
from app.web.templating import environment

# A letter is read on a phone: so many choices are listed, and the rest can be found on the page.
MOST_CHOICES: Final = 40
# Parts of the text board that come elsewhere in a letter, or are a table.
_APART: Final = frozenset({"now", "since", "ahead"})


@dataclass(frozen=True, slots=True)
class TurnNews:
    """What a turn mail says, before it is text or HTML.

    `more` is how many choices there are beyond those in `offered`; `drafted` is what
    the reader has noted on the page already.
    """

    title: str
    where: str
    deadline: str
    since: Part
    decide: tuple[Block, ...]
    drafted: tuple[str, ...]
    offered: tuple[Choice, ...]
    more: int
    position: tuple[Part, ...]


def turn_news(match: MatchPage, deadline: Deadline | None, now: datetime) -> TurnNews:
    """Return what to write to the viewer of `match`, who is asked."""
    how = BOARDS[match.game]
    # As somebody sees it who only looks: what may be done is listed by itself.
    board = how.draw(replace(match, options=None), Opened())
    told = sections(environment().get_template(how.text).render(_context(match, board)))
    offered = choices(match, lambda page, lines: [said(page, line) for line in lines])
    now_part = told["now"]
    return TurnNews(
        title=now_part.title,
        where=gettext("round %(round)s of %(rounds)s", round=board.round, rounds=board.rounds),
        deadline=_deadline(deadline, now),
        since=told["since"],
        decide=until_heading(now_part),
        drafted=tuple(how.say(match, line) for line in match.draft.lines),
        offered=offered[:MOST_CHOICES],
        more=max(0, len(offered) - MOST_CHOICES),
        position=tuple(part for name, part in told.items() if name not in _APART and part.blocks),
    )


def named(match: MatchPage) -> str:
    """Return how a match is called in a letter: the game, and with whom."""
    others = [shown_name(info.name) for info in match.seats if info.seat != match.seat]
    title = BOARDS[match.game].title
    return gettext("%(game)s with %(names)s", game=title, names=listed(others)) if others else title


def more_choices(count: int) -> str:
    """Say that the list of choices is cut short."""
    return ngettext(
        "%(n)s more choice is on the page of the match.",
        "%(n)s more choices are on the page of the match.",
        count,
    )


def said(page: MatchPage, line: str) -> str:
    """Say what a line of notation does, as the page of the match does."""
    if page.prompt is not None and line == page.prompt.finish:
        return gettext("End turn")
    return BOARDS[page.game].say(page, line)


def _deadline(deadline: Deadline | None, now: datetime) -> str:
    if deadline is None or deadline.due_at is None:
        return ""
    return gettext("Until %(when)s.", when=str(when(deadline.due_at, now=now)))


def _context(match: MatchPage, board: Any) -> Mapping[str, Any]:
    links = nowhere()
    return {
        "match": match,
        "board": board,
        "hands": (),
        "links": links,
        "url_for": links,
        "sprite": "",
        "csrf_token": "",
        "key": "",
    }
