"""The rules of play of each game, illustrated."""

from fastapi import APIRouter, Request, Response

from app.errors import NotFoundError
from app.web.boards.registry import BOARDS
from app.web.templating import page

router = APIRouter(prefix="/rules", tags=["rules"])


@router.get("", name="rules.index")
async def index(request: Request) -> Response:
    """The games there are, each with the way to its rules."""
    return page(request, "rules/index.html")


@router.get("/{game}", name="rules.show")
async def show(request: Request, game: str) -> Response:
    """The rules of `game`; each numbered part is `#rule-<number>`, as refusals cite it."""
    how = BOARDS.get(game)
    if how is None:
        raise NotFoundError
    return page(request, how.rules, game=game, **how.rules_context())
