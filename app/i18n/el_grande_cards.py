"""The action cards of El Grande in our own words, whatever numbers an edition gives them."""

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from app.i18n import gettext as _
from app.i18n import ngettext
from app.i18n.lists import ored
from app.rules.el_grande.components import Action
from app.rules.el_grande.edition import ALL, Card

# A title of few words, and what the card does in a sentence.
Words: TypeAlias = tuple[str, str]


def card_words(card: Card) -> Words:
    """Return a card's title, of few words, and what it does in a sentence."""
    return _WORDS[card.action](card)


def _move(card: Card) -> Words:
    if card.any:
        return _("Move %(n)s of any colour", n=card.any), _(
            "Move up to %(n)s caballeros of any colour, from any regions to any others.",
            n=card.any,
        )
    if card.own and card.opponents:
        said = {"own": card.own, "others": card.opponents}
        return _("Move %(own)s own and %(others)s others", **said), _(
            "Move up to %(own)s of your own and up to %(others)s of your opponents’ caballeros.",
            **said,
        )
    if card.own:
        return _("Move %(n)s own", n=card.own), _(
            "Move up to %(n)s of your own caballeros, from any regions to any others.", n=card.own
        )
    return _("Move %(n)s of your opponents", n=card.opponents), _(
        "Move up to %(n)s of your opponents’ caballeros, from any regions to any others.",
        n=card.opponents,
    )


def _move_from(card: Card) -> Words:
    return _("Move %(n)s out of one region", n=card.any), _(
        "Choose one region and move up to %(n)s caballeros of any colour out of it.", n=card.any
    )


def _move_all(card: Card) -> Words:
    return _("Leave one region"), _(
        "Choose one region and move all your caballeros out of it, wherever you like."
    )


def _add(card: Card) -> Words:
    return _("Place %(n)s more", n=card.count), _(
        "Place up to %(n)s more caballeros from your court in any regions, even far from the King.",
        n=card.count,
    )


def _move_all_or_add(card: Card) -> Words:
    return _("Leave one region, or place %(n)s more", n=card.count), _(
        "Either move all your caballeros out of one region, or place up to %(n)s more"
        " from your court in any regions.",
        n=card.count,
    )


def _veto(card: Card) -> Words:
    return _("Veto"), _(
        "Keep it: once, in this round or the next, stop another player’s special action."
    )


def _return_courts(card: Card) -> Words:
    if card.count == ALL:
        return _("Empty their courts"), _(
            "Every opponent returns all caballeros in the court to the province."
        )
    return _("Thin their courts by %(n)s", n=card.count), _(
        "Every opponent returns %(n)s caballeros from the court to the province.", n=card.count
    )


def _return_chosen(card: Card) -> Words:
    return _("They return %(n)s", n=card.count), _(
        "Every opponent returns %(n)s own caballeros, from regions or the court as they"
        " choose, to the province.",
        n=card.count,
    )


def _return_one(card: Card) -> Words:
    return _("Return one of each"), _(
        "Return 1 caballero of every opponent, from regions you choose, to their provinces."
    )


def _disc_return(card: Card) -> Words:
    if card.count == ALL:
        return _("Everyone empties a region"), _(
            "Every player, you too, secretly sets the disc to a region of their own and returns"
            " all their caballeros from it."
        )
    return _("Everyone returns %(n)s", n=card.count), _(
        "Every player, you too, secretly sets the disc to a region where they have %(least)s or"
        " more and returns %(n)s from it.",
        least=card.least,
        n=card.count,
    )


def _score_one(card: Card) -> Words:
    return _("Score one"), _("Score one region, or the Castillo, now.")


def _score_valued(card: Card) -> Words:
    values = ored(card.values)
    return _("Score the %(values)s", values=values), _(
        "Score every region whose first place is worth %(values)s now.", values=values
    )


def _score_castillo(card: Card) -> Words:
    return _("Score the Castillo"), _("Score the Castillo now; everybody stays inside.")


def _score_first(card: Card) -> Words:
    return _("Score first places"), _("Score every region now, first places only.")


def _score_most(card: Card) -> Words:
    return _("Score the fullest"), _("Score the region with the most caballeros now.")


def _score_fewest(card: Card) -> Words:
    return _("Score the emptiest"), _(
        "Score the region with the fewest caballeros now; empty ones do not count."
    )


def _board(card: Card) -> Words:
    return _("Mobile scoreboard"), _(
        "Put a mobile scoreboard on a region, or move one to another region."
    )


def _king_adjacent(card: Card) -> Words:
    return _("Move the King next door"), _("Move the King to a neighbouring region.")


def _king_anywhere(card: Card) -> Words:
    return _("Move the King"), _("Move the King to any region.")


def _expel(card: Card) -> Words:
    return _("Drive out a region"), _(
        "Choose a region: opponents there secretly choose another one and move all theirs to it."
    )


def _grande(card: Card) -> Words:
    return _("Move your Grande"), _(
        "Move your Grande to another region: it is your home from then on."
    )


def _court(card: Card) -> Words:
    return _("Fill your court"), ngettext(
        "Bring %(n)s more caballero from your province to your court.",
        "Bring %(n)s more caballeros from your province to your court.",
        card.count,
    )


def _recall(card: Card) -> Words:
    return _("Take back a power card"), _(
        "Take one power card you have played back into your hand, in secret."
    )


def _score_picked(card: Card) -> Words:
    return _("Score what one picks"), _(
        "Every player secretly sets the disc; regions that exactly one player picked are scored."
    )


_WORDS: Final[Mapping[Action, Callable[[Card], Words]]] = {
    "move": _move,
    "move_from": _move_from,
    "move_all": _move_all,
    "add": _add,
    "move_all_or_add": _move_all_or_add,
    "veto": _veto,
    "return_courts": _return_courts,
    "return_chosen": _return_chosen,
    "return_one": _return_one,
    "disc_return": _disc_return,
    "score_one": _score_one,
    "score_valued": _score_valued,
    "score_castillo": _score_castillo,
    "score_first": _score_first,
    "score_most": _score_most,
    "score_fewest": _score_fewest,
    "board": _board,
    "king_adjacent": _king_adjacent,
    "expel": _expel,
    "grande": _grande,
    "court": _court,
    "recall": _recall,
    "score_picked": _score_picked,
    "king_anywhere": _king_anywhere,
}
