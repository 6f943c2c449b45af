"""What a seat may do (rules 5, 6.1, 7, 8): the checks, and the finite choices.

`check` refuses with a stable code, the numbers and the rule; `legal_moves`
yields only what `check` accepts, and for towers one witness per tile.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import chain, combinations
from operator import ge
from typing import Final

from app.rules.castell.components import SIZES, SKILLS, Skill, WheelSkill
from app.rules.castell.edition import Edition, Tile, tables
from app.rules.castell.festivals import best_for, festival_at, goal_of
from app.rules.castell.goals import Goal, check_goal
from app.rules.castell.moves import (
    DeclineFestival,
    EndTurn,
    EnterFestival,
    Move,
    MovePawn,
    Perform,
    Recruit,
    Special,
    SpecialOption,
    Train,
    TrainSpecial,
    TurnMove,
)
from app.rules.castell.solver import find_tower
from app.rules.castell.state import MOVED, RECRUITED, SPECIAL, TRAINED, Counts, State
from app.rules.game import IllegalMoveError

END: Final = EndTurn()
# Which of the four actions of a turn a move spends (rule 5).
_ACTIONS: Final[dict[type, tuple[int, str]]] = {
    MovePawn: (MOVED, "move"),
    Recruit: (RECRUITED, "recruit"),
    Train: (TRAINED, "train"),
    Special: (SPECIAL, "special"),
    TrainSpecial: (TRAINED, "train"),
}


def check(state: State, seat: int, move: Move) -> None:
    """Raise IllegalMoveError if `seat` may not make `move` now."""
    if state.phase == "over":
        raise IllegalMoveError("match.over", rule="4")
    if isinstance(move, (EnterFestival, DeclineFestival)):
        _check_answer(state, seat, move)
    else:
        _check_turn_move(state, seat, move)


def offered(state: State, region: int) -> tuple[WheelSkill, ...]:
    """Return what the wheel offers a pawn in `region` this round (rule 6.1)."""
    slots = tables(state.edition).slots[state.round - 1]
    here = state.wheel[slots[region]]
    everywhere = state.wheel[slots[-1]]
    if everywhere == here or state.wheel_side == "no_regions":
        return (here,)
    return (here, everywhere)


def tile_goal(edition: Edition, tile: Tile) -> Goal:
    """Return what a tower must be to claim `tile` (rule 7)."""
    return tables(edition).goals[tile.id]


def _check_turn_move(state: State, seat: int, move: TurnMove) -> None:
    if state.phase != "turns":
        raise IllegalMoveError("turn.not_running", rule="4")
    if seat != state.current():
        raise IllegalMoveError("turn.not_yours", rule="4", seat=state.current())
    if isinstance(move, EndTurn):
        return
    if state.pawns[seat] < 0 and not isinstance(move, MovePawn):
        raise IllegalMoveError("turn.pawn_not_placed", rule="5")
    action, name = _ACTIONS[type(move)]
    if state.used & action:
        raise IllegalMoveError(f"{name}.already", rule="5")
    match move:
        case MovePawn() | Recruit():
            _check_option(state, seat, move, state.edition.recruits)
        case Train():
            _check_train(state, seat, move)
        case Special():
            if not state.tokens[seat]:
                raise IllegalMoveError("special.no_token", rule="5")
            _check_option(state, seat, move.option, 1)
        case _:
            _check_offered(state, seat, "special")
            _check_option(state, seat, move.option, 1)


def _check_offered(state: State, seat: int, skill: WheelSkill) -> None:
    on_offer = offered(state, state.pawns[seat])
    if skill not in on_offer:
        raise IllegalMoveError(
            "train.not_on_offer",
            rule="6.1",
            skill=skill,
            region=state.edition.regions[state.pawns[seat]].id,
            offered=list(on_offer),
        )


def _check_train(state: State, seat: int, move: Train) -> None:
    if move.skill not in SKILLS:
        raise IllegalMoveError("train.unknown_skill", rule="6.1", skill=move.skill)
    _check_offered(state, seat, move.skill)
    rank = _rank(state, seat, move.skill)
    if rank >= state.edition.max_rank:
        raise IllegalMoveError("train.rank_full", rule="6.1", skill=move.skill, rank=rank)


def _check_option(state: State, seat: int, option: SpecialOption, recruits: int) -> None:
    if isinstance(option, MovePawn):
        _check_destination(state, seat, option.region)
    elif isinstance(option, Recruit):
        _check_recruit(state, state.pawns[seat], option.sizes, recruits)
    else:
        _check_perform(state, seat, option)


def _check_destination(state: State, seat: int, region: str) -> None:
    lookup = tables(state.edition)
    if region not in lookup.index:
        raise IllegalMoveError("move.unknown_region", rule="2.1", region=region)
    here = state.pawns[seat]
    if here >= 0 and lookup.index[region] not in lookup.neighbours[here]:
        raise IllegalMoveError(
            "move.not_adjacent",
            rule="5",
            region=region,
            here=lookup.ids[here],
            adjacent=[lookup.ids[other] for other in lookup.neighbours[here]],
        )


def _check_recruit(state: State, region: int, sizes: tuple[int, ...], limit: int) -> None:
    if not sizes:
        raise IllegalMoveError("recruit.nobody", rule="5")
    if len(sizes) > limit:
        raise IllegalMoveError("recruit.too_many", rule="5", count=len(sizes), limit=limit)
    for size in sizes:
        there = state.castellers[region][size - 1] if size in SIZES else 0
        if sizes.count(size) > there:
            raise IllegalMoveError(
                "recruit.not_there",
                rule="5",
                size=size,
                there=there,
                wanted=sizes.count(size),
                region=state.edition.regions[region].id,
            )


def _check_perform(state: State, seat: int, move: Perform) -> None:
    lookup = tables(state.edition)
    region = state.pawns[seat]
    if move.tile not in lookup.tiles:
        raise IllegalMoveError("perform.unknown_tile", rule="7", tile=move.tile)
    if move.tile not in state.tiles[region]:
        raise IllegalMoveError(
            "perform.tile_not_here", rule="7", tile=move.tile, region=lookup.ids[region]
        )
    check_goal(
        move.tower,
        tile_goal(state.edition, lookup.tiles[move.tile]),
        state.rank_map(seat),
        state.hands[seat],
        width_limit=state.edition.width_limit,
    )


def _check_answer(state: State, seat: int, move: EnterFestival | DeclineFestival) -> None:
    if state.phase != "festivals":
        raise IllegalMoveError("festival.not_running", rule="8")
    here = state.edition.regions[state.pawns[seat]].id if state.pawns[seat] >= 0 else None
    if seat not in state.entrants:
        raise IllegalMoveError("festival.not_asked", rule="8", region=move.region)
    if any(seat == answered for answered, _ in state.entries):
        raise IllegalMoveError("festival.answered", rule="8", region=move.region)
    festival = festival_at(state, state.pawns[seat])
    if move.region != here or festival is None:
        raise IllegalMoveError("festival.other_region", rule="8", region=move.region, here=here)
    if isinstance(move, EnterFestival):
        check_goal(
            move.tower,
            goal_of(state.edition, festival),
            state.rank_map(seat),
            state.hands[seat],
            width_limit=state.edition.width_limit,
        )


def legal_moves(state: State, seat: int) -> Iterator[Move]:
    """Yield every choice of `seat`; for each tower that could be wanted, one witness."""
    if seat == state.current():
        return iter(_turn_moves(state, seat))
    if seat in waiting(state):
        return iter(_answers(state, seat))
    return iter(())


def waiting(state: State) -> tuple[int, ...]:
    """Return the seats that have yet to answer at a festival."""
    answered = {seat for seat, _ in state.entries}
    return tuple(seat for seat in state.entrants if seat not in answered)


def _answers(state: State, seat: int) -> Iterator[Move]:
    region = state.pawns[seat]
    name = state.edition.regions[region].id
    festival = festival_at(state, region)
    best = best_for(state, seat, festival) if festival else None
    if best:
        yield EnterFestival(name, best.tower)
    yield DeclineFestival(name)


def _turn_moves(state: State, seat: int) -> list[Move]:
    region, used = state.pawns[seat], state.used
    lookup = tables(state.edition)
    moves: list[Move] = [END]
    if not used & MOVED:
        moves += lookup.steps[region]
    if region < 0:
        return moves
    counts = state.castellers[region]
    if not used & RECRUITED:
        moves += _recruits(counts, state.edition.recruits)
    on_offer = () if used & TRAINED else offered(state, region)
    for skill in on_offer:
        if skill != "special" and _rank(state, seat, skill) < state.edition.max_rank:
            moves.append(_TRAIN[skill])
    if not used & SPECIAL and state.tokens[seat]:
        moves += lookup.token_steps[region]
        moves += _token_recruits(counts)
        moves += [Special(show) for show in performances(state, seat)]
    if "special" in on_offer:
        moves += lookup.wheel_steps[region]
        moves += _wheel_recruits(counts)
        moves += [TrainSpecial(show) for show in performances(state, seat)]
    return moves


def _rank(state: State, seat: int, skill: Skill) -> int:
    return state.ranks[seat][SKILLS.index(skill)]


def performances(state: State, seat: int) -> tuple[Perform, ...]:
    """Return, with one tower each, the local tiles a seat can claim where its pawn stands."""
    tiles = state.tiles[state.pawns[seat]]
    if not tiles:
        return ()
    return _performances(state.edition, tiles, state.hands[seat], state.ranks[seat])


@lru_cache(maxsize=8192)
def _performances(
    edition: Edition, tiles: tuple[str, ...], hand: Counts, ranks: tuple[int, ...]
) -> tuple[Perform, ...]:
    lookup, limit = tables(edition), edition.width_limit
    found = []
    for tile in tiles:
        # Most of the tiles out of reach are so whatever the castellers.
        if all(map(ge, ranks, lookup.least[tile])):
            tower = find_tower(hand, ranks, lookup.goals[tile], limit)
            if tower is not None:
                found.append(Perform(tile, tower))
    return tuple(found)


# Moves are values: the same few are offered again and again, so they are kept.

_TRAIN: Final = {skill: Train(skill) for skill in SKILLS}


@lru_cache(maxsize=8192)
def _recruits(counts: Counts, limit: int) -> tuple[Recruit, ...]:
    there = [size for size in reversed(SIZES) for _ in range(counts[size - 1])]
    groups = (combinations(there, count) for count in range(1, limit + 1))
    return tuple(map(_recruit, dict.fromkeys(chain.from_iterable(groups))))


@lru_cache(maxsize=1024)
def _recruit(sizes: tuple[int, ...]) -> Recruit:
    return Recruit(sizes)


@lru_cache(maxsize=8192)
def _token_recruits(counts: Counts) -> tuple[Special, ...]:
    return tuple(map(Special, _recruits(counts, 1)))


@lru_cache(maxsize=8192)
def _wheel_recruits(counts: Counts) -> tuple[TrainSpecial, ...]:
    return tuple(map(TrainSpecial, _recruits(counts, 1)))
