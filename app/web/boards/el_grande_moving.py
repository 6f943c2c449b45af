"""Moving caballeros and scoreboards, returning others’: first from where, then to where."""

from collections.abc import Callable
from typing import Any

from app.i18n import gettext, ngettext
from app.rules.el_grande.edition import ALL
from app.rules.el_grande.options import KindOption, Source
from app.rules.el_grande.view import ElGrandeView
from app.rules.game import Seat
from app.web.boards.el_grande_context import Context, held_words
from app.web.boards.el_grande_offers import (
    Moving,
    Offer,
    Pick,
    SourceGroup,
    Taps,
    Way,
    grouped,
    taps_of,
)
from app.web.boards.el_grande_words import area_name


def moving_offer(kind: KindOption, context: Context) -> Offer:
    """Return moving caballeros: whose and from where, then how many and to where."""
    view, opened = context.view, context.opened
    note = _move_note(kind)
    picked = next((one for one in kind.sources if opened.action == _from(one) and _able(one)), None)
    groups = _groups(kind.sources, context, lambda source: {"opens": {"open": _from(source)}})
    refused = grouped(
        (_source_name(one, context), one.refused) for one in kind.sources if one.refused is not None
    )
    if picked is None:
        asks = _asks(groups, context)
        way = Way("move", note, None, moving=Moving(groups, "", (), (), asks), refused=refused)
        call = asks or (gettext("tap where a caballero leaves") if groups else "")
        return way, _group_taps(groups), {}, call
    most = min(picked.there, _room(kind, view, picked.seat))
    count = min(max(opened.pick, 1), most)
    numbers = tuple(
        Pick(
            f"take-{n}",
            gettext("all %(n)s", n=n) if n == picked.there and n > 1 else str(n),
            opens={"open": _from(picked), "pick": str(n)},
            picked=n == count,
        )
        for n in range(1, most + 1)
    )
    targets = tuple(
        Pick(
            id=f"act-move-{area}",
            name=area_name(view, area),
            area=area,
            line=f"special move p{picked.seat + 1} {picked.area}>{area} {count}",
            hint=held_words(context, area),
        )
        for area in picked.targets
    )
    who = gettext("yours") if picked.seat == view.seat else context.seats[picked.seat].name
    taken = gettext("%(who)s from %(area)s", who=who, area=area_name(view, picked.area))
    way = Way("move", note, None, moving=Moving(groups, taken, numbers, targets))
    keep = {"open": _from(picked), "pick": str(count)}
    return way, taps_of(targets, "i-move"), keep, gettext("%(taken)s: tap where to", taken=taken)


def returning_offer(kind: KindOption, context: Context) -> Offer:
    """Return sending one caballero of every opponent back."""
    groups = _groups(
        kind.sources,
        context,
        lambda source: {"line": f"special return p{source.seat + 1} {source.area}"},
    )
    asks = _asks(groups, context)
    call = asks or (gettext("tap whose caballero goes back") if groups else "")
    note = gettext("One of every opponent, from where you like:")
    way = Way("return", note, None, moving=Moving(groups, "", (), (), asks))
    return way, _group_taps(groups), {}, call


def boards_offer(kind: KindOption, context: Context) -> Offer:
    """Return putting a mobile scoreboard somewhere: which one, then where to."""
    view = context.view
    chosen = context.opened.action.removeprefix("board-")
    able = [board for board in kind.boards if any(t.refused is None for t in board.targets)]
    boards = [board for board in able if board.board == chosen] or able[:1]
    numbers = tuple(
        Pick(
            f"board-{board.board}",
            "/".join(map(str, view.values.board_values(board.board))),
            opens={"open": f"board-{board.board}"},
            hint=area_name(view, board.origin) if board.origin else gettext("not in play"),
            picked=board in boards,
        )
        for board in able
    )
    targets = tuple(
        Pick(
            id=f"act-board-{target.area}",
            name=area_name(view, target.area),
            area=target.area,
            line=f"special board {board.board} {target.area}",
            hint=held_words(context, target.area),
        )
        for board in boards
        for target in board.targets
        if target.refused is None
    )
    refused = grouped(
        (area_name(view, target.area), target.refused)
        for board in boards
        for target in board.targets
        if target.refused is not None
    )
    moving = Moving((), gettext("Which scoreboard?"), numbers, targets)
    way = Way("board", "", None, moving=moving, refused=refused)
    return way, taps_of(targets, "i-board"), {}, gettext("choose the region it comes to")


def _groups(
    sources: tuple[Source, ...], context: Context, does: Callable[[Source], dict[str, Any]]
) -> tuple[SourceGroup, ...]:
    """Return the sources that can be used, area by area; an area that is open stands alone."""
    view = context.view
    by_area: dict[str, list[Pick]] = {}
    for source in sources:
        if source.refused is not None or source.there < 1:
            continue
        who = context.seats[source.seat]
        action = does(source)
        picked = action.get("opens", {}).get("open") == context.opened.action
        by_area.setdefault(source.area, []).append(
            Pick(
                id=f"from-p{source.seat + 1}-{source.area}",
                name=gettext("You") if source.seat == view.seat else who.name,
                area=source.area,
                kit=who.kit,
                letter=who.letter,
                count=source.there,
                picked=picked,
                **action,
            )
        )
    alone = context.opened.action.removeprefix("at-")
    shown = {alone: by_area[alone]} if alone in by_area else by_area
    return tuple(
        SourceGroup(area, area_name(view, area), {"open": f"at-{area}"}, tuple(picks))
        for area, picks in sorted(shown.items())
    )


def _asks(groups: tuple[SourceGroup, ...], context: Context) -> str:
    """Ask whose caballeros leave the area that stands alone; empty where none does."""
    alone = [group for group in groups if group.opens["open"] == context.opened.action]
    if not alone:
        return ""
    return gettext("choose whose caballeros leave %(place)s", place=alone[0].name)


def _group_taps(groups: tuple[SourceGroup, ...]) -> Taps:
    """A tap takes the only caballeros there are, or asks whose."""
    return {
        group.area: (
            "i-recruit",
            group.picks[0].id if len(group.picks) == 1 else f"at-{group.area}",
        )
        for group in groups
    }


def _room(kind: KindOption, view: ElGrandeView, owner: Seat) -> int:
    """How many of one owner a step may move at most: what is left of the card's number."""
    if "any" in kind.most:
        return max(kind.most["any"] - kind.done, 1)
    own = owner == view.seat
    most = kind.most.get("own" if own else "opponents", ALL)
    special = view.turn.special if view.turn is not None else None
    moves = special.moves if special is not None else ()
    return max(most - sum(move[3] for move in moves if (move[0] == view.seat) == own), 1)


def _move_note(kind: KindOption) -> str:
    if "any" in kind.most:
        return ngettext("%(done)s of up to %(n)s moved", "%(done)s of up to %(n)s moved",
                        kind.most["any"], done=kind.done)  # fmt: skip
    if "own" in kind.most and "opponents" in kind.most:
        return gettext("up to %(own)s of your own, up to %(others)s of your opponents’",
                       own=kind.most["own"], others=kind.most["opponents"])  # fmt: skip
    return ngettext("%(n)s moved", "%(n)s moved", kind.done)


def _source_name(source: Source, context: Context) -> str:
    who = gettext("you") if source.seat == context.view.seat else context.seats[source.seat].name
    return f"{area_name(context.view, source.area)} ({who})"


def _from(source: Source) -> str:
    return f"from-p{source.seat + 1}-{source.area}"


def _able(source: Source) -> bool:
    return source.refused is None and source.there > 0 and bool(source.targets)
