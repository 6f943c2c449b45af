"""Mails that people answer with, and a match whose seats have addresses."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import count
from typing import Any
from uuid import UUID

from app.accounts.addresses import claim_address, confirm_address
from app.accounts.limits import Limiter
from app.accounts.queries import person_by_id
from app.config import Settings
from app.db.session import Sessions
from app.matches.pages import MatchPage
from app.notifications.choices import choices
from app.notifications.replies.addresses import Question, ReplyAddresses
from app.notifications.replies.habits import commit_directly
from app.notifications.replies.service import Arrival, Result, take_in
from app.notifications.timing import NoticeWishes
from app.notifications.wishes import keep_notice_wishes
from tests.support.matches import NOW, Matches

KEY = "a key for tests, and for nothing else at all"
SETTINGS = Settings(
    secret_key=KEY, reply_address="play+*@plaza.test", public_url="https://plaza.test"
)
WEEK = timedelta(days=7)

_numbers = count(1)


def addresses(settings: Settings = SETTINGS) -> ReplyAddresses:
    made = ReplyAddresses.of(settings)
    assert made is not None
    return made


def mail(
    text: str,
    *,
    to: str,
    sender: str,
    message_id: str | None = None,
    headers: Sequence[str] = (),
    subject: str = "Re: Your turn",
) -> bytes:
    """Return a mail that says `text` and nothing else."""
    named = message_id or f"<{next(_numbers)}@mail.test>"
    lines = [
        f"From: Somebody <{sender}>",
        f"To: {to}",
        f"Subject: {subject}",
        f"Message-ID: {named}",
        "Content-Type: text/plain; charset=utf-8",
        *headers,
    ]
    return "\r\n".join([*lines, "", text, ""]).encode()


@dataclass(slots=True)
class Correspondence:
    """A match whose people answer by mail."""

    matches: Matches
    match_id: UUID
    people: tuple[UUID, ...]
    limiter: Limiter = field(default_factory=Limiter)
    now: datetime = NOW

    @classmethod
    async def of(
        cls,
        matches: Matches,
        *,
        seats: int = 2,
        game: str = "castell",
        pictures: bool = False,
        **more: Any,
    ) -> "Correspondence":
        """Start a match; the person of seat n is written to at seat<n>@friends.test."""
        people = tuple([await matches.person(f"Person {n}") for n in range(seats)])
        wishes = NoticeWishes(picture=pictures)
        for n, person_id in enumerate(people):
            await give_address(matches.sessions, person_id, f"seat{n}@friends.test")
            async with matches.sessions.begin() as session:
                await keep_notice_wishes(session, person_id=person_id, wishes=wishes, now=NOW)
        match_id = await matches.start(*people, game=game, **more)
        return cls(matches, match_id, people)

    async def page(self, seat: int) -> MatchPage:
        return await self.matches.page(self.match_id, seat)

    async def asked(self) -> int:
        """Return the first seat the match waits for."""
        return min((await self.matches.page(self.match_id)).asked)

    async def address(self, seat: int, *, expires: datetime | None = None) -> str:
        """Return the address in a letter that shows how things are now."""
        page = await self.page(seat)
        prompt = page.prompt.key if page.prompt is not None else "nothing"
        question = Question(self.match_id, seat, prompt, page.version, page.draft.lines)
        return addresses().make(question, expires=expires or self.now + WEEK)

    async def choices(self, seat: int) -> dict[str, int]:
        return {choice.line: choice.number for choice in choices(await self.page(seat))}

    async def send(self, seat: int, text: str, *, to: str | None = None, **more: Any) -> Result:
        """Let the person of `seat` answer the letter of this moment."""
        where = to or await self.address(seat)
        sender = more.pop("sender", f"seat{seat}@friends.test")
        return await self.arrive(mail(text, to=where, sender=sender, **more))

    async def arrive(self, raw: bytes, *to: str) -> Result:
        async with self.matches.sessions.begin() as session:
            return await take_in(
                session,
                Arrival(raw=raw, to=to),
                addresses=addresses(),
                limiter=self.limiter,
                now=self.now,
            )

    async def directly(self, seat: int) -> None:
        async with self.matches.sessions.begin() as session:
            await commit_directly(session, person_id=self.people[seat], directly=True)

    async def events(self) -> int:
        return await self.matches.count("match_events")

    async def refusal(self) -> str:
        """Return the code of the latest refusal."""
        rows = await self.matches.run(
            "select code from incoming_mails where outcome = 'refused'"
            " order by received_at desc, xmin::text::bigint desc limit 1"
        )
        return str(rows[0][0])


async def give_address(sessions: Sessions, person_id: UUID, address: str) -> None:
    """Make `address` the person's, as if the code mailed there had been typed."""
    async with sessions.begin() as session:
        person = await person_by_id(session, person_id)
        assert person is not None
        code = await claim_address(session, person=person, address=address, now=NOW)
        assert await confirm_address(session, person=person, code=code, now=NOW) == "confirmed"
