"""The end of a match and its festivals: what the pages say is what the rules reckoned."""

from dataclasses import replace
from functools import cache
from itertools import pairwise

import pytest

from app.rules.castell.events import FestivalHeld
from app.rules.game import Outcome, Seat
from app.web.boards.castell_charts import bars
from app.web.boards.castell_results import results
from app.web.boards.castell_reveal import reveals
from app.web.boards.castell_timeline import timeline
from app.web.boards.charts import LEFT, RIGHT, lead
from app.web.boards.seats import Who, who_is_who
from tests.support.played import play

MATCH = cache(play)


def outcome_of(ranking: tuple[tuple[int, ...], ...], reason: str) -> Outcome:
    seats = sorted(seat for level in ranking for seat in level)
    return Outcome(
        {Seat(seat): 50 - 5 * place for place, level in enumerate(ranking) for seat in level},
        {
            Seat(seat): dict.fromkeys(
                ("best_tower", "regions", "prizes", "size_tokens", "local"), 10
            )
            for seat in seats
        },
        tuple(tuple(map(Seat, level)) for level in ranking),
        reason,
    )


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_timeline_ends_in_the_final_scores(seats: int) -> None:
    played = MATCH(seats)
    outcome = played.page().outcome
    times = timeline(played.story)

    assert outcome is not None
    assert times.rounds[-1] == tuple(outcome.scores[Seat(seat)] for seat in range(seats))
    assert len(times.rounds) == 10


def test_the_gains_of_a_match_add_up_to_its_points() -> None:
    times = timeline(MATCH(4).story)

    won = [sum(gain.gains.get(Seat(seat), 0) for gain in times.gains) for seat in range(4)]
    assert tuple(won) == times.rounds[-1]


def test_a_running_match_has_no_results() -> None:
    played = MATCH(4)

    assert results(played.page(version=40), played.story) is None


def test_moments_are_the_biggest_gains_in_the_order_of_the_match() -> None:
    played = MATCH(4)
    found = results(played.page(), played.story)
    times = timeline(played.story)

    assert found is not None
    swings = sorted((gain.best[1] for gain in times.gains), reverse=True)[:4]
    assert sorted((moment.swing for moment in found.moments), reverse=True) == swings
    versions = [moment.version for moment in found.moments]
    assert versions == sorted(versions)


def test_the_podium_shows_every_best_tower_at_one_scale_the_winner_first() -> None:
    played = MATCH(4)
    page = played.page()
    found = results(page, played.story)

    assert found is not None
    assert page.outcome is not None
    assert [step.who.seat for step in found.steps] == [
        seat for level in page.outcome.ranking for seat in level
    ]
    assert len({step.drawing.height for step in found.steps}) == 1
    assert [sum(map(len, step.drawing.levels)) for step in found.steps] == [
        step.drawing.castellers for step in found.steps
    ]


@pytest.mark.parametrize(
    ("ranking", "reason", "me", "headline"),
    [
        (((2,), (3,), (1,), (0,)), "score", 2, "You win by 5"),
        (((2,), (3,), (1,), (0,)), "score", 0, "Txell wins by 5"),
        (((1, 3), (0,), (2,)), "shared", 0, "Jordi and Wiebe share the win"),
        (((1, 3), (0,), (2,)), "shared", 3, "You and Jordi share the win"),
    ],
)
def test_the_headline_says_who_won(
    ranking: tuple[tuple[int, ...], ...], reason: str, me: int, headline: str
) -> None:
    played = MATCH(4)
    page = replace(played.page(me), outcome=outcome_of(ranking, reason))
    found = results(page, played.story)

    assert found is not None
    assert found.headline == headline


@pytest.mark.parametrize(
    ("best", "me", "said"),
    [
        ((9, 12, 8, 11), 0, "Jordi built the best tower: 12 points."),
        ((9, 12, 8, 11), 1, "You built the best tower: 12 points."),
        ((9, 12, 8, 12), 0, "The best towers, 12 points each, were built by Jordi and Wiebe."),
        ((9, 12, 8, 12), 3, "The best towers, 12 points each, were built by you and Jordi."),
        ((9, 12, 8, 12), None, "were built by Jordi and Wiebe."),
        ((0, 0, 0, 0), 0, "10 rounds, 14 festivals."),
    ],
)
def test_whoever_built_the_best_tower_is_named(
    best: tuple[int, ...], me: int | None, said: str
) -> None:
    page = MATCH(4).page(me)
    collas = tuple(
        replace(colla, best_tower=score)
        for colla, score in zip(page.view.collas, best, strict=True)
    )
    found = results(replace(page, base_view=replace(page.view, collas=collas)), MATCH(4).story)

    assert found is not None
    assert found.subline.endswith(said)


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        ("score", "Decided on points."),
        ("best_tower", "higher best tower"),
        ("regions", "more regions"),
        ("shared", "shared"),
    ],
)
def test_the_ranking_says_what_settled_it(reason: str, said: str) -> None:
    played = MATCH(4)
    page = replace(played.page(), outcome=outcome_of(((2,), (3,), (1,), (0,)), reason))
    found = results(page, played.story)

    assert found is not None
    assert said in found.ranking


def test_bars_lie_end_to_end_and_end_at_the_total() -> None:
    played = MATCH(4)
    page = played.page()
    people = who_is_who(page.seats)
    assert page.outcome is not None
    chart = bars([(people[seat], False, page.outcome.categories[seat]) for seat in people])

    for row in chart.rows:
        x = LEFT
        for bar in row.bars:
            assert bar.x == pytest.approx(x, abs=0.2)
            x += bar.width
        assert row.total == sum(row.values)
    longest = max(chart.rows, key=lambda row: row.total)
    assert longest.bars[-1].x + longest.bars[-1].width == pytest.approx(RIGHT, abs=0.5)


def test_the_lines_say_in_words_who_led_when() -> None:
    people = [Who(Seat(0), "Anna", 1, "A"), Who(Seat(1), "Berta", 2, "B")]
    drawn = lead(people, [(0, 5, 9), (0, 7, 8)], [])

    assert "round 2: Berta; round 3: Anna" in drawn.words


def test_pawns_at_the_ends_of_the_lines_do_not_hide_each_other() -> None:
    people = [Who(Seat(n), f"P{n}", n + 1, str(n)) for n in range(4)]
    drawn = lead(people, [(0, 40), (0, 40), (0, 41), (0, 39)], [])

    ends = sorted(line.end_y for line in drawn.lines)
    assert all(below - above >= 18 for above, below in pairwise(ends))


def test_a_reveal_tells_the_event_of_the_festival() -> None:
    played = MATCH(4)
    event = next(
        told.event
        for told in played.story
        if isinstance(told.event, FestivalHeld) and len(told.event.towers) > 2
    )
    reveal = next(one for one in reveals(played.page(0), event.round) if one.region == event.region)

    assert [(entry.who.seat, entry.score) for entry in reveal.entries] == [
        (seat, score) for seat, _, score in event.towers
    ]
    top = max(entry.score for entry in reveal.entries)
    assert [entry.highest for entry in reveal.entries] == [
        entry.score == top for entry in reveal.entries
    ]
    assert {entry.who.seat: entry.prize for entry in reveal.entries if entry.prize} == dict(
        event.prizes
    )
    taken = {size: entry.who.seat for entry in reveal.entries for size in entry.tokens}
    assert taken == {size: seat for size, seat in event.token_winners if seat is not None}


def test_nothing_is_revealed_before_a_festival_is_held() -> None:
    played = MATCH(4)
    version = played.first("festivals", round_=3)

    assert reveals(played.page(0, version=version), played.page(version=version).view.round) == ()
