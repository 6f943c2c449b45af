"""Standing orders of El Grande in words: for which card, and what is to be played."""

from app.i18n import gettext as _
from app.i18n.lists import listed
from app.rules.el_grande.orders import ASK, VETOES, Clause, read_bids, read_veto


def decision(key: str) -> str:
    """Return what the decision called `key` is."""
    kind, _colon, place = key.partition(":")
    if key == VETOES:
        return _("My Veto, whenever it is asked for")
    if kind == "power":
        return _("The power card of round %(round)s", round=place)
    return _("My Veto in round %(round)s", round=place.partition(":")[0])


def order(line: str) -> str:
    """Return what the order `line` does; raises NotationError for what is none."""
    word, _space, cards = line.partition(" ")
    if word == "veto":
        return _("veto %(cards)s, let the others happen", cards=listed(cards.split(",")))
    if word in {"pass", ASK}:
        return _("let everything happen") if read_veto(line) == "pass" else _("ask me")
    clauses = read_bids(line)
    told = [_clause(clause) for clause in clauses]
    if not clauses[-1].always:
        told.append(_("ask me"))
    return _(", else ").join(told)


def _clause(clause: Clause) -> str:
    words = {"lowest": _("the lowest"), "highest": _("the highest"), ASK: _("ask me")}
    card = words.get(clause.card, clause.card)
    if clause.side == ">":
        return _("%(card)s if nobody has played above %(limit)s", card=card, limit=clause.limit)
    if clause.side == "<":
        return _("%(card)s if nobody has played below %(limit)s", card=card, limit=clause.limit)
    return card
