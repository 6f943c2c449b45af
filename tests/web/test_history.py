"""Walking through a match: every step once, and never past an end."""

from functools import cache

from app.web.boards.castell_history import steps_of
from app.web.boards.seats import who_is_who
from app.web.boards.walking import Step, walk
from tests.support.played import play

MATCH = cache(play)


def steps() -> tuple[Step, ...]:
    played = MATCH(3)
    return steps_of(played.story, who_is_who(played.page().seats))


def test_next_leads_through_the_whole_match_and_back_leads_home() -> None:
    all_steps = steps()
    here, seen = walk(all_steps, 1), [1]
    while here.next:
        here = walk(all_steps, here.next.version)
        seen.append(here.here.version)

    assert seen == [step.version for step in all_steps]
    while here.previous:
        here = walk(all_steps, here.previous.version)
    assert here.here.version == 1


def test_the_ends_have_no_way_beyond() -> None:
    all_steps = steps()
    first, last = walk(all_steps, 1), walk(all_steps, all_steps[-1].version)

    assert (first.first, first.previous) == (None, None)
    assert (last.next, last.last) == (None, None)


def test_a_version_without_a_step_of_its_own_stands_on_the_step_before() -> None:
    all_steps = [step for step in steps() if step.version != 7]
    here = walk(all_steps, 7)

    assert here.here.version == 6
    assert here.next is not None
    assert here.next.version == 8


def test_rounds_lead_to_their_first_step_and_the_round_shows_all_of_its_steps() -> None:
    all_steps = steps()
    here = walk(all_steps, next(step.version for step in all_steps if step.round == 4))

    assert [step.round for step in here.rounds] == list(range(1, 11))
    assert here.rounds[3] == here.around[0]
    assert {step.round for step in here.around} == {4}


def test_steps_say_whose_they_are_and_where_festivals_were() -> None:
    all_steps = steps()

    assert all_steps[0].label == "The start"
    assert all_steps[-1].label == "The end"
    assert all_steps[1].label.endswith("’s turn")
    assert next(step.label for step in all_steps if step.reveals) == "The festivals"


def test_ones_own_steps_are_yours() -> None:
    played = MATCH(3)
    people = who_is_who(played.page().seats)
    told = steps_of(played.story, people, people[min(people)].seat)

    mine = [step for step in told if step.who == people[min(people)] and "turn" in step.label]
    assert {step.label for step in mine} == {"Your turn"}
    assert not any(people[min(people)].name in step.label for step in told)
