"""The draft in words: what each step does, equal ones together, and what a commit leaves open."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from app.i18n import gettext, ngettext
from app.rules.el_grande.game import EL_GRANDE
from app.rules.el_grande.moves import Disc, Move, Place, Refill, Special, Take, TakeCard
from app.rules.el_grande.view import ElGrandeView
from app.rules.game import Seat
from app.web.boards.el_grande_cards import card_words, find_card
from app.web.boards.el_grande_words import anded, area_name, list_words
from app.web.boards.seats import Who


@dataclass(frozen=True, slots=True)
class DraftStep:
    """Drafted lines that do the same; `index` is the last of them, the one an undo takes back.

    `words` tell of all of them together.
    """

    index: int
    words: str
    note: str


def drafted(
    lines: Sequence[str], base: ElGrandeView, seats: Mapping[Seat, Who]
) -> tuple[DraftStep, ...]:
    """Return `lines` in words; `base` is the position before any of them."""
    steps: list[DraftStep] = []
    told: list[Move] = []
    for index, line in enumerate(lines):
        (move,) = EL_GRANDE.parse(line)
        last = steps[-1] if steps else None
        if last is not None and _uncounted(line) == _uncounted(lines[last.index]):
            # Steps of one part alone differ in a number or in nothing, and those join.
            (move,) = EL_GRANDE.joined((told.pop(), move))
            steps.pop()
        told.append(move)
        steps.append(DraftStep(index, *_step_words(move, base, seats)))
    return tuple(steps)


def _uncounted(line: str) -> str:
    """Return a line without the number of caballeros it ends with."""
    return line.rstrip("0123456789")


def placed_in(lines: Sequence[str], kind: str) -> dict[str, tuple[int, int]]:
    """Return for each area how many of the draft's steps put there, and the last such line.

    `kind` is place, add, refill or court.
    """
    found: dict[str, tuple[int, int]] = {}
    for index, line in enumerate(lines):
        (move,) = EL_GRANDE.parse(line)
        for area, count in _areas(move, kind):
            found[area] = (found.get(area, (0, 0))[0] + count, index)
    return found


def _areas(move: Move, kind: str) -> tuple[tuple[str, int], ...]:
    if isinstance(move, Place) and kind == "place":
        return move.to
    if isinstance(move, Refill) and kind == "refill":
        return move.sources
    if isinstance(move, Special) and move.kind == kind:
        return move.areas
    return ()


def _step_words(move: Move, view: ElGrandeView, seats: Mapping[Seat, Who]) -> tuple[str, str]:
    words = note = ""
    match move:
        case Take(count):
            words = ngettext("Take only %(n)s to the court", "Take only %(n)s to the court", count)
            note = gettext("you could take more")
        case Refill(sources):
            words = gettext("Take back to the court: %(list)s", list=list_words(view, sources))
        case TakeCard(card):
            found = find_card(view, card)
            title = card_words(found).title
            words = gettext("Card %(stack)s: %(title)s", stack=found.stack, title=title)
        case Place(to):
            listed = list_words(view, to)
            words = gettext("Place %(list)s", list=listed) if to else gettext("Place nobody")
        case Disc(region):
            words = gettext("Disc on %(region)s", region=area_name(view, region))
            note = gettext("secret")
        case Special():
            words = special_words(move, view, seats)
    return words or EL_GRANDE.format((move,)), note


def special_words(move: Special, view: ElGrandeView, seats: Mapping[Seat, Who]) -> str:
    """Say what a special action, or a step of one, does."""
    if move.kind in _LISTED:
        return _LISTED[move.kind](move, view, seats)
    place = area_name(view, move.area) if move.area else ""
    words = {
        "skip": gettext("Leave the special action out"),
        "do": gettext("Carry out the special action"),
        "score": gettext("Score %(place)s", place=place),
        "king": gettext("The King to %(place)s", place=place),
        "expel": gettext("Drive opponents out of %(place)s", place=place),
        "grande": gettext("Your Grande to %(place)s", place=place),
    }
    return words[move.kind]


def _whose(who: Who, me: Seat | None) -> str:
    return gettext("yours") if who.seat == me else who.name


def _moves_words(move: Special, view: ElGrandeView, seats: Mapping[Seat, Who]) -> str:
    return anded(
        gettext(
            "Move %(count)s of %(name)s from %(origin)s to %(target)s",
            count=count,
            name=_whose(seats[owner], view.seat),
            origin=area_name(view, origin),
            target=area_name(view, target),
        )
        for owner, origin, target, count in move.moves
    )


def _add_words(move: Special, view: ElGrandeView, seats: Mapping[Seat, Who]) -> str:
    return gettext("Place %(list)s by the card", list=list_words(view, move.areas))


def _return_words(move: Special, view: ElGrandeView, seats: Mapping[Seat, Who]) -> str:
    return anded(
        gettext(
            "Return one of %(name)s from %(region)s",
            name=_whose(seats[owner], view.seat),
            region=area_name(view, region),
        )
        for owner, region in move.owners
    )


def _board_words(move: Special, view: ElGrandeView, seats: Mapping[Seat, Who]) -> str:
    values = view.values.board_values(move.board) if move.board is not None else ()
    worth = "/".join(map(str, values))
    place = area_name(view, move.area)
    return gettext("Scoreboard %(values)s to %(place)s", values=worth, place=place)


def _court_words(move: Special, view: ElGrandeView, seats: Mapping[Seat, Who]) -> str:
    if move.areas:
        return gettext("Bring to the court: %(list)s", list=list_words(view, move.areas))
    return gettext("Fill the court from the province")


def _recall_words(move: Special, view: ElGrandeView, seats: Mapping[Seat, Who]) -> str:
    if move.value is None:
        return gettext("Take a power card back")
    return gettext("Take power card %(value)s back", value=move.value)


_Words: TypeAlias = Callable[[Special, ElGrandeView, Mapping[Seat, Who]], str]
_LISTED: Final[Mapping[str, _Words]] = {
    "move": _moves_words,
    "add": _add_words,
    "return": _return_words,
    "board": _board_words,
    "court": _court_words,
    "recall": _recall_words,
}
