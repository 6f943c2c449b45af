"""What a seat may do now, and of everything else why not (rule 5).

A board draws this: every action with its targets, or with the refusal that
forbids it.  Where the table allows the building assistants (rule 15), a tile
comes with a tower that claims it, or with what it lacks.
"""

from dataclasses import dataclass
from functools import partial

from app.rules.castell.assist import Unlocks, unlocks
from app.rules.castell.components import SIZES, SKILLS, Tower, WheelSkill
from app.rules.castell.edition import tables
from app.rules.castell.festivals import best_for, festival_at
from app.rules.castell.legal import check, tile_goal
from app.rules.castell.moves import (
    DeclineFestival,
    Move,
    MovePawn,
    Recruit,
    Special,
    SpecialOption,
    Train,
    TrainSpecial,
)
from app.rules.castell.solver import Best, tower_for
from app.rules.castell.state import NOWHERE, State
from app.rules.game import IllegalMoveError, Seat


@dataclass(frozen=True, slots=True)
class Destination:
    """A region the pawn can go to, and what it gives this round.

    `festival` holds the size tokens of a festival held there at the end of the
    round, None if there is none; `tokens` counts those in the region's row.
    """

    region: str
    castellers: tuple[int, ...]
    skills: tuple[WheelSkill, ...]
    tiles: tuple[str, ...]
    tokens: int
    festival: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class TileOption:
    """A local tile where the pawn stands.

    `refused` says why it cannot be performed, `unlocks` what one more would
    change; `tower` claims it.  Without assistants all three are None.
    """

    tile: str
    refused: IllegalMoveError | None
    tower: Tower | None
    unlocks: Unlocks | None


@dataclass(frozen=True, slots=True)
class MoveOption:
    """The move action."""

    refused: IllegalMoveError | None
    destinations: tuple[Destination, ...]


@dataclass(frozen=True, slots=True)
class RecruitOption:
    """The recruit action: up to `most` of `sizes`, largest first with repeats."""

    refused: IllegalMoveError | None
    sizes: tuple[int, ...]
    most: int


@dataclass(frozen=True, slots=True)
class SkillOption:
    """A skill of the wheel; offered here, everywhere, or both."""

    skill: WheelSkill
    here: bool
    everywhere: bool
    refused: IllegalMoveError | None


@dataclass(frozen=True, slots=True)
class TrainOption:
    """The train action, with every skill on offer."""

    refused: IllegalMoveError | None
    skills: tuple[SkillOption, ...]


@dataclass(frozen=True, slots=True)
class SpecialAction:
    """A special action with its three options."""

    refused: IllegalMoveError | None
    destinations: tuple[Destination, ...]
    sizes: tuple[int, ...]
    tiles: tuple[TileOption, ...]


@dataclass(frozen=True, slots=True)
class FestivalOption:
    """The festival the seat is asked for; `best` is None without assistants."""

    region: str
    tokens: tuple[int, ...]
    best: Best | None


@dataclass(frozen=True, slots=True)
class Options:
    """All a seat may do; `wheel` is None where the Special tile is not on offer.

    `festival` is None unless the seat has to answer one now.
    """

    move: MoveOption
    recruit: RecruitOption
    train: TrainOption
    special: SpecialAction
    wheel: SpecialAction | None
    festival: FestivalOption | None


def options_of(state: State, seat: Seat) -> Options:
    """Return what `seat` may do now, with targets, and why not the rest."""
    region = state.pawns[seat]
    destinations = _destinations(state, region)
    sizes = () if region == NOWHERE else _listed(state, region)
    tiles = () if region == NOWHERE else _tiles(state, seat, region)
    action = partial(SpecialAction, destinations=destinations, sizes=sizes, tiles=tiles)
    train = _train(state, seat, region)
    by_wheel = any(skill.skill == "special" for skill in train.skills)
    return Options(
        move=MoveOption(_refusal(state, seat, MovePawn("")), destinations),
        recruit=RecruitOption(_refusal(state, seat, Recruit(())), sizes, state.edition.recruits),
        train=train,
        special=action(_refusal(state, seat, Special(_NOBODY))),
        wheel=action(_refusal(state, seat, TrainSpecial(_NOBODY))) if by_wheel else None,
        festival=_festival(state, seat, region),
    )


# Moves that lack only their target, and how the rules say just that: an action
# is open if nothing else is wrong with it.
_NOBODY: SpecialOption = Recruit(())
_ONLY_THE_TARGET = ("move.unknown_region", "recruit.nobody")


def _refusal(state: State, seat: Seat, move: Move) -> IllegalMoveError | None:
    try:
        check(state, seat, move)
    except IllegalMoveError as error:
        return None if error.code in _ONLY_THE_TARGET else error
    return None


def _destinations(state: State, region: int) -> tuple[Destination, ...]:
    lookup = tables(state.edition)
    reach = range(len(lookup.ids)) if region == NOWHERE else lookup.neighbours[region]
    return tuple(_destination(state, other) for other in reach)


def _destination(state: State, region: int) -> Destination:
    festival = festival_at(state, region)
    return Destination(
        region=tables(state.edition).ids[region],
        castellers=_listed(state, region),
        skills=_offered(state, region),
        tiles=state.tiles[region],
        tokens=len(state.rows[region]),
        festival=festival.tokens if festival else None,
    )


def _listed(state: State, region: int) -> tuple[int, ...]:
    counts = state.castellers[region]
    return tuple(size for size in reversed(SIZES) for _ in range(counts[size - 1]))


def _offered(state: State, region: int) -> tuple[WheelSkill, ...]:
    everywhere = state.skill_everywhere(state.round)
    skills = (state.skill_at(region, state.round), everywhere)
    return tuple(dict.fromkeys(skill for skill in skills if skill is not None))


def _train(state: State, seat: Seat, region: int) -> TrainOption:
    # Any skill tells whether the action as a whole is open: the wheel comes last.
    closed = _refusal(state, seat, Train(SKILLS[0]))
    if closed is not None and closed.code in ("train.not_on_offer", "train.rank_full"):
        closed = None
    if region == NOWHERE:
        return TrainOption(closed, ())
    here, everywhere = state.skill_at(region, state.round), state.skill_everywhere(state.round)
    return TrainOption(
        closed,
        tuple(
            SkillOption(skill, skill == here, skill == everywhere, _skill(state, seat, skill))
            for skill in _offered(state, region)
        ),
    )


def _skill(state: State, seat: Seat, skill: WheelSkill) -> IllegalMoveError | None:
    return _refusal(state, seat, TrainSpecial(_NOBODY) if skill == "special" else Train(skill))


def _tiles(state: State, seat: Seat, region: int) -> tuple[TileOption, ...]:
    if not state.assistants:
        return tuple(TileOption(tile, None, None, None) for tile in state.tiles[region])
    return tuple(_tile(state, seat, tile) for tile in state.tiles[region])


def _tile(state: State, seat: Seat, tile: str) -> TileOption:
    goal = tile_goal(state.edition, tables(state.edition).tiles[tile])
    limit = state.edition.width_limit
    tower = tower_for(state.hands[seat], state.rank_map(seat), goal, width_limit=limit)
    if tower is not None:
        return TileOption(tile, None, tower, None)
    more = unlocks(
        state.hands[seat],
        state.rank_map(seat),
        goal,
        max_rank=state.edition.max_rank,
        width_limit=limit,
    )
    refused = IllegalMoveError(
        "perform.not_buildable",
        rule="7",
        tile=tile,
        skills=list(more.skills),
        sizes=list(more.sizes),
    )
    return TileOption(tile, refused, None, more)


def _festival(state: State, seat: Seat, region: int) -> FestivalOption | None:
    if region == NOWHERE:
        return None
    name = tables(state.edition).ids[region]
    if _refusal(state, seat, DeclineFestival(name)) is not None:
        return None
    festival = festival_at(state, region)
    # A seat that is asked stands at a festival of this round.
    tokens = festival.tokens if festival else ()
    best = best_for(state, seat, festival) if festival and state.assistants else None
    return FestivalOption(name, tokens, best)
