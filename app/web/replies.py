"""How to play by mail, and whether mails are final at once."""

from typing import Annotated

from fastapi import APIRouter, Form, Request, Response

from app.notifications.replies.addresses import ReplyAddresses
from app.notifications.replies.habits import commit_directly, commits_directly
from app.web.forms import FormModel, Ticked
from app.web.people import CurrentPerson, MaybePerson
from app.web.templating import page
from app.web.visits import Visiting

router = APIRouter(tags=["account"])


class HabitForm(FormModel):
    """Whether mails that leave nothing to choose are final."""

    directly: Ticked = False


@router.get("/account/replies", name="replies.show")
async def show(request: Request, visit: Visiting, person: MaybePerson) -> Response:
    """What a mail can say, and the person's choice."""
    if person is None:
        return visit.redirect("login")
    return page(
        request,
        "account/replies.html",
        directly=await commits_directly(visit.session, person_id=person.id),
        possible=ReplyAddresses.of(visit.settings) is not None,
    )


@router.post("/account/replies", name="replies.keep")
async def keep(
    visit: Visiting, person: CurrentPerson, form: Annotated[HabitForm, Form()]
) -> Response:
    """Keep the person's choice."""
    await commit_directly(visit.session, person_id=person.id, directly=form.directly)
    return visit.redirect("replies.show")
