"""Every refusal of El Grande's rules as one friendly sentence."""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from app.i18n import gettext as _
from app.i18n import ngettext
from app.i18n.editions import EDITIONS
from app.i18n.el_grande_notation import NOTATION
from app.i18n.el_grande_words import area_name, areas_named, caballeros
from app.i18n.lists import listed, ored

Details: TypeAlias = Mapping[str, Any]
Sentence: TypeAlias = Callable[[Details], str]


def refusal(code: str, details: Details, rule: str = "") -> str:
    """Return the refusal `code` of rule `rule` in the language being spoken."""
    sentence = _SENTENCES.get(code)
    if sentence is None:
        return _("The rules do not allow that (%(code)s).", code=code)
    return sentence(details)


def _too_many(details: Details) -> str:
    said = {"count": details["count"], "most": caballeros(details["limit"])}
    match details["whose"]:
        case "own":
            return _("The card moves %(most)s of your own at most, not %(count)s.", **said)
        case "opponents":
            return _("The card moves %(most)s of opponents at most, not %(count)s.", **said)
    return _("The card moves %(most)s at most, not %(count)s.", **said)


def _not_there(details: Details) -> str:
    return ngettext(
        "Only %(n)s caballero of that colour stood in %(region)s; you want %(wanted)s.",
        "Only %(n)s caballeros of that colour stood in %(region)s; you want %(wanted)s.",
        details["there"],
        region=area_name(details["region"]),
        wanted=details["wanted"],
    )


_TURN: Final[Mapping[str, Sentence]] = {
    "match.over": lambda _d: _("The match is over."),
    "turn.not_yours": lambda _d: _("It is not your turn."),
    "standing.passed": lambda _d: _("That decision is not to come any more."),
    "turn.not_running": lambda _d: _("Now the answers of others are awaited."),
    "turn.only_placing": lambda _d: _("All that is left of this turn is placing caballeros."),
    "power.not_now": lambda _d: _("The power cards of this round have been played."),
    "power.first": lambda _d: _("Play a power card first."),
    "power.not_held": lambda d: _("You do not hold the power card %(value)s.", value=d["value"]),
    "power.blocked": lambda d: _(
        "Power card %(value)s has been played this round: choose another.", value=d["value"]
    ),
    "take.already": lambda _d: _("Your caballeros have come to the court already."),
    "take.too_many": lambda d: _(
        "%(most)s at most can come from the province, not %(count)s.",
        most=caballeros(d["most"]),
        count=d["count"],
    ),
    "refill.too_late": lambda _d: _("The court is filled before a card is taken."),
    "refill.nobody": lambda _d: _("Choose from which regions the caballeros come."),
    "refill.no_shortage": lambda _d: _(
        "Only when the province is empty and you have taken all you may, caballeros can come"
        " from regions."
    ),
    "refill.too_many": lambda d: (
        ngettext(
            "%(n)s caballero is lacking; you want %(count)s from regions.",
            "%(n)s caballeros are lacking; you want %(count)s from regions.",
            d["shortage"],
            count=d["count"],
        )
        if d["shortage"] > 0
        else _("The province is not short: nobody comes from regions.")
    ),
    "card.first": lambda _d: _("Take an action card first."),
    "card.already": lambda _d: _("You have taken your action card of this round."),
    "card.unknown": lambda d: _("There is no card %(card)s.", card=d["card"]),
    "card.taken": lambda d: _("Card %(card)s has been taken this round.", card=d["card"]),
    "card.not_on_offer": lambda d: _(
        "Card %(card)s is not on offer. There is %(offer)s.",
        card=d["card"],
        offer=listed(d["offer"]),
    ),
    "place.already": lambda _d: _("You have placed already: the parts of a turn never split."),
    "place.not_adjacent": lambda d: _(
        "%(region)s does not border on %(king)s, where the King stands. You can place in"
        " %(adjacent)s and in the Castillo.",
        region=area_name(d["region"]),
        king=area_name(d["king"]),
        adjacent=areas_named(d["adjacent"]),
    ),
    "place.too_many": lambda d: _(
        "This card places %(most)s at most, not %(count)s.",
        most=caballeros(d["limit"]),
        count=d["count"],
    ),
    "place.court_short": lambda d: ngettext(
        "Your court has only %(n)s caballero left, not %(count)s.",
        "Your court has only %(n)s caballeros left, not %(count)s.",
        d["court"],
        count=d["count"],
    ),
}
_AREAS: Final[Mapping[str, Sentence]] = {
    "area.unknown": lambda d: (
        _("There is no area %(area)s.", area=d["area"]) if d["area"] else _("Choose an area.")
    ),
    "area.castillo": lambda _d: _("That does not work with the Castillo: choose a region."),
    "seat.unknown": lambda _d: _("Nobody sits there."),
    "king.taboo": lambda d: _(
        "The King stands in %(region)s: nothing enters, leaves or moves there.",
        region=area_name(d["region"]),
    ),
    "king.same_region": lambda d: _(
        "The King stands in %(region)s already.", region=area_name(d["region"])
    ),
    "king.not_adjacent": lambda d: _(
        "%(region)s does not border on %(king)s. From there the King can go to %(adjacent)s.",
        region=area_name(d["region"]),
        king=area_name(d["king"]),
        adjacent=areas_named(d["adjacent"]),
    ),
    "board.unknown": lambda _d: _("Choose one of the two mobile scoreboards."),
    "board.same_region": lambda d: _(
        "That scoreboard lies in %(region)s already.", region=area_name(d["region"])
    ),
    "board.occupied": lambda d: _(
        "The other scoreboard lies in %(region)s.", region=area_name(d["region"])
    ),
    "grande.locked": lambda _d: _("Your Grande is in the King’s region and cannot leave it."),
    "grande.same_region": lambda d: _(
        "Your Grande stands in %(region)s already.", region=area_name(d["region"])
    ),
    "expel.nobody": lambda d: _(
        "No opponent has caballeros in %(region)s.", region=area_name(d["region"])
    ),
    "recall.unnamed": lambda _d: _("Say which power card you take back."),
    "recall.not_played": lambda d: _(
        "The power card %(value)s does not lie in your pile.", value=d["value"]
    ),
}
_SPECIAL: Final[Mapping[str, Sentence]] = {
    "special.none": lambda _d: _("This card has no special action to carry out: you keep it."),
    "special.already": lambda _d: _("The special action is over: the parts of a turn never split."),
    "special.wrong_kind": lambda _d: _("This is not what your card does."),
    "special.no_effect": lambda _d: _("This would change nothing: skip the special action."),
    "special.no_target": lambda _d: _("Choose whom the card is to touch."),
    "special.disc_missing": lambda _d: _("Set your secret disc for this card first."),
    "special.not_all_moved": lambda d: ngettext(
        "All your caballeros have to leave %(region)s: %(n)s is still there.",
        "All your caballeros have to leave %(region)s: %(n)s are still there.",
        d["left"],
        region=area_name(d["region"]),
    ),
    "special.return_missing": lambda d: ngettext(
        "One caballero of every opponent has to go: %(n)s opponent is missing.",
        "One caballero of every opponent has to go: %(n)s opponents are missing.",
        len(d["seats"]),
    ),
    "move.same_region": lambda d: _(
        "Who moves out of %(region)s has to go somewhere else.", region=area_name(d["region"])
    ),
    "move.one_region": lambda d: _(
        "All have to come out of one region, not out of %(regions)s.",
        regions=areas_named(d["regions"]),
    ),
    "move.own_only": lambda _d: _("This card moves your own caballeros only."),
    "move.opponents_only": lambda _d: _("This card moves opponents’ caballeros only."),
    "move.too_many": _too_many,
    "move.not_there": _not_there,
    "add.too_many": lambda d: _(
        "This card adds %(most)s at most, not %(count)s.",
        most=caballeros(d["limit"]),
        count=d["count"],
    ),
    "return.own": lambda _d: _("This card returns caballeros of opponents, not your own."),
    "return.not_there": lambda d: _(
        "That opponent has nobody in %(region)s.", region=area_name(d["region"])
    ),
    "return.twice": lambda _d: _("Only one caballero of every opponent goes."),
    "return.too_many": lambda d: ngettext(
        "You have %(n)s caballero in %(area)s, not %(count)s.",
        "You have %(n)s caballeros in %(area)s, not %(count)s.",
        d["there"],
        area=area_name(d["area"]),
        count=d["count"],
    ),
    "return.wrong_count": lambda d: _(
        "You have to return %(needed)s, not %(count)s.",
        needed=caballeros(d["needed"]),
        count=d["count"],
    ),
    "disc.not_asked": lambda _d: _("No disc is to be set now."),
    "disc.unknown_region": lambda d: (
        _("The disc shows no region %(region)s.", region=d["region"])
        if d["region"]
        else _("Choose a region.")
    ),
    "disc.not_allowed": lambda d: _(
        "For this card the disc cannot be set to %(region)s, but to %(allowed)s.",
        region=area_name(d["region"]),
        allowed=ored(map(area_name, d["allowed"])),
    ),
    "answer.not_asked": lambda _d: _("You are not asked for that now."),
    "veto.not_asked": lambda _d: _("There is nothing for you to veto now."),
}
_SENTENCES: Final[Mapping[str, Sentence]] = {
    **NOTATION,
    **EDITIONS,
    **_TURN,
    **_AREAS,
    **_SPECIAL,
}
