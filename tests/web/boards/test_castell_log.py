"""The log beside the board, and the festivals laid over it until they were looked at."""

from dataclasses import replace
from functools import cache

import pytest

from app.matches.pages import Draft, MatchPage, StoryEvent
from app.rules.castell.events import FestivalAnswered, FestivalHeld, LocalPerformed
from app.web.boards.castell_log import tell
from app.web.boards.castell_reveal import draw_reveal
from app.web.boards.opened import Opened
from app.web.boards.seats import who_is_who
from tests.support.played import NAMES, Played, play

MATCH = cache(play)


def told_to(seat: int | None, *kinds: type, own: bool = False) -> list[str]:
    """Tell the whole match to `seat`: one text a paragraph."""
    played = MATCH(4)
    page = played.page(seat)
    events = [told for told in played.story if not kinds or isinstance(told.event, kinds)]
    news = tell(events, who_is_who(page.seats), page.view, own=own)
    return [" ".join(item.sentences) for item in news.items]


def test_a_performance_is_told_by_what_the_tile_shows_and_draws_it() -> None:
    played = MATCH(4)
    page = played.page(None)
    done = [told for told in played.story if isinstance(told.event, LocalPerformed)]
    items = tell(done, who_is_who(page.seats), page.view).items

    assert [tile.id for item in items for tile in item.tiles] == [told.event.tile for told in done]
    for item in items:
        said = " ".join(item.sentences)
        assert "the shape " in said or "the exhibition of " in said
        assert not any(tile.id in said for tile in item.tiles)


def test_ones_own_doings_are_no_news_and_in_the_past_they_are_ones_own() -> None:
    seat = next(
        told.event.seat for told in MATCH(4).story if isinstance(told.event, LocalPerformed)
    )
    news = told_to(seat, LocalPerformed)
    past = told_to(seat, LocalPerformed, own=True)

    assert not any("You perform" in said or NAMES[seat] in said for said in news)
    assert any("You perform" in said for said in past)
    assert not any(NAMES[seat] in said for said in past)


def test_a_festival_tells_its_towers_once() -> None:
    assert told_to(1, FestivalAnswered, own=True)
    played = MATCH(4)
    held = next(told for told in played.story if isinstance(told.event, FestivalHeld))
    answers = [
        replace(told, version=held.version)
        for told in played.story
        if isinstance(told.event, FestivalAnswered)
    ]
    page = played.page(1)

    news = tell([*answers, held], who_is_who(page.seats), page.view, own=True)

    assert [item.festival for item in news.items] == [held.event.round]


def after_a_festival(played: Played, seat: int | None = 0) -> tuple[MatchPage, int]:
    """A page whose news hold a festival with towers, and its round."""
    held = next(
        told for told in played.story if isinstance(told.event, FestivalHeld) and told.event.towers
    )
    news: tuple[StoryEvent, ...] = (held,)
    return played.page(seat, version=held.version, since=news), held.event.round


def test_a_festival_lies_over_the_board_until_it_is_put_aside() -> None:
    page, round_ = after_a_festival(MATCH(4))
    card = draw_reveal(page, Opened())

    assert card is not None
    assert card.round == round_
    assert card.go_on
    assert any(reveal.entries for reveal in card.reveals)
    assert draw_reveal(page, Opened(seen=round_)) is None
    assert draw_reveal(page, Opened(seen=round_ - 1)) is not None


@pytest.mark.parametrize(
    "opened", [Opened(action="train"), Opened(region="BCN"), Opened(talk=True)]
)
def test_who_looks_at_something_else_has_put_it_aside(opened: Opened) -> None:
    page, _ = after_a_festival(MATCH(4))

    assert draw_reveal(page, opened) is None
    assert draw_reveal(replace(page, draft=Draft(("train mix",))), Opened()) is None


def test_without_news_of_a_festival_and_for_spectators_nothing_lies_over_the_board() -> None:
    page, _ = after_a_festival(MATCH(4))

    assert draw_reveal(replace(page, since=()), Opened()) is None
    assert draw_reveal(after_a_festival(MATCH(4), None)[0], Opened()) is None


def test_after_the_last_festival_the_way_leads_to_the_results() -> None:
    page, _ = after_a_festival(MATCH(4))
    card = draw_reveal(MATCH(4).page(0, since=page.since), Opened())

    assert card is not None
    assert card.go_on == ""
