"""What a position of Castell is worth to a seat, in points (engine of `steady`).

The points it has, what this round's festival will bring, and what its
castellers and ranks promise for the festivals and tiles ahead.  Towers are
exact: the solver builds them.
"""

from dataclasses import dataclass
from typing import TypeAlias

from app.bots.castell_prospects import (
    REACHED_NEXT,
    Prospect,
    distances,
    matching,
    open_tiles,
    prospects,
)
from app.rules.castell.components import SKILLS
from app.rules.castell.goals import FestivalGoal
from app.rules.castell.legal import tile_goal
from app.rules.castell.scoring import categories, regions_earned
from app.rules.castell.solver import tower_for
from app.rules.castell.state import NOTHING, Holding, State
from app.rules.castell.towers import Hand, tower_score
from app.rules.game import Seat


@dataclass(frozen=True, slots=True)
class Weights:
    """How much the future counts; found by letting them play each other."""

    horizon: int = 2
    later: float = 0.75
    variety: float = 2.0
    tile: float = 0.55
    tile_step: float = 0.8
    token: float = 0.7
    casteller: float = 0.25
    size: float = 0.3
    rank: float = 0.5
    beyond: float = 0.25
    unready: float = 0.5


@dataclass(frozen=True, slots=True)
class Promise:
    """What castellers and ranks are good for: towers for festivals, tiles within reach."""

    scores: tuple[int, ...]
    counts: tuple[tuple[int, ...], ...]
    ready: tuple[float, ...]
    tiles: tuple[int, ...]
    growth: float


# What a value depends on: castellers, ranks, the pawn's region, tokens, holdings.
_Key: TypeAlias = tuple[Hand, tuple[int, ...], int, int, tuple[Holding, ...]]


class Worth:
    """Values the ends of one turn of one seat."""

    def __init__(self, state: State, seat: Seat, weights: Weights) -> None:
        self._seat = seat
        self._weights = weights
        self._edition = state.edition
        self._prospects = prospects(state, seat, weights.horizon)
        self._tiles = open_tiles(state)
        self._steps = distances(state.edition)
        self._hand, self._ranks = state.hands[seat], state.ranks[seat]
        self._left = state.edition.rounds - state.round
        self._values: dict[_Key, float] = {}
        self._promises: dict[tuple[Hand, tuple[int, ...]], Promise] = {}

    def exact(self, state: State) -> float:
        """Return what `state`, at the end of the turn, is worth."""
        return self._value(state, state.hands[self._seat], state.ranks[self._seat])

    def estimate(self, state: State) -> float:
        """Return about the same, much faster.

        Each casteller and each rank the turn has brought counts for what it
        would be worth alone; what they are worth together is not looked at.
        """
        hand, ranks = self._hand, self._ranks
        value = total = self._value(state, hand, ranks)
        for number, (after, before) in enumerate(zip(state.hands[self._seat], hand, strict=True)):
            if after > before:
                more = (*hand[:number], before + 1, *hand[number + 1 :])
                total += (after - before) * (self._value(state, more, ranks) - value)
        for number, (after, before) in enumerate(zip(state.ranks[self._seat], ranks, strict=True)):
            if after > before:
                raised = (*ranks[:number], after, *ranks[number + 1 :])
                total += self._value(state, hand, raised) - value
        return total

    def _value(self, state: State, hand: Hand, ranks: tuple[int, ...]) -> float:
        """Value `state` as if its seat had `hand` and `ranks`."""
        seat = self._seat
        key = hand, ranks, state.pawns[seat], state.tokens[seat], state.earned[seat]
        value = self._values.get(key)
        if value is None:
            promise = self._promise(hand, ranks)
            points = categories(state, seat)
            value = self._values[key] = (
                points["prizes"] + points["size_tokens"] + points["local"]
                + self._festivals(state, promise)
                + self._shows(state, promise)
                + promise.growth
                + self._weights.token * min(state.tokens[seat], self._left)
            )  # fmt: skip
        return value

    def _festivals(self, state: State, promise: Promise) -> float:
        """Return what the festivals may bring, best tower and new regions included."""
        seat, weights, edition = self._seat, self._weights, self._edition
        here = state.pawns[seat]
        sizes = {size for _, won, _, _ in state.earned[seat] for size in won}
        best: float = state.best[seat]
        regions: float = regions_earned(state, seat)
        by_round: dict[int, float] = {}
        tower = best
        for number, prospect in enumerate(self._prospects):
            comes = self._comes(prospect, here)
            if not comes:
                continue
            score, ready = promise.scores[number], promise.ready[number]
            value = ready * prospect.prize(edition, score)
            for place, size in enumerate(prospect.festival.tokens):
                count = promise.counts[number][place]
                worth = edition.size_token_further if size in sizes else edition.size_token_first
                value += ready * worth * (prospect.token(place, count) if count else 0)
            region = prospect.festival.region
            if state.earned[seat][region] == NOTHING:
                value += ready * weights.variety
            fades = weights.later**prospect.ahead
            by_round[prospect.ahead] = max(by_round.get(prospect.ahead, 0.0), comes * fades * value)
            tower = max(tower, best + (score * ready - best) * comes * fades)
        return sum(by_round.values()) + tower + self._variety(regions)

    def _variety(self, regions: float) -> float:
        exact = self._edition.region_points[int(regions)]
        share = self._left / self._edition.rounds
        return (1 - share) * exact + share * self._weights.variety * regions

    def _comes(self, prospect: Prospect, here: int) -> float:
        steps = self._steps[prospect.festival.region][here]
        if prospect.ahead == 0:
            return float(steps == 0)
        return REACHED_NEXT[min(steps, 3)] if prospect.ahead == 1 else 1.0

    def _shows(self, state: State, promise: Promise) -> float:
        """Return what the tiles that could be performed may bring, one special action each."""
        seat, weights = self._seat, self._weights
        here = state.pawns[seat]
        values = []
        for number in promise.tiles:
            region, tile, tokens = self._tiles[number]
            if tile.id not in state.tiles[region]:
                continue
            worth: float = tile.points + tokens * self._edition.collected_token
            if state.earned[seat][region] == NOTHING:
                worth += weights.variety
            values.append(worth * weights.tile_step ** self._steps[region][here])
        values.sort(reverse=True)
        count = min(state.tokens[seat], self._left)
        return weights.tile * sum(
            value * weights.later**turn for turn, value in enumerate(values[:count])
        )

    def _promise(self, hand: Hand, ranks: tuple[int, ...]) -> Promise:
        key = hand, ranks
        known = self._promises.get(key)
        if known is None:
            known = self._promises[key] = self._new_promise(hand, ranks)
        return known

    def _new_promise(self, hand: Hand, ranks: tuple[int, ...]) -> Promise:
        by_skill = dict(zip(SKILLS, ranks, strict=True))
        edition, weights = self._edition, self._weights
        limit, least = edition.width_limit, edition.min_festival_levels
        scores, counts, ready = [], [], []
        for prospect in self._prospects:
            tokens = prospect.festival.tokens
            tower = tower_for(hand, by_skill, FestivalGoal(tokens, least), width_limit=limit)
            able = 1.0
            if tower is None and prospect.ahead:
                tower = tower_for(hand, by_skill, FestivalGoal(tokens, 1), width_limit=limit)
                able = weights.unready * len(tower or ()) / least
            scores.append(tower_score(tower, tokens) if tower else 0)
            counts.append(matching(tower, tokens))
            ready.append(able if tower else 0.0)
        tiles = tuple(
            number
            for number, (_, tile, _) in enumerate(self._tiles)
            if tower_for(hand, by_skill, tile_goal(edition, tile), width_limit=limit)
        )
        return Promise(
            tuple(scores), tuple(counts), tuple(ready), tiles, self._growth(hand, ranks, scores)
        )

    def _growth(self, hand: Hand, ranks: tuple[int, ...], scores: list[int]) -> float:
        """Return what castellers and ranks are worth beyond the festivals in sight."""
        weights = self._weights
        ahead = [
            score for score, prospect in zip(scores, self._prospects, strict=True) if prospect.ahead
        ]
        mean = sum(ahead) / len(ahead) if ahead else 0.0
        owned = (
            weights.casteller * sum(hand)
            + weights.size * sum(count > 0 for count in hand)
            + weights.rank * sum(ranks)
        )
        out_of_sight = max(0, self._left - weights.horizon)
        return owned * self._left / self._edition.rounds + weights.beyond * mean * out_of_sight
