"""Castell's entry in the registry of boards."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from app.i18n import gettext, ngettext
from app.matches.pages import MatchCard, MatchPage
from app.rules.castell.view import CastellView
from app.rules.game import Seat
from app.web.boards import castell, castell_rules
from app.web.boards.board import Board, Ending, Mini, Past, PawnPlace, Tab
from app.web.boards.castell_draft import drafted
from app.web.boards.castell_history import steps_of
from app.web.boards.castell_log import tell
from app.web.boards.castell_results import results
from app.web.boards.castell_tower import draw_tower
from app.web.boards.castell_words import skill_name
from app.web.boards.seats import Who, who_is_who

# Where a pawn's drawing starts in the small map, by region.
_PLACES: Final[Mapping[str, tuple[int, int]]] = {
    "TAR": (95, 640),
    "VAL": (205, 395),
    "VFR": (365, 340),
    "VNO": (395, 560),
    "BCN": (625, 420),
    "TER": (485, 200),
    "GIR": (745, 160),
}
_CROWDED: Final = 62


def _tabs() -> tuple[Tab, ...]:
    return (
        Tab("turn", "i-check", gettext("Turn")),
        Tab("region", "i-map", gettext("Region")),
        Tab("colla", "i-own", gettext("Colla")),
        Tab("rivals", "i-people", gettext("Rivals")),
        Tab("log", "i-log", gettext("Since")),
    )


def _past_tabs() -> tuple[Tab, ...]:
    return (
        Tab("turn", "i-history", gettext("Step")),
        Tab("region", "i-map", gettext("Region")),
        Tab("colla", "i-own", gettext("Colla")),
        Tab("rivals", "i-people", gettext("Rivals")),
        Tab("log", "i-log", gettext("What")),
    )


def _waiting(match: MatchPage, seats: Mapping[Seat, Who]) -> str:
    count = len(match.asked)
    return ngettext("Waiting for %(n)s colla", "Waiting for %(n)s collas", count)


def _following(view: CastellView) -> Seat | None:
    if view.turn is None:
        return None
    later = view.order[view.order.index(view.turn.seat) + 1 :]
    return later[0] if later else None


def _rounds(view: CastellView) -> tuple[int, int]:
    return view.round, view.rounds


def _say(match: MatchPage, line: str) -> str:
    told = drafted((line,), match.view)[0]
    return (
        gettext("%(what)s (%(note)s)", what=told.words, note=told.note) if told.note else told.words
    )


def _retell(board: castell.CastellBoard, match: MatchPage) -> castell.CastellBoard:
    people = who_is_who(match.seats)
    return replace(board, log=tell(match.since, people, match.view, own=True).items)


def pawns_of(card: MatchCard, signs: Sequence[str]) -> Sequence[PawnPlace]:
    """Return the pawns that stand in some region, those of one region side by side."""
    view: CastellView = card.view
    standing: dict[str, int] = {}
    pawns = []
    for colla in view.collas:
        if colla.region is None or colla.region not in _PLACES:
            continue
        nth = standing.get(colla.region, 0)
        standing[colla.region] = nth + 1
        x, y = _PLACES[colla.region]
        pawns.append(
            PawnPlace(
                kit=card.seats[colla.seat].kit,
                letter=signs[colla.seat],
                x=x + nth * _CROWDED,
                y=y + (nth % 2) * (_CROWDED // 2),
            )
        )
    return tuple(pawns)


def _map_words() -> str:
    return gettext("Map of Catalonia")


def _map_credit() -> str:
    return gettext("Map © IGN, CC-BY 4.0")


def _silent() -> str:
    return gettext("A tower was handed in, in secret.")


def _reveal_words() -> str:
    return gettext("See the towers side by side")


def _rules_context() -> Mapping[str, Any]:
    return castell_rules.context()


BOARD: Final = Board(
    key=castell.GAME,
    title="Castell",
    draw=castell.draw,
    land="matches/_castell_land.html",
    parts="matches/_castell.html",
    map="matches/_castell_map.html",
    map_words=_map_words,
    map_credit=_map_credit,
    text="matches/_castell_text.html",
    say=_say,
    sheets=("board", "match", "collas", "tower", "reveal", "reveal_card"),
    tabs=_tabs,
    waiting=_waiting,
    following=_following,
    rounds=_rounds,
    past=Past(
        top=("matches/_castell_calendar.html", "matches/_castell_board.html"),
        sheet="matches/_castell_sheet.html",
        log="matches/_castell_log_item.html",
        rest=("matches/_castell_collas.html",),
        tabs=_past_tabs,
        steps=steps_of,
        retell=_retell,
        reveal="matches.festival",
        reveal_words=_reveal_words,
        silent=_silent,
    ),
    ending=Ending(
        results=results,
        step="results/_castell_step.html",
        note="results/_castell_note.html",
        sheets=("tower",),
        rule="9",
    ),
    rules="rules/castell.html",
    rules_context=_rules_context,
    intro="front/_castell.html",
    intro_sheets=("tower",),
    choices="tables/_castell_choices.html",
    agreed="tables/_castell_agreed.html",
    orders="matches/_castell_orders.html",
    mini=Mini(
        drawing="mini_castell.svg",
        view_box="0 60 1000 880",
        lands=("BCN", "VNO", "VFR", "TAR", "VAL", "TER", "GIR"),
        plain=("neu", "gap"),
        outlines=("coast",),
        pawns=pawns_of,
    ),
    pages=("app.web.festivals", "app.web.workshop"),
    helpers={"draw_tower": draw_tower, "skill_name": skill_name},
)
