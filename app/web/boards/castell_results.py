"""The end of a match: podium, where the points came from, and what decided it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.i18n import gettext, ngettext
from app.matches.pages import MatchPage, StoryEvent
from app.rules.castell.components import PRIZES, Prize
from app.rules.castell.events import FestivalHeld, LocalPerformed
from app.rules.castell.view import CastellView, CollaView
from app.rules.game import Outcome, Seat
from app.web.boards.castell_charts import bars
from app.web.boards.castell_reveal import prize_word
from app.web.boards.castell_timeline import Gain, timeline
from app.web.boards.castell_tower import TowerDrawing, side_by_side
from app.web.boards.castell_words import anded
from app.web.boards.charts import Chart, Lead, Mark, lead
from app.web.boards.seats import Who, who_is_who

MOMENTS = 4


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the podium; `place` counts from 1, equals share it."""

    who: Who
    is_me: bool
    place: int
    points: int
    best_tower: int
    drawing: TowerDrawing
    prizes: tuple[tuple[Prize, str, int], ...]


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
    view: CastellView = page.base_view
    people = who_is_who(page.seats)
    order = [seat for level in outcome.ranking for seat in level]
    drawings = side_by_side([view.collas[seat].best_tower_built for seat in order])
    times = timeline(story)
    moments = _moments(page, times.gains, people)
    return Results(
        headline=_headline(page, outcome, people),
        subline=_subline(view, outcome, people),
        ranking=_ranking(outcome, people),
        steps=tuple(
            Step(
                who=people[seat],
                is_me=seat == page.seat,
                place=_place(outcome, seat),
                points=outcome.scores[seat],
                best_tower=view.collas[seat].best_tower,
                drawing=drawing,
                prizes=_prizes(view.collas[seat]),
            )
            for seat, drawing in zip(order, drawings, strict=True)
        ),
        chart=bars([(people[seat], seat == page.seat, outcome.categories[seat]) for seat in order]),
        lead=lead(
            [people[seat] for seat in order],
            [tuple(points[seat] for points in times.rounds) for seat in order],
            [Mark(moment.number, _round_of(times.gains, moment), moment.who) for moment in moments],
        ),
        moments=moments,
    )


def _headline(page: MatchPage, outcome: Outcome, people: Mapping[Seat, Who]) -> str:
    winners = outcome.ranking[0]
    if len(winners) > 1:
        mine_first = sorted(winners, key=lambda seat: seat != page.seat)
        names = anded([_name(page, people[seat]) for seat in mine_first])
        return gettext("%(names)s share the win", names=names)
    rest = [outcome.scores[seat] for level in outcome.ranking[1:] for seat in level]
    margin = outcome.scores[winners[0]] - max(rest, default=0)
    if margin == 0:
        if winners[0] == page.seat:
            return gettext("You win by a hair")
        return gettext("%(name)s wins by a hair", name=people[winners[0]].name)
    if winners[0] == page.seat:
        return gettext("You win by %(points)s", points=margin)
    return gettext("%(name)s wins by %(points)s", name=people[winners[0]].name, points=margin)


def _subline(view: CastellView, outcome: Outcome, people: Mapping[Seat, Who]) -> str:
    held = sum(len(round_.festivals) for round_ in view.calendar)
    rounds = ngettext("%(n)s round", "%(n)s rounds", view.rounds)
    festivals = ngettext("%(n)s festival", "%(n)s festivals", held)
    best = max(colla.best_tower for colla in view.collas)
    said = {"rounds": rounds, "festivals": festivals, "score": best}
    if not best:
        return gettext("%(rounds)s, %(festivals)s.", **said)
    builders = [colla.seat for colla in view.collas if colla.best_tower == best]
    if builders == [view.seat]:
        return gettext(
            "%(rounds)s, %(festivals)s. You built the best tower: %(score)s points.", **said
        )
    # You first, as in all lists of names.
    builders.sort(key=lambda seat: seat != view.seat)
    names = anded([gettext("you") if seat == view.seat else people[seat].name for seat in builders])
    if len(builders) == 1:
        return gettext(
            "%(rounds)s, %(festivals)s. %(name)s built the best tower: %(score)s points.",
            name=names,
            **said,
        )
    return gettext(
        "%(rounds)s, %(festivals)s. The best towers, %(score)s points each, were built by"
        " %(names)s.",
        names=names,
        **said,
    )


def _ranking(outcome: Outcome, people: Mapping[Seat, Who]) -> str:
    """Say what settled first place (rule 9)."""
    names = anded([people[seat].name for seat in outcome.ranking[0]])
    match outcome.reason:
        case "score":
            return gettext("Decided on points.")
        case "best_tower":
            return gettext(
                "First place was level on points; the higher best tower decided for %(name)s.",
                name=names,
            )
        case "regions":
            return gettext(
                "First place was level on points and best tower; more regions decided for"
                " %(name)s.",
                name=names,
            )
        case _:
            return gettext("Level on points, best tower and regions: the win is shared.")


def _place(outcome: Outcome, seat: Seat) -> int:
    place = 1
    for level in outcome.ranking:
        if seat in level:
            break
        place += len(level)
    return place


def _prizes(colla: CollaView) -> tuple[tuple[Prize, str, int], ...]:
    won = [prize for earned in colla.earned for prize in earned.prizes]
    return tuple((prize, prize_word(prize), won.count(prize)) for prize in PRIZES)


def _moments(
    page: MatchPage, gains: Sequence[Gain], people: Mapping[Seat, Who]
) -> tuple[Moment, ...]:
    """Return the biggest gains of the match in the order in which they came."""
    biggest = sorted(gains, key=lambda gain: (-gain.best[1], gain.version))[:MOMENTS]
    moments = []
    for number, gain in enumerate(sorted(biggest, key=lambda gain: gain.version), start=1):
        seat, swing = gain.best
        region = next(
            region.name for region in page.base_view.regions if region.id == gain.event.region
        )
        head = gettext("Round %(round)s, %(region)s.", round=gain.round, region=region)
        text = _told(page, gain.event, seat, people)
        moments.append(Moment(number, people[seat], head, text, swing, gain.version))
    return tuple(moments)


def _told(
    page: MatchPage, event: FestivalHeld | LocalPerformed, seat: Seat, people: Mapping[Seat, Who]
) -> str:
    name = _name(page, people[seat])
    if isinstance(event, LocalPerformed):
        tile = next(tile for tile in page.base_view.values.tiles if tile.id == event.tile)
        swept = ngettext(
            "swept %(n)s special token", "swept %(n)s special tokens", len(event.tokens)
        )
        if not event.tokens:
            return gettext(
                "%(name)s performed a local tile worth %(points)s.", name=name, points=tile.points
            )
        return gettext(
            "%(name)s performed a local tile worth %(points)s and %(swept)s.",
            name=name,
            points=tile.points,
            swept=swept,
        )
    scores = {entrant: score for entrant, _, score in event.towers}
    others = [
        gettext("%(name)s’s %(score)s", name=people[other].name, score=score)
        for other, score in scores.items()
        if other != seat
    ]
    won = [prize_word(prize) for winner, prize in event.prizes if winner == seat]
    won += [
        gettext("size token %(size)s", size=size)
        for size, winner in event.token_winners
        if winner == seat
    ]
    against = (
        gettext("%(name)s built %(score)s against %(others)s", others=anded(others), name=name,
                score=scores[seat])
        if others
        else gettext("%(name)s built %(score)s with nobody against", name=name, score=scores[seat])
    )  # fmt: skip
    if not won:
        return gettext("%(told)s.", told=against)
    return gettext("%(told)s: %(won)s.", told=against, won=anded(won))


def _round_of(gains: Sequence[Gain], moment: Moment) -> int:
    return next(gain.round for gain in gains if gain.version == moment.version)


def _name(page: MatchPage, who: Who) -> str:
    return gettext("You") if who.seat == page.seat else who.name
