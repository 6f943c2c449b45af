"""The mail server of all the friends: it takes letters, or does not, and notes what they ask."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Final, cast

from aiosmtpd.smtp import SMTP, Envelope, Session

from app.cli.weeks.minutes import Minute
from app.cli.weeks.plan import Plan

# Of so many letters in a hundred one is met badly for no reason, each in its own way.
MISHAPS: Final = 4
MOODS: Final = ("refuses", "refuses late", "loses", "takes and loses")

_MATCH: Final = re.compile(r"/matches/([0-9a-f-]{36})(?:\?seat=(\d+))?(?![\w/])")
# Above the link to a match of which its reader is reminded.
_STILL: Final = ("The match is still waiting for you.", "Still waiting:")
# Above the link to a match in which nothing is asked for any more.
_NO_MORE: Final = "does not have to be decided now"


@dataclass(frozen=True, slots=True)
class Letter:
    """A letter that arrived: to whom, and the matches in which it asks for a decision.

    `reminders` are those of which it only reminds.
    """

    minute: Minute
    to: str
    message_id: str
    matches: tuple[str, ...]
    reminders: frozenset[str] = frozenset()


@dataclass
class Peer:
    """What has arrived, and how the next letter is met.

    Without slots: aiosmtpd looks at every attribute, and Python 3.11.2 trips over them.
    """

    plan: Plan
    now: Callable[[], Minute]
    # Who is told of every letter that arrives.
    arrive: Callable[[Letter], None] = lambda _letter: None
    # When letters to an address were met badly.
    mishaps: dict[str, list[Minute]] = field(default_factory=dict)
    taken: int = 0
    refused: int = 0
    unknown: int = 0
    seen: set[str] = field(default_factory=set)
    repeated: int = 0

    async def handle_RCPT(  # noqa: N802 - named by the library
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Say whether letters to an address are welcome now."""
        if self._mood(address) == "refuses":
            self._mishap(address)
            return "450 4.2.1 later"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(  # noqa: N802 - named by the library
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        """Take a letter, or lose the connection before or after that."""
        address = envelope.rcpt_tos[0]
        mood = self._mood(address)
        if mood:
            self._mishap(address)
        if mood == "refuses late":
            return "451 4.3.0 later"
        if mood != "loses":
            content = envelope.content if isinstance(envelope.content, bytes) else b""
            self._take(address, message_from_bytes(content, policy=policy.default))
        if mood:
            self.unknown += 1
            cast(asyncio.Transport, server.transport).abort()
            return "421 gone"
        return "250 taken"

    def _mood(self, address: str) -> str:
        now = self.now()
        for storm in self.plan.storms:
            if storm.spell[0] <= now < storm.spell[1]:
                return storm.mood
        chance, about = self.plan.chance, ("letter", address, now)
        if self.plan.faults and chance.percent(MISHAPS, *about):
            return chance.pick(MOODS, *about, "mood")
        return ""

    def _mishap(self, address: str) -> None:
        self.refused += 1
        self.mishaps.setdefault(address, []).append(self.now())

    def _take(self, address: str, letter: EmailMessage) -> None:
        body = letter.get_body(("plain",))
        told = str(body.get_content()) if body is not None else ""
        message_id = str(letter["Message-ID"])
        self.taken += 1
        self.repeated += message_id in self.seen
        self.seen.add(message_id)
        self.arrive(read_letter(told, at=self.now(), to=address, message_id=message_id))


def read_letter(told: str, *, at: Minute, to: str, message_id: str) -> Letter:
    """Return what a letter asks for: it leads to the boards of those matches."""
    asking: dict[str, bool] = {}
    begins = 0
    for found in _MATCH.finditer(told):
        above = " ".join(told[begins : found.start()].split())
        if _NO_MORE not in above:
            still = any(words in above for words in _STILL)
            asking[found[1]] = asking.get(found[1], False) or still
        begins = found.end()
    reminders = frozenset(match for match, still in asking.items() if still)
    return Letter(at, to, message_id, tuple(asking), reminders)


@asynccontextmanager
async def listening(peer: Peer) -> AsyncIterator[int]:
    """Run the mail server on a port of its own."""
    loop = asyncio.get_running_loop()
    server = await loop.create_server(
        lambda: SMTP(peer, hostname="friends.example", loop=loop), "127.0.0.1", 0
    )
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
