"""What the templates of the tower workshop are given."""

from typing import Any
from uuid import uuid4

from fastapi import Request

from app.i18n import gettext
from app.matches.pages import MatchPage
from app.rules.castell.components import PRIZES
from app.web.boards.castell_prospects import (
    Builder,
    assistants_allowed,
    builders,
    nothing_yet,
    score_note,
    suggestion,
)
from app.web.boards.castell_reveal import prize_word
from app.web.boards.castell_steps import Building
from app.web.boards.castell_submit import submits
from app.web.boards.castell_target import Target
from app.web.boards.castell_workshop import Workshop, workshop
from app.web.match_links import seat_query
from app.web.templating import path_for


def workshop_context(request: Request, match: MatchPage, building: Building) -> dict[str, Any]:
    """Return all that the page shows of `building`; raises NotFoundError for an unknown goal."""
    work = workshop(match, building)
    target = work.target
    seats = builders_context(request, match, target, building.seat)
    assistants = assistants_allowed(match)
    handing_in = submits(match, work)
    return {
        "work": work,
        "heading": _heading(target),
        "kit": next(info.kit for info in match.seats if info.seat == match.seat),
        "page_url": path_for(request, "matches.workshop", match_id=match.id),
        "part_url": path_for(request, "matches.workshop_part", match_id=match.id),
        "board_url": path_for(request, "matches.show", match_id=match.id)
        + seat_query(building.seat),
        "commit_url": path_for(request, "matches.commit", match_id=match.id)
        + seat_query(building.seat),
        "draft_url": path_for(request, "matches.draft", match_id=match.id)
        + seat_query(building.seat),
        "version": match.version,
        "key": uuid4().hex,
        "submits": handing_in,
        "assistants": assistants,
        "best": suggestion(match, target, building) if assistants else None,
        "no_best": nothing_yet(match, target) if assistants else "",
        "score_note": score_note(
            match, target, work.total, seats["builders"], ready=work.state == "ready"
        ),
        "prizes": _prizes(match, work, seats["builders"]),
        **seats,
    }


def builders_context(
    request: Request, match: MatchPage, target: Target, seat: int | None
) -> dict[str, Any]:
    """Return who builds for `target`, and how to ask again; once it is held, where to look."""
    url = path_for(request, "matches.workshop_builders", match_id=match.id)
    query = f"?goal={target.key}&since={match.version}" + ("" if seat is None else f"&seat={seat}")
    return {
        "builders": builders(match, target),
        "poll_url": url + query if target.is_open else "",
        "reveal_url": "",
    }


def revealed_context(request: Request, match: MatchPage, seat: int | None) -> dict[str, Any]:
    """Return the way to the festivals held last, in place of who builds."""
    held = [
        number.number
        for number in match.base_view.calendar
        if any(festival.resolved for festival in number.festivals)
    ]
    name = "matches.festival" if held else "matches.show"
    where = {"round": held[-1]} if held else {}
    return {
        "builders": (),
        "poll_url": "",
        "reveal_url": path_for(request, name, match_id=match.id, **where) + seat_query(seat),
    }


def _heading(target: Target) -> str:
    if target.tile:
        return gettext("Local tile in %(region)s", region=target.name)
    return gettext("Festival in %(region)s", region=target.name)


def _prizes(
    match: MatchPage, work: Workshop, seats: tuple[Builder, ...]
) -> tuple[tuple[str, str, int], ...]:
    """Return (symbol, word, points) of the prizes with as many towers as seats are asked."""
    if work.target.tile is not None:
        return ()
    values = match.view.values
    chart = values.prize_chart[max(len(seats), 1) - 1]
    return tuple(
        (prize, prize_word(prize), values.points_of(prize)) for prize in PRIZES if prize in chart
    )
