"""What may be done, as the turn panel needs it: the rules' options with reasons in words."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from app.i18n import gettext
from app.i18n.castell_words import skill_name
from app.i18n.lists import ored
from app.i18n.sentences import refusal
from app.rules.castell.assist import Unlocks
from app.rules.castell.components import WheelSkill
from app.rules.castell.notation import format_tower
from app.rules.castell.options import (
    Destination,
    Options,
    RecruitOption,
    SpecialAction,
    TileOption,
)
from app.rules.castell.view import CastellView, TileView
from app.rules.game import IllegalMoveError


@dataclass(frozen=True, slots=True)
class ActionOffer:
    """One possibility: `line` in notation when it is open, else why it is not."""

    line: str = ""
    why: str = ""
    rule: str = ""

    @property
    def closed(self) -> bool:
        """Whether it cannot be chosen."""
        return bool(self.why)


@dataclass(frozen=True, slots=True)
class SpecialOffer:
    """The three options of a special action; a tile's line holds one way to build it."""

    moves: tuple[str, ...]
    recruits: tuple[int, ...]
    tiles: tuple[tuple[TileView, ActionOffer], ...]


@dataclass(frozen=True, slots=True)
class Offers:
    """A turn's possibilities.

    `skills` holds (skill, offered here, offered everywhere, offer);
    `wheel_options` is None where the wheel does not show its Special tile.
    """

    move: ActionOffer
    moves: tuple[str, ...]
    recruit: ActionOffer
    recruit_most: int
    train: ActionOffer
    skills: tuple[tuple[WheelSkill, bool, bool, ActionOffer], ...]
    special: ActionOffer
    special_options: SpecialOffer
    wheel_options: SpecialOffer | None


def offers_of(view: CastellView, options: Options) -> Offers:
    """Return `options` with every refusal in words and every choice in notation."""
    tiles = {tile.id: tile for region in view.regions for tile in region.tiles}
    return Offers(
        move=_action(options.move.refused),
        moves=_codes(options.move.destinations),
        recruit=_recruit(options.recruit),
        recruit_most=options.recruit.most,
        train=_action(options.train.refused),
        skills=tuple(
            (one.skill, one.here, one.everywhere, _action(one.refused, f"train {one.skill}"))
            for one in options.train.skills
        ),
        special=_action(options.special.refused),
        special_options=_special(options.special, tiles),
        wheel_options=None if options.wheel is None else _special(options.wheel, tiles),
    )


def _action(refused: IllegalMoveError | None, line: str = "") -> ActionOffer:
    if refused is None:
        return ActionOffer(line=line)
    why = refusal("castell", refused.code, refused.details, refused.rule)
    return ActionOffer("", why, refused.rule)


def _recruit(action: RecruitOption) -> ActionOffer:
    """Recruiting is open to everybody, but somebody has to wait."""
    if action.refused is None and not action.sizes:
        return ActionOffer(why=gettext("Nobody waits in this region."))
    return _action(action.refused)


def _special(action: SpecialAction, tiles: Mapping[str, TileView]) -> SpecialOffer:
    return SpecialOffer(
        moves=_codes(action.destinations),
        recruits=tuple(dict.fromkeys(action.sizes)),
        tiles=tuple((tiles[one.tile], _performance(one)) for one in action.tiles),
    )


def _performance(one: TileOption) -> ActionOffer:
    """A tile with a tower for it, with what it lacks, or (without assistants) with neither."""
    if one.tower is not None:
        return ActionOffer(f"{one.tile} = {format_tower(one.tower)}")
    if one.refused is None:
        return ActionOffer()
    return ActionOffer(why=_lacking(one.unlocks), rule=one.refused.rule)


def _lacking(unlocks: Unlocks | None) -> str:
    """Say what one more rank or casteller would change."""
    if unlocks is not None and unlocks.skills:
        skills = ored(map(skill_name, unlocks.skills))
        return gettext("Not yet: one more rank of %(skills)s would do.", skills=skills)
    if unlocks is not None and unlocks.sizes:
        sizes = ored(unlocks.sizes)
        return gettext("Not yet: one more casteller of size %(sizes)s would do.", sizes=sizes)
    return gettext("Not yet: it takes more than one more rank or casteller.")


def _codes(destinations: Iterable[Destination]) -> tuple[str, ...]:
    return tuple(place.region for place in destinations)
