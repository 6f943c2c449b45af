"""What may be done, as the turn panel needs it: the rules' options with reasons in words."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from app.i18n.sentences import refusal
from app.rules.game import IllegalMoveError

GAME: Final = "el_grande"


@dataclass(frozen=True, slots=True)
class Why:
    """A refusal in words, with the paragraph of the rules it rests on."""

    text: str
    rule: str


@dataclass(frozen=True, slots=True)
class Pick:
    """One possibility.

    `line` in notation does it at once, `opens` chooses it first; with neither,
    `why` says what forbids it.  `hint` and `gain` are what one looks at when choosing.
    """

    id: str
    name: str
    area: str = ""
    line: str = ""
    opens: Mapping[str, str] = field(default_factory=dict)
    hint: str = ""
    gain: str = ""
    kit: int = 0
    letter: str = ""
    count: int = 0
    picked: bool = False
    warning: str = ""
    why: Why | None = None


@dataclass(frozen=True, slots=True)
class Placer:
    """An area that takes caballeros one by one.

    `line` adds one, `more` adds `many` at once (empty: no more than one is
    left); `drop` is the draft line that takes one back, None if there is none.
    `bulk` keeps room for `more` when it is gone, so that nothing moves under a pointer.
    """

    id: str
    area: str
    name: str
    hint: str
    gain: str
    count: int
    line: str
    more: str
    many: int
    drop: int | None
    bulk: bool = False


@dataclass(frozen=True, slots=True)
class Refused:
    """Several things forbidden for one reason."""

    names: str
    why: Why


@dataclass(frozen=True, slots=True)
class SourceGroup:
    """Whose caballeros can be taken from one area; `opens` shows this area alone."""

    area: str
    name: str
    opens: Mapping[str, str]
    picks: tuple[Pick, ...]


@dataclass(frozen=True, slots=True)
class Moving:
    """Moving caballeros: first from where, then how many and to where.

    `taken` says whom one moves (empty: nobody picked yet); `asks` asks whose of
    one area (empty: all areas stand there).
    """

    groups: tuple[SourceGroup, ...]
    taken: str
    numbers: tuple[Pick, ...]
    targets: tuple[Pick, ...]
    asks: str = ""


@dataclass(frozen=True, slots=True)
class Way:
    """One way to carry the card out."""

    kind: str
    note: str
    why: Why | None
    moving: Moving | None = None
    placers: tuple[Placer, ...] = ()
    picks: tuple[Pick, ...] = ()
    refused: tuple[Refused, ...] = ()


Taps: TypeAlias = dict[str, tuple[str, str]]
# A way, the taps it takes, what stays open after a step, and what the map calls for.
Offer: TypeAlias = tuple[Way, Taps, Mapping[str, str], str]


def taps_of(picks: tuple[Pick, ...], icon: str) -> Taps:
    """Return the icon and the button of each area that a pick acts on."""
    return {pick.area: (icon, pick.id) for pick in picks if pick.area and (pick.line or pick.opens)}


def why(refused: IllegalMoveError | None) -> Why | None:
    """Return a refusal of the rules in words."""
    if refused is None:
        return None
    return Why(refusal(GAME, refused.code, refused.details, refused.rule), refused.rule)


def grouped(refused: Iterable[tuple[str, IllegalMoveError]]) -> tuple[Refused, ...]:
    """Return refusals with the same reason as one."""
    found: dict[tuple[str, str], list[str]] = {}
    reasons: dict[tuple[str, str], Why] = {}
    for name, error in refused:
        reason = Why(refusal(GAME, error.code, error.details, error.rule), error.rule)
        # Refusals of one code differ in the name they begin with: one of them speaks for all.
        key = (error.code, error.rule)
        found.setdefault(key, []).append(name)
        reasons.setdefault(key, reason)
    return tuple(Refused(", ".join(names), reasons[key]) for key, names in found.items())
