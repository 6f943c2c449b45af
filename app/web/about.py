"""What this is, whose work is in it, and under which licences."""

from fastapi import APIRouter, Request, Response

from app.web.templating import page

router = APIRouter(tags=["about"])


@router.get("/about", name="about")
async def about(request: Request) -> Response:
    """The credits and the notice that this is unaffiliated."""
    return page(request, "about/show.html")
