"""The end of a match of El Grande: podium, where the points came from, and what decided it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from app.i18n import gettext, ngettext
from app.i18n.lists import listed
from app.matches.pages import MatchPage, StoryEvent
from app.rules.el_grande.events import AreaScored, RoundStarted
from app.rules.el_grande.scoring import CATEGORIES
from app.rules.el_grande.view import ElGrandeView
from app.rules.game import Outcome, Seat
from app.web.boards.charts import Category, Chart, Lead, Mark, bars, lead
from app.web.boards.el_grande_cards import card_words, find_card
from app.web.boards.el_grande_preview import total
from app.web.boards.el_grande_scoring import GENERAL
from app.web.boards.el_grande_words import area_name
from app.web.boards.seats import Who, who_is_who

MOMENTS: Final = 4
# As many cubes as fit above a step of the podium.
CUBES: Final = 18
STYLES: Final = {
    "scoring_1": "tower",
    "scoring_2": "regions",
    "scoring_3": "prizes",
    "special": "local",
}


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the podium; `place` counts from 1, equals share it.

    `rows` are the caballeros on the board at the end, as many as stand in each row.
    """

    who: Who
    is_me: bool
    place: int
    points: int
    special: int
    caballeros: int
    rows: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Moment:
    """A decisive moment: what happened, to whose gain, and where to look at it."""

    number: int
    who: Who
    head: str
    text: str
    swing: int
    version: int


@dataclass(frozen=True, slots=True)
class Gain:
    """A scoring that set one seat apart: by how much more than the next it gained."""

    version: int
    round: int
    cause: str
    area: str
    seat: Seat
    swing: int
    points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Results:
    """Everything the results page writes out, the winner first."""

    headline: str
    subline: str
    ranking: str
    steps: tuple[Step, ...]
    chart: Chart
    lead: Lead
    moments: tuple[Moment, ...]


def results(page: MatchPage, story: Sequence[StoryEvent]) -> Results | None:
    """Return the results of a finished match, None while it runs.

    `story` is the whole log as the viewer may see it.
    """
    outcome = page.outcome
    if outcome is None:
        return None
    view: ElGrandeView = page.base_view
    people = who_is_who(page.seats)
    order = [seat for level in outcome.ranking for seat in level]
    rounds, gains = timeline(story, view.seats)
    biggest = sorted(gains, key=lambda gain: (-gain.swing, gain.version))[:MOMENTS]
    moments = tuple(
        _moment(page, number, gain, people)
        for number, gain in enumerate(sorted(biggest, key=lambda gain: gain.version), start=1)
    )
    played = sorted(rounds)
    at = {gain.version: played.index(gain.round) + 1 for gain in gains}
    return Results(
        headline=_headline(page, outcome, people),
        subline=_subline(view, gains),
        ranking=gettext("Decided on points.")
        if len(outcome.ranking[0]) == 1
        else gettext("Level on points: the win is shared."),
        steps=tuple(_step(page, outcome, seat, people) for seat in order),
        chart=bars(
            [(people[seat], seat == page.seat, outcome.categories[seat]) for seat in order],
            [Category(name, STYLES[name], _category(view, name)) for name in CATEGORIES],
        ),
        lead=lead(
            [people[seat] for seat in order],
            [tuple(rounds[number][seat] for number in played) for seat in order],
            [Mark(moment.number, at[moment.version], moment.who) for moment in moments],
            played,
        ),
        moments=moments,
    )


def timeline(
    story: Sequence[StoryEvent], seats: int
) -> tuple[dict[int, tuple[int, ...]], list[Gain]]:
    """Return the points after each round, and each scoring that set a seat apart."""
    points = [0] * seats
    rounds: dict[int, tuple[int, ...]] = {}
    gains: list[Gain] = []
    number = 0
    for told in story:
        event = told.event
        if isinstance(event, RoundStarted):
            number = event.round
        if isinstance(event, AreaScored):
            won = total(event)
            points = [a + b for a, b in zip(points, won, strict=True)]
            best, *rest = sorted(won, reverse=True)
            swing = best - max(rest, default=0)
            if swing:
                gains.append(
                    Gain(
                        told.version,
                        number,
                        event.cause,
                        event.area,
                        Seat(won.index(best)),
                        swing,
                        won,
                    )
                )
        rounds[number] = tuple(points)
    rounds.pop(0, None)
    return rounds, gains


def _category(view: ElGrandeView, name: str) -> str:
    if name == "special":
        return gettext("Special scorings")
    number = view.scorings[int(name[-1]) - 1]
    return gettext("Scoring after %(round)s", round=number)


def _step(page: MatchPage, outcome: Outcome, seat: Seat, people: Mapping[Seat, Who]) -> Step:
    view: ElGrandeView = page.base_view
    there = sum(region.caballeros[seat] for region in view.regions)
    place = 1
    for level in outcome.ranking:
        if seat in level:
            break
        place += len(level)
    return Step(
        who=people[seat],
        is_me=seat == page.seat,
        place=place,
        points=outcome.scores[seat],
        special=outcome.categories[seat]["special"],
        caballeros=there,
        rows=_pyramid(min(there, CUBES)),
    )


def _pyramid(count: int) -> tuple[int, ...]:
    """Pile so many cubes up, the widest row at the foot; the topmost row comes first."""
    rows: list[int] = []
    width = 1
    while count > 0:
        rows.append(min(width, count))
        count -= width
        width += 1
    return tuple(sorted(rows))


def _headline(page: MatchPage, outcome: Outcome, people: Mapping[Seat, Who]) -> str:
    winners = outcome.ranking[0]
    if len(winners) > 1:
        mine_first = sorted(winners, key=lambda seat: seat != page.seat)
        names = listed(
            gettext("You") if seat == page.seat else people[seat].name for seat in mine_first
        )
        return gettext("%(names)s share the win", names=names)
    rest = [outcome.scores[seat] for level in outcome.ranking[1:] for seat in level]
    margin = outcome.scores[winners[0]] - max(rest, default=0)
    if winners[0] == page.seat:
        return gettext("You win by %(points)s", points=margin)
    return gettext("%(name)s wins by %(points)s", name=people[winners[0]].name, points=margin)


def _subline(view: ElGrandeView, gains: Sequence[Gain]) -> str:
    rounds = ngettext("%(n)s round", "%(n)s rounds", len(view.rounds))
    special = len({gain.version for gain in gains if gain.cause != GENERAL})
    if not special:
        return gettext("%(rounds)s, %(scorings)s general scorings.", rounds=rounds,
                       scorings=len(view.scorings))  # fmt: skip
    told = ngettext("%(n)s special scoring", "%(n)s special scorings", special)
    return gettext("%(rounds)s, %(scorings)s general scorings and %(special)s.", rounds=rounds,
                   scorings=len(view.scorings), special=told)  # fmt: skip


def _moment(page: MatchPage, number: int, gain: Gain, people: Mapping[Seat, Who]) -> Moment:
    view: ElGrandeView = page.base_view
    place = area_name(view, gain.area)
    what = (
        gettext("the general scoring")
        if gain.cause == GENERAL
        else card_words(find_card(view, gain.cause)).title
    )
    others = [
        gettext("%(name)s %(points)s", name=people[Seat(seat)].name, points=points)
        for seat, points in enumerate(gain.points)
        if points and seat != gain.seat
    ]
    won = gain.points[gain.seat]
    name = gettext("You") if gain.seat == page.seat else people[gain.seat].name
    text = (
        gettext("%(name)s took %(points)s there, %(others)s (%(what)s).",
                name=name, points=won, others=listed(others), what=what)
        if others
        else gettext("%(name)s took %(points)s there, nobody else anything (%(what)s).",
                     name=name, points=won, what=what)
    )  # fmt: skip
    head = gettext("Round %(round)s, %(region)s.", round=gain.round, region=place)
    return Moment(number, people[gain.seat], head, text, gain.swing, gain.version)
