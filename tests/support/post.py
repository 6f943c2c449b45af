"""Matches among people with mail addresses, a worker and a mail server."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from email.message import EmailMessage
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncEngine

from app.accounts.addresses import claim_address, confirm_address
from app.accounts.queries import person_by_id
from app.config import Settings
from app.db.session import Sessions
from app.jobs.worker import run_pending
from app.notifications import tasks
from app.notifications.timing import NoticeWishes
from app.notifications.wishes import keep_notice_wishes
from app.worker import load_tasks
from tests.support.clock import SettableClock
from tests.support.matches import Matches
from tests.support.smtp import Mailbox, mail_server

KEY = "a key for tests, and for nothing else at all"
AT_ONCE = NoticeWishes("immediate")


@dataclass(slots=True)
class Post:
    """A server whose worker runs when told, and the mail that has arrived."""

    matches: Matches
    sessions: Sessions
    clock: SettableClock
    database_url: str
    box: Mailbox
    settings: Settings

    async def person(
        self,
        name: str = "Anna",
        *,
        wishes: NoticeWishes = AT_ONCE,
        address: str | None = "",
        pictures: bool = False,
    ) -> UUID:
        """Return a person who is told as `wishes` say; `address` None: has none.

        Of most letters a test reads the words, and drawing takes its time: `pictures` asks for it.
        """
        wishes = replace(wishes, picture=pictures)
        person_id = await self.matches.person(name)
        async with self.sessions.begin() as session:
            person = await person_by_id(session, person_id)
            assert person is not None
            if address is not None:
                to = address or f"{name.lower()}@example.org"
                now = self.clock.now()
                code = await claim_address(session, person=person, address=to, now=now)
                await confirm_address(session, person=person, code=code, now=now)
            await keep_notice_wishes(
                session, person_id=person_id, wishes=wishes, now=self.clock.now()
            )
        return person_id

    async def work(self, *, after: timedelta = timedelta()) -> None:
        """Let the worker do all there is to do, `after` some time."""
        self.clock.advance(after)
        await self.pending()
        async with self.sessions.begin() as session:
            await tasks.look_through(session, self.clock.now())
        await self.pending()

    async def pending(self) -> None:
        """Run the jobs that are queued."""
        await run_pending(
            self.database_url, self.sessions, clock=self.clock, settings=self.settings
        )

    async def statuses(self) -> list[str]:
        """Return what has become of each notice, the oldest first."""
        rows = await self.matches.run("select status from notices order by created_at, id")
        return [row[0] for row in rows]

    def to(self, name: str) -> list[EmailMessage]:
        """Return the letters that somebody has got."""
        return [one for one in self.box.letters if one["To"] == f"{name.lower()}@example.org"]


@asynccontextmanager
async def post_office(
    sessions: Sessions,
    engine: AsyncEngine,
    clock: SettableClock,
    database_url: str,
    **settings: Any,
) -> AsyncIterator[Post]:
    """Open a post office on the emptied database."""
    load_tasks()
    async with mail_server() as box:
        made = box.settings(secret_key=KEY, **settings)
        yield Post(Matches(sessions, engine), sessions, clock, database_url, box, made)
