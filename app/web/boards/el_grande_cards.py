"""The action cards in our own words, and how they lie on the table this round."""

from collections.abc import Mapping
from dataclasses import dataclass

from app.i18n import gettext, ngettext
from app.rules.el_grande.edition import ALL, Card
from app.rules.el_grande.view import ElGrandeView
from app.rules.game import Seat
from app.web.boards.el_grande_words import ored
from app.web.boards.seats import Who


@dataclass(frozen=True, slots=True)
class CardWords:
    """What a card says: a title of few words, a sentence, and whom it concerns."""

    title: str
    text: str
    icon: str
    whom: str


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
    title, text = _said(card)
    icon, whom = _concerns(card)
    return CardWords(title, text, icon, whom)


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
    match card.action:
        case "move" if card.any:
            return "i-any", gettext("any colour")
        case "move" if card.own and card.opponents:
            return "i-people", gettext("own and opponents’")
        case "move" if card.opponents:
            return "i-opponents", gettext("opponents’")
        case "move" | "move_all" | "add" | "move_all_or_add" | "grande" | "court" | "recall":
            return "i-own", gettext("own")
        case "move_from":
            return "i-any", gettext("any colour")
        case "veto":
            return "i-veto", gettext("keep")
        case "return_courts" | "return_chosen" | "return_one" | "expel":
            return "i-opponents", gettext("opponents’")
        case "disc_return" | "score_picked":
            return "i-people", gettext("everyone’s disc")
        case "board":
            return "i-board", gettext("scoreboard")
        case "king_adjacent" | "king_anywhere":
            return "i-crown", gettext("King")
    return "i-score", gettext("score")


def _said(card: Card) -> tuple[str, str]:
    match card.action:
        case "move" | "move_from" | "move_all" | "add" | "move_all_or_add":
            return _moving(card)
        case "return_courts" | "return_chosen" | "return_one" | "disc_return":
            return _returning(card)
        case "veto":
            return gettext("Veto"), gettext(
                "Keep it: once, in this round or the next, stop another player’s special action."
            )
        case "board":
            return gettext("Mobile scoreboard"), gettext(
                "Put a mobile scoreboard on a region, or move one to another region."
            )
        case "king_adjacent":
            return gettext("Move the King next door"), gettext(
                "Move the King to a neighbouring region."
            )
        case "king_anywhere":
            return gettext("Move the King"), gettext("Move the King to any region.")
        case "expel":
            return gettext("Drive out a region"), gettext(
                "Choose a region: opponents there secretly choose another one"
                " and move all theirs to it."
            )
        case "grande":
            return gettext("Move your Grande"), gettext(
                "Move your Grande to another region: it is your home from then on."
            )
        case "court":
            return gettext("Fill your court"), ngettext(
                "Bring %(n)s more caballero from your province to your court.",
                "Bring %(n)s more caballeros from your province to your court.",
                card.count,
            )
        case "recall":
            return gettext("Take back a power card"), gettext(
                "Take one power card you have played back into your hand, in secret."
            )
    return _scoring(card)


def _moving(card: Card) -> tuple[str, str]:
    match card.action:
        case "move_from":
            return gettext("Move %(n)s out of one region", n=card.any), gettext(
                "Choose one region and move up to %(n)s caballeros of any colour out of it.",
                n=card.any,
            )
        case "move_all":
            return gettext("Leave one region"), gettext(
                "Choose one region and move all your caballeros out of it, wherever you like."
            )
        case "add":
            return gettext("Place %(n)s more", n=card.count), gettext(
                "Place up to %(n)s more caballeros from your court in any regions,"
                " even far from the King.",
                n=card.count,
            )
        case "move_all_or_add":
            return gettext("Leave one region, or place %(n)s more", n=card.count), gettext(
                "Either move all your caballeros out of one region, or place up to %(n)s more"
                " from your court in any regions.",
                n=card.count,
            )
    if card.any:
        return gettext("Move %(n)s of any colour", n=card.any), gettext(
            "Move up to %(n)s caballeros of any colour, from any regions to any others.",
            n=card.any,
        )
    if card.own and card.opponents:
        return gettext(
            "Move %(own)s own and %(others)s others", own=card.own, others=card.opponents
        ), gettext(
            "Move up to %(own)s of your own and up to %(others)s of your opponents’ caballeros.",
            own=card.own,
            others=card.opponents,
        )
    if card.own:
        return gettext("Move %(n)s own", n=card.own), gettext(
            "Move up to %(n)s of your own caballeros, from any regions to any others.", n=card.own
        )
    return gettext("Move %(n)s of your opponents", n=card.opponents), gettext(
        "Move up to %(n)s of your opponents’ caballeros, from any regions to any others.",
        n=card.opponents,
    )


def _returning(card: Card) -> tuple[str, str]:
    match card.action:
        case "return_courts" if card.count == ALL:
            return gettext("Empty their courts"), gettext(
                "Every opponent returns all caballeros in the court to the province."
            )
        case "return_courts":
            return gettext("Thin their courts by %(n)s", n=card.count), gettext(
                "Every opponent returns %(n)s caballeros from the court to the province.",
                n=card.count,
            )
        case "return_chosen":
            return gettext("They return %(n)s", n=card.count), gettext(
                "Every opponent returns %(n)s own caballeros, from regions or the court as they"
                " choose, to the province.",
                n=card.count,
            )
        case "return_one":
            return gettext("Return one of each"), gettext(
                "Return 1 caballero of every opponent, from regions you choose, to their"
                " provinces."
            )
    if card.count == ALL:
        return gettext("Everyone empties a region"), gettext(
            "Every player, you too, secretly sets the disc to a region of their own and returns"
            " all their caballeros from it."
        )
    return gettext("Everyone returns %(n)s", n=card.count), gettext(
        "Every player, you too, secretly sets the disc to a region where they have %(least)s or"
        " more and returns %(n)s from it.",
        least=card.least,
        n=card.count,
    )


def _scoring(card: Card) -> tuple[str, str]:
    match card.action:
        case "score_one":
            return gettext("Score one"), gettext("Score one region, or the Castillo, now.")
        case "score_valued":
            values = ored(card.values)
            return gettext("Score the %(values)s", values=values), gettext(
                "Score every region whose first place is worth %(values)s now.", values=values
            )
        case "score_castillo":
            return gettext("Score the Castillo"), gettext(
                "Score the Castillo now; everybody stays inside."
            )
        case "score_first":
            return gettext("Score first places"), gettext(
                "Score every region now, first places only."
            )
        case "score_most":
            return gettext("Score the fullest"), gettext(
                "Score the region with the most caballeros now."
            )
        case "score_fewest":
            return gettext("Score the emptiest"), gettext(
                "Score the region with the fewest caballeros now; empty ones do not count."
            )
    return gettext("Score what one picks"), gettext(
        "Every player secretly sets the disc; regions that exactly one player picked are scored."
    )
