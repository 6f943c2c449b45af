"""Tables: making one, the waiting room, and everything done in it before the match."""

from typing import Annotated, Any, Literal
from urllib.parse import urlsplit
from uuid import UUID, uuid4

from fastapi import APIRouter, Form, Query, Request, Response, status
from pydantic import ConfigDict, Field

from app.accounts.limits import NEW_TABLE
from app.accounts.service import rename
from app.accounts.values import Person
from app.errors import InvalidError
from app.i18n import gettext as _
from app.lobby import seats, service, talk
from app.lobby.queries import my_tables, open_tables, table_page, table_state
from app.lobby.values import NewTable, SeatOrder, TablePage, Visibility
from app.matches.clocks.terms import TIMEOUTS
from app.rules.registry import LISTINGS
from app.web.clock_forms import ClockFields
from app.web.forms import FormModel, Key, Line, Small
from app.web.origin import opens_only_here
from app.web.people import CurrentPerson
from app.web.templating import fragment, is_htmx, page, path_for
from app.web.visits import TableLinks, Visit, Visiting, links_of

router = APIRouter(tags=["tables"])

SHOW = "tables/show.html"
Position = Annotated[int, Field(ge=0, le=9)]


class BotsForm(FormModel):
    """One click: a match against bots."""

    game: str = next(iter(LISTINGS))
    bots: Small = 3
    policy: str = "steady"
    key: Key | None = None


class NewTableForm(ClockFields):
    """A table as its host wishes it; further fields are the choices of its game."""

    model_config = ConfigDict(extra="allow", frozen=True)

    name: Line = ""
    game: str
    seats: Small
    visibility: Visibility
    seat_order: SeatOrder
    spectators: bool = False
    key: Key

    def wish(self) -> NewTable:
        """Return what the lobby makes of it; raises InvalidError for a choice there is not."""
        return NewTable(
            game=self.game,
            seats=self.seats,
            key=self.key,
            options=self._options(),
            visibility=self.visibility,
            seat_order=self.seat_order,
            spectators=self.spectators,
            clock=self.terms(),
        )

    def _options(self) -> dict[str, Any]:
        sent = dict(self.model_extra or {})
        listing = LISTINGS.get(self.game)
        options: dict[str, Any] = {}
        for name, values in listing.choices.items() if listing is not None else ():
            text = sent.pop(name, None)
            if isinstance(values[0], bool):
                # A checkbox that is not ticked is not sent at all.
                options[name] = text is not None
            elif text is not None:
                options[name] = next((value for value in values if str(value) == text), text)
        if sent:
            raise InvalidError("invalid_field", field=next(iter(sent))[:40])
        return options


class SettingsForm(FormModel):
    """What the host may still change."""

    visibility: Visibility
    seat_order: SeatOrder
    spectators: bool = False


class NameForm(FormModel):
    """A name at this table; a person known here may leave it out."""

    name: Line = ""


class BotForm(FormModel):
    """How the bot plays."""

    policy: str


class MoveForm(FormModel):
    """Which way a seat moves."""

    to: Literal["up", "down"]


class KitForm(FormModel):
    """A shirt."""

    kit: Small


@router.post("/play-bots", name="play_bots")
async def play_bots(
    visit: Visiting, links: TableLinks, form: Annotated[BotsForm, Form()]
) -> Response:
    """Start a match against bots at once; somebody unknown becomes a guest."""
    visit.spend(NEW_TABLE)
    match_id = await service.play_bots(
        visit.session,
        person=await visit.person_or_guest(_("Guest"), key=form.key),
        game=form.game,
        bots=form.bots,
        policy=form.policy,
        key=form.key or uuid4().hex,
        links=links,
        now=visit.now,
    )
    return visit.redirect("matches.show", match_id=match_id)


@router.get("/tables", name="tables.open")
async def show_open(request: Request, visit: Visiting) -> Response:
    """The tables anybody may join."""
    return page(
        request,
        "tables/open.html",
        open_tables=await open_tables(visit.session, visit.person),
        my_tables=await my_tables(visit.session, visit.person),
    )


@router.get("/new", name="tables.new")
async def show_new(request: Request, visit: Visiting, game: str = "") -> Response:
    """The form for a new table of `game`, the first there is unless it is named."""
    return page(
        request,
        "tables/new.html",
        game=LISTINGS.get(game, next(iter(LISTINGS.values()))),
        # A guest from a match against bots has not been asked yet.
        name=_own_name(visit.person),
        timeouts=TIMEOUTS,
        needs_name=visit.person is None or visit.person.kind == "guest",
        key=uuid4().hex,
    )


@router.post("/new", name="tables.create")
async def create(
    visit: Visiting, links: TableLinks, form: Annotated[NewTableForm, Form()]
) -> Response:
    """Make a table; its host sits already."""
    visit.spend(NEW_TABLE)
    host = await visit.person_or_guest(form.name, key=form.key)
    if host.kind == "guest" and form.name.strip() not in {"", host.name}:
        host = await rename(visit.session, person=host, name=form.name)
    table_id = await service.create_table(
        visit.session, host=host, wish=form.wish(), links=links, now=visit.now
    )
    return visit.redirect("tables.show", table_id=table_id)


@router.get("/tables/{table_id}", name="tables.show")
async def show(request: Request, visit: Visiting, links: TableLinks, table_id: UUID) -> Response:
    """The waiting room; the match, once it has started."""
    table = await table_page(visit.session, table_id=table_id, person=visit.person, links=links)
    if table.match_id is not None:
        return visit.redirect("matches.show", match_id=table.match_id)
    if table.unread and visit.person is not None:
        await talk.mark_read(
            visit.session, table_id=table_id, person_id=visit.person.id, n=table.talk_count
        )
    return page(request, SHOW, **_shown(table))


@router.get("/tables/{table_id}/part", name="tables.part")
async def part(
    request: Request,
    visit: Visiting,
    table_id: UUID,
    since: Annotated[str, Query(pattern=r"^[0-9]{1,9}\.[0-9]{1,9}$")],
) -> Response:
    """The waiting room, if anything has changed; the way to the match, once it runs."""
    if not is_htmx(request):
        return visit.redirect("tables.show", table_id=table_id)
    state = await table_state(visit.session, table_id=table_id, person=visit.person)
    if state.match_id is not None:
        address = path_for(request, "matches.show", match_id=state.match_id)
        return Response(headers={"HX-Redirect": address})
    if since == f"{state.revision}.{state.talk_count}":
        return Response(status_code=status.HTTP_204_NO_CONTENT)
    return await _room(visit, table_id)


@router.post("/tables/{table_id}/join", name="tables.join")
async def join(visit: Visiting, table_id: UUID, form: Annotated[NameForm, Form()]) -> Response:
    """Take a seat at an open table."""
    person = await visit.person_or_guest(form.name)
    await seats.join_open(
        visit.session, table_id=table_id, person=person, name=form.name or None, now=visit.now
    )
    return visit.redirect("tables.show", table_id=table_id)


@router.post("/tables/{table_id}/start", name="tables.start")
async def start(
    visit: Visiting, person: CurrentPerson, table_id: UUID, form: Annotated[FormModel, Form()]
) -> Response:
    """Begin the match."""
    match_id = await service.start(visit.session, table_id=table_id, person=person, now=visit.now)
    return visit.redirect("matches.show", match_id=match_id)


@router.post("/tables/{table_id}/leave", name="tables.leave")
async def leave(
    visit: Visiting, person: CurrentPerson, table_id: UUID, form: Annotated[FormModel, Form()]
) -> Response:
    """Get up."""
    await seats.leave(visit.session, table_id=table_id, person=person)
    return visit.redirect("front")


@router.post("/tables/{table_id}/close", name="tables.close")
async def close(
    visit: Visiting, person: CurrentPerson, table_id: UUID, form: Annotated[FormModel, Form()]
) -> Response:
    """Give the table up."""
    await service.close(visit.session, table_id=table_id, person=person)
    return visit.redirect("front")


@router.post("/tables/{table_id}/settings", name="tables.settings")
async def change_settings(
    visit: Visiting, person: CurrentPerson, table_id: UUID, form: Annotated[SettingsForm, Form()]
) -> Response:
    """Change who may come and watch, and how seats are ordered."""
    await service.change_settings(
        visit.session,
        table_id=table_id,
        person=person,
        visibility=form.visibility,
        seat_order=form.seat_order,
        spectators=form.spectators,
    )
    return await _room(visit, table_id)


@router.post("/tables/{table_id}/invite", name="tables.renew_invite")
async def renew_invite(
    visit: Visiting,
    person: CurrentPerson,
    links: TableLinks,
    table_id: UUID,
    form: Annotated[FormModel, Form()],
) -> Response:
    """Make the old links and the old code worthless."""
    await service.renew_links(visit.session, table_id=table_id, person=person, links=links)
    return await _room(visit, table_id)


@router.post("/tables/{table_id}/rematch", name="tables.rematch")
async def rematch(
    visit: Visiting,
    person: CurrentPerson,
    links: TableLinks,
    table_id: UUID,
    form: Annotated[FormModel, Form()],
) -> Response:
    """Play again with the same people."""
    again = await service.rematch(
        visit.session, table_id=table_id, person=person, links=links, now=visit.now
    )
    return visit.redirect("tables.show", table_id=again)


@router.post("/tables/{table_id}/seats/{position}/bot", name="tables.add_bot")
async def add_bot(
    visit: Visiting,
    person: CurrentPerson,
    table_id: UUID,
    position: Position,
    form: Annotated[BotForm, Form()],
) -> Response:
    """Put a bot into an empty seat."""
    await seats.add_bot(
        visit.session, table_id=table_id, position=position, policy=form.policy, person=person
    )
    return await _room(visit, table_id)


@router.post("/tables/{table_id}/seats/{position}/player", name="tables.add_player")
async def add_player(
    visit: Visiting,
    person: CurrentPerson,
    table_id: UUID,
    position: Position,
    form: Annotated[NameForm, Form()],
) -> Response:
    """Seat one more player on this device."""
    await seats.add_player(
        visit.session,
        table_id=table_id,
        position=position,
        name=form.name,
        person=person,
        now=visit.now,
    )
    return await _room(visit, table_id)


@router.post("/tables/{table_id}/seats/{position}/free", name="tables.free_seat")
async def free_seat(
    visit: Visiting,
    person: CurrentPerson,
    table_id: UUID,
    position: Position,
    form: Annotated[FormModel, Form()],
) -> Response:
    """Send somebody away, or give back a hot-seat player's seat."""
    await seats.free_seat(visit.session, table_id=table_id, position=position, person=person)
    return await _room(visit, table_id)


@router.post("/tables/{table_id}/seats/{position}/confirm", name="tables.confirm")
async def confirm(
    visit: Visiting,
    person: CurrentPerson,
    table_id: UUID,
    position: Position,
    form: Annotated[FormModel, Form()],
) -> Response:
    """Take the seat a rematch has kept."""
    await seats.confirm(
        visit.session, table_id=table_id, position=position, person=person, now=visit.now
    )
    return await _room(visit, table_id)


@router.post("/tables/{table_id}/seats/{position}/move", name="tables.move_seat")
async def move_seat(
    visit: Visiting,
    person: CurrentPerson,
    table_id: UUID,
    position: Position,
    form: Annotated[MoveForm, Form()],
) -> Response:
    """Swap a seat with its neighbour."""
    await seats.move_seat(
        visit.session, table_id=table_id, position=position, to=form.to, person=person
    )
    return await _room(visit, table_id)


@router.post("/tables/{table_id}/seats/{position}/kit", name="tables.change_kit")
async def change_kit(
    visit: Visiting,
    person: CurrentPerson,
    table_id: UUID,
    position: Position,
    form: Annotated[KitForm, Form()],
) -> Response:
    """Wear another shirt."""
    await seats.change_kit(
        visit.session, table_id=table_id, position=position, kit=form.kit, person=person
    )
    return await _room(visit, table_id)


def _own_name(person: Person | None) -> str:
    return "" if person is None or person.name == _("Guest") else person.name


async def _room(visit: Visit, table_id: UUID) -> Response:
    """Return the waiting room as it is now: the part for htmx, else the way to the page."""
    if not is_htmx(visit.request):
        return visit.redirect("tables.show", table_id=table_id)
    table = await table_page(
        visit.session, table_id=table_id, person=visit.person, links=links_of(visit.request)
    )
    return fragment(visit.request, SHOW, "room", **_shown(table))


def _shown(table: TablePage) -> dict[str, Any]:
    return {
        "table": table,
        "talk_key": uuid4().hex,
        "link_port": urlsplit(table.invite_url or "").port or 80,
        "link_opens_only_here": table.host_is_me and opens_only_here(table.invite_url or ""),
    }
