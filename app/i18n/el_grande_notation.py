"""Refusals of El Grande's notation: turns, positions and whole matches as text."""

from collections.abc import Callable, Mapping
from typing import Final

from app.i18n import gettext as _
from app.i18n.notation import COMMON, Details, text_of, where

NOTATION: Final[Mapping[str, Callable[[Details], str]]] = {
    **COMMON,
    "notation.bad_number": lambda d: (
        where(d) + _("“%(text)s” names no number; write it like power 7.", text=text_of(d))
    ),
    "notation.bad_area": lambda d: (
        where(d) + _("“%(text)s” names no area; write it like disc GAL.", text=text_of(d))
    ),
    "notation.bad_card": lambda d: (
        where(d) + _("“%(text)s” names no card; write it like card 3-01.", text=text_of(d))
    ),
    "notation.bad_seat_name": lambda d: (
        where(d) + _("“%(text)s” names no seat; seats are p1 to p5.", text=text_of(d))
    ),
    "notation.bad_list": lambda d: (
        where(d) + _("“%(text)s” is no list; write it like place CVI 1, CAS 2.", text=text_of(d))
    ),
    "notation.repeated": lambda d: (
        where(d) + _("“%(text)s” names something twice.", text=text_of(d))
    ),
    "notation.bad_special": lambda d: (
        where(d)
        + _("“%(text)s” is no special action; write it like special king GAL.", text=text_of(d))
    ),
    "notation.bad_moves": lambda d: (
        where(d)
        + _("“%(text)s” moves nobody; write it like special move p2 ARA>CAT 1.", text=text_of(d))
    ),
    "notation.bad_owners": lambda d: (
        where(d) + _("“%(text)s” names no seats with regions, like p2 ARA.", text=text_of(d))
    ),
    "notation.bad_board": lambda d: (
        where(d)
        + _("“%(text)s” names no scoreboard; write it like special board A GAL.", text=text_of(d))
    ),
    "notation.bad_standing": lambda d: _(
        "“%(text)s” is no standing order; "
        "there are: ask, pass, veto 3-01, 4-02, and cards like 13 if none>10, 7, lowest.",
        text=text_of(d),
    ),
    "notation.bad_entry": lambda d: (
        where(d) + _("“%(text)s” is no entry; write it like p1: power 7.", text=text_of(d))
    ),
    "notation.deal_expected": lambda d: (
        where(d) + _("the deal should stand here, not “%(text)s”.", text=text_of(d))
    ),
    "notation.deal_impossible": lambda d: (
        where(d) + _("this cannot have been dealt: “%(text)s”.", text=text_of(d))
    ),
    "notation.reveal_expected": lambda d: (
        where(d) + _("new cards should stand here, not “%(text)s”.", text=text_of(d))
    ),
    "notation.reveal_impossible": lambda d: (
        where(d) + _("these cards cannot have been revealed: “%(text)s”.", text=text_of(d))
    ),
    "notation.line_expected": lambda d: (
        where(d) + _("a turn or an answer should stand here, not “%(text)s”.", text=text_of(d))
    ),
    "position.caballeros": lambda d: _(
        "Seat %(seat)s has %(there)s caballeros instead of %(needed)s.",
        seat=d["seat"],
        there=d["there"],
        needed=d["needed"],
    ),
    "position.powers": lambda d: _(
        "The power cards of seat %(seat)s are not where its plays have left them.",
        seat=d["seat"],
    ),
    "position.cards": lambda d: _(
        "Card %(card)s is in the position %(there)s times; there are %(needed)s.",
        card=d["card"],
        there=d["there"],
        needed=d["needed"],
    ),
    "position.vetoes": lambda d: _(
        "There are not as many as %(there)s Veto cards.", there=d["there"]
    ),
    "position.boards": lambda _d: _("Both mobile scoreboards lie in one region."),
    "position.moment": lambda d: _(
        "The position cannot be in the phase %(phase)s.", phase=d["phase"]
    ),
}
