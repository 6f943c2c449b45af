"""Time and score: the rounds with their three scorings, and the track."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from app.i18n import gettext
from app.rules.el_grande.view import ElGrandeView
from app.rules.game import Seat
from app.web.boards.el_grande_words import who_name
from app.web.boards.seats import Who

STEP: Final = 5
LABELLED: Final = 10
LEAST: Final = 40
# The path lies between these shares of the drawing's width.
EDGES: Final = (4.0, 96.0)
# The least between two pawns, in percent: the wide track and the one of a phone.
WIDE: Final = 2.6
NEAR: Final = 9.0


@dataclass(frozen=True, slots=True)
class RoundArt:
    """A round of the match; `when` is past, now or later."""

    number: int
    when: str
    scoring: bool


@dataclass(frozen=True, slots=True)
class TrackPawn:
    """A seat's pawn, and how far along it stands, in percent; none stands on another."""

    who: Who
    score: int
    x: float
    mine: bool


@dataclass(frozen=True, slots=True)
class Track:
    """The score track; ticks are (percent, label or empty)."""

    pawns: tuple[TrackPawn, ...]
    ticks: tuple[tuple[float, str], ...]
    words: str


def draw_rounds(view: ElGrandeView) -> tuple[RoundArt, ...]:
    """Return the rounds this match plays."""
    return tuple(
        RoundArt(number, _when(view, number), number in view.scorings) for number in view.rounds
    )


def _when(view: ElGrandeView, number: int) -> str:
    if view.phase == "over" or number < view.round:
        return "past"
    return "now" if number == view.round else "later"


def draw_track(view: ElGrandeView, seats: Mapping[Seat, Who], *, near: bool) -> Track:
    """Return the track from 0, or `near` the pawns for a narrow screen."""
    scores = {player.seat: player.score for player in view.players}
    low = min(scores.values()) // LABELLED * LABELLED if near else 0
    high = (max(scores.values()) // LABELLED + 1) * LABELLED
    high = max(high, low + 2 * LABELLED) if near else max(high, LEAST)
    step = STEP if high - low <= LABELLED * 10 else LABELLED

    def place(score: int) -> float:
        return round(EDGES[0] + (EDGES[1] - EDGES[0]) * (score - low) / (high - low), 1)

    order = sorted(scores, key=lambda seat: (scores[seat], seat == view.seat, seat))
    spots = _apart([place(scores[seat]) for seat in order], NEAR if near else WIDE)
    pawns = [
        TrackPawn(seats[seat], scores[seat], spot, seat == view.seat)
        for seat, spot in zip(order, spots, strict=True)
    ]
    ranked = sorted(scores, key=lambda seat: (-scores[seat], seat))
    said = ", ".join(f"{who_name(seats[seat], view.seat)} {scores[seat]}" for seat in ranked)
    return Track(
        pawns=tuple(pawns),
        ticks=tuple(
            (place(value), str(value) if value % LABELLED == 0 else "")
            for value in range(low, high + 1, step)
        ),
        words=gettext("Score: %(scores)s", scores=said),
    )


def _apart(spots: list[float], least: float) -> list[float]:
    """Push pawns apart that would stand on each other, and back from the end of the track."""
    placed: list[float] = []
    for spot in spots:
        placed.append(max(spot, placed[-1] + least) if placed else spot)
    end = EDGES[1]
    for number in range(len(placed) - 1, -1, -1):
        placed[number] = round(min(placed[number], end), 1)
        end = placed[number] - least
    return placed
