"""Positions for the second reading of Castell, written as text and looked at through views."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from app.rules.castell import CASTELL, CastellView, Event, State, position_from_text
from app.rules.castell.view import CollaView, RegionView
from app.rules.dotted import to_lines
from app.rules.game import IllegalMoveError, Outcome, Rng, Seat, replay
from app.rules.rng import HmacRng, NoRng
from tests.rules.castell.stage import values

REGIONS = ("TAR", "VAL", "VFR", "VNO", "BCN", "TER", "GIR")
SKILLS = ("balance", "base", "mix", "strength", "width")
# Slots 0 to 7, clockwise from north: in round 1 All Regions, then REGIONS.
WHEEL = ("balance", "mix", "strength", "base", "width", "special", "balance", "mix")

# Towers by what they score with token 6: levels and castellers of size 6.
TOWERS = {
    5: "3x9/2x8/1x7/1x6",
    6: "3x9/2x8/2x6/1x5",
    7: "3x9/3x8/2x6/1x5/1x4",
    8: "3x9/3x6/2x5/1x4/1x3",
    9: "3x9/3x6/2x5/2x4/1x3/1x2",
}
RICH = "3x9 3x8 7 3x6 2x5 2x4 3 2"

Earned = Mapping[int, Mapping[str, Mapping[str, list[Any]]]]


def ranks(text: str) -> dict[str, int]:
    """Read `balance 2 mix 1`; what is not named is 0."""
    words = text.split()
    named = dict(zip(words[::2], map(int, words[1::2]), strict=True))
    assert named.keys() <= set(SKILLS)
    return {skill: named.get(skill, 0) for skill in SKILLS}


def sizes(text: str) -> list[int]:
    """Read `9 9 8`, or `3x9 8`."""
    found: list[int] = []
    for word in text.split():
        count, times, size = word.rpartition("x")
        found += [int(size)] * (int(count) if times else 1)
    return found


def position(
    seats: int = 3,
    *,
    side: str = "all_regions",
    moment: Mapping[str, Any] | None = None,
    pawns: Iterable[str] = (),
    hands: Iterable[str] = (),
    skills: Iterable[str] = (),
    waiting: Mapping[str, str] | None = None,
    tiles: Mapping[str, list[str]] | None = None,
    rows: Mapping[str, list[int]] | None = None,
    spent: Mapping[int, int] | None = None,
    festivals: Iterable[tuple[int, str, list[int]]] = (),
    best: Iterable[int] = (),
    earned: Earned | None = None,
    changes: Mapping[str, Any] | None = None,
) -> State:
    """Return a position: what is not given is bare, what is not on the table is in the bag.

    `moment` is round, first, turn, phase; `spent` tokens of a seat lie in the row of Girona.
    A size token in `earned` comes from a festival held there in round 3.
    """
    pawns, hands, skills, best = list(pawns), list(hands), list(skills), list(best)
    waiting, tiles, earned = waiting or {}, tiles or {}, earned or {}
    laid = {region: list((rows or {}).get(region, [])) for region in REGIONS}
    for seat, count in (spent or {}).items():
        laid["GIR"] += [seat] * count
    away = Counter(seat for row in laid.values() for seat in row)
    away.update(
        seat
        for board in earned.values()
        for holding in board.values()
        for seat in holding.get("tokens", [])
    )
    hands += [""] * (seats - len(hands))
    out = Counter(size for text in (*waiting.values(), *hands) for size in sizes(text))
    assert all(count <= 15 for count in out.values())
    calendar: list[dict[str, Any]] = [
        {"round": round_, "region": region, "tokens": tokens}
        for round_, region, tokens in festivals
    ]
    calendar += [
        {
            "round": 3,
            "region": region,
            "tokens": [size],
            "result": {"towers": [], "prizes": [], "token_winners": [[size, seat]]},
        }
        for seat, board in earned.items()
        for region, holding in board.items()
        for size in holding.get("sizes", [])
    ]
    shown = Counter(size for festival in calendar for size in festival["tokens"])
    data = {
        "edition": values(changes),
        "options": {"wheel_side": side, "assistants": True},
        "seats": seats,
        "phase": "turns",
        "round": 1,
        "first": 0,
        "turn": 0,
        **(moment or {}),
        "used": [],
        "wheel": WHEEL,
        "bag": [15 - out[size] for size in range(1, 11)],
        "box": [3 - shown[size] for size in range(1, 11)],
        "regions": {
            region: {
                "castellers": sorted(sizes(waiting.get(region, ""))),
                "tiles": tiles.get(region, []),
                "row": laid[region],
            }
            for region in REGIONS
        },
        "festivals": {str(number): festival for number, festival in enumerate(calendar)},
        "entrants": [],
        "entries": [],
        "collas": {
            str(seat): {
                "pawn": pawns[seat] if seat < len(pawns) else "",
                "castellers": sorted(sizes(hands[seat])),
                "ranks": ranks(skills[seat] if seat < len(skills) else ""),
                "special_tokens": 7 - away[seat],
                "best": best[seat] if seat < len(best) else 0,
                "best_tower": "",
                "earned": {
                    region: {
                        kind: holding.get(kind, [])
                        for kind in ("prizes", "sizes", "tiles", "tokens")
                    }
                    for region, holding in earned.get(seat, {}).items()
                },
            }
            for seat in range(seats)
        },
    }
    return position_from_text("\n".join(("castell position", *to_lines(data), "")))


def morning(**changes: Any) -> State:
    """Return round 1 with seat 0 to move in Barcelona, which offers Special and Balance."""
    usual: dict[str, Any] = {
        "pawns": ["BCN", "VNO", ""],
        "hands": ["3x9 3x8 2x5 1"],
        "waiting": dict.fromkeys(REGIONS, "9 7 7 4"),
        "tiles": {"BCN": ["S04", "E05"], "TER": ["S07"], "VNO": ["S01", "S03"]},
        "skills": ["balance 1"],
    }
    return position(**(usual | changes))


def after(state: State, seat: int, line: str, rng: Rng | None = None) -> State:
    """Return the state after a line of notation, asking first whether it may be done."""
    for move in CASTELL.parse(line):
        CASTELL.check(state, Seat(seat), move)
        state = replay(CASTELL, CASTELL.decide(state, Seat(seat), move, rng or NoRng()), state)
    return state


def told(state: State, seat: int, line: str, rng: Rng | None = None) -> list[Event]:
    """Return the events of a line of notation."""
    events: list[Event] = []
    for move in CASTELL.parse(line):
        new = CASTELL.decide(state, Seat(seat), move, rng or NoRng())
        events += new
        state = replay(CASTELL, new, state)
    return events


def refused(state: State, seat: int, line: str) -> IllegalMoveError | None:
    """Return why the last move of a line may not be made, None if it may."""
    *made, last = CASTELL.parse(line)
    for move in made:
        state = replay(CASTELL, CASTELL.decide(state, Seat(seat), move, NoRng()), state)
    try:
        CASTELL.check(state, Seat(seat), last)
    except IllegalMoveError as error:
        return error
    return None


def look(state: State) -> CastellView:
    return CASTELL.view(state, None)


def colla(state: State, seat: int) -> CollaView:
    return look(state).collas[seat]


def region(state: State, name: str) -> RegionView:
    return next(place for place in look(state).regions if place.id == name)


def owned(state: State, seat: int) -> str:
    """Return the castellers of a seat as text, by size ascending."""
    counts = enumerate(colla(state, seat).castellers, 1)
    return " ".join(str(size) for size, count in counts for _ in range(count))


def lot(state: State, seat: int, name: str) -> dict[str, list[Any]]:
    """Return what lies at a region of a player board, empty kinds left out."""
    for place in colla(state, seat).earned:
        if place.region == name:
            kinds: dict[str, list[Any]] = {
                "prizes": list(place.prizes),
                "sizes": list(place.size_tokens),
                "tiles": [tile.id for tile in place.tiles],
                "tokens": list(place.tokens),
            }
            return {kind: things for kind, things in kinds.items() if things}
    return {}


def result(state: State) -> Outcome:
    outcome = CASTELL.outcome(state)
    assert outcome is not None
    return outcome


def chance(name: object = 1) -> Rng:
    return HmacRng(b"second reading", str(name))


def evening(seats: int = 3, **changes: Any) -> State:
    """Return round 4 before the last seat's turn ends; all stand in Valls and can build."""
    usual: dict[str, Any] = {
        "moment": {"round": 4, "turn": seats - 1},
        "pawns": ["VAL"] * seats,
        "hands": [RICH] * seats,
        "skills": ["balance 3"] * seats,
        "festivals": [(4, "VAL", [6])],
    }
    return position(seats, **(usual | changes))


def dusk(state: State) -> State:
    """Let the last seat of the round end its turn."""
    (seat,) = look(state).asked
    return after(state, seat, "end", chance())


def answer(state: State, towers: dict[int, str], place: str = "VAL") -> State:
    for seat, tower in towers.items():
        state = after(state, seat, f"festival {place} = {tower}", chance())
    return state
