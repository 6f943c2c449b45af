"""Notices: a person's address, when they are told, what was sent; and stopping it by a link."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Annotated, Final, Literal
from uuid import UUID

from fastapi import APIRouter, Form, Request, Response
from pydantic import Field

from app.accounts.addresses import (
    MailAddress,
    address_of,
    claim_address,
    confirm_address,
    forget_address,
    resume_address,
)
from app.accounts.limits import ADDRESS_CODE, TEST_MAIL
from app.accounts.preferences import Wishes, keep_wishes, kept_wishes
from app.accounts.queries import person_by_id
from app.errors import InvalidError, NotFoundError
from app.i18n import gettext
from app.i18n.names import shown_name
from app.i18n.times import UTC_NAME, is_zone, lasting, use_zone, when, zone_names
from app.ids import new_id
from app.jobs.queue import enqueue
from app.matches.lists import my_matches
from app.matches.pages import MatchCard
from app.matches.queries import seats_of
from app.notifications.codes import ADDRESS_CLAIMED, ADDRESS_LEFT
from app.notifications.links import person_of_token
from app.notifications.outbox import LogLine, delivery_log
from app.notifications.timing import NoticeWishes, Road
from app.notifications.wishes import (
    REMINDERS,
    keep_notice_wishes,
    mute,
    muted,
    unmute,
    wishes_of,
)
from app.web.boards.registry import BOARDS
from app.web.browsers import subscribing
from app.web.channels import channel_lines, in_words, kinds
from app.web.forms import FormModel, Line, Ticked
from app.web.people import CurrentPerson, MaybePerson
from app.web.preferences import remember
from app.web.templating import page, path_for
from app.web.visits import Visit, Visiting

router = APIRouter(tags=["notices"])

SHOW: Final = "account/notices.html"
_CLOCK: Final = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")
Token = Annotated[str, Field(max_length=100, pattern=r"^[A-Za-z0-9_-]+$")]


class AddressForm(FormModel):
    """A mail address, as it is typed."""

    address: Line


class CodeForm(FormModel):
    """The code that was mailed to it."""

    code: Annotated[str, Field(max_length=40)]


class WishesForm(FormModel):
    """When to be told; times as a clock shows them."""

    mode: Literal["immediate", "coalesced", "daily", "off"]
    delay: Annotated[int, Field(strict=False)] = 10
    daily_at: Annotated[str, Field(max_length=10)] = "08:00"
    quiet: Ticked = False
    picture: Ticked = False
    quiet_from: Annotated[str, Field(max_length=10)] = "22:00"
    quiet_until: Annotated[str, Field(max_length=10)] = "08:00"
    zone: Annotated[str, Field(max_length=64)] = UTC_NAME
    # The hours before a deadline at which to be reminded.
    items: Annotated[list[Annotated[int, Field(strict=False)]], Field(max_length=5)] = []
    # The page asks only whom another channel reaches.
    turn_by: Road | None = None
    reminder_by: Road | None = None
    other_by: Road | None = None


class MatchForm(FormModel):
    """Whether to be told of one match."""

    told: Literal["yes", "no"]


class StopForm(FormModel):
    """What a mail program sends when its reader wants no more; our own page sends the same."""

    one_click: Annotated[str, Field(alias="List-Unsubscribe", max_length=40)] = ""


@dataclass(frozen=True, slots=True)
class SentLine:
    """A line of the delivery log in words."""

    what: str
    status: str
    at: str
    said: str
    tone: str
    road: str


@dataclass(frozen=True, slots=True)
class MatchLine:
    """A running match, and whether the person hears of it."""

    id: UUID
    name: str
    told: bool


@router.get("/account/notices", name="notices")
async def show(request: Request, visit: Visiting, person: MaybePerson) -> Response:
    """When the person is told, by which address, and what was sent."""
    if person is None:
        return visit.go(path_for(request, "login"))
    return await _show(request, visit)


@router.post("/account/notices/address", name="notices.claim")
async def claim(
    visit: Visiting, person: CurrentPerson, form: Annotated[AddressForm, Form()]
) -> Response:
    """Say that an address is one's own: a code goes there."""
    if not visit.settings.sends_mail:
        raise InvalidError("notices.no_mail")
    visit.spend(ADDRESS_CODE, person.id)
    visit.spend(ADDRESS_CODE)
    await claim_address(visit.session, person=person, address=form.address, now=visit.now)
    await _send_code(visit, person.id)
    return visit.redirect("notices")


@router.post("/account/notices/code", name="notices.confirm")
async def confirm(
    request: Request, visit: Visiting, person: CurrentPerson, form: Annotated[CodeForm, Form()]
) -> Response:
    """Type the code: the address is one's own from now on."""
    before = await address_of(visit.session, person.id)
    found = await confirm_address(visit.session, person=person, code=form.code, now=visit.now)
    if found == "confirmed":
        await _tell_left(visit, before)
        return visit.redirect("notices")
    said = {
        "wrong": gettext("This is not the code that was mailed. Look again."),
        "dead": gettext("This code does not count any more. Have another one sent."),
    }
    # A wrong try is counted, so this is an answer and not an error.
    return await _show(request, visit, code_error=said[found], status_code=422)


@router.post("/account/notices/again", name="notices.again")
async def send_again(
    visit: Visiting, person: CurrentPerson, form: Annotated[FormModel, Form()]
) -> Response:
    """Have another code sent."""
    visit.spend(ADDRESS_CODE, person.id)
    visit.spend(ADDRESS_CODE)
    await _send_code(visit, person.id)
    return visit.redirect("notices")


@router.post("/account/notices/forget", name="notices.forget")
async def forget(
    visit: Visiting, person: CurrentPerson, form: Annotated[FormModel, Form()]
) -> Response:
    """Have one's address forgotten."""
    before = await address_of(visit.session, person.id)
    await forget_address(visit.session, person.id)
    await _tell_left(visit, before)
    return visit.redirect("notices")


@router.post("/account/notices/resume", name="notices.resume")
async def resume(
    visit: Visiting, person: CurrentPerson, form: Annotated[FormModel, Form()]
) -> Response:
    """Have mail sent again to an address that was refused."""
    await resume_address(visit.session, person.id)
    return visit.redirect("notices")


@router.post("/account/notices/wishes", name="notices.keep")
async def keep(
    visit: Visiting, person: CurrentPerson, form: Annotated[WishesForm, Form()]
) -> Response:
    """Choose when to be told."""
    if not is_zone(form.zone):
        raise InvalidError("notices.bad_zone")
    zone = Wishes(time_zone=form.zone)
    await keep_wishes(visit.session, person=person, wishes=zone)
    before = await wishes_of(visit.session, person.id)
    await keep_notice_wishes(
        visit.session,
        person_id=person.id,
        wishes=NoticeWishes(
            form.mode,
            form.delay,
            _minutes(form.daily_at),
            _minutes(form.quiet_from) if form.quiet else None,
            _minutes(form.quiet_until) if form.quiet else None,
            tuple(form.items),
            form.turn_by or before.turn_by,
            form.reminder_by or before.reminder_by,
            form.other_by or before.other_by,
            form.picture,
        ),
        now=visit.now,
    )
    response = visit.redirect("notices")
    remember(response, zone)
    return response


@router.post("/account/notices/test", name="notices.test")
async def test(
    visit: Visiting, person: CurrentPerson, form: Annotated[FormModel, Form()]
) -> Response:
    """Have a letter sent, to see whether it arrives."""
    visit.spend(TEST_MAIL, person.id)
    await enqueue(visit.session, "notices.test_wanted", person_id=str(person.id))
    return visit.redirect("notices")


@router.post("/account/notices/matches/{match_id}", name="notices.match")
async def change_match(
    visit: Visiting,
    person: CurrentPerson,
    match_id: UUID,
    form: Annotated[MatchForm, Form()],
) -> Response:
    """Hear of one match, or not."""
    if not await seats_of(visit.session, match_id, person.id):
        raise NotFoundError
    if form.told == "no":
        await mute(visit.session, person_id=person.id, match_id=match_id, now=visit.now)
    else:
        await unmute(visit.session, person_id=person.id, match_id=match_id)
    return visit.redirect("notices")


@router.get("/notices/stop/{token}", name="notices.stop")
async def show_stop(request: Request, visit: Visiting, token: Token) -> Response:
    """Ask whether mails are to stop; looking changes nothing."""
    person_id = await _whose_mails(visit, token)
    return page(
        request,
        "account/stop.html",
        status_code=200 if person_id else 404,
        valid=person_id is not None,
        stopped=False,
    )


@router.post("/notices/stop/{token}", name="notices.stop.take")
async def stop(
    request: Request, visit: Visiting, token: Token, form: Annotated[StopForm, Form()]
) -> Response:
    """Send the person of the token nothing more."""
    person_id = await _whose_mails(visit, token)
    if person_id is None:
        raise NotFoundError
    wishes = await wishes_of(visit.session, person_id)
    await keep_notice_wishes(
        visit.session,
        person_id=person_id,
        wishes=replace(wishes, mode="off"),
        now=visit.now,
    )
    return page(request, "account/stop.html", valid=True, stopped=True)


async def _whose_mails(visit: Visit, token: str) -> UUID | None:
    """Return whose mails the token stops; None also for somebody who is gone by now."""
    person_id = person_of_token(visit.settings.secret_key or "", token)
    person = None if person_id is None else await person_by_id(visit.session, person_id)
    return None if person is None or person.kind == "deleted" else person.id


async def _send_code(visit: Visit, person_id: UUID) -> None:
    await enqueue(visit.session, ADDRESS_CLAIMED, person_id=str(person_id))


async def _tell_left(visit: Visit, before: MailAddress | None) -> None:
    """Have the address a person had told, if they have it no more."""
    if before is None or before.address in {None, before.pending} or not visit.settings.sends_mail:
        return
    await enqueue(
        visit.session,
        ADDRESS_LEFT,
        person_id=str(before.person_id),
        address=before.address,
        letter_id=str(new_id()),
    )


async def _show(
    request: Request, visit: Visit, *, code_error: str = "", status_code: int = 200
) -> Response:
    known, session = visit.known, visit.session
    if known is None:
        raise NotFoundError
    person = known.person
    chosen = await kept_wishes(session, person=person)
    zone = chosen.time_zone or UTC_NAME
    silent = await muted(session, person.id)
    cards = [card for card in await my_matches(session, person.id) if card.status == "running"]
    mine = await channel_lines(session, known)
    labels = {channel.id: channel.label for channel in mine}
    with use_zone(zone):
        log = [_told(line, labels, visit.now) for line in await delivery_log(session, person.id)]
    return page(
        request,
        SHOW,
        status_code=status_code,
        sends_mail=visit.settings.sends_mail,
        address=await address_of(session, person.id),
        wishes=await wishes_of(session, person.id),
        zone=zone,
        zones=zone_names(),
        clock=_clock,
        reminders=[(hours, lasting(timedelta(hours=hours))) for hours in REMINDERS],
        code_error=code_error,
        channels=mine,
        kinds=kinds(visit.settings),
        subscribing=subscribing(request, visit.settings, mine),
        log=log,
        matches=[MatchLine(card.id, _named(card), card.id not in silent) for card in cards],
    )


def _named(card: MatchCard) -> str:
    names = ", ".join(shown_name(seat.name) for seat in card.seats)
    return gettext("%(game)s: %(names)s", game=BOARDS[card.game].title, names=names)


def _told(line: LogLine, channels: Mapping[UUID, str], now: datetime) -> SentLine:
    what = {
        "turn": gettext("Your turn"),
        "reminder": gettext("A reminder"),
        "withdrawn": gettext("A turn was taken back"),
        "pause": gettext("A pause is asked for"),
        "resume": gettext("The end of a pause is asked for"),
        "undo": gettext("Taking back a turn is asked for"),
        "void": gettext("Ending without a result is asked for"),
        "started": gettext("A match has begun"),
        "over": gettext("A match is over"),
        "joined": gettext("Somebody has sat down"),
        "test": gettext("A test"),
        "code": gettext("A code"),
    }
    status = {
        "sent": gettext("sent"),
        "obsolete": gettext("not sent: no longer needed"),
        "failed": gettext("refused"),
        "waiting": gettext("put off") if line.attempts else gettext("waits"),
    }
    moment = line.settled_at or line.due_at
    said = in_words(line.said or "")
    tone = "warn" if line.status == "failed" or line.attempts > 1 else ""
    shown = said if line.status in {"sent", "failed"} or line.attempts else ""
    # Most have mail alone: what needs no saying is not said.
    road = "" if line.channel_id is None else channels.get(line.channel_id, "")
    return SentLine(
        what[line.event], status[line.status], str(when(moment, now=now)), shown, tone, road
    )


def _clock(minutes: int | None, otherwise: str = "08:00") -> str:
    return otherwise if minutes is None else f"{minutes // 60:02}:{minutes % 60:02}"


def _minutes(text: str) -> int:
    """Return the minutes since midnight of `20:30`; raises InvalidError."""
    found = _CLOCK.fullmatch(text.strip())
    if found is None:
        raise InvalidError("notices.bad_time")
    return int(found[1]) * 60 + int(found[2])
