"""One mail that came in, by whatever road: who wrote it to which decision, and what it plays.

The caller owns the transaction: nothing here commits.  Nothing is answered to the
address a mail claims to come from; answers go to the address of the person who
sits there.  What is no reply to a letter of ours is dropped without a word.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal, TypeAlias
from uuid import UUID

import structlog
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.addresses import MailAddress, address_of
from app.accounts.limits import REPLY, Limiter
from app.errors import AppError, NotFoundError, TooManyError
from app.jobs.queue import enqueue
from app.matches import queries
from app.matches.pages import MatchPage
from app.notifications.reading.incoming import recipients_of
from app.notifications.reading.kinds import Kind
from app.notifications.reading.meaning import Unclear
from app.notifications.reading.reader import Read, read_mail
from app.notifications.replies.addresses import ReplyAddresses, ReplyTo
from app.notifications.replies.habits import commits_directly
from app.notifications.replies.models import IncomingMailRow
from app.notifications.replies.playing import Order, moves_of, play
from app.rules.game import Seat

LONGEST_MAIL: Final = 1_000_000
LONGEST_LINE: Final = 200
ANSWER_DUE: Final = "notifications.answer_due"

Outcome: TypeAlias = Literal[
    "played",
    "drafted",
    "refused",
    "too_large",
    "not_ours",
    "forged",
    "several",
    "limited",
    "unreadable",
]
Result: TypeAlias = Outcome | Kind | Literal["duplicate", "nobody"]

log = structlog.get_logger("placa.replies")


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """A mail as a road hands it over; `to` are the addresses it was delivered to, if known."""

    raw: bytes
    to: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Refused:
    """Why nothing was played."""

    code: str
    details: dict[str, Any]
    rule: str = ""


async def take_in(
    session: AsyncSession,
    arrival: Arrival,
    *,
    addresses: ReplyAddresses,
    limiter: Limiter,
    now: datetime,
) -> Result:
    """Play what the mail says, and queue the answer; return what became of it.

    A second copy of a mail changes nothing and is not answered again.  Raises
    UnavailableError and the like only: then nothing has happened, and the mail
    has to be handed over again.
    """
    result = await _take_in(session, arrival, addresses, limiter, now)
    log.info("mail.taken_in", result=result, size=len(arrival.raw))
    return result


async def _take_in(
    session: AsyncSession,
    arrival: Arrival,
    addresses: ReplyAddresses,
    limiter: Limiter,
    now: datetime,
) -> Result:
    if len(arrival.raw) > LONGEST_MAIL:
        return "too_large"
    try:
        found = _question(addresses, arrival.to, recipients_of(arrival.raw))
        if not isinstance(found, ReplyTo):
            return found
        # Before it is taken apart: that costs more than anything a stranger can make us do.
        limiter.spend(REPLY, (found.match_id, found.seat), now=now)
        read = read_mail(arrival.raw)
    except TooManyError:
        return "limited"
    except Exception:
        # Handed over again it would break again, and hold up what comes behind it.
        log.exception("mail.not_read")
        return "unreadable"
    if read.kind not in {"reply", "empty"}:
        return read.kind
    return await _answered(session, read, found, key=_key(found, read, arrival.raw), now=now)


async def _answered(
    session: AsyncSession, read: Read, to: ReplyTo, *, key: bytes, now: datetime
) -> Result:
    """Play the mail unless it was played before, note what came of it, queue the answer."""
    seated = await _seated(session, to)
    if seated is None:
        return "nobody"
    row = {
        "key": key,
        "received_at": now,
        "person_id": seated.person_id,
        "match_id": to.match_id,
        "seat": to.seat,
        "outcome": "refused",
        "code": "",
        "details": {},
        "rule": "",
        "answers": _printable(read.mail.message_id),
    }
    # Waits for the transaction of another copy, if there is one just now.
    noted = await session.scalar(
        insert(IncomingMailRow).values(row).on_conflict_do_nothing().returning(IncomingMailRow)
    )
    if noted is None:
        return "duplicate"
    outcome = await _settle(session, read, to, seated, key=key, now=now)
    if isinstance(outcome, _Refused):
        noted.code, noted.details, noted.rule = outcome.code, outcome.details, outcome.rule
    else:
        noted.outcome = outcome
    await session.flush()
    await enqueue(session, ANSWER_DUE, key=key.hex())
    return "refused" if isinstance(outcome, _Refused) else outcome


def _question(
    addresses: ReplyAddresses, envelope: tuple[str, ...], named: Iterable[str]
) -> ReplyTo | Literal["not_ours", "forged", "several"]:
    """Return which decision the mail was sent to: one, or why it is none.

    Where it was delivered counts; what its own headers say only if nobody told.
    """
    ours = {one.lower() for one in envelope if addresses.is_ours(one)}
    ours = ours or {one.lower() for one in named if addresses.is_ours(one)}
    if not ours:
        return "not_ours"
    if len(ours) > 1:
        return "several"
    return addresses.read(ours.pop()) or "forged"


@dataclass(frozen=True, slots=True)
class _Seated:
    person_id: UUID
    page: MatchPage
    address: MailAddress


async def _seated(session: AsyncSession, to: ReplyTo) -> _Seated | None:
    """Return who sits there and can be answered."""
    try:
        page = await queries.match_page(session, match_id=to.match_id, seat=Seat(to.seat))
    except NotFoundError:
        return None
    here = next((one for one in page.seats if one.seat == to.seat), None)
    if here is None or here.person_id is None or here.resigned:
        return None
    address = await address_of(session, here.person_id)
    if address is None or address.address is None:
        return None
    return _Seated(here.person_id, page, address)


async def _settle(
    session: AsyncSession,
    read: Read,
    to: ReplyTo,
    seated: _Seated,
    *,
    key: bytes,
    now: datetime,
) -> Literal["played", "drafted"] | _Refused:
    if not _is_from(read.mail.sender, seated.address.address or ""):
        return _Refused("reply.other_sender", {})
    if to.expires <= now:
        return _Refused("reply.expired", {})
    if read.kind == "empty":
        return _Refused("reply.empty", {})
    page = seated.page
    names = next(one.name for one in page.seats if one.seat == to.seat)
    said = read.understood(
        is_move=lambda line: moves_of(page.game, line) is not None, names=(names,)
    )
    if isinstance(said, Unclear):
        line = _printable(said.line)[:LONGEST_LINE]
        return _Refused("reply.unclear", {"line": line}) if line else _Refused("reply.empty", {})
    order = Order(
        to=to,
        person_id=seated.person_id,
        said=said,
        key=f"mail:{key.hex()}",
        directly=await commits_directly(session, person_id=seated.person_id),
        now=now,
    )
    try:
        async with session.begin_nested():
            return await play(session, order)
    except AppError as error:
        if error.status >= 500:
            raise
        return _Refused(error.code, error.details, error.rule)


def _key(to: ReplyTo, read: Read, raw: bytes) -> bytes:
    """Return what is equal for every copy of a mail."""
    named = read.mail.message_id.encode("utf-8", "replace") or hashlib.sha256(raw).digest()
    where = b"%s:%d:%d:%s" % (to.match_id.bytes, to.seat, to.version, to.mark)
    return hashlib.sha256(b"placa mail\0" + where + b"\0" + named).digest()


def _is_from(sender: str, address: str) -> bool:
    """Whether a mail says that it comes from `address`; what follows a plus does not matter."""
    return _plain(sender) == _plain(address)


def _plain(address: str) -> tuple[str, str]:
    local, _, domain = address.lower().rpartition("@")
    local = local.split("+")[0]
    if domain in {"gmail.com", "googlemail.com"}:
        return local.replace(".", ""), "gmail.com"
    return local, domain


def _printable(text: str) -> str:
    return "".join(letter for letter in text if letter.isprintable())[:998]
