"""A viewer's board of one side of a pair, drawn without a database."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final
from uuid import UUID

from app.matches.pages import Draft, MatchPage, SeatInfo, StoryEvent
from app.rules.game import Seat
from app.rules.registry import LISTINGS
from app.web.boards.opened import Opened
from app.web.boards.registry import BOARDS
from tests.support.people import NOON
from tests.support.twins import Side

# How many steps back somebody's last turn is.
SINCE: Final = 6


def board_of(key: str, options: Mapping[str, Any], side: Side, viewer: Seat | None) -> Any:
    """Return everything that the drawn board and the text board show to `viewer`."""
    return BOARDS[key].draw(_page_of(key, options, side, viewer), Opened())


def _page_of(key: str, options: Mapping[str, Any], side: Side, viewer: Seat | None) -> MatchPage:
    """Return what the queries hand over: of secret prompts the viewer's own, of events its view."""
    game = LISTINGS[key].game
    version = len(side.steps)
    prompts = {
        seat: prompt if seat == viewer else replace(prompt, draft=())
        for seat, prompt in game.prompts(side.state).items()
        if seat == viewer or not prompt.secret
    }
    view = game.view(side.state, viewer)
    since = [
        StoryEvent(number, seat, NOON, seen)
        for number, (seat, events) in enumerate(side.steps, start=1)
        if number > version - SINCE
        for event in events
        if (seen := game.event_view(event, viewer)) is not None
    ]
    outcome = game.outcome(side.state)
    return MatchPage(
        id=UUID(int=42),
        game=key,
        seat=viewer,
        version=version,
        latest=version,
        status="running" if outcome is None else "finished",
        seats=tuple(
            SeatInfo(Seat(n), f"P{n + 1}", n + 1, None, None, resigned=False)
            for n in range(side.state.seats)
        ),
        prompts=prompts,
        view=view,
        base_view=view,
        options=game.options(side.state, viewer) if viewer in prompts else None,
        draft=Draft(),
        answered=frozenset(),
        answer=None,
        standing={},
        decisions=(),
        since=tuple(since),
        outcome=outcome,
        match_options=options,
        clock=None,
        proposals=0,
        created_at=NOON,
        finished_at=None,
        commitment="",
        seed=None,
        nonce=None,
    )
