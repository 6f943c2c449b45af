"""What a game brings to the pages: everything common code needs to know of it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from app.matches.pages import MatchCard, MatchPage, StoryEvent
from app.rules.game import Seat
from app.web.boards.opened import Opened
from app.web.boards.seats import Who
from app.web.boards.walking import Step


@dataclass(frozen=True, slots=True)
class Tab:
    """A panel of the match page, as a phone's tab bar names it."""

    panel: str
    icon: str
    name: str


@dataclass(frozen=True, slots=True)
class PawnPlace:
    """A pawn on the small map of a match's card."""

    kit: int
    letter: str
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Mini:
    """The small map of a match's card: drawing, areas, and the ways its parts are named.

    `view_box` frames it, `lands` are coloured areas, `plain` parts nobody owns.
    """

    drawing: str
    view_box: str
    lands: tuple[str, ...]
    plain: tuple[str, ...]
    outlines: tuple[str, ...]
    pawns: Callable[[MatchCard, Sequence[str]], Sequence[PawnPlace]]


@dataclass(frozen=True, slots=True)
class Past:
    """How a position of the past is shown.

    `top`, `sheet`, `log` and `rest` are templates: above the panels, the region
    looked at, one item of the log, what people own.  `steps` divides the story,
    `retell` tells the viewer's own doings too.  `reveal` is the route that shows
    what the rounds marked in the steps revealed, `reveal_words` what its link says.
    """

    top: tuple[str, ...]
    sheet: str
    log: str
    rest: tuple[str, ...]
    tabs: Callable[[], tuple[Tab, ...]]
    steps: Callable[[Sequence[StoryEvent], Mapping[Seat, Who], Seat | None], tuple[Step, ...]]
    retell: Callable[[Any, MatchPage], Any]
    reveal: str
    reveal_words: Callable[[], str]
    silent: Callable[[], str]


@dataclass(frozen=True, slots=True)
class Ending:
    """How the result of a match is shown; `rule` is the paragraph that decides who wins.

    `results` returns None while the match runs; `step` is the template of what
    stands on the podium, `note` of the lines upon its block.
    """

    results: Callable[[MatchPage, Sequence[StoryEvent]], Any]
    step: str
    note: str
    sheets: tuple[str, ...]
    rule: str


@dataclass(frozen=True, slots=True)
class Board:
    """A game on the pages.

    `draw` works a match page out; `land` is the template of what never changes, `parts` the
    template of the rest, `text` the one of the text board.  `map` is the template of the
    drawing in the middle, which is sent as a picture too, `map_words` what it is called, and
    `map_credit` what its licence asks to be said.
    `rules` is the template of the rules of play and `rules_context` what it needs; `intro`
    the game on the front page, `choices` the options of a new table, `agreed` what was
    chosen there.
    `say` puts one line of notation, that the viewer might choose, into words.
    `waiting` says for whom a match waits, where that is not one seat alone.
    `orders` is the template of the fields of a standing order.
    `pages` are modules whose `router` holds the game's own pages, `helpers`
    functions its templates call.
    """

    key: str
    title: str
    draw: Callable[[MatchPage, Opened], Any]
    land: str
    parts: str
    map: str
    map_words: Callable[[], str]
    map_credit: Callable[[], str]
    text: str
    say: Callable[[MatchPage, str], str]
    sheets: tuple[str, ...]
    tabs: Callable[[], tuple[Tab, ...]]
    waiting: Callable[[MatchPage, Mapping[Seat, Who]], str]
    following: Callable[[Any], Seat | None]
    rounds: Callable[[Any], tuple[int, int]]
    past: Past
    ending: Ending
    rules: str
    rules_context: Callable[[], Mapping[str, Any]]
    intro: str
    intro_sheets: tuple[str, ...]
    choices: str
    agreed: str
    orders: str
    mini: Mini
    pages: tuple[str, ...] = ()
    helpers: Mapping[str, Any] = field(default_factory=dict)
