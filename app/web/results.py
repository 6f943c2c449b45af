"""The end of a match, its festivals revealed, and the match as text."""

from typing import Annotated, Any, Final
from uuid import UUID

from fastapi import APIRouter, Path, Request, Response, status
from fastapi.responses import PlainTextResponse, RedirectResponse

from app.db.session import Session
from app.errors import NotFoundError
from app.lobby.queries import table_of_match
from app.matches.export import export_text
from app.matches.pages import MatchPage
from app.matches.portable import portable_text
from app.matches.queries import events_since, match_page
from app.rules.castell.components import PRIZES
from app.web.boards.castell_results import results
from app.web.boards.castell_reveal import prize_word, reveals
from app.web.people import MyChair, MySeat
from app.web.templating import page, path_for
from app.web.workshop_page import seat_query

router = APIRouter(prefix="/matches/{match_id}", tags=["matches"])

RESULTS: Final = "results/show.html"
FESTIVAL: Final = "results/festival.html"


@router.get("/results", name="matches.results")
async def show(
    request: Request, match_id: UUID, chair: MyChair, seat: MySeat, session: Session
) -> Response:
    """The result of a finished match; a running one is shown as it stands."""
    match = await match_page(session, match_id=match_id, seat=seat)
    board = path_for(request, "matches.show", match_id=match_id)
    found = results(match, await events_since(session, match_id=match_id, seat=seat, version=0))
    if found is None:
        return RedirectResponse(board, status.HTTP_303_SEE_OTHER)
    named = seat if len(chair.seats) > 1 else None
    suffix = seat_query(named)
    table_id = await table_of_match(session, match_id) if chair.seats else None
    return page(
        request,
        RESULTS,
        results=found,
        match=match,
        board_url=board + seat_query(named, seen=match.base_view.round),
        history_url=path_for(request, "matches.history", match_id=match_id, version=1) + suffix,
        export_url=path_for(request, "matches.export", match_id=match_id),
        proof_url=path_for(request, "matches.proof", match_id=match_id),
        rematch_url=_rematch(request, table_id),
        seat_suffix=suffix,
        prize_words=_prize_words(),
    )


@router.get("/festivals/{round}", name="matches.festival")
async def festival(  # noqa: PLR0917 - one dependency a line
    request: Request,
    match_id: UUID,
    number: Annotated[int, Path(alias="round", ge=1, le=99)],
    chair: MyChair,
    seat: MySeat,
    session: Session,
) -> Response:
    """All towers of a round's festivals side by side, once everybody was in."""
    match = await match_page(session, match_id=match_id, seat=seat)
    found = reveals(match, number)
    if not found:
        raise NotFoundError
    named = seat if len(chair.seats) > 1 else None
    suffix = seat_query(named)
    held = _rounds_held(match)
    place = held.index(number)

    def link(at: int) -> str:
        return path_for(request, "matches.festival", match_id=match_id, round=at) + suffix

    return page(
        request,
        FESTIVAL,
        reveals=found,
        round=number,
        running=match.status == "running",
        before=held[place - 1] if place else None,
        before_url=link(held[place - 1]) if place else "",
        after=held[place + 1] if place + 1 < len(held) else None,
        after_url=link(held[place + 1]) if place + 1 < len(held) else "",
        board_url=path_for(request, "matches.show", match_id=match_id)
        + seat_query(named, seen=held[-1]),
        prize_words=_prize_words(),
    )


@router.get("/festivals", name="matches.answered")
async def answered(
    request: Request, match_id: UUID, chair: MyChair, seat: MySeat, session: Session
) -> Response:
    """From handing in to what comes next: all towers if they are in, else the match."""
    match = await match_page(session, match_id=match_id, seat=seat)
    suffix = seat_query(seat if len(chair.seats) > 1 else None)
    held = _rounds_held(match)
    waiting = match.base_view.phase == "festivals"
    address = (
        path_for(request, "matches.show", match_id=match_id)
        if waiting or not held
        else path_for(request, "matches.festival", match_id=match_id, round=held[-1])
    )
    # While others build, the next seat of this device that is asked comes up.
    return RedirectResponse(address + ("" if waiting else suffix), status.HTTP_303_SEE_OTHER)


@router.get("/export", name="matches.export")
async def export(match_id: UUID, chair: MyChair, seat: MySeat, session: Session) -> Response:
    """The match as text, to keep; while it runs, only what the seat may know."""
    text = await export_text(session, match_id=match_id, seat=seat)
    name = f"castell-{match_id}.txt"
    return PlainTextResponse(text, headers={"Content-Disposition": f'inline; filename="{name}"'})


@router.get("/proof", name="matches.proof")
async def proof(match_id: UUID, chair: MyChair, session: Session) -> Response:
    """All of a match that is over, as a file that `placa verify` proves on any machine."""
    text = await portable_text(session, match_id=match_id)
    name = f"{match_id}.placa"
    return PlainTextResponse(
        text, headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )


def _rounds_held(match: MatchPage) -> list[int]:
    return [
        number.number
        for number in match.base_view.calendar
        if any(one.resolved for one in number.festivals)
    ]


def _rematch(request: Request, table_id: UUID | None) -> str:
    return "" if table_id is None else path_for(request, "tables.rematch", table_id=table_id)


def _prize_words() -> dict[str, Any]:
    return {prize: prize_word(prize) for prize in PRIZES}
