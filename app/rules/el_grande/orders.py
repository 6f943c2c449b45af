"""Standing orders (section 13): lists of power cards, and what becomes of the Veto.

    bids   = clause {"," clause}                  the first that can be played is
    clause = card ["if" "none" (">" | "<") N] | "ask"
    card   = N | "lowest" | "highest"
    veto   = "ask" | "pass" | "veto" ID {"," ID}

`13 if none>10, 7, lowest`: the 13 if nobody has played more than 10 this round,
else the 7, else the lowest card that may be played.
"""

import re
from dataclasses import dataclass
from typing import Final

from app.rules.el_grande.legal import blocked, has_question, may_veto
from app.rules.el_grande.moves import PASS, VETO, Move, PlayPower
from app.rules.el_grande.state import State
from app.rules.game import Decision, IllegalMoveError, NotationError

VETOES: Final = "veto"
ASK: Final = "ask"
MOST_CLAUSES: Final = 8

_VETO: Final = re.compile(r"ask|pass|veto ([1-5]-[0-9]{2}(?:,[1-5]-[0-9]{2})*)")
_CLAUSE: Final = re.compile(
    r"(?P<card>[1-9][0-9]?|lowest|highest)(?: if none(?P<side>[<>])(?P<limit>[0-9]{1,2}))?"
)


@dataclass(frozen=True, slots=True)
class Clause:
    """A card, and the others' cards it must not have on one side of a limit."""

    card: str
    side: str = ""
    limit: int = 0

    def __str__(self) -> str:
        return f"{self.card} if none{self.side}{self.limit}" if self.side else self.card

    @property
    def always(self) -> bool:
        """Whether no clause after this one is ever reached."""
        return self.card == ASK or (not self.card.isdigit() and not self.side)

    def holds(self, played: tuple[int, ...]) -> bool:
        """Tell whether nobody has played a card beyond the limit."""
        if self.side == ">":
            return all(value <= self.limit for value in played)
        return self.side != "<" or all(value >= self.limit for value in played)


def decisions(state: State, seat: int) -> tuple[Decision, ...]:
    """Return the power cards to be played, this round's and the next's, and the Veto."""
    if state.phase == "over":
        return ()
    bidding = state.phase == "power" and seat != state.current()
    rounds = [state.round] if bidding and seat not in dict(state.bids) else []
    if state.round < state.length:
        rounds.append(state.round + 1)
    coming = [Decision(_power(number), "power", number) for number in rounds]
    if state.veto != "off":
        coming.append(Decision(VETOES, "veto"))
    return tuple(coming)


def asked_for(state: State, seat: int) -> tuple[str, ...]:
    """Return the power card or the announced special action that waits for `seat`."""
    if may_veto(state, seat):
        return f"answers:{state.round}:{state.turn}", VETOES
    if state.phase == "power" and seat == state.current():
        return (_power(state.round),)
    return ()


def check_standing(state: State, seat: int, decision: str, order: str) -> str:
    """Return `order` as it is printed.

    Raises NotationError for what is none, IllegalMoveError for a decision that is
    not to come or a card the seat does not hold.
    """
    if decision not in {one.key for one in decisions(state, seat)}:
        raise IllegalMoveError("standing.passed", rule="13", decision=decision[:80])
    if decision == VETOES:
        return read_veto(order)
    clauses = read_bids(order)
    for clause in clauses:
        if clause.card.isdigit() and int(clause.card) not in state.hands[seat]:
            raise IllegalMoveError("power.not_held", rule="4", value=int(clause.card))
    return ", ".join(map(str, clauses))


def standing(state: State, seat: int, order: str) -> Move | None:
    """Return what `order` answers to the power card or the Veto `seat` is asked for.

    None where it does not apply: it says to ask, names other cards, or the seat
    has to choose something as well, which is an answer of its own.
    """
    if may_veto(state, seat):
        return _answer(state, seat, read_veto(order))
    if state.phase == "power" and seat == state.current():
        return _bid(state, seat, read_bids(order))
    return None


def _answer(state: State, seat: int, order: str) -> Move | None:
    word, _, cards = order.partition(" ")
    if word == "veto" and state.card in cards.split(","):
        return VETO
    return PASS if word == "pass" and not has_question(state, seat) else None


def _bid(state: State, seat: int, clauses: tuple[Clause, ...]) -> Move | None:
    played = blocked(state)
    free = sorted(value for value in state.hands[seat] if value not in played)
    for clause in clauses:
        if clause.card == ASK:
            return None
        wanted = {"lowest": free[0], "highest": free[-1]}.get(clause.card) or int(clause.card)
        if wanted in free and clause.holds(played):
            return PlayPower(wanted)
    return None


def _power(number: int) -> str:
    return f"power:{number}"


def read_veto(order: str) -> str:
    """Return an order about the Veto as it is printed; raises NotationError."""
    line = re.sub(r"\s*,\s*", ",", " ".join(order.lower().split()))
    if _VETO.fullmatch(line) is None:
        raise _bad(order)
    return line


def read_bids(order: str) -> tuple[Clause, ...]:
    """Return the clauses of a list of power cards; raises NotationError."""
    line = re.sub(r"\s*([<>])\s*", r"\1", " ".join(order.lower().split()))
    clauses = tuple(_read_clause(part.strip(), order) for part in line.split(","))
    if len(clauses) > MOST_CLAUSES or any(clause.always for clause in clauses[:-1]):
        raise _bad(order)
    return clauses


def _read_clause(part: str, order: str) -> Clause:
    if part == ASK:
        return Clause(ASK)
    found = _CLAUSE.fullmatch(part)
    if found is None:
        raise _bad(order)
    return Clause(found["card"], found["side"] or "", int(found["limit"] or 0))


def _bad(order: str) -> NotationError:
    return NotationError("notation.bad_standing", rule="13", text=order[:80])
