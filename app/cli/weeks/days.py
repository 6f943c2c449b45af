"""How many days standing orders save: the same friends play with them and without.

Nothing here is written down or mailed.  Each friend looks once a day, at an hour of
their own, takes every decision that waits for them then, and, in the one case, leaves
orders for those that can come before they look again.  What they play is left to chance.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from app.bots.random_policy import RandomPolicy
from app.cli.weeks.chance import Chance
from app.errors import MoveRejectedError
from app.matches.codec import Codec
from app.matches.deciding import Answers, Decided, check_answer, decide_answers, decide_turn
from app.matches.editions import with_edition
from app.matches.games import codec_for
from app.rules.game import RulesError, Seat, replay
from app.rules.rng import HmacRng

GAME: Final = "el_grande"
MATCHES: Final = 12
# What leaves nothing open: a card is played and no Veto, whatever the others do.
ORDERS: Final[Mapping[str, str]] = {"power": "highest if none>9, lowest", "veto": "pass"}
LONGEST: Final = 1_000


def days_with_orders(chance: Chance, seats: int, *, matches: int = MATCHES) -> int:
    """Return in how many of a hundred days a match ends, when all leave orders."""
    plain = sum(_days(chance, seats, number, orders=False) for number in range(matches))
    saved = sum(_days(chance, seats, number, orders=True) for number in range(matches))
    return round(100 * saved / plain)


def _days(chance: Chance, seats: int, number: int, *, orders: bool) -> int:
    """Return how many days a match lasts."""
    table = _Table(codec_for(GAME), chance, number, orders=orders)
    table.begin(seats)
    looks = sorted(range(seats), key=lambda seat: chance.below(1 << 30, number, seat, "looks"))
    for day in range(1, LONGEST):
        for seat in looks:
            if table.look(Seat(seat)):
                return day
    raise RuntimeError("a match without an end")


@dataclass(slots=True)
class _Table:
    """One match, without a database."""

    codec: Codec
    chance: Chance
    number: int
    orders: bool
    state: Any = None
    steps: int = 0
    answers: Answers = field(default_factory=lambda: Answers("", {}, {}))

    def begin(self, seats: int) -> None:
        rules = self.codec.game
        self.state = replay(rules, rules.setup(seats, with_edition(GAME, {}), self._rng()))

    def look(self, seat: Seat) -> bool:
        """Let a friend see to all that waits for them; tell whether the match is over."""
        rules = self.codec.game
        while rules.outcome(self.state) is None:
            prompt = rules.prompts(self.state).get(seat)
            if prompt is None or seat in self.answers.filed:
                if self.orders:
                    self._leave(seat)
                return False
            lines = [self._line(seat)]
            if prompt.simultaneous:
                line = check_answer(self.codec, self.state, seat, lines[0])
                filed = {**self.answers.filed, seat: line}
                self._settle(Answers(prompt.key, filed, self.answers.standing))
                continue
            try:
                turn = self._turn(seat, lines)
            except MoveRejectedError:
                # Chance has drawn otherwise than it seemed it would.
                turn = self._turn(
                    seat, [rules.format((move,)) for move in rules.safe_default(self.state, seat)]
                )
            self.state = turn.state
            self._settle(Answers("", {}, self.answers.standing))
        return True

    def _turn(self, seat: Seat, lines: list[str]) -> Decided:
        prompt = self.codec.game.prompts(self.state)[seat]
        return decide_turn(
            self.codec, self.state, seat, prompt=prompt, lines=lines, rng=self._rng()
        )

    def _settle(self, answers: Answers) -> None:
        decided, waiting = decide_answers(self.codec, self.state, answers, self._rng())
        self.state = decided.state
        standing = {}
        for seat, left in waiting.standing.items():
            ahead = {one.key for one in self.codec.game.decisions(self.state, seat)}
            standing[seat] = {key: order for key, order in left.items() if key in ahead}
        self.answers = Answers(waiting.key, waiting.filed, standing)

    def _leave(self, seat: Seat) -> None:
        """Leave an order for whatever takes one."""
        left = {}
        for one in self.codec.game.decisions(self.state, seat):
            order = ORDERS.get(one.key.partition(":")[0], "")
            try:
                left[one.key] = self.codec.game.check_standing(self.state, seat, one.key, order)
            except RulesError:
                continue
        standing = {**self.answers.standing, seat: left}
        self.answers = Answers(self.answers.key, self.answers.filed, standing)

    def _line(self, seat: Seat) -> str:
        rules = self.codec.game
        seed = self.chance.below(1 << 62, self.number, self.steps, seat, "plays")
        view = rules.view(self.state, seat)
        moves = RandomPolicy(rules).choose(view, seat, seed=seed.to_bytes(8, "big"), iterations=1)
        return rules.format(tuple(moves))

    def _rng(self) -> HmacRng:
        self.steps += 1
        return HmacRng(b"placa days %d" % self.chance.seed, f"{self.number} {self.steps}")
