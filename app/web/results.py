"""The end of a match, and the match as text."""

from typing import Final
from uuid import UUID

from fastapi import APIRouter, Request, Response, status
from fastapi.responses import PlainTextResponse, RedirectResponse

from app.db.session import Session
from app.lobby.queries import table_of_match
from app.matches.export import export_text
from app.matches.portable import portable_text
from app.matches.queries import events_since, game_of, match_page
from app.web.boards.registry import BOARDS
from app.web.match_links import seat_query
from app.web.people import MyChair, MySeat
from app.web.templating import page, path_for

router = APIRouter(prefix="/matches/{match_id}", tags=["matches"])

RESULTS: Final = "results/show.html"


@router.get("/results", name="matches.results")
async def show(
    request: Request, match_id: UUID, chair: MyChair, seat: MySeat, session: Session
) -> Response:
    """The result of a finished match; a running one is shown as it stands."""
    match = await match_page(session, match_id=match_id, seat=seat)
    board = path_for(request, "matches.show", match_id=match_id)
    how = BOARDS[match.game]
    ending = how.ending
    story = await events_since(session, match_id=match_id, seat=seat, version=0)
    found = ending.results(match, story)
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
        board_url=board + seat_query(named, seen=how.rounds(match.base_view)[0]),
        history_url=path_for(request, "matches.history", match_id=match_id, version=1) + suffix,
        export_url=path_for(request, "matches.export", match_id=match_id),
        proof_url=path_for(request, "matches.proof", match_id=match_id),
        rematch_url=_rematch(request, table_id),
        seat_suffix=suffix,
        ending=ending,
        game_title=how.title,
        game=match.game,
    )


@router.get("/export", name="matches.export")
async def export(match_id: UUID, chair: MyChair, seat: MySeat, session: Session) -> Response:
    """The match as text, to keep; while it runs, only what the seat may know."""
    text = await export_text(session, match_id=match_id, seat=seat)
    name = f"{await game_of(session, match_id)}-{match_id}.txt"
    return PlainTextResponse(text, headers={"Content-Disposition": f'inline; filename="{name}"'})


@router.get("/proof", name="matches.proof")
async def proof(match_id: UUID, chair: MyChair, session: Session) -> Response:
    """All of a match that is over, as a file that `placa verify` proves on any machine."""
    text = await portable_text(session, match_id=match_id)
    name = f"{match_id}.placa"
    return PlainTextResponse(
        text, headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )


def _rematch(request: Request, table_id: UUID | None) -> str:
    return "" if table_id is None else path_for(request, "tables.rematch", table_id=table_id)
