"""Standing orders of Castell in words: for which festivals, and what is to happen there."""

from app.i18n import gettext as _
from app.rules.castell.standing import EVERY, read_order


def decision(key: str) -> str:
    """Return what the decision called `key` is."""
    if key == EVERY:
        return _("Every festival until the match ends")
    return _("The festivals of round %(round)s", round=key.partition(":")[2])


def order(line: str) -> str:
    """Return what the order `line` does; raises NotationError for what is none."""
    word, least = read_order(line)
    if word == "decline":
        return _("show no tower")
    if least:
        return _("show my best tower if it scores at least %(points)s, else ask me", points=least)
    return _("show my best tower")
