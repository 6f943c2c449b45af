from datetime import UTC, datetime, timedelta

import pytest

from app.i18n import use_locale
from app.i18n.times import (
    current_zone,
    is_zone,
    lasting,
    until,
    use_zone,
    when,
    zone_city,
    zone_names,
)

NOON = datetime(2026, 9, 24, 12, tzinfo=UTC)


def test_an_instant_is_shown_on_the_readers_wall_with_its_zone_and_how_far_off_it_is() -> None:
    due = NOON + timedelta(hours=7, minutes=20)

    with use_zone("Europe/Madrid"):
        shown = when(due, now=NOON)

    assert str(shown) == "Thu 24 Sep, 21:20 (Madrid), in 7 h"
    assert (shown.iso, shown.past) == ("2026-09-24T19:20:00+00:00", False)


def test_two_readers_see_the_same_instant_each_on_their_own_wall() -> None:
    due = datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    walls = {}
    for zone in ("Europe/Madrid", "Asia/Kathmandu", "Pacific/Apia"):
        with use_zone(zone):
            walls[zone] = when(due, now=NOON).at

    assert walls == {
        "Europe/Madrid": "Sun 25 Oct, 02:30",
        "Asia/Kathmandu": "Sun 25 Oct, 06:15",
        "Pacific/Apia": "Sun 25 Oct, 13:30",
    }


def test_catalan_readers_read_catalan() -> None:
    with use_locale("ca"), use_zone("Europe/Madrid"):
        shown = str(when(NOON - timedelta(minutes=90), now=NOON))

    assert shown == "dj. 24 de set., 12:30 (Madrid), fa 1 h 30 min"


def test_what_ends_with_a_day_of_the_readers_is_told_by_that_day() -> None:
    midnight = datetime(2026, 9, 30, 22, tzinfo=UTC)
    with use_zone("Europe/Madrid"):
        here = until(midnight, now=NOON)
    with use_zone("Europe/Lisbon"):
        elsewhere = until(midnight, now=NOON)

    assert str(here) == "the end of Wed 30 Sep (Madrid), in 6 d"
    assert here.iso == "2026-09-30T22:00:00+00:00"
    assert str(elsewhere) == "Wed 30 Sep, 23:00 (Lisbon), in 6 d"


def test_a_day_ends_where_the_next_begins_also_when_that_has_no_midnight() -> None:
    # In Beirut the clocks go from 23:59 on 28 March straight to 01:00 on the 29th.
    begins = datetime(2026, 3, 28, 22, tzinfo=UTC)

    with use_zone("Asia/Beirut"):
        assert when(begins, now=NOON).at == "Sun 29 Mar, 01:00"
        assert until(begins, now=NOON).at == "the end of Sat 28 Mar"


@pytest.mark.parametrize(
    ("span", "words"),
    [
        (timedelta(minutes=59, seconds=59), "59 min"),
        (timedelta(hours=1), "1 h"),
        (timedelta(hours=2, minutes=5), "2 h 5 min"),
        (timedelta(hours=23, minutes=59), "23 h"),
        (timedelta(days=1), "1 d"),
        (timedelta(days=2, hours=23), "2 d 23 h"),
        (timedelta(days=9, hours=20), "9 d"),
    ],
)
def test_a_span_is_said_as_roughly_as_one_would(span: timedelta, words: str) -> None:
    assert lasting(span) == words


def test_within_a_minute_is_now() -> None:
    assert when(NOON + timedelta(seconds=59), now=NOON).away == "now"
    assert when(NOON - timedelta(seconds=59), now=NOON).away == "now"


def test_an_unknown_zone_counts_as_utc() -> None:
    with use_zone("Europe/Madrid"), use_zone("Atlantis/Capital"):
        assert current_zone() == "UTC"
    assert zone_city("UTC") == "UTC"
    assert not is_zone("../etc/passwd")
    assert not is_zone(None)
    assert "America/Argentina/Buenos_Aires" in zone_names()
