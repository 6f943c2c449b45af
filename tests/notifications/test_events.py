"""Events × recipients, row by row."""

from uuid import UUID, uuid4

import pytest

from app.notifications.events import RECIPIENTS, Cast, Event, recipients

ANNA, BERTA, CARLES, HOST = (uuid4() for _ in range(4))
PEOPLE = Cast(
    asked=frozenset({BERTA, CARLES}),
    told=frozenset({CARLES}),
    seated=frozenset({ANNA, BERTA, CARLES}),
    host=HOST,
    actor=ANNA,
)
TOLD: dict[Event, set[UUID]] = {
    "turn": {BERTA, CARLES},
    "reminder": {BERTA, CARLES},
    "void": {BERTA, CARLES},
    "undo": {BERTA, CARLES},
    "pause": {BERTA, CARLES},
    "resume": {BERTA, CARLES},
    "withdrawn": {CARLES},
    "started": {BERTA, CARLES},
    "over": {BERTA, CARLES},
    "joined": {HOST},
    "test": {ANNA},
    "code": {ANNA},
}


@pytest.mark.parametrize("event", RECIPIENTS)
def test_these_are_told_and_nobody_else(event: Event) -> None:
    assert recipients(event, PEOPLE) == TOLD[event]


@pytest.mark.parametrize("event", RECIPIENTS)
def test_without_anybody_nobody_is_told(event: Event) -> None:
    assert recipients(event, Cast()) == frozenset()


def test_a_host_is_not_told_of_their_own_doing() -> None:
    assert recipients("joined", Cast(host=ANNA, actor=ANNA)) == frozenset()


def test_whoever_is_asked_again_after_their_own_move_is_told() -> None:
    assert recipients("turn", Cast(asked=frozenset({ANNA}), actor=ANNA)) == {ANNA}
