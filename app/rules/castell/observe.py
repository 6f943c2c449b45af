"""What a viewer sees of a state, and back: a state that looks like this."""

from collections import Counter
from functools import lru_cache

from app.rules.castell.components import SIZES, SKILLS, WheelSkill
from app.rules.castell.edition import Edition, tables
from app.rules.castell.festivals import best_for, festival_at
from app.rules.castell.legal import waiting
from app.rules.castell.scoring import categories
from app.rules.castell.setup import counts_of
from app.rules.castell.state import (
    MOVED,
    NOTHING,
    NOWHERE,
    RECRUITED,
    SPECIAL,
    TRAINED,
    Counts,
    Festival,
    FestivalResult,
    Holding,
    Phase,
    State,
)
from app.rules.castell.view import (
    CastellView,
    CollaView,
    EarnedView,
    FestivalView,
    RegionView,
    RoundView,
    TileView,
    TurnView,
)
from app.rules.game import Rng, Seat


def view(state: State, seat: Seat | None) -> CastellView:
    """Return what `seat` (None: a spectator) may know, built by copying in (rule 13)."""
    edition = state.edition
    ahead = range(state.round, edition.rounds + 1)
    current = state.current()
    return CastellView(
        seat=seat,
        seats=state.seats,
        edition=edition.name,
        round=state.round,
        rounds=edition.rounds,
        phase=state.phase,
        order=_seats(state.order()),
        asked=_seats(waiting(state) if current is None else (current,)),
        turn=None if current is None else _turn(state, current),
        entrants=_entrants(state),
        everywhere=tuple(state.skill_everywhere(number) for number in ahead),
        calendar=_calendar(edition, state.festivals),
        regions=_regions(state),
        collas=tuple(_colla(state, number) for number in range(state.seats)),
        bag=sum(state.bag),
        max_rank=edition.max_rank,
        width_limit=edition.width_limit,
        wheel_side=state.wheel_side,
        assistants=state.assistants,
        values=edition,
    )


def _seats(seats: tuple[int, ...]) -> tuple[Seat, ...]:
    return tuple(map(Seat, seats))


def _turn(state: State, seat: int) -> TurnView:
    used = state.used
    return TurnView(
        Seat(seat),
        bool(used & MOVED),
        bool(used & RECRUITED),
        bool(used & TRAINED),
        bool(used & SPECIAL),
    )


def _entrants(state: State) -> dict[str, tuple[Seat, ...]]:
    asked: dict[str, tuple[Seat, ...]] = {}
    for seat in state.entrants:
        region = state.edition.regions[state.pawns[seat]].id
        asked[region] = (*asked.get(region, ()), Seat(seat))
    return asked


# Most of a view is as it was in the view before: such parts are kept.


@lru_cache(maxsize=1024)
def _calendar(edition: Edition, festivals: tuple[Festival, ...]) -> tuple[RoundView, ...]:
    rounds: list[list[FestivalView]] = [[] for _ in range(edition.rounds)]
    for held in festivals:
        rounds[held.round - 1].append(_festival(edition, held))
    return tuple(
        RoundView(number, number in edition.refill_rounds, tuple(here))
        for number, here in enumerate(rounds, 1)
    )


def _festival(edition: Edition, held: Festival) -> FestivalView:
    region = edition.regions[held.region].id
    result = held.result
    if result is None:
        return FestivalView(region, held.tokens, False, (), (), ())
    return FestivalView(
        region,
        held.tokens,
        True,
        tuple((Seat(seat), tower, score) for seat, tower, score in result.towers),
        tuple((Seat(seat), prize) for seat, prize in result.prizes),
        tuple(
            (size, None if winner is None else Seat(winner))
            for size, winner in result.token_winners
        ),
    )


def _regions(state: State) -> tuple[RegionView, ...]:
    skills = _skills(state.edition, state.wheel, state.round)
    pawns: list[list[Seat]] = [[] for _ in state.edition.regions]
    for seat, pawn in enumerate(state.pawns):
        if pawn != NOWHERE:
            pawns[pawn].append(Seat(seat))
    return tuple(
        RegionView(
            id=region.id,
            name=region.name,
            neighbours=region.neighbours,
            castellers=_listed(state.castellers[number]),
            pawns=tuple(pawns[number]),
            skills=skills[number],
            tiles=_tiles(state.edition, state.tiles[number]),
            tokens=_seats(state.rows[number]),
        )
        for number, region in enumerate(state.edition.regions)
    )


@lru_cache(maxsize=1024)
def _skills(
    edition: Edition, wheel: tuple[WheelSkill, ...], now: int
) -> tuple[tuple[WheelSkill, ...], ...]:
    """Return, for each region, what its own slot offers from round `now` on."""
    slots = tables(edition).slots[now - 1 :]
    return tuple(
        tuple(wheel[places[region]] for places in slots) for region in range(len(edition.regions))
    )


@lru_cache(maxsize=8192)
def _listed(counts: Counts) -> tuple[int, ...]:
    return tuple(size for size, count in zip(SIZES, counts, strict=True) for _ in range(count))


@lru_cache(maxsize=1024)
def _tiles(edition: Edition, ids: tuple[str, ...]) -> tuple[TileView, ...]:
    lookup = tables(edition).tiles
    tiles = [lookup[tile] for tile in ids]
    return tuple(TileView(tile.id, tile.points, tile.widths, tile.skills) for tile in tiles)


def _colla(state: State, seat: int) -> CollaView:
    split = categories(state, seat)
    pawn = state.pawns[seat]
    return CollaView(
        seat=Seat(seat),
        region=None if pawn == NOWHERE else state.edition.regions[pawn].id,
        castellers=state.hands[seat],
        ranks=state.rank_map(seat),
        special_tokens=state.tokens[seat],
        best_tower=state.best[seat],
        best_tower_built=state.best_towers[seat],
        earned=_board(state.edition, state.earned[seat]),
        points=sum(split.values()),
        categories=split,
    )


@lru_cache(maxsize=4096)
def _board(edition: Edition, board: tuple[Holding, ...]) -> tuple[EarnedView, ...]:
    return tuple(
        EarnedView(region.id, prizes, sizes, _tiles(edition, tiles), _seats(tokens))
        for region, (prizes, sizes, tiles, tokens) in zip(edition.regions, board, strict=True)
        if (prizes, sizes, tiles, tokens) != NOTHING
    )


def determinise(seen: CastellView, rng: Rng) -> State:
    """Return a state that looks like `seen`.

    Castell hides little: only festival answers not yet revealed are drawn, each
    the seat's best tower or none.  The bag's order is drawn when it is needed.
    """
    edition = seen.values
    collas = seen.collas
    index = tables(edition).index
    castellers = tuple(counts_of(region.castellers) for region in seen.regions)
    hands = tuple(colla.castellers for colla in collas)
    out = [sum(column) for column in zip(*castellers, *hands, strict=True)]
    festivals = tuple(
        _festival_state(number.number, index[held.region], held)
        for number in seen.calendar
        for held in number.festivals
    )
    shown = counts_of(tuple(size for festival in festivals for size in festival.tokens))
    state = State(
        edition=edition,
        seats=seen.seats,
        wheel_side=seen.wheel_side,
        assistants=seen.assistants,
        phase=_phase(seen.phase),
        round=seen.round,
        first=seen.order[0],
        turn=seen.order.index(seen.turn.seat) if seen.turn else seen.seats,
        used=_used(seen.turn) if seen.turn else 0,
        wheel=_wheel(seen),
        bag=tuple(edition.castellers_per_size - count for count in out),
        box=tuple(edition.size_tokens_per_size - count for count in shown),
        castellers=castellers,
        tiles=tuple(tuple(tile.id for tile in region.tiles) for region in seen.regions),
        rows=tuple(region.tokens for region in seen.regions),
        festivals=festivals,
        entrants=tuple(sorted(seat for seats in seen.entrants.values() for seat in seats)),
        entries=(),
        pawns=tuple(NOWHERE if colla.region is None else index[colla.region] for colla in collas),
        hands=hands,
        ranks=tuple(tuple(colla.ranks[skill] for skill in SKILLS) for colla in collas),
        tokens=tuple(colla.special_tokens for colla in collas),
        best=tuple(colla.best_tower for colla in collas),
        best_towers=tuple(colla.best_tower_built for colla in collas),
        earned=tuple(_earned(edition, colla) for colla in collas),
    )
    _answer(state, seen, rng)
    return state


def _phase(name: str) -> Phase:
    return "turns" if name == "turns" else "festivals" if name == "festivals" else "over"


def _used(turn: TurnView) -> int:
    return (
        MOVED * turn.moved
        | RECRUITED * turn.recruited
        | TRAINED * turn.trained
        | SPECIAL * turn.special
    )


def _wheel(seen: CastellView) -> tuple[WheelSkill, ...]:
    """Put each visible skill at its slot; the one at No Regions is the tile left over."""
    slots = tables(seen.values).slots[seen.round - 1]
    wheel = {
        slot: skill
        for slot, region in zip(slots, seen.regions, strict=False)
        if (skill := region.skills[0]) is not None
    }
    (wheel[slots[-1]],) = (Counter(seen.values.wheel_tiles) - Counter(wheel.values())).elements()
    return tuple(wheel[slot] for slot in range(len(slots)))


def _festival_state(number: int, region: int, held: FestivalView) -> Festival:
    result = FestivalResult(held.towers, held.prizes, held.token_winners)
    return Festival(number, region, held.tokens, result if held.resolved else None)


def _earned(edition: Edition, colla: CollaView) -> tuple[Holding, ...]:
    index = tables(edition).index
    holdings = [NOTHING] * len(edition.regions)
    for earned in colla.earned:
        tiles = tuple(tile.id for tile in earned.tiles)
        holdings[index[earned.region]] = (earned.prizes, earned.size_tokens, tiles, earned.tokens)
    return tuple(holdings)


def _answer(state: State, seen: CastellView, rng: Rng) -> None:
    for seat in state.entrants:
        if seat in seen.asked:
            continue
        festival = festival_at(state, state.pawns[seat])
        best = festival and best_for(state, seat, festival)
        tower = best.tower if best and rng.below(2) else None
        state.entries = (*state.entries, (seat, tower))
