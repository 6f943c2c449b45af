"""The draft in words: what each line does, and what a commit would leave unused."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.i18n import gettext, ngettext
from app.rules.castell import CASTELL
from app.rules.castell.moves import (
    Move,
    MovePawn,
    Perform,
    Recruit,
    Special,
    SpecialOption,
    Train,
    TrainSpecial,
)
from app.rules.castell.view import CastellView, CollaView, TurnView
from app.web.boards.castell_tiles import tile_words
from app.web.boards.castell_words import anded, skill_name


@dataclass(frozen=True, slots=True)
class DraftLine:
    """One drafted action; `sizes` are shown as size tokens after `what`."""

    index: int
    what: str
    sizes: tuple[int, ...]
    note: str

    @property
    def words(self) -> str:
        """The line without drawings, for the label of its undo."""
        return " ".join((self.what, *map(str, self.sizes)))


def drafted(lines: Sequence[str], base: CastellView) -> tuple[DraftLine, ...]:
    """Return `lines` in words; `base` is the position before any of them."""
    names = {region.id: region.name for region in base.regions}
    colla = my_colla(base)
    ranks = dict(colla.ranks) if colla else {}
    here = colla.region if colla else None
    told = []
    for index, line in enumerate(lines):
        (move,) = CASTELL.parse(line)
        note = ""
        sizes: tuple[int, ...] = ()
        option = move.option if isinstance(move, Special | TrainSpecial) else move
        if isinstance(option, MovePawn):
            here = option.region
        elif isinstance(option, Recruit):
            sizes, note = option.sizes, names.get(here or "", "")
        elif isinstance(option, Train):
            before = ranks.get(option.skill, 0)
            ranks[option.skill] = before + 1
            note = gettext("rank %(before)s → %(after)s", before=before, after=before + 1)
        elif isinstance(option, Perform):
            note = names.get(here or "", "")
        told.append(DraftLine(index, _said(move, names, base), sizes, note))
    return tuple(told)


def my_colla(view: CastellView) -> CollaView | None:
    """Return the viewer's own colla."""
    return next((colla for colla in view.collas if colla.seat == view.seat), None)


def commit_note(lines: Sequence[str], turn: TurnView, *, special_left: bool) -> str:
    """Say what a commit makes final and what it leaves unused."""
    if not lines:
        return gettext("nothing done this turn")
    made = ngettext("%(n)s action", "%(n)s actions", len(lines))
    unused = [
        name
        for name, used in (
            (gettext("Move"), turn.moved),
            (gettext("Recruit"), turn.recruited),
            (gettext("Train"), turn.trained),
            (gettext("Special"), turn.special or not special_left),
        )
        if not used
    ]
    if not unused:
        return made
    return gettext("%(made)s, %(names)s unused", made=made, names=anded(unused))


def _said(move: Move, names: dict[str, str], base: CastellView) -> str:
    match move:
        case Special(option=option):
            return gettext("Special: %(what)s", what=_option(option, names, base))
        case TrainSpecial(option=option):
            return gettext("Special tile: %(what)s", what=_option(option, names, base))
        case MovePawn() | Recruit() | Perform():
            return _option(move, names, base)
        case Train(skill=skill):
            return gettext("Train %(skill)s", skill=skill_name(skill))
    return CASTELL.format((move,))


def _option(option: SpecialOption, names: dict[str, str], base: CastellView) -> str:
    match option:
        case MovePawn(region=region):
            return gettext("move to %(region)s", region=names.get(region, region))
        case Recruit():
            return gettext("recruit")
        case Perform(tile=wanted):
            found = [tile for region in base.regions for tile in region.tiles if tile.id == wanted]
            what = tile_words(found[0]) if found else wanted
            return gettext("perform %(tile)s", tile=what)
