"""Handing a tower in: what may be submitted now, and in words why not."""

from dataclasses import dataclass
from typing import Final

from app.i18n import gettext
from app.i18n.sentences import refusal
from app.matches.pages import MatchPage
from app.rules.castell import CASTELL
from app.rules.castell.components import Tower
from app.rules.castell.moves import Move, Perform, Special, TrainSpecial
from app.rules.castell.view import CastellView
from app.rules.game import IllegalMoveError, Seat
from app.rules.rng import NoRng
from app.web.boards.castell_target import Target
from app.web.boards.castell_workshop import Workshop

TOWER_REFUSAL: Final = "tower."


@dataclass(frozen=True, slots=True)
class Submit:
    """A button: `final` ones are committed as the answer, the others go into the draft."""

    line: str
    label: str
    note: str
    ready: bool
    final: bool
    primary: bool = True


@dataclass(frozen=True, slots=True)
class Submits:
    """The buttons, or `closed`: why there are none."""

    buttons: tuple[Submit, ...]
    closed: str = ""


def submits(page: MatchPage, work: Workshop) -> Submits:
    """Return how the tower of `work` may be handed in now."""
    if work.target.tile is None:
        return _answers(page, work)
    return _performances(page, work)


def _answers(page: MatchPage, work: Workshop) -> Submits:
    target = work.target
    if not target.is_open:
        return Submits((), _not_now(page, target))
    is_in = page.answer is not None
    if work.state != "ready":
        note = work.verdict
    elif is_in:
        note = gettext("Replaces what you handed in; secret until all collas are in")
    else:
        note = gettext("Secret until all collas are in")
    ready = work.state == "ready"
    perform = Submit(work.line, gettext("Perform this tower"), note, ready, final=True)
    decline = Submit(
        f"festival {target.id} = decline",
        gettext("Take no part"),
        "",
        ready=True,
        final=True,
        primary=False,
    )
    return Submits((perform, decline))


def _not_now(page: MatchPage, target: Target) -> str:
    view: CastellView = page.view
    if target.round > view.round:
        return gettext(
            "This festival ends round %(round)s. Build ahead; nobody sees it.", round=target.round
        )
    if view.phase == "turns":
        return gettext("The festival begins when all have had their turn. Build ahead.")
    if not target.here:
        return gettext("Your pawn is not here, so you cannot enter.")
    return gettext("You cannot build any tower for this festival.")


def _performances(page: MatchPage, work: Workshop) -> Submits:
    prompt = page.prompt
    if prompt is None or prompt.simultaneous or page.seat is None:
        return Submits((), gettext("It is not your turn. Build ahead; nobody sees it."))
    by_token = _perform(page, page.seat, work, "special", gettext("Perform it"))
    by_wheel = _perform(page, page.seat, work, "train special", gettext("By the Special sign"))
    buttons = tuple(found for found in (by_token, by_wheel) if isinstance(found, Submit))
    if buttons:
        return Submits(buttons)
    return Submits((), by_token if isinstance(by_token, str) else "")


def _perform(page: MatchPage, seat: Seat, work: Workshop, by: str, label: str) -> Submit | str:
    """Return the button for one way of paying, or in words why that way is closed."""
    error = _refused(page, seat, _move(by, work.target, work.building.tower))
    if error is not None and not error.code.startswith(TOWER_REFUSAL):
        return refusal("castell", error.code, error.details, error.rule)
    ready = error is None and work.state == "ready"
    note = gettext("Goes into your draft") if ready else work.verdict
    line = work.target.line(work.building.tower, by=by)
    return Submit(line, label, note, ready, final=False)


def _move(by: str, target: Target, tower: Tower) -> Move:
    option = Perform(target.id, tower)
    return Special(option) if by == "special" else TrainSpecial(option)


def _refused(page: MatchPage, seat: Seat, move: Move) -> IllegalMoveError | None:
    # During turns nothing is hidden that a check could ask for, so nothing is drawn.
    state = CASTELL.determinise(page.view, NoRng())
    try:
        CASTELL.check(state, seat, move)
    except IllegalMoveError as error:
        return error
    return None
