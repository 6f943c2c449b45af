"""Background work of notices: writing down what people are to be told, and when it is due.

The jobs are queued in the transactions that bring the events about.  They send
nothing, so no host holds them back: what is held are the jobs that begin with
`notifications.`, the codes below and the letters (`notifications.letter_due`), which
are beside the pages, because those put them into words.
"""

from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from app.config import Settings
from app.jobs.tasks import sweep, task
from app.matches.deadlines import deadlines_between
from app.matches.proposals import Kind, open_proposals
from app.matches.queries import people_in, waited_for
from app.notifications.codes import ADDRESS_CLAIMED, ADDRESS_LEFT, send_code, tell_left
from app.notifications.events import Cast
from app.notifications.leaving import leave_old_browsers
from app.notifications.outbox import (
    forget_old,
    note,
    note_test,
    queue_due,
    remind,
    told_to_decide,
)
from app.notifications.replies import tasks as replies
from app.notifications.timing import points_passed
from app.notifications.wishes import REMINDERS

__all__ = ["forget", "look_through", "replies"]


@task("notices.turn_came")
async def turn_came(session: AsyncSession, now: datetime, *, match_id: str) -> None:
    """Tell everybody whom the match waits for, once for each decision."""
    about = UUID(match_id)
    for one in await waited_for(session, about):
        await note(
            session,
            "turn",
            Cast(asked=frozenset({one.person_id})),
            about=about,
            seat=one.seat,
            prompt=one.prompt,
            version=one.opened,
            now=now,
        )


@task("notices.consent_asked")
async def consent_asked(
    session: AsyncSession, now: datetime, *, match_id: str, kind: Kind, version: int
) -> None:
    """Tell those who have not agreed yet that somebody asks them to."""
    about = UUID(match_id)
    seats = await people_in(session, about)
    for one in await open_proposals(session, about, now=now):
        if (one.kind, one.version) == (kind, version):
            asked = frozenset(who for seat, who in seats.items() if seat in one.waits_for)
            people = Cast(asked=asked)
            await note(session, kind, people, about=about, prompt=kind, version=version, now=now)


@task("notices.turn_withdrawn")
async def turn_withdrawn(
    session: AsyncSession, now: datetime, *, match_id: str, undone_to: int, undone_at: int
) -> None:
    """Tell whoever was told to decide something that was undone, unless they are asked anew."""
    about = UUID(match_id)
    waits = {one.person_id for one in await waited_for(session, about)}
    told = await told_to_decide(session, about, undone_to=undone_to, undone_at=undone_at)
    people = Cast(told=told - waits)
    await note(session, "withdrawn", people, about=about, version=undone_at, now=now)


@task("notices.match_started")
async def match_started(
    session: AsyncSession, now: datetime, *, match_id: str, person_id: str
) -> None:
    """Tell everybody at the table that the match has begun, but who began it."""
    seated = frozenset((await people_in(session, UUID(match_id))).values())
    people = Cast(seated=seated, actor=UUID(person_id))
    await note(session, "started", people, about=UUID(match_id), now=now)


@task("notices.match_over")
async def match_over(session: AsyncSession, now: datetime, *, match_id: str, seat: int) -> None:
    """Tell everybody how the match has ended, but who ended it."""
    seats = await people_in(session, UUID(match_id))
    actor = next((who for number, who in seats.items() if number == seat), None)
    people = Cast(seated=frozenset(seats.values()), actor=actor)
    await note(session, "over", people, about=UUID(match_id), now=now)


@task("notices.seat_taken")
async def seat_taken(
    session: AsyncSession, now: datetime, *, table_id: str, host_id: str, person_id: str
) -> None:
    """Tell the host of the table that somebody has sat down."""
    actor = UUID(person_id)
    people = Cast(host=UUID(host_id), actor=actor)
    # One notice for each who comes: the number stands for who it is.
    version = actor.int % (1 << 31)
    await note(session, "joined", people, about=UUID(table_id), version=version, now=now)


@task("notices.test_wanted")
async def trial_wanted(
    session: AsyncSession, now: datetime, *, person_id: str, channel_id: str | None = None
) -> None:
    """Send somebody what they asked for to see whether mail, or a channel, reaches them."""
    channel = None if channel_id is None else UUID(channel_id)
    await note_test(session, UUID(person_id), channel, now=now)
    await queue_due(session, now=now)


@task(ADDRESS_CLAIMED, retries=7, with_settings=True)
async def address_claimed(
    session: AsyncSession, now: datetime, *, person_id: str, settings: Settings
) -> None:
    """Mail the code that proves an address."""
    await send_code(session, person_id=UUID(person_id), now=now, settings=settings)


@task(ADDRESS_LEFT, retries=7, with_settings=True)
async def address_left(
    session: AsyncSession,
    now: datetime,
    *,
    person_id: str,
    address: str,
    letter_id: str,
    settings: Settings,
) -> None:
    """Tell an address that it is nobody's any more."""
    await tell_left(
        session,
        person_id=UUID(person_id),
        address=address,
        letter_id=letter_id,
        now=now,
        settings=settings,
    )


@sweep("outbox.looked_through", cron="*/10 * * * * *")
async def look_through(session: AsyncSession, now: datetime) -> None:
    """Queue the letters that are due."""
    await queue_due(session, now=now)


@sweep("notices.reminders_came", cron="* * * * *")
async def reminders_came(session: AsyncSession, now: datetime) -> None:
    """Remind whoever has not much time left, at the points they have chosen.

    Most decisions are taken before any point that could be chosen: they cost no query.
    """
    for one in await deadlines_between(session, now, now + timedelta(hours=max(REMINDERS))):
        if one.due_at is not None and points_passed(
            REMINDERS, opened=one.opened_at, deadline=one.due_at, now=now
        ):
            await remind(session, one, now=now)


@sweep("browsers.outlived", cron="21 * * * *")
async def browsers_outlived(session: AsyncSession, now: datetime) -> None:
    """Tell by what is left what waits for browsers whose sessions have run out."""
    await leave_old_browsers(session, now=now)


@sweep("outbox.outlived", cron="7 4 * * *")
async def forget(session: AsyncSession, now: datetime) -> None:
    """Forget what was told long ago."""
    await forget_old(session, now=now)
