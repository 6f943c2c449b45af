"""The rules of play of each game, illustrated."""

import re
from typing import Final
from urllib.parse import urlsplit

from fastapi import APIRouter, Request, Response

from app.errors import NotFoundError
from app.web.boards.registry import BOARDS
from app.web.origin import public_origin
from app.web.templating import page, root_path

router = APIRouter(prefix="/rules", tags=["rules"])

_OF_A_MATCH: Final = re.compile(r"/matches/[0-9a-f-]{36}(?:/|$)")


@router.get("", name="rules.index")
async def index(request: Request) -> Response:
    """The games there are, each with the way to its rules."""
    return page(request, "rules/index.html", match_url=_match_before(request))


@router.get("/{game}", name="rules.show")
async def show(request: Request, game: str) -> Response:
    """The rules of `game`; each numbered part is `#rule-<number>`, as refusals cite it."""
    how = BOARDS.get(game)
    if how is None:
        raise NotFoundError
    return page(
        request, how.rules, game=game, match_url=_match_before(request), **how.rules_context()
    )


def _match_before(request: Request) -> str:
    """Return the address of the match the reader comes from; empty if from elsewhere."""
    before = urlsplit(request.headers.get("Referer", ""))
    if f"{before.scheme}://{before.netloc}" != public_origin(request):
        return ""
    path = before.path.removeprefix(root_path(request))
    if not _OF_A_MATCH.match(path):
        return ""
    return before.path + (f"?{before.query}" if before.query else "")
