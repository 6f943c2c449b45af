"""What is asked outside a turn: a power card, a Veto, a disc, what to return."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from app.i18n import gettext, ngettext
from app.rules.el_grande import EL_GRANDE
from app.rules.el_grande.components import COURT
from app.rules.el_grande.moves import Disc, Move, Pass, Return, Veto
from app.rules.el_grande.options import Options, ReturnOption
from app.rules.el_grande.view import ElGrandeView
from app.web.boards.el_grande_cards import card_words, find_card
from app.web.boards.el_grande_context import Context, held_words
from app.web.boards.el_grande_offers import Pick, Refused, grouped
from app.web.boards.el_grande_words import area_name, list_words

# The court in an address: as short as a region's code.
_COURT: Final = "CRT"
_RETURN: Final = "back-"


@dataclass(frozen=True, slots=True)
class Confirm:
    """What is handed in: the line, what its button says, and what one should know first."""

    line: str
    title: str
    note: str
    warning: str = ""


@dataclass(frozen=True, slots=True)
class Asking:
    """A question: what is asked, what may be chosen, and the answer chosen so far.

    `at_once` are answers that need no choice (pass); `direct` are all answers
    that a choice leads to, for who reads them as a list, and `sample` is one of
    many.  `taps` are the icon and the link of the areas that a tap acts on.
    """

    kind: str
    title: str
    text: str
    rule: str
    picks: tuple[Pick, ...] = ()
    chosen: tuple[Pick, ...] = ()
    at_once: tuple[Confirm, ...] = ()
    confirm: Confirm | None = None
    direct: tuple[Confirm, ...] = ()
    sample: str = ""
    refused: tuple[Refused, ...] = ()
    taps: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    call: str = ""


def ask_power(options: Options, context: Context) -> Asking:
    """Return the choice of a power card."""
    picked = picked_power(context.opened.action)
    free = {one.value: one for one in options.powers if one.refused is None}
    direct = {
        value: Confirm(
            f"power {value}",
            gettext("Play %(value)s", value=value),
            ngettext(
                "brings %(n)s caballero to the court",
                "brings %(n)s caballeros to the court",
                one.caballeros,
            ),
        )
        for value, one in free.items()
    }
    return Asking(
        kind="power",
        title=gettext("Play a power card"),
        text=gettext("A high card acts early, a low one brings more caballeros to the court."),
        rule="4",
        picks=tuple(
            Pick(
                f"power-{one.value}",
                str(one.value),
                opens={"open": f"power-{one.value}"},
                count=one.caballeros,
                picked=one.value == picked,
            )
            for one in free.values()
        ),
        confirm=direct.get(picked),
        direct=tuple(direct.values()),
        refused=grouped(
            (str(one.value), one.refused) for one in options.powers if one.refused is not None
        ),
    )


def picked_power(action: str) -> int:
    """Return the power card that the address has picked, 0 if none."""
    value = action.removeprefix("power-")
    return int(value) if action != value and value.isdecimal() else 0


def ask_answers(options: Options, context: Context) -> tuple[Asking, ...]:
    """Return all that the seat is asked by an announced special action, or for the Castillo."""
    asked = []
    if options.veto is None:
        asked.append(_ask_veto(options))
    if options.returns is not None:
        asked.append(_ask_return(options.returns, context))
    if options.discs:
        asked.append(_ask_disc(options, context))
    return tuple(asked)


def answer_words(line: str, view: ElGrandeView) -> str:
    """Say an answer that is in, as its button said it."""
    return ", ".join(_move_words(move, view) for move in EL_GRANDE.parse(line))


def _move_words(move: Move, view: ElGrandeView) -> str:
    match move:
        case Disc(region):
            return area_name(view, region)
        case Return(sources):
            return list_words(view, sources)
        case Veto():
            return gettext("Veto")
        case Pass():
            return gettext("Let it happen")
        case _:
            return EL_GRANDE.format((move,))


def _ask_veto(options: Options) -> Asking:
    at_once = [
        Confirm("veto", gettext("Veto"), gettext("stops it and spends your Veto")),
    ]
    if options.passing is None:
        at_once.append(Confirm("pass", gettext("Let it happen"), gettext("your Veto stays")))
    return Asking(
        kind="veto",
        title=gettext("Your Veto?"),
        text="",
        rule="5.2",
        at_once=tuple(at_once),
    )


def _ask_disc(options: Options, context: Context) -> Asking:
    view = context.view
    action = context.opened.action
    castillo = view.phase == "disc"
    picks = tuple(
        Pick(
            id=f"disc-{one.region}",
            name=area_name(view, one.region),
            area=one.region,
            opens={"open": f"disc-{one.region}"},
            hint=held_words(context, one.region),
            picked=action == f"disc-{one.region}",
            warning=gettext("the King’s region") if one.warning else "",
        )
        for one in options.discs
        if one.refused is None
    )
    direct = {
        one.region: Confirm(
            f"disc {one.region}",
            gettext("Set the disc to %(region)s", region=area_name(view, one.region)),
            gettext("all of yours in the Castillo move there")
            if castillo and not one.warning
            else "",
            gettext(
                "The King is there: nobody enters his region. Your caballeros from the"
                " Castillo go back to your court instead."
            )
            if one.warning
            else "",
        )
        for one in options.discs
        if one.refused is None
    }
    text = (
        gettext("All your caballeros in the Castillo leave it together, after it is scored. All"
                " discs are shown at once.")
        if castillo
        else _disc_text(context)
    )  # fmt: skip
    return Asking(
        kind="disc",
        title=gettext("Set your secret disc"),
        text=text,
        rule="6.1" if castillo else "5",
        picks=picks,
        confirm=direct.get(action.removeprefix("disc-")),
        direct=tuple(direct.values()),
        refused=grouped(
            (area_name(view, one.region), one.refused)
            for one in options.discs
            if one.refused is not None
        ),
        taps={pick.area: ("i-flag", pick.id) for pick in picks},
        call=gettext("tap the region for your disc"),
    )


def _disc_text(context: Context) -> str:
    turn = context.view.turn
    if turn is None or turn.card is None:
        return ""
    return card_words(find_card(context.view, turn.card)).text


def _ask_return(returns: ReturnOption, context: Context) -> Asking:
    view, action = context.view, context.opened.action
    chosen = [
        COURT if code == _COURT else code
        for code in action.removeprefix(_RETURN).split(".")
        if action.startswith(_RETURN) and code
    ][: returns.needed]
    left = dict(returns.sources)
    for area in chosen:
        left[area] = left.get(area, 0) - 1
    full = len(chosen) >= returns.needed
    picks = tuple(
        Pick(
            id=f"back-{area}",
            name=area_name(view, area),
            area=area,
            opens={} if full or left[area] < 1 else {"open": _coded([*chosen, area])},
            hint=ngettext("%(n)s of yours", "%(n)s of yours", there),
            count=chosen.count(area),
        )
        for area, there in returns.sources
    )
    taken = tuple(
        Pick(
            id=f"keep-{place}",
            name=area_name(view, area),
            area=area,
            opens={"open": _coded(chosen[:place] + chosen[place + 1 :])},
        )
        for place, area in enumerate(chosen)
    )
    confirm = None
    if full and all(count >= 0 for count in left.values()):
        listed = ", ".join(f"{area} {chosen.count(area)}" for area in dict.fromkeys(chosen))
        names = ", ".join(
            f"{area_name(view, area)} {chosen.count(area)}" for area in dict.fromkeys(chosen)
        )
        confirm = Confirm(f"return {listed}", gettext("Return them"), names)
    return Asking(
        kind="return",
        title=ngettext("Return %(n)s caballero", "Return %(n)s caballeros", returns.needed),
        text=gettext(
            "%(chosen)s of %(needed)s chosen. They go back to your province.",
            chosen=len(chosen),
            needed=returns.needed,
        ),
        rule="5",
        picks=picks,
        chosen=taken,
        confirm=confirm,
        sample=f"return {_first(returns)}",
        taps={pick.area: ("i-return", pick.id) for pick in picks if pick.opens},
        call=gettext("tap where one goes back"),
    )


def _coded(areas: list[str]) -> str:
    return _RETURN + ".".join(_COURT if area == COURT else area for area in areas)


def _first(returns: ReturnOption) -> str:
    """One list that would do, to begin with: from the first sources on."""
    left, listed = returns.needed, []
    for area, there in returns.sources:
        taken = min(left, there)
        if taken:
            listed.append(f"{area} {taken}")
        left -= taken
    return ", ".join(listed)
