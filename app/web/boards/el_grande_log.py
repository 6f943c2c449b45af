"""What has happened since the viewer's last turn, a seat's doings in one paragraph."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from app.i18n import gettext
from app.i18n.sentences import story
from app.matches.pages import StoryEvent
from app.rules.el_grande.components import COURT
from app.rules.el_grande.events import (
    Added,
    AreaScored,
    BoardMoved,
    CastilloEmptied,
    Courted,
    GrandeMoved,
    KingMoved,
    Moved,
    Placed,
    Refilled,
    Returned,
)
from app.rules.el_grande.view import ElGrandeView
from app.rules.game import Seat
from app.web.boards.el_grande_offers import GAME
from app.web.boards.el_grande_preview import total
from app.web.boards.el_grande_scoring import GENERAL
from app.web.boards.el_grande_words import area_name, points_words
from app.web.boards.seats import Who


@dataclass(frozen=True, slots=True)
class LogItem:
    """A paragraph: who did it (None: the game itself), and where it can be seen.

    `scoring` is the round whose general scoring it tells of, 0 for none.
    """

    who: Who | None
    icon: str
    sentences: tuple[str, ...]
    areas: tuple[tuple[str, str], ...] = ()
    scoring: int = 0


@dataclass(frozen=True, slots=True)
class News:
    """The log, and what of it is marked on the map."""

    items: tuple[LogItem, ...]
    areas: frozenset[str]


def tell(
    events: Sequence[StoryEvent],
    seats: Mapping[Seat, Who],
    view: ElGrandeView,
    *,
    own: bool = False,
) -> News:
    """Return what `events` brought about, as the viewer of `view` is told.

    The viewer's own doings are no news, unless `own` asks for them.  A general
    scoring is one paragraph: its steps have a page of their own.
    """
    items: list[LogItem] = []
    marked: set[str] = set()
    last: Seat | None = None
    names = {seat: who.name for seat, who in seats.items()}
    scored = [0] * view.seats
    for entry in events:
        event = entry.event
        if isinstance(event, AreaScored) and event.cause == GENERAL:
            scored = [a + b for a, b in zip(scored, total(event), strict=True)]
            items, last = _with_scoring(items, scored, seats, view), None
            continue
        seat = getattr(event, "seat", None)
        if isinstance(event, CastilloEmptied) and items and items[-1].icon == "i-score":
            items[-1] = replace(items[-1], scoring=event.round)
            continue
        scored = [0] * view.seats if not isinstance(event, CastilloEmptied) else scored
        if seat is not None and seat == view.seat and not own:
            last = None
            continue
        sentence = story(GAME, event, names, me=view.seat, view=view)
        if sentence is None:
            continue
        places = tuple((area, area_name(view, area)) for area in _places(event))
        marked.update(area for area, _ in places)
        by_card = isinstance(event, AreaScored)
        if items and ((seat is not None and seat == last) or (by_card and last is not None)):
            before = items[-1]
            items[-1] = replace(
                before,
                sentences=(*before.sentences, sentence),
                areas=tuple(dict.fromkeys((*before.areas, *places))),
            )
            continue
        last = seat
        icon = "i-score" if by_card else "i-rematch"
        items.append(LogItem(seats[seat] if seat is not None else None, icon, (sentence,), places))
    return News(tuple(items), frozenset(marked))


def _with_scoring(
    items: list[LogItem], scored: Sequence[int], seats: Mapping[Seat, Who], view: ElGrandeView
) -> list[LogItem]:
    words = points_words(scored, seats, view.seat) or gettext("nobody gets anything")
    told = (gettext("General scoring: %(points)s.", points=words),)
    if items and items[-1].icon == "i-score" and items[-1].who is None:
        return [*items[:-1], replace(items[-1], sentences=told)]
    return [*items, LogItem(None, "i-score", told)]


def _places(event: Any) -> tuple[str, ...]:
    """Where an event can be seen on the map."""
    match event:
        case Placed(to=counts) | Added(to=counts):
            found = [area for area, _ in counts]
        case Refilled(sources=counts) | Courted(sources=counts):
            found = [area for area, _ in counts]
        case Moved(moves=moves):
            found = [area for _, origin, target, _ in moves for area in (origin, target)]
        case Returned(returned=returned):
            found = [area for _, area, _ in returned]
        case KingMoved(region=region) | GrandeMoved(region=region) | BoardMoved(region=region):
            found = [region]
        case AreaScored(area=area):
            found = [area]
        case _:
            found = []
    return tuple(dict.fromkeys(area for area in found if area != COURT))
