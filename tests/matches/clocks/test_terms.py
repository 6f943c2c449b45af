from datetime import time, timedelta
from typing import Any

import pytest

from app.errors import InvalidError
from app.matches.clocks.terms import Terms, terms_from

TURN = {"kind": "turn", "days": 3}
BANK = {"kind": "bank", "bank_days": 7, "increment_hours": 12}
DAILY = {"kind": "daily", "at": "20:00", "zone": "Europe/Madrid"}


@pytest.mark.parametrize("given", [TURN, BANK, DAILY], ids=lambda given: given["kind"])
def test_what_is_read_is_written_the_same(given: dict[str, Any]) -> None:
    full = {
        "zone": "UTC",
        "nights_off": "22:00-08:00",
        "weekends_off": True,
        "timeout": "wait",
        "absence_days": 21,
        **given,
    }
    terms = terms_from(full)

    assert terms is not None
    assert terms.mapping() == full
    assert terms_from(terms.mapping()) == terms


def test_what_is_not_said_is_the_usual() -> None:
    assert terms_from(TURN) == Terms(
        kind="turn", days=3, zone="UTC", timeout="default", absence_days=14
    )
    daily = terms_from(DAILY)
    assert daily is not None
    assert (daily.at, daily.nights_off, daily.weekends_off) == (time(20), None, False)


@pytest.mark.parametrize("given", [None, {}, {"kind": "none"}])
def test_no_clock_is_no_terms(given: dict[str, Any] | None) -> None:
    assert terms_from(given) is None


@pytest.mark.parametrize(
    ("given", "code", "key"),
    [
        ({"kind": "hourglass"}, "clock.bad_value", "kind"),
        ({"kind": ["turn"]}, "clock.bad_value", "kind"),
        ({"kind": "none", "days": 3}, "clock.unknown_term", "days"),
        ({**TURN, "blitz": True}, "clock.unknown_term", "blitz"),
        ({"kind": "turn"}, "clock.missing", "days"),
        ({"kind": "bank", "bank_days": 7}, "clock.missing", "increment_hours"),
        ({**TURN, "at": "20:00"}, "clock.not_of_kind", "at"),
        ({**DAILY, "days": 2}, "clock.not_of_kind", "days"),
        ({**TURN, "days": 0}, "clock.bad_value", "days"),
        ({**TURN, "days": -1}, "clock.bad_value", "days"),
        ({**TURN, "days": 10**12}, "clock.bad_value", "days"),
        ({**TURN, "days": True}, "clock.bad_value", "days"),
        ({**TURN, "days": 1.5}, "clock.bad_value", "days"),
        ({**TURN, "days": "3"}, "clock.bad_value", "days"),
        ({**TURN, "days": None}, "clock.bad_value", "days"),
        ({**BANK, "increment_hours": 169}, "clock.bad_value", "increment_hours"),
        ({**TURN, "absence_days": 91}, "clock.bad_value", "absence_days"),
        ({**TURN, "zone": "Mars/Olympus"}, "clock.bad_value", "zone"),
        ({**TURN, "zone": "../../etc/passwd"}, "clock.bad_value", "zone"),
        ({**TURN, "zone": 1}, "clock.bad_value", "zone"),
        ({**DAILY, "at": "24:00"}, "clock.bad_value", "at"),
        ({**DAILY, "at": "\u0662\u0660:\u0660\u0660"}, "clock.bad_value", "at"),
        ({**DAILY, "at": "8:00"}, "clock.bad_value", "at"),
        ({**DAILY, "at": "20:00\n"}, "clock.bad_value", "at"),
        ({**TURN, "nights_off": "22:00-25:00"}, "clock.bad_value", "nights_off"),
        ({**TURN, "nights_off": "22:00"}, "clock.bad_value", "nights_off"),
        ({**TURN, "nights_off": "08:00-08:00"}, "clock.night_too_long", "nights_off"),
        ({**TURN, "nights_off": "17:00-08:00"}, "clock.night_too_long", "nights_off"),
        ({**DAILY, "nights_off": "19:00-07:00"}, "clock.daily_at_night", "at"),
        ({**TURN, "weekends_off": 1}, "clock.bad_value", "weekends_off"),
        ({**TURN, "timeout": "lose"}, "clock.bad_value", "timeout"),
    ],
)
def test_unknown_and_contradictory_terms_are_refused_with_their_key(
    given: dict[str, Any], code: str, key: str
) -> None:
    with pytest.raises(InvalidError) as refused:
        terms_from(given)

    assert (refused.value.code, refused.value.details["key"]) == (code, key)


def test_the_day_may_end_just_as_the_night_begins() -> None:
    assert terms_from({**DAILY, "nights_off": "20:00-08:00"}) is not None
    with pytest.raises(InvalidError, match="daily_at_night"):
        terms_from({**DAILY, "at": "08:00", "nights_off": "20:00-08:00"})


def test_a_secret_decision_has_the_same_time_for_everybody() -> None:
    bank = terms_from(BANK)
    short = terms_from({**BANK, "bank_days": 1})
    assert bank is not None
    assert short is not None

    for left in (None, timedelta(minutes=5), timedelta(days=7)):
        assert bank.allotted(left, secret=True) == timedelta(days=1)
        assert short.allotted(left, secret=True) == timedelta(days=1)
    assert bank.allotted(timedelta(minutes=5), secret=False) == timedelta(minutes=5)
    assert bank.allotted(None, secret=False) == timedelta(days=7)
