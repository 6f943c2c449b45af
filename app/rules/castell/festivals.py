"""Festivals (rule 8): who is asked, and who wins what."""

from app.rules.castell.components import Prize, Tower
from app.rules.castell.edition import Edition
from app.rules.castell.events import FestivalHeld
from app.rules.castell.goals import FestivalGoal
from app.rules.castell.solver import Best, best_tower, find_tower
from app.rules.castell.state import Festival, State
from app.rules.castell.towers import castellers_in, tower_score
from app.rules.game import Seat


def goal_of(edition: Edition, festival: Festival) -> FestivalGoal:
    """Return what a tower needs to take part in `festival`."""
    return FestivalGoal(festival.tokens, edition.min_festival_levels)


def festival_at(state: State, region: int) -> Festival | None:
    """Return this round's festival in `region`, if there is one."""
    for festival in state.festivals:
        if festival.round == state.round and festival.region == region:
            return festival
    return None


def best_for(state: State, seat: int, festival: Festival) -> Best | None:
    """Return the best tower a seat can build for `festival`, None if it can build none."""
    return best_tower(
        state.hands[seat],
        state.rank_map(seat),
        festival.tokens,
        min_levels=state.edition.min_festival_levels,
        width_limit=state.edition.width_limit,
    )


def _can_enter(state: State, seat: int, festival: Festival) -> bool:
    goal = goal_of(state.edition, festival)
    limit = state.edition.width_limit
    return find_tower(state.hands[seat], state.ranks[seat], goal, limit) is not None


def entrants(state: State) -> tuple[tuple[str, tuple[Seat, ...]], ...]:
    """Return, by region, the seats to be asked: there, and able to build a tower."""
    asked = []
    for number in state.held_now():
        festival = state.festivals[number]
        seats = tuple(
            Seat(seat)
            for seat, pawn in enumerate(state.pawns)
            if pawn == festival.region and _can_enter(state, seat, festival)
        )
        if seats:
            asked.append((state.edition.regions[festival.region].id, seats))
    return tuple(asked)


def hold(state: State, festival: Festival) -> FestivalHeld:
    """Settle `festival` with the towers that have been submitted to it."""
    towers = sorted(
        (
            (Seat(seat), tower, tower_score(tower, festival.tokens))
            for seat, tower in state.entries
            if tower is not None and state.pawns[seat] == festival.region
        ),
        key=lambda entry: (-entry[2], entry[0]),
    )
    return FestivalHeld(
        round=festival.round,
        region=state.edition.regions[festival.region].id,
        towers=tuple(towers),
        prizes=_prizes(state.edition, [(seat, score) for seat, _, score in towers]),
        token_winners=tuple(
            (size, _winner(state.edition, size, towers)) for size in festival.tokens
        ),
    )


def _prizes(edition: Edition, scores: list[tuple[Seat, int]]) -> tuple[tuple[Seat, Prize], ...]:
    """Tied seats all take the better prize and use up the places they occupy."""
    if not scores:
        return ()
    chart = edition.prize_chart[len(scores) - 1]
    won = []
    for seat, score in scores:
        place = sum(other > score for _, other in scores)
        if place < len(chart):
            won.append((seat, chart[place]))
    return tuple(won)


def _winner(edition: Edition, size: int, towers: list[tuple[Seat, Tower, int]]) -> Seat | None:
    """Most castellers of the token's size, then the edition's tie rules; None: nobody."""
    marks = {
        "count": {seat: castellers_in(tower)[size - 1] for seat, tower, _ in towers},
        "tower_score": {seat: score for seat, _, score in towers},
    }
    rivals = [seat for seat, _, _ in towers]
    for rule in ("count", *edition.size_token_tie):
        if rivals and rule != "nobody":
            top = max(marks[rule][seat] for seat in rivals)
            rivals = [seat for seat in rivals if marks[rule][seat] == top]
    return rivals[0] if len(rivals) == 1 else None
