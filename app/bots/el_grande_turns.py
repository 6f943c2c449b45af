"""Whole turns of El Grande built step by step, each step the best of those looked at.

A turn has millions of ends, and its steps are small: climbing from step to step,
by one caballero or by several, finds a good end at a few hundred positions a card.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from app.bots.el_grande_worth import Worth
from app.rules.el_grande import EL_GRANDE, State
from app.rules.el_grande.events import Event, SpecialDone
from app.rules.el_grande.moves import END, Disc, Move, Place, Special, TakeCard
from app.rules.el_grande.reach import placing_left
from app.rules.game import IllegalMoveError, Rng, Seat

# How many next steps are looked at, and how many that only complete a special.
WIDTH: Final = 40
COMPLETING: Final = 6
# A shift of several at once is tried up to so many.
MOST_SHIFTED: Final = 3


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn that could be played, and what the position after it is worth."""

    worth: float
    moves: tuple[Move, ...]


@dataclass(slots=True)
class Builder:
    """Builds turns of `seat`; once `budget` positions have been looked at it hurries."""

    seat: Seat
    worth: Worth
    rng: Rng
    budget: int
    is_late: Callable[[], bool]
    seen: int = field(default=0, init=False)

    @property
    def spent(self) -> bool:
        """Whether no more positions are to be looked at than it takes to end a turn."""
        return self.seen >= self.budget or self.is_late()

    def turns(self, state: State) -> Iterator[Turn]:
        """Yield a good turn for every card on offer and either order of its two parts.

        Of a turn in which a card has been taken, yield good ends.
        """
        cards = [step for step in self._legal(state) if isinstance(step, TakeCard)]
        if not cards:
            yield self._climb(state, (), (Place,))
            return
        for card in cards:
            after = self._after(state, card)
            for order in ((Place, Special), (Special, Place)):
                yield self._climb(after, (card,), order)
                if self.spent:
                    return

    def _climb(self, state: State, moves: tuple[Move, ...], order: tuple[type[Move], ...]) -> Turn:
        """Take the best step of each part as long as it is better than to leave it."""
        now = self._value(state)
        for part in order:
            while True:
                legal = self._legal(state)
                must = END not in legal
                best = self._best(state, [step for step in legal if _belongs(step, part)])
                if best is None or (not must and best[0] <= now + 1e-9):
                    break
                now, state, step = best
                moves = (*moves, step)
        return Turn(now, (*moves, END))

    def _best(self, state: State, steps: Sequence[Move]) -> tuple[float, State, Move] | None:
        best: tuple[float, State, Move] | None = None
        for single in self._some(steps, COMPLETING if self.spent else WIDTH):
            for step in self._several(state, single):
                try:
                    after = self._after(state, step)
                except IllegalMoveError:
                    break
                value = self._value(after)
                if best is None or value > best[0]:
                    best = value, after, step
        return best

    def _several(self, state: State, step: Move) -> Iterator[Move]:
        """Yield a step of one caballero, and the same with more of them."""
        yield step
        if isinstance(step, Place):
            ((area, _),) = step.to
            for count in range(2, placing_left(state, self.seat) + 1):
                yield Place(((area, count),))
        elif isinstance(step, Special) and step.kind == "move":
            ((owner, origin, target, _),) = step.moves
            for count in range(2, MOST_SHIFTED + 1):
                yield Special("move", moves=((owner, origin, target, count),))

    def _some(self, steps: Sequence[Move], most: int) -> Sequence[Move]:
        """Return all steps, or a sample of the most that may be looked at."""
        if len(steps) <= most:
            return steps
        picked = list(steps)
        for place in range(most):
            other = place + self.rng.below(len(picked) - place)
            picked[place], picked[other] = picked[other], picked[place]
        return picked[:most]

    def _value(self, state: State) -> float:
        """Return what `state` is worth once what has begun is complete and has come about."""
        self.seen += 1
        legal = self._legal(state)
        if END not in legal:
            return self._completed(state, legal)
        return self.worth.of(settled(state, self.seat, self.rng))

    def _completed(self, state: State, legal: Sequence[Move]) -> float:
        """Return the best of some ways to complete a special that has begun."""
        best = float("-inf")
        for first in self._some(legal, COMPLETING):
            after = self._after(state, first)
            while END not in (further := self._legal(after)):
                after = self._after(after, further[self.rng.below(len(further))])
            best = max(best, self.worth.of(settled(after, self.seat, self.rng)))
        return best

    def _legal(self, state: State) -> list[Move]:
        return list(EL_GRANDE.legal_moves(state, self.seat))

    def _after(self, state: State, move: Move) -> State:
        return folded(state, EL_GRANDE.decide(state, self.seat, move, self.rng))


def _belongs(step: Move, part: type[Move]) -> bool:
    return isinstance(step, part) or (part is Special and isinstance(step, Disc))


def folded(state: State, events: Sequence[Event]) -> State:
    """Return the state after `events`, but no further than the end of a sealed special."""
    for event in events:
        state = EL_GRANDE.evolve(state, event)
        if isinstance(event, SpecialDone):
            break
    return state


def settled(state: State, seat: Seat, rng: Rng) -> State:
    """Return the state after an announced special, if nobody vetoes and all answer safely."""
    if not state.sealed or state.phase != "turn":
        return state
    return answered(folded(state, EL_GRANDE.decide(state, seat, END, rng)), rng)


def answered(state: State, rng: Rng) -> State:
    """Return the state after a sealed special whose questions are answered safely."""
    while state.sealed and state.phase == "answers":
        asked = min(EL_GRANDE.prompts(state))
        for move in EL_GRANDE.safe_default(state, asked):
            state = folded(state, EL_GRANDE.decide(state, asked, move, rng))
    return state
