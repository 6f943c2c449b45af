"""Standing orders as forms: what is to become of the Veto, and lists of power cards."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import repeat
from typing import Final

from app.matches.pages import MatchPage
from app.rules.el_grande.view import ElGrandeView
from app.web.boards.el_grande_cards import card_words

# So many cards can be named, one after the other.
ROWS: Final = 4


@dataclass(frozen=True, slots=True)
class OrderCard:
    """A card that a standing order may veto."""

    id: str
    title: str
    on: bool


@dataclass(frozen=True, slots=True)
class VetoOrder:
    """What answers for the seat whenever its Veto is asked for: ask, pass or veto some cards."""

    kind: str
    cards: tuple[OrderCard, ...]


@dataclass(frozen=True, slots=True)
class BidRow:
    """One card of a list, in notation, and when it is to be played (empty: always)."""

    pick: str
    when: str


def draw_order(page: MatchPage) -> VetoOrder | None:
    """Return the viewer's standing answer to a Veto window; None where there is no use for it."""
    view: ElGrandeView = page.base_view
    if page.seat is None or page.status != "running" or view.veto == "off":
        return None
    order = page.standing.get("veto")
    if not view.players[page.seat].vetoes and order is None:
        return None
    return veto_order(page, order)


def veto_order(page: MatchPage, order: str | None) -> VetoOrder:
    """Return `order` as choices, with every card that may be vetoed; None: ask."""
    view: ElGrandeView = page.base_view
    kind, _, listed = (order or "ask").partition(" ")
    chosen = {one.strip() for one in listed.split(",")}
    return VetoOrder(
        kind=kind,
        cards=tuple(
            OrderCard(card.id, card_words(card).title, card.id in chosen)
            for card in view.values.cards
            if card.action != "veto"
        ),
    )


def bid_rows(line: str | None) -> tuple[BidRow, ...]:
    """Return a list of power cards, right or wrong, as rows to fill in."""
    rows = (*_rows(line or ""), *repeat(BidRow("", ""), ROWS))
    return rows[:ROWS]


def _rows(line: str) -> Iterator[BidRow]:
    for clause in filter(None, line.split(",")):
        pick, _, when = clause.partition(" if ")
        yield BidRow(pick.strip(), when.strip())


def cards_held(page: MatchPage) -> tuple[int, ...]:
    """Return the power cards in the viewer's hand, the lowest first."""
    view: ElGrandeView = page.base_view
    return () if page.seat is None else tuple(sorted(view.players[page.seat].hand or ()))
