"""The search for the best tower of a festival (rules 6.2 and 8).

A memoised search builds the tower from the top downwards, where few levels are
worth trying, and none of the cuts loses the optimum:

* A level without size tokens needs no more castellers than one more than the
  level above it, or as many with Balance: taking one off keeps every rule.
* Which castellers it takes is settled by `free_levels`.
* A level of size tokens alone is tried in every width.  In a mixed level the
  castellers that match no token only fill up the width.

Branches that cannot beat what was found are left out, the most promising branch
goes first.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple, TypeAlias

from app.rules.castell.components import Level, Tower
from app.rules.castell.free_levels import free_levels
from app.rules.castell.towers import Hand

# Score first, then castellers of the rarest token, then few castellers at all.
_POINT: Final = 1 << 20
_RARE: Final = 1 << 10
_NEVER: Final = -1 << 40

# The largest size built so far and what is left of it, the width of the level
# last built, the ranks left of Balance, Base, Mix and Strength, the levels
# still needed and the tokens still missing.
_State: TypeAlias = tuple[int, int, int, int, int, int, int, int, int]


class _Option(NamedTuple):
    """A level that may stand below a state.

    `strong`: it needs Strength; `over`: castellers of its larger size that
    remain; `gain`: what it adds; `tokens`: the size tokens in it, as bits.
    """

    strong: bool
    mixed: bool
    level: Level
    size: int
    over: int
    gain: int
    tokens: int


# What a level can lead to at best, a number that settles ties, the level, what
# it adds and what comes after.
_Step: TypeAlias = tuple[int, int, _Option, int, _State]

# For each size: how many levels there can be below it, what their tokens can add.
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
        self._widest_token_level = sum(self._hand[size] for size in tokens)
        self._outlooks: dict[tuple[int, int], _Outlook] = {}
        self._options: dict[tuple[int, int, int, bool], list[_Option]] = {}
        self._seen: dict[_State, tuple[int, _Option | None, _State | None]] = {}

    def run(self, min_levels: int) -> Tower | None:
        """Return the best tower of at least `min_levels` levels, or None."""
        balance, base, mix, strength, _ = self._ranks
        missing = (1 << len(self._tokens)) - 1
        state: _State | None
        state = (0, 0, 0, balance, base, mix, strength, max(1, min_levels), missing)
        if self._value(state) < 0:
            return None
        levels: list[Level] = []
        while state is not None:
            _, option, state = self._seen[state]
            if option is not None:
                levels.append(option.level)
        return tuple(reversed(levels))

    def _outlook(self, width: int, mix: int) -> _Outlook:
        """Return, for levels of `width` or more below each size, an upper bound.

        How many sizes they can be made of, without Strength, and what their
        size tokens could add; `mix` of the levels may be mixed.
        """
        key = width, mix
        known = self._outlooks.get(key)
        if known is not None:
            return known
        sizes, gains = [0] * 12, [0] * 12
        alone = together = gain = 0
        for size in range(10, 0, -1):
            count = self._hand[size]
            alone += count >= width
            together += count > 0
            if mix or count >= width:
                gain += count * self._gain[size]
            sizes[size - 1] = min(alone + mix, together)
            gains[size - 1] = gain
        self._outlooks[key] = sizes, gains
        return sizes, gains

    def _value(self, state: _State) -> int:
        """Return the most that levels below `state` can add; below 0: it has no ending."""
        known = self._seen.get(state)
        if known is not None:
            return known[0]
        best = _NEVER if state[7] or state[8] else 0
        found: tuple[_Option | None, _State | None] = (None, None)
        for bound, _, option, gain, after in sorted(self._steps(state), reverse=True):
            if bound <= best:
                break
            value = gain + self._value(after)
            if value > best:
                best = value
                found = option, after
        self._seen[state] = (best, *found)
        return best

    def _steps(self, state: _State) -> list[_Step]:
        """Return the levels worth trying below `state`."""
        size, left, width, balance, base, mix, strength, need, missing = state
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
            outlook = self._outlook(useful, mix)
            mixed_outlook = self._outlook(useful, max(0, mix - 1))
            for option in self._levels(size, left, count, count <= width + 1):
                strong, mixed, _, high, over, gain, tokens = option
                mixes = mix - mixed
                if mixes < 0:
                    continue
                still = strength - strong
                if not still or (over < useful and not mixes):
                    over = 0
                sizes, gains = mixed_outlook if mixed else outlook
                levels = min(sizes[high] + still, most)
                if levels < need:
                    continue
                # Without Balance each level is at least one wider than the one above.
                rises = levels - rest if levels > rest else 0
                bound = (
                    gain
                    + levels * _POINT
                    + gains[high]
                    + over * self._gain[high]
                    - levels * count
                    - (rises * (rises + 1) >> 1)
                )
                after = (high, over, count, rest, bases, mixes, still, need, missing & ~tokens)
                steps.append((bound, len(steps), option, gain, after))
        return steps

    def _levels(self, size: int, left: int, count: int, narrow: bool) -> list[_Option]:
        key = (size, left, count, narrow)
        options = self._options.get(key)
        if options is None:
            options = list(self._token_levels(size, left, count, narrow))
            if narrow:
                options += self._free_options(size, left, count)
            self._options[key] = options
        return options

    def _token_levels(self, size: int, left: int, count: int, narrow: bool) -> Iterator[_Option]:
        """Yield the levels of `count` below `size` in which a size token stands."""
        hand, bits = self._hand, self._bits
        for token in self._tokens:
            available = left if token == size else hand[token]
            if token >= size and available >= count:
                yield self._option(token == size, (count, token), available)
        for low in range(size, 10):
            tokens = (bits[low] > 0) + (bits[low + 1] > 0)
            # One casteller of the size that is no token can go, unless it is narrow.
            if tokens == 2 or (tokens and narrow):
                available = left if low == size else hand[low]
                most = min(available, count - 1)
                least = max(1, count - hand[low + 1])
                if not bits[low + 1]:
                    least = max(least, most)
                for lows in range(least, most + 1):
                    yield self._mixed_option(low == size, low, lows, count)

    def _free_options(self, size: int, left: int, count: int) -> Iterator[_Option]:
        """Yield the levels of `count` below `size` without any size token."""
        available = 0 if self._bits[size] else left
        for strong, level, over in free_levels(self._free, size, available, count):
            gain = _POINT - count
            yield _Option(strong, len(level) > 1, level, level[0][1], over, gain, 0)

    def _option(self, strong: bool, group: tuple[int, int], available: int) -> _Option:
        count, size = group
        gain = _POINT + count * self._gain[size] - count
        return _Option(strong, False, (group,), size, available - count, gain, self._bits[size])

    def _mixed_option(self, strong: bool, low: int, lows: int, count: int) -> _Option:
        high, highs = low + 1, count - lows
        gain = _POINT + lows * self._gain[low] + highs * self._gain[high] - count
        tokens = self._bits[low] | self._bits[high]
        level = ((highs, high), (lows, low))
        return _Option(strong, True, level, high, self._hand[high] - highs, gain, tokens)
