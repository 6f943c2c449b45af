"""A slow and obvious list of the moves of a turn, made without the engine's own.

It tries everything there is to say and keeps what the words of rules 5, 6.1
and 7 allow, looking only at a view.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement

from app.rules.castell.components import SKILLS
from app.rules.castell.goals import ExhibitionGoal, Goal, ShapeGoal
from app.rules.castell.moves import (
    EndTurn,
    Move,
    MovePawn,
    Perform,
    Recruit,
    Special,
    SpecialOption,
    Train,
    TrainSpecial,
)
from app.rules.castell.solver import tower_for
from app.rules.castell.view import CastellView, CollaView, RegionView, TileView


def naive_moves(view: CastellView) -> Iterator[Move]:
    """Yield what the seat whose turn it is may do."""
    turn = view.turn
    if turn is None:
        return
    colla = view.collas[turn.seat]
    here = next((region for region in view.regions if region.id == colla.region), None)
    yield EndTurn()
    for region in view.regions:
        if not turn.moved and (here is None or region.id in here.neighbours):
            yield MovePawn(region.id)
    if here is None:
        return
    if not turn.recruited:
        yield from map(Recruit, crews(here, 1))
        yield from map(Recruit, crews(here, 2))
    on_wheel = {here.skills[0], view.everywhere[0]}
    if not turn.trained:
        for skill in SKILLS:
            if skill in on_wheel and colla.ranks[skill] < view.max_rank:
                yield Train(skill)
        if "special" in on_wheel:
            yield from map(TrainSpecial, options(view, colla, here))
    if not turn.special and colla.special_tokens > 0:
        yield from map(Special, options(view, colla, here))


def crews(here: RegionView, count: int) -> Iterator[tuple[int, ...]]:
    for sizes in combinations_with_replacement(range(10, 0, -1), count):
        if not Counter(sizes) - Counter(here.castellers):
            yield sizes


def options(view: CastellView, colla: CollaView, here: RegionView) -> Iterator[SpecialOption]:
    yield from map(Recruit, crews(here, 1))
    yield from map(MovePawn, here.neighbours)
    for tile in here.tiles:
        tower = tower_for(colla.castellers, colla.ranks, goal(tile), width_limit=view.width_limit)
        if tower is not None:
            yield Perform(tile.id, tower)


def goal(tile: TileView) -> Goal:
    return ShapeGoal(tile.widths) if tile.widths else ExhibitionGoal(tile.skills, tile.points)
