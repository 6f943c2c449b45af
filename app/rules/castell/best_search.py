"""The search for the best tower of a festival (rules 6.2 and 8).

A memoised search builds the tower from the top downwards, where few levels are
worth trying, and none of the cuts loses the optimum:

* A level without size tokens needs no more castellers than one more than the
  level above it, or as many with Balance: taking one off keeps every rule.
* Which castellers it takes is settled by `free_levels`.
* A level of size tokens alone is tried in every width.  In a mixed level the
  castellers that match no token only fill up the width.

Branches that cannot beat what was found are left out, the most promising branch
goes first, and a branch is only followed as far as it can still win.
"""

from collections.abc import Iterator
from typing import Final, TypeAlias

from app.rules.castell.components import Level, Tower
from app.rules.castell.free_levels import free_levels
from app.rules.castell.towers import Hand

# Score first, then castellers of the rarest token, then few castellers at all.
_POINT: Final = 1 << 20
_RARE: Final = 1 << 10

# The largest size built so far and what is left of it, the width of the level
# last built, the ranks left of Balance, Base, Mix and Strength, the levels
# still needed and the tokens still missing.
_State: TypeAlias = tuple[int, int, int, int, int, int, int, int, int]

# A level that may stand below a state: does it need Strength, is it mixed, the
# level, its larger size and the castellers of that size that remain, what it
# adds, and the size tokens in it as bits.
_Option: TypeAlias = tuple[bool, bool, Level, int, int, int, int]

# What a level can lead to at best, a number that settles ties, the level, what
# it adds and what comes after.
_Step: TypeAlias = tuple[int, int, Level, int, _State]

# For each size, of the larger ones: how many suffice alone for a level of a width,
# and what the size tokens among these could add.
_Outlook: TypeAlias = tuple[list[int], list[int]]


class BestSearch:
    """One question: this hand, these ranks in the order of SKILLS, these tokens."""

    def __init__(
        self, hand: Hand, ranks: tuple[int, ...], tokens: tuple[int, ...], width_limit: int
    ) -> None:
        self._hand = (0, *hand, 0)  # sizes 0 and 11 exist and are empty
        self._free = [0 if size in tokens else n for size, n in enumerate(self._hand)]
        self._ranks = ranks
        self._limit = width_limit + ranks[-1]
        self._tokens = tokens
        self._bits = [0] * 12
        self._gain = [0] * 12
        rarest = min(tokens, key=lambda size: hand[size - 1], default=0)
        for number, size in enumerate(tokens):
            self._bits[size] = 1 << number
            self._gain[size] = _POINT + _RARE * (size == rarest)
        # The size tokens that no level below a size can match.
        self._passed = [sum(self._bits[:size]) for size in range(12)]
        self._widest_token_level = sum(self._hand[size] for size in tokens)
        self._outlooks: dict[int, _Outlook] = {}
        # With Mix, any size in hand can be part of a level.
        self._together, self._together_gain = self._outlook(1)
        self._token_options: dict[tuple[int, int, bool], list[_Option]] = {}
        self._options: dict[tuple[int, int, int, bool], list[_Option]] = {}
        self._solved: dict[_State, tuple[int, Level | None, _State | None]] = {}
        self._at_most: dict[_State, int] = {}

    def run(self, min_levels: int) -> Tower | None:
        """Return the best tower of at least `min_levels` levels, or None."""
        if not all(self._hand[size] for size in self._tokens):
            return None
        balance, base, mix, strength, _ = self._ranks
        missing = (1 << len(self._tokens)) - 1
        state: _State | None
        state = (0, 0, 0, balance, base, mix, strength, max(1, min_levels), missing)
        if self._value(state, -1) < 0:
            return None
        levels: list[Level] = []
        while state is not None:
            _, level, state = self._solved[state]
            if level is not None:
                levels.append(level)
        return tuple(reversed(levels))

    def _outlook(self, width: int) -> _Outlook:
        """Return what levels of `width` or more could be made of below each size."""
        known = self._outlooks.get(width)
        if known is not None:
            return known
        sizes, gains = [0] * 12, [0] * 12
        alone = gain = 0
        for size in range(10, 0, -1):
            count = self._hand[size]
            if count >= width:
                alone += 1
                gain += count * self._gain[size]
            sizes[size - 1] = alone
            gains[size - 1] = gain
        self._outlooks[width] = sizes, gains
        return sizes, gains

    def _value(self, state: _State, floor: int) -> int:
        """Return the most that levels below `state` can add, or `floor` if that is not more."""
        known = self._solved.get(state)
        if known is not None:
            return known[0]
        if self._at_most.get(state, floor + 1) <= floor:
            return floor
        best = floor
        found: tuple[Level | None, _State | None] | None = None
        if not state[7] and not state[8] and floor < 0:
            best, found = 0, (None, None)
        for bound, _, level, gain, after in sorted(self._steps(state, best), reverse=True):
            if bound <= best:
                break
            value = gain + self._value(after, best - gain)
            if value > best:
                best, found = value, (level, after)
        if found is None:
            self._at_most[state] = floor
        else:
            self._solved[state] = (best, *found)
        return best

    def _steps(self, state: _State, floor: int) -> list[_Step]:
        """Return the levels below `state` that might lead to more than `floor`."""
        size, left, width, balance, base, mix, strength, need, missing = state
        together, together_gain, passed = self._together, self._together_gain, self._passed
        need -= need > 0
        steps: list[_Step] = []
        least = width if balance and width else width + 1
        for count in range(least, max(width + 1, self._widest_token_level) + 1):
            rest = balance - (count == width)
            bases = base - (count > self._limit)
            if bases < 0:
                break
            # What is too little to be of any use is forgotten: fewer states.
            useful = count if rest else count + 1
            most = rest + bases + max(0, self._limit - count)
            alone, alone_gain = self._outlook(useful)
            for strong, mixed, level, high, over, gain, tokens in self._levels(
                size, left, count, count <= width + 1
            ):
                mixes = mix - mixed
                if mixes < 0:
                    continue
                still = strength - strong
                kept = over if still and (over >= useful or mixes) else 0
                misses = missing & ~tokens
                if misses & passed[high if kept else high + 1]:
                    continue
                levels = min(alone[high] + mixes + still, together[high] + still, most)
                if levels < need:
                    continue
                # Without Balance each level is at least one wider than the one above.
                rises = levels - rest if levels > rest else 0
                bound = (
                    gain
                    + levels * _POINT
                    + (together_gain if mixes else alone_gain)[high]
                    + kept * self._gain[high]
                    - levels * count
                    - (rises * (rises + 1) >> 1)
                )
                if bound > floor:
                    after = (high, kept, count, rest, bases, mixes, still, need, misses)
                    steps.append((bound, len(steps), level, gain, after))
        return steps

    def _levels(self, size: int, left: int, count: int, narrow: bool) -> list[_Option]:
        """Return the levels of `count` below `size`, of which `left` remain."""
        key = (size, left, count, narrow)
        options = self._options.get(key)
        if options is None:
            options = self._larger_token_levels(size + 1, count, narrow).copy()
            if left:
                options += self._token_levels(size, left, count, narrow, strong=True)
            if narrow:
                options += self._free_options(size, left, count)
            self._options[key] = options
        return options

    def _larger_token_levels(self, size: int, count: int, narrow: bool) -> list[_Option]:
        """Return the levels of `count` with a size token, of sizes from `size` upwards."""
        if size > 10:
            return []
        key = (size, count, narrow)
        options = self._token_options.get(key)
        if options is None:
            options = [
                *self._token_levels(size, self._hand[size], count, narrow, strong=False),
                *self._larger_token_levels(size + 1, count, narrow),
            ]
            self._token_options[key] = options
        return options

    def _token_levels(
        self, low: int, available: int, count: int, narrow: bool, *, strong: bool
    ) -> Iterator[_Option]:
        """Yield the levels of `count` with a size token whose smaller size is `low`."""
        if self._bits[low] and available >= count:
            gain = _POINT + count * self._gain[low] - count
            left = available - count
            yield strong, False, ((count, low),), low, left, gain, self._bits[low]
        high = low + 1
        both = self._bits[low] and self._bits[high]
        # One casteller of the size that is no token can go, unless it is narrow.
        if both or (narrow and (self._bits[low] or self._bits[high])):
            tokens = self._bits[low] | self._bits[high]
            most = min(available, count - 1)
            least = max(1, count - self._hand[high])
            if not self._bits[high]:
                least = max(least, most)
            for lows in range(least, most + 1):
                highs = count - lows
                gain = _POINT + lows * self._gain[low] + highs * self._gain[high] - count
                left = self._hand[high] - highs
                yield strong, True, ((highs, high), (lows, low)), high, left, gain, tokens

    def _free_options(self, size: int, left: int, count: int) -> Iterator[_Option]:
        """Yield the levels of `count` below `size` without any size token."""
        available = 0 if self._bits[size] else left
        gain = _POINT - count
        for strong, level, over in free_levels(self._free, size, available, count):
            yield strong, len(level) > 1, level, level[0][1], over, gain, 0
