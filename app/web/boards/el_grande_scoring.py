"""A general scoring step by step: Castillo, discs, then each region's reckoning."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from app.i18n import gettext, ngettext
from app.matches.pages import MatchPage, StoryEvent
from app.rules.el_grande.components import CAS, COURT
from app.rules.el_grande.events import AreaScored, CastilloEmptied
from app.rules.el_grande.view import ElGrandeView
from app.rules.game import Seat
from app.web.boards.el_grande_preview import total
from app.web.boards.el_grande_words import anded, area_name, who_name
from app.web.boards.opened import Opened
from app.web.boards.seats import Who, who_is_who

GENERAL: Final = "general"


@dataclass(frozen=True, slots=True)
class Share:
    """What one seat has and gets in an area; `place` 0: it gets nothing."""

    who: Who
    me: bool
    count: int
    place: int
    tied: bool
    points: int
    king: int
    home: int
    running: int
    why: str

    @property
    def sum(self) -> int:
        """Points and bonuses together."""
        return self.points + self.king + self.home


@dataclass(frozen=True, slots=True)
class ScoringStep:
    """One step: an area reckoned, or the discs shown (`moves`: who went where)."""

    number: int
    area: str
    name: str
    values: tuple[int, ...]
    shares: tuple[Share, ...]
    moves: tuple[tuple[Who, str, str, int], ...]
    words: str


@dataclass(frozen=True, slots=True)
class ScoringRow:
    """A line of the whole reckoning: an area, and what each seat got there."""

    number: int
    area: str
    name: str
    points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Scoring:
    """A general scoring: its steps, the same as a table, and where everybody stood."""

    round: int
    people: tuple[Who, ...]
    steps: tuple[ScoringStep, ...]
    rows: tuple[ScoringRow, ...]
    before: tuple[int, ...]
    gained: tuple[int, ...]
    after: tuple[int, ...]
    headline: str


@dataclass(frozen=True, slots=True)
class ScoringCard:
    """A general scoring laid over the board of a seat that has not seen it yet."""

    round: int
    scoring: Scoring
    go_on: str


def held(story: Sequence[StoryEvent]) -> tuple[int, ...]:
    """Return the rounds whose general scoring `story` tells of."""
    return tuple(told.event.round for told in story if isinstance(told.event, CastilloEmptied))


def scoring_of(page: MatchPage, story: Sequence[StoryEvent], round_: int) -> Scoring | None:
    """Return the general scoring after `round_`, None if `story` does not hold it.

    `story` begins with the match: what was scored before gives the running totals.
    """
    view: ElGrandeView = page.base_view
    for before, events in _general_scorings(story, view.seats):
        if any(isinstance(one, CastilloEmptied) and one.round == round_ for one in events):
            return _scoring(view, who_is_who(page.seats), round_, before, events)
    return None


def _general_scorings(
    story: Sequence[StoryEvent], seats: int
) -> list[tuple[tuple[int, ...], list[AreaScored | CastilloEmptied]]]:
    """Return the general scorings of `story`, each with the points from before it."""
    found: list[tuple[tuple[int, ...], list[AreaScored | CastilloEmptied]]] = []
    running, under_way = [0] * seats, False
    for event in (told.event for told in story):
        general = isinstance(event, CastilloEmptied) or (
            isinstance(event, AreaScored) and event.cause == GENERAL
        )
        if general and not under_way:
            found.append((tuple(running), []))
        if general:
            found[-1][1].append(event)
        if isinstance(event, AreaScored):
            running = _plus(running, total(event))
        under_way = general
    return found


def _plus(one: Sequence[int], other: Sequence[int]) -> list[int]:
    return [a + b for a, b in zip(one, other, strict=True)]


def _scoring(
    view: ElGrandeView,
    people: Mapping[Seat, Who],
    round_: int,
    before: tuple[int, ...],
    events: Sequence[AreaScored | CastilloEmptied],
) -> Scoring:
    running = list(before)
    steps: list[ScoringStep] = []
    rows: list[ScoringRow] = []
    for event in events:
        number = len(steps) + 1
        if isinstance(event, CastilloEmptied):
            steps.append(_discs(view, people, number, event))
            continue
        running = _plus(running, total(event))
        steps.append(_area(view, people, number, event, running))
        name = area_name(view, event.area)
        rows.append(ScoringRow(number, event.area, name, total(event)))
    gained = tuple(now - was for now, was in zip(running, before, strict=True))
    best = max(gained)
    first = [who_name(people[Seat(n)], view.seat) for n, won in enumerate(gained) if won == best]
    return Scoring(
        round=round_,
        people=tuple(people[seat] for seat in sorted(people)),
        steps=tuple(steps),
        rows=tuple(rows),
        before=before,
        gained=gained,
        after=tuple(running),
        headline=ngettext(
            "Most for %(names)s: %(n)s point", "Most for %(names)s: %(n)s points",
            best, names=anded(first),
        ),
    )  # fmt: skip


def _area(
    view: ElGrandeView,
    people: Mapping[Seat, Who],
    number: int,
    event: AreaScored,
    running: Sequence[int],
) -> ScoringStep:
    order = sorted(range(view.seats), key=lambda seat: (-event.counts[seat], seat))
    places = _places(event.counts)
    shares = tuple(
        Share(
            who=people[Seat(seat)],
            me=seat == view.seat,
            count=event.counts[seat],
            place=places[seat][0],
            tied=places[seat][1],
            points=event.points[seat],
            king=event.king[seat],
            home=event.home[seat],
            running=running[seat],
            why=_why(event, seat, places[seat]),
        )
        for seat in order
        if event.counts[seat]
    )
    return ScoringStep(
        number=number,
        area=event.area,
        name=area_name(view, event.area),
        values=event.values,
        shares=shares,
        moves=(),
        words=_words(view, shares, event),
    )


def _places(counts: Sequence[int]) -> dict[int, tuple[int, bool]]:
    """Return which place each seat is paid, and whether it shares it (6.2)."""
    found: dict[int, tuple[int, bool]] = {}
    place = 1
    for count in sorted({number for number in counts if number}, reverse=True):
        level = [seat for seat, number in enumerate(counts) if number == count]
        tied = len(level) > 1
        for seat in level:
            found[seat] = (place + tied, tied)
        place += 1 + tied
    return {seat: found.get(seat, (0, False)) for seat in range(len(counts))}


def _why(event: AreaScored, seat: int, place: tuple[int, bool]) -> str:
    number, tied = place
    if number > len(event.values):
        return gettext("place %(place)s: pays nothing", place=number)
    if tied:
        return gettext("level: place %(place)s is paid", place=number)
    return gettext("place %(place)s", place=number)


def _words(view: ElGrandeView, shares: Sequence[Share], event: AreaScored) -> str:
    won = [share for share in shares if share.sum]
    name = area_name(view, event.area)
    if not shares:
        return gettext("%(area)s is empty.", area=name)
    if not won:
        return gettext("%(area)s pays nobody.", area=name)
    said = anded(f"{who_name(share.who, view.seat)} +{share.sum}" for share in won)
    return gettext("%(area)s: %(points)s.", area=name, points=said)


def _discs(
    view: ElGrandeView, people: Mapping[Seat, Who], number: int, event: CastilloEmptied
) -> ScoringStep:
    moves = tuple(
        (people[seat], area, area_name(view, area), count) for seat, area, count in event.moves
    )
    said = [
        gettext("%(name)s %(count)s to the court", name=who_name(who, view.seat), count=count)
        if area == COURT
        else gettext("%(name)s %(count)s to %(area)s",
                     name=who_name(who, view.seat), count=count, area=name)
        for who, area, name, count in moves
    ]  # fmt: skip
    return ScoringStep(
        number=number,
        area=CAS,
        name=gettext("The discs are shown"),
        values=(),
        shares=(),
        moves=moves,
        words=gettext("%(moves)s.", moves=anded(said)) if said else gettext(
            "Nobody was in the Castillo."
        ),
    )  # fmt: skip


def revealed(page: MatchPage) -> int:
    """Return the last round whose general scoring is among the news, 0 if none is."""
    return max(held(page.since), default=0)


def draw_reveal(page: MatchPage, opened: Opened, base_scores: Sequence[int]) -> ScoringCard | None:
    """Return the general scoring since the seat's last commit; None once it is put aside."""
    last = revealed(page)
    if page.seat is None or opened.seen >= last or not opened.nothing or page.draft.lines:
        return None
    scoring = scoring_of(page, page.since, last)
    if scoring is None:
        return None
    # The news do not begin with the match: totals are counted back from where it stands now.
    later = _after(page)
    after = tuple(score - gain for score, gain in zip(base_scores, later, strict=True))
    go_on = gettext("On with your turn") if page.seat in page.asked else gettext(
        "On with the match"
    )  # fmt: skip
    shown = Scoring(
        round=scoring.round,
        people=scoring.people,
        steps=scoring.steps,
        rows=scoring.rows,
        before=tuple(now - won for now, won in zip(after, scoring.gained, strict=True)),
        gained=scoring.gained,
        after=after,
        headline=scoring.headline,
    )
    return ScoringCard(last, shown, "" if page.status != "running" else go_on)


def _after(page: MatchPage) -> tuple[int, ...]:
    """Return what has been scored after the last general scoring."""
    gains = [0] * page.base_view.seats
    for told in page.since:
        if isinstance(told.event, CastilloEmptied):
            gains = [0] * page.base_view.seats
        elif isinstance(told.event, AreaScored) and told.event.cause != GENERAL:
            gains = _plus(gains, total(told.event))
    return tuple(gains)
