"""El Grande's entry in the registry of boards."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from app.i18n import gettext
from app.matches.pages import MatchCard, MatchPage
from app.rules.el_grande.view import ElGrandeView
from app.rules.game import Seat
from app.web.boards import el_grande
from app.web.boards.board import Board, Ending, Mini, Past, PawnPlace, Tab
from app.web.boards.el_grande_draft import drafted
from app.web.boards.el_grande_history import steps_of
from app.web.boards.el_grande_log import tell
from app.web.boards.el_grande_orders import bid_rows, cards_held, veto_order
from app.web.boards.el_grande_results import results
from app.web.boards.el_grande_rules import context
from app.web.boards.el_grande_standing import draw_standing
from app.web.boards.seats import Who, who_is_who

# Where the pawns of the homes stand in the small map, by region.
_HOMES: Final[Mapping[str, tuple[int, int]]] = {
    "GAL": (80, 90),
    "PVA": (400, 80),
    "CVI": (300, 210),
    "ARA": (600, 200),
    "CAT": (790, 150),
    "CNU": (330, 400),
    "VAL": (570, 500),
    "GRA": (430, 590),
    "SEV": (200, 600),
}
_CROWDED: Final = 62
_SHEETS: Final = (
    "board",
    "match",
    "collas",
    "reveal_card",
    "el_grande_pieces",
    "el_grande",
    "el_grande_panels",
    "el_grande_turn",
)


def _tabs() -> tuple[Tab, ...]:
    return (
        Tab("turn", "i-check", gettext("Turn")),
        Tab("cards", "i-board", gettext("Cards")),
        Tab("mine", "i-court", gettext("Court")),
        Tab("seats", "i-people", gettext("Order")),
        Tab("log", "i-log", gettext("Since")),
    )


def _past_tabs() -> tuple[Tab, ...]:
    return (
        Tab("turn", "i-history", gettext("Step")),
        Tab("cards", "i-board", gettext("Cards")),
        Tab("region", "i-map", gettext("Region")),
        Tab("seats", "i-people", gettext("Order")),
        Tab("log", "i-log", gettext("What")),
    )


def _waiting(match: MatchPage, seats: Mapping[Seat, Who]) -> str:
    return draw_standing(match, seats).title


def _following(view: ElGrandeView) -> Seat | None:
    # Who answers now need not be whose turn it is.
    if view.turn is None or view.phase == "answers":
        return None
    later = view.order[view.order.index(view.turn.seat) + 1 :]
    return later[0] if later else None


def _rounds(view: ElGrandeView) -> tuple[int, int]:
    return view.round, view.rounds[-1]


def _retell(board: el_grande.ElGrandeBoard, match: MatchPage) -> el_grande.ElGrandeBoard:
    people = who_is_who(match.seats)
    return replace(board, log=tell(match.since, people, match.view, own=True).items)


def pawns_of(card: MatchCard, signs: Sequence[str]) -> Sequence[PawnPlace]:
    """Return a pawn for every home, those of one region side by side."""
    view: ElGrandeView = card.view
    standing: dict[str, int] = {}
    pawns = []
    for player in view.players:
        if player.home not in _HOMES:
            continue
        nth = standing.get(player.home, 0)
        standing[player.home] = nth + 1
        x, y = _HOMES[player.home]
        pawns.append(
            PawnPlace(
                kit=card.seats[player.seat].kit,
                letter=signs[player.seat],
                x=x + nth * _CROWDED,
                y=y + (nth % 2) * (_CROWDED // 2),
            )
        )
    return tuple(pawns)


def _map_words() -> str:
    return gettext("Map of Spain")


def _map_credit() -> str:
    return gettext("Map © IGN, CC-BY 4.0")


def _silent() -> str:
    return gettext("Something was decided in secret.")


def _reveal_words() -> str:
    return gettext("See the scoring step by step")


def _say(match: MatchPage, line: str) -> str:
    return drafted((line,), match.view, who_is_who(match.seats))[0].words


BOARD: Final = Board(
    key=el_grande.GAME,
    title="El Grande",
    draw=el_grande.draw,
    land="matches/_el_grande_land.html",
    parts="matches/_el_grande.html",
    map="matches/_el_grande_map.html",
    map_words=_map_words,
    map_credit=_map_credit,
    text="matches/_el_grande_text.html",
    say=_say,
    sheets=_SHEETS,
    tabs=_tabs,
    waiting=_waiting,
    following=_following,
    rounds=_rounds,
    past=Past(
        top=("matches/_el_grande_track.html", "matches/_el_grande_board.html"),
        sheet="matches/_el_grande_sheet.html",
        log="matches/_el_grande_log_item.html",
        rest=("matches/_el_grande_sides.html",),
        tabs=_past_tabs,
        steps=steps_of,
        retell=_retell,
        reveal="matches.scoring",
        reveal_words=_reveal_words,
        silent=_silent,
    ),
    ending=Ending(
        results=results,
        step="results/_el_grande_step.html",
        note="results/_el_grande_note.html",
        sheets=("el_grande_scoring",),
        rule="6.5",
    ),
    rules="rules/el_grande.html",
    rules_context=context,
    intro="front/_el_grande.html",
    intro_sheets=("el_grande_pieces", "el_grande_intro"),
    choices="tables/_el_grande_choices.html",
    agreed="tables/_el_grande_agreed.html",
    orders="matches/_el_grande_orders.html",
    mini=Mini(
        drawing="mini_el_grande.svg",
        view_box="0 20 1000 800",
        lands=("GAL", "PVA", "CVI", "ARA", "CAT", "CNU", "VAL", "GRA", "SEV"),
        plain=("CAS",),
        outlines=("coast", "CAS"),
        pawns=pawns_of,
    ),
    pages=("app.web.scorings",),
    helpers={"bid_rows": bid_rows, "cards_held": cards_held, "veto_order": veto_order},
)
