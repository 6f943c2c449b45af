"""The action cards in our own words, and how they lie on the table this round."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from app.i18n import gettext
from app.i18n.el_grande_cards import card_words as words_of
from app.rules.el_grande.edition import Card
from app.rules.el_grande.view import ElGrandeView
from app.rules.game import Seat
from app.web.boards.seats import Who


@dataclass(frozen=True, slots=True)
class CardWords:
    """What a card says: a title of few words, a sentence, and whom it concerns.

    `lead` is the title where the sentence alone would not say what the card is.
    """

    title: str
    text: str
    icon: str
    whom: str
    lead: str = ""


@dataclass(frozen=True, slots=True)
class CardArt:
    """A card on offer or taken this round.

    `line` takes it, `why` says why it cannot be taken (both empty: not now).
    """

    id: str
    stack: int
    place: int
    words: CardWords
    state: str
    by: Who | None
    line: str = ""
    why: str = ""


def card_words(card: Card) -> CardWords:
    """Return a card of the edition in words."""
    title, text = words_of(card)
    icon, whom = _concerns(card)
    return CardWords(title, text, icon, whom, title if card.action == "veto" else "")


def find_card(view: ElGrandeView, card: str) -> Card:
    """Return a card of the match's edition; raises KeyError for what is none."""
    cards = {one.id: one for one in view.values.cards}
    return cards[card]


def draw_cards(
    view: ElGrandeView,
    seats: Mapping[Seat, Who],
    lines: Mapping[str, str],
    whys: Mapping[str, str],
) -> tuple[CardArt, ...]:
    """Return this round's cards by stack, those taken with their taker."""
    taken = {card: seat for seat, card in view.taken}
    mine = view.turn.card if view.turn is not None and view.turn.seat == view.seat else None
    drawn = []
    for id_ in sorted({*view.offer, *taken}, key=lambda one: find_card(view, one).stack):
        card = find_card(view, id_)
        by = seats[taken[id_]] if id_ in taken else None
        state = "free" if by is None else "mine" if id_ == mine else "taken"
        drawn.append(
            CardArt(
                id=id_,
                stack=card.stack,
                place=view.values.placement[card.stack - 1],
                words=card_words(card),
                state=state,
                by=by,
                line=lines.get(id_, ""),
                why=whys.get(id_, ""),
            )
        )
    return tuple(drawn)


def _concerns(card: Card) -> tuple[str, str]:
    """The mark that tells own, opponents’ and any apart, always with its word."""
    mark = _MARKS.get(card.action, "score")
    if card.action == "move":
        mark = "any" if card.any else "own" if not card.opponents else "opponents"
        if card.own and card.opponents:
            mark = "both"
    words = {
        "any": gettext("any colour"),
        "both": gettext("own and opponents’"),
        "opponents": gettext("opponents’"),
        "own": gettext("own"),
        "keep": gettext("keep"),
        "discs": gettext("everyone’s disc"),
        "board": gettext("scoreboard"),
        "king": gettext("King"),
        "score": gettext("score"),
    }
    return _ICONS[mark], words[mark]


_ICONS: Final = {
    "any": "i-any",
    "both": "i-people",
    "opponents": "i-opponents",
    "own": "i-own",
    "keep": "i-veto",
    "discs": "i-people",
    "board": "i-board",
    "king": "i-crown",
    "score": "i-score",
}
_MARKS: Final[Mapping[str, str]] = {
    "move_from": "any",
    "move_all": "own",
    "add": "own",
    "move_all_or_add": "own",
    "grande": "own",
    "court": "own",
    "recall": "own",
    "veto": "keep",
    "return_courts": "opponents",
    "return_chosen": "opponents",
    "return_one": "opponents",
    "expel": "opponents",
    "disc_return": "discs",
    "score_picked": "discs",
    "board": "board",
    "king_adjacent": "king",
    "king_anywhere": "king",
}
