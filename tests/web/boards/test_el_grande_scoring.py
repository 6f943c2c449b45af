"""General scorings step by step, the end of a match, its history and its rules."""

from app.rules.el_grande import EL_GRANDE
from app.rules.el_grande.events import AreaScored, CastilloEmptied
from app.rules.game import Seat
from app.web.boards.el_grande import draw
from app.web.boards.el_grande_history import steps_of
from app.web.boards.el_grande_results import results, timeline
from app.web.boards.el_grande_rules import current_edition, examples
from app.web.boards.el_grande_scoring import held, scoring_of
from app.web.boards.opened import Opened
from app.web.boards.seats import who_is_who
from app.web.boards.walking import walk
from tests.web.boards import el_grande_positions as positions


def test_every_general_scoring_has_its_steps_in_the_order_of_the_rules() -> None:
    state, story = positions.over()
    page = positions.page_of(state)

    for number in (3, 6, 9):
        scoring = scoring_of(page, story, number)

        assert scoring is not None
        assert [step.number for step in scoring.steps] == list(range(1, 12))
        assert scoring.steps[0].area == "CAS"
        assert scoring.steps[1].values == ()
        assert [step.area for step in scoring.steps[2:]] == [
            region.id for region in state.edition.regions
        ]
    assert held(story) == (3, 6, 9)
    assert scoring_of(page, story, 4) is None


def test_the_reckoning_adds_up_to_the_score() -> None:
    state, story = positions.over()
    page = positions.page_of(state)

    last = scoring_of(page, story, 9)

    assert last is not None
    assert last.after == tuple(state.score(seat) for seat in range(4))
    for seat in range(4):
        assert last.gained[seat] == sum(row.points[seat] for row in last.rows)
    for step in last.steps:
        for share in step.shares:
            assert share.sum == 0 or share.place <= len(step.values)


def test_who_is_level_is_paid_the_next_lower_place() -> None:
    state, story = positions.over()
    page = positions.page_of(state)
    scorings = [scoring_of(page, story, number) for number in (3, 6, 9)]
    shares = [
        (step, share)
        for scoring in scorings
        if scoring is not None
        for step in scoring.steps
        for share in step.shares
        if share.tied and share.place <= len(step.values)
    ]

    assert shares
    for step, share in shares:
        assert share.points == step.values[share.place - 1]
        assert (share.king, share.home) == (0, 0)


def test_a_general_scoring_is_laid_over_the_board_until_it_is_put_aside() -> None:
    _, story = positions.over()
    place = next(n for n, told in enumerate(story) if isinstance(told.event, CastilloEmptied))
    since = story[place - 1 : place + 10]
    page = positions.page_of(positions.my_turn(), since=tuple(told.event for told in since))

    shown, aside = draw(page, Opened()), draw(page, Opened(seen=3))

    assert shown.reveal is not None
    assert shown.reveal.round == shown.revealed == 3
    assert aside.reveal is None
    assert sum(item.icon == "i-score" for item in shown.log) == 1


def test_the_results_tell_where_the_points_came_from() -> None:
    state, story = positions.over()
    page = positions.page_of(state)
    outcome = EL_GRANDE.outcome(state)

    found = results(page, story)

    assert found is not None
    assert outcome is not None
    assert [step.points for step in found.steps] == sorted(outcome.scores.values(), reverse=True)
    assert [row.total for row in found.chart.rows] == [step.points for step in found.steps]
    assert 1 <= len(found.moments) <= 4
    assert results(positions.page_of(positions.my_turn()), story) is None


def test_the_points_after_the_last_round_are_the_score() -> None:
    state, story = positions.over()

    rounds, gains = timeline(story, 4)

    assert tuple(rounds) == tuple(range(1, 10))
    assert rounds[9] == tuple(state.score(seat) for seat in range(4))
    assert all(gain.points[gain.seat] == max(gain.points) for gain in gains)


def test_the_history_has_a_step_for_every_decision_and_marks_the_scorings() -> None:
    _, story = positions.over()
    people = who_is_who(positions.seats(4))

    steps = steps_of(story, people)
    here = walk(steps, steps[-1].version)

    assert steps[0].label == "The start"
    assert steps[-1].label == "The end"
    assert {step.reveals for step in steps} == {0, 3, 6, 9}
    assert [step.round for step in here.rounds] == list(range(1, 10))


def test_the_examples_of_the_rules_are_reckoned_by_the_rules() -> None:
    points = [example.points for example in examples()]

    assert points == [(6, 4, 2, 0), (6, 4, 0, 0), (3, 3, 1), (3, 3, 3, 1)]
    assert len(current_edition().regions) == 9


def test_a_special_scoring_is_told_with_the_turn_it_came_in() -> None:
    happened = (
        AreaScored("CAT", "3-01", (2, 1, 0, 0), (4, 2, 1), (4, 2, 0, 0), (0,) * 4, (0,) * 4),
    )

    drawn = draw(positions.page_of(positions.my_turn(), since=happened), Opened())

    assert drawn.log[0].areas == (("CAT", "Cataluña"),)
    assert drawn.reveal is None
    assert Seat(0) not in {item.who.seat for item in drawn.log if item.who}
