"""Who plays what, when they look at their mail, and what goes wrong: all of it from the seed."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from app.cli.weeks.chance import Chance
from app.cli.weeks.minutes import DAY, Calendar, Minute, Spell
from app.matches.editions import edition

GAMES: Final = ("castell", "el_grande")
# Between both the walls of Europe and America and those of the south are changed.
STARTS: Final = (datetime(2027, 3, 22, tzinfo=UTC), datetime(2026, 9, 28, tzinfo=UTC))
WHOLE_WEEKS: Final = 6
# Deadlines are reckoned beyond the end.
BEYOND_DAYS: Final = 60
STEP: Final = 5

ZONES: Final = (
    "Europe/Madrid",
    "America/New_York",
    "Australia/Sydney",
    "America/Santiago",
    "Europe/London",
    "Asia/Kathmandu",
    "Pacific/Auckland",
    "Australia/Lord_Howe",
    "Asia/Tokyo",
    "America/Los_Angeles",
)

_NIGHT: Final = "22:00-08:00"
# None, and every kind of clock with nights, weekends, and each thing that may happen at its end.
CLOCKS: Final[tuple[Mapping[str, Any] | None, ...]] = (
    {"kind": "turn", "days": 1, "zone": "Europe/Madrid", "timeout": "default"},
    {"kind": "daily", "at": "20:00", "zone": "America/New_York", "timeout": "bot"},
    {"kind": "bank", "bank_days": 6, "increment_hours": 3, "zone": "Australia/Sydney",
     "nights_off": _NIGHT, "timeout": "bot"},
    None,
    {"kind": "turn", "days": 1, "zone": "Europe/London", "nights_off": _NIGHT, "timeout": "bot"},
    {"kind": "turn", "days": 2, "zone": "America/Santiago", "weekends_off": True,
     "timeout": "void"},
    {"kind": "daily", "at": "19:00", "zone": "Australia/Lord_Howe", "nights_off": _NIGHT,
     "timeout": "default"},
    {"kind": "bank", "bank_days": 4, "increment_hours": 2, "zone": "Europe/Madrid",
     "weekends_off": True, "timeout": "default"},
    {"kind": "turn", "days": 2, "zone": "Pacific/Auckland", "timeout": "wait"},
)  # fmt: skip
ABSENCE_DAYS: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Persona:
    """How somebody plays by mail.

    `looks` are the minutes at which they look; `gone` is when they lose interest,
    `trips` are absences: when they are noted, first and last day.
    """

    number: int
    zone: str
    mode: str
    delay: int
    daily_at: int
    quiet: Spell | None
    looks: tuple[Minute, ...]
    gone: Minute | None
    trips: tuple[tuple[Minute, date, date], ...]

    @property
    def name(self) -> str:
        """What they are called."""
        return f"Friend {self.number}"

    @property
    def address(self) -> str:
        """Where they get mail."""
        return f"f{self.number}@friends.example"


@dataclass(frozen=True, slots=True)
class Setting:
    """A table: its game and options, its clock, and who sits there."""

    number: int
    game: str
    options: Mapping[str, Any]
    clock: Mapping[str, Any] | None
    people: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Storm:
    """A time in which the mail server does not do what it should, and how."""

    spell: Spell
    mood: str


@dataclass(frozen=True, slots=True)
class Plan:
    """A whole run."""

    chance: Chance
    weeks: int
    seats: int
    calendar: Calendar
    people: tuple[Persona, ...]
    tables: tuple[Setting, ...]
    storms: tuple[Storm, ...] = ()
    # When the server goes away next, and for how many minutes.
    falls: tuple[tuple[Minute, int], ...] = ()
    faults: bool = False
    end: Minute = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "end", self.weeks * 7 * DAY)


def make_plan(*, seed: int, weeks: int, seats: int, tables: int, faults: bool) -> Plan:
    """Return the plan of a run."""
    chance = Chance(seed)
    calendar = Calendar(STARTS[seed % len(STARTS)], weeks * 7 + BEYOND_DAYS)
    # Friends play two matches at once.
    rounds = (tables + 1) // 2
    people = tuple(
        _persona(chance, calendar, weeks, number, seats) for number in range(rounds * seats)
    )
    return Plan(
        chance=chance,
        weeks=weeks,
        seats=seats,
        calendar=calendar,
        people=people,
        tables=tuple(_setting(chance, number, seats, weeks) for number in range(tables)),
        storms=_storms(chance, weeks) if faults else (),
        falls=_falls(chance, weeks) if faults else (),
        faults=faults,
    )


def _persona(chance: Chance, calendar: Calendar, weeks: int, number: int, seats: int) -> Persona:
    who = ("person", number)
    zone = chance.pick(ZONES, *who, "zone")
    mode = chance.pick(("coalesced", "coalesced", "immediate", "daily"), *who, "mode")
    quiet = (22 * 60, 7 * 60) if chance.percent(30, *who, "quiet") else None
    gone = None
    # One of each round of friends at most.
    if number % seats == seats - 1 and chance.percent(40, *who, "gone"):
        gone = (3 + chance.below(max(weeks * 7 - 20, 3), *who, "when gone")) * DAY
    trips = []
    if gone is None and chance.percent(30, *who, "trips"):
        noted = (2 + chance.below(weeks * 7 - 4, *who, "when away")) * DAY
        first = calendar.wall(zone, noted).date() + timedelta(chance.below(3, *who, "ahead"))
        trips.append((noted, first, first + timedelta(2 + chance.below(4, *who, "length"))))
    return Persona(
        number=number,
        zone=zone,
        mode=mode,
        delay=5 * (1 + chance.below(12, *who, "delay")),
        daily_at=chance.pick((7 * 60, 8 * 60, 18 * 60), *who, "daily"),
        quiet=quiet,
        looks=_looks(chance, calendar, weeks, number, zone),
        gone=gone,
        trips=tuple(trips),
    )


def _looks(
    chance: Chance, calendar: Calendar, weeks: int, number: int, zone: str
) -> tuple[Minute, ...]:
    """Return when somebody looks: some times a day, when people are awake where they live.

    A run of fewer weeks has to come to an end as well, so they look the more often.
    """
    often = (3 + chance.below(5, "person", number, "often")) * max(WHOLE_WEEKS // weeks, 1)
    midnight = -calendar.of_day(zone, 0)
    looks = set()
    for day in range(-1, weeks * 7 + 1):
        for n in range(often):
            of_day = 7 * 60 + chance.below(16 * 60, "person", number, "look", day, n)
            minute = midnight + day * DAY + of_day
            looks.add(minute - minute % STEP)
    return tuple(sorted(look for look in looks if 0 < look < weeks * 7 * DAY))


def _setting(chance: Chance, number: int, seats: int, weeks: int) -> Setting:
    game = GAMES[number % len(GAMES)]
    clock = CLOCKS[number % len(CLOCKS)]
    if clock is not None:
        clock = {"absence_days": ABSENCE_DAYS, "weekends_off": False, **clock}
    first = number // 2 * seats
    return Setting(number, game, _options(game, weeks), clock, tuple(range(first, first + seats)))


def _options(game: str, weeks: int) -> dict[str, Any]:
    """Return what is played: a whole match in six weeks, and fewer rounds in fewer weeks."""
    values = edition(game)
    share = min(weeks / WHOLE_WEEKS, 1.0)
    if game == "castell":
        rounds = max(1, int(values["rounds"] * share))
        values["rounds"] = rounds
        calendar = values["festivals"]["calendar"]
        values["festivals"]["calendar"] = {n: calendar[n] for n in calendar if int(n) <= rounds}
        refill = values["refill"]["rounds"]
        values["refill"]["rounds"] = [n for n in refill if n <= rounds]
        return {"edition": values}
    return {"edition": values, "length": 9 if share == 1.0 else 6}


def _storms(chance: Chance, weeks: int) -> tuple[Storm, ...]:
    storms = []
    for n in range(weeks):
        about = ("storm", n)
        begins = n * 7 * DAY + chance.below(6 * DAY, *about, "begins")
        mood = chance.pick(("refuses", "refuses late", "loses", "takes and loses"), *about, "mood")
        longest = 120 if mood == "takes and loses" else 24 * 60
        storms.append(Storm((begins, begins + 20 + chance.below(longest, *about, "length")), mood))
    return tuple(storms)


def _falls(chance: Chance, weeks: int) -> tuple[tuple[Minute, int], ...]:
    return tuple(
        (
            n * 7 * DAY // 3 + chance.below(DAY, "fall", n),
            chance.pick((5, 10, 15, 60, 240, 11 * 60, 26 * 60), "fall", n, "length"),
        )
        for n in range(1, weeks * 3)
    )


def local(zone: str, day: date) -> datetime:
    """Return midnight of a day in a zone."""
    return datetime(day.year, day.month, day.day, tzinfo=ZoneInfo(zone))
