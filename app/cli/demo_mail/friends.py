"""Three people who play by nothing but mail, their mail server, and a clock that runs fast.

They know what their mails say and nothing else.  One answers with a choice and
`commit`, one lets every mail be final at once, one is asked to commit and does.
"""

import asyncio
import hashlib
import re
import secrets
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import formataddr
from pathlib import Path
from typing import Final

from aiosmtpd.smtp import SMTP, Envelope, Session
from sqlalchemy import text

from app.accounts.addresses import claim_address, confirm_address
from app.accounts.service import create_guest
from app.clock import SYSTEM_CLOCK
from app.config import Settings
from app.db.engine import make_engine
from app.db.session import Sessions, make_sessions, transaction
from app.jobs.worker import run_pending
from app.lobby.games import checked_options, game_info
from app.matches.service import SeatSpec, start_match
from app.notifications.channels.mail import Smtp, deliver
from app.notifications.outbox import queue_due
from app.notifications.replies.habits import commit_directly
from app.notifications.replies.roads import open_roads
from app.worker import load_tasks

NAMES: Final = ("Anna", "Bernat", "Carla")
DOMAIN: Final = "friends.example"
STEP: Final = timedelta(minutes=15)
# A match takes some hundred rounds of post; one that takes more will not end.
MOST_ROUNDS: Final = 3_000

_FIRST: Final = re.compile(r"^ *1\. ", re.MULTILINE)
_CHOICE: Final = re.compile(r"^ *(\d+)\. +(.*(?:\n {3,}.*)*)", re.MULTILINE)
_FIGURES: Final = text("""
    select
      (select count(*) from match_commands where key like 'mail:%') as decisions,
      (select count(*) from notices where event = 'turn' and status = 'sent') as told,
      (select count(*) from notices where status = 'obsolete') as obsolete,
      (select count(*) from incoming_mails where outcome = 'refused') as refused,
      (select status from matches) as status
""")


@dataclass(frozen=True, slots=True)
class Figures:
    """What a match by mail took: decisions made, and mails that asked for one."""

    decisions: int
    mails: int
    obsolete: int
    refused: int
    finished: bool

    @property
    def good(self) -> bool:
        """Whether the match ended with one mail for each decision and none in vain."""
        once = self.decisions == self.mails > 0
        return once and self.finished and self.obsolete == self.refused == 0


class FastClock:
    """Begins now, and is put forward."""

    def __init__(self) -> None:
        self._now = SYSTEM_CLOCK.now()

    def now(self) -> datetime:
        """Return the instant the clock stands at."""
        return self._now

    def advance(self) -> None:
        """Let some minutes pass."""
        self._now += STEP


@dataclass
class Postbox:
    """Where the mails to the three arrive; each is put into the folder as it comes.

    Without slots: aiosmtpd looks at every attribute, and Python 3.11.2 trips over them.
    """

    folder: Path
    letters: list[EmailMessage] = field(default_factory=list)
    count: int = 0
    turns: int = 0

    async def handle_DATA(  # noqa: N802 - named by the library
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        """Keep a mail."""
        content = envelope.content if isinstance(envelope.content, bytes) else b""
        letter = message_from_bytes(content, policy=policy.default)
        self.keep(str(letter["To"]).partition("@")[0], _kind(letter), content)
        self.letters.append(letter)
        return "250 kept"

    def keep(self, name: str, kind: str, content: bytes) -> None:
        """Put a mail into the folder."""
        self.count += 1
        self.turns += kind == "turn"
        (self.folder / f"{self.count:04}-{name}-{kind}.eml").write_bytes(content)

    def take(self) -> list[EmailMessage]:
        """Return the mails that have come since."""
        taken, self.letters = self.letters, []
        return taken


def _kind(letter: EmailMessage) -> str:
    if str(letter["Subject"]).startswith("Re: "):
        return "answer"
    return "turn" if letter["Reply-To"] else "news"


@dataclass(slots=True)
class _Friend:
    """One of the three: reads a mail and says what to answer."""

    name: str
    seed: int
    said: int = 0

    async def write(self, letters: list[EmailMessage], box: Postbox, road: Smtp) -> None:
        """Answer the latest of the letters that asks for something: it knows how things are."""
        for letter in reversed(letters):
            written = self.answer(letter)
            if written is not None:
                reply = _reply(letter, self.name, written, box.count)
                box.keep(self.name.lower(), "reply", reply.as_bytes())
                await deliver(road, reply, str(letter["To"]), str(letter["Reply-To"]))
                return

    def answer(self, letter: EmailMessage) -> str | None:
        """Return what to write back; None: the mail asks for nothing."""
        kind = _kind(letter)
        body = letter.get_body(("plain",))
        if not letter["Reply-To"] or body is None:
            return None
        told = str(body.get_content()).replace("\r\n", "\n")
        if kind == "answer" and self.name != "Bernat":
            return "commit\n\nThanks!" if "Your draft:" in told else None
        choice = self._choose(told)
        if choice is None:
            return None
        greeting = "Hello,\n\n" if self.said % 5 == 0 else ""
        ending = "\ncommit" if self.name == "Anna" else ""
        return f"{greeting}{choice}{ending}\n\n{self.name}"

    def _choose(self, told: str) -> int | None:
        """Return the number of a choice: a tower where there is one, else any but the end."""
        # Elsewhere in a letter a line may begin with a number and a full stop by chance.
        block = next((part for part in told.split("\n\n") if _FIRST.search(part)), "")
        choices = [
            (int(number), " ".join(words.split())) for number, words in _CHOICE.findall(block)
        ]
        choices = [choice for place, choice in enumerate(choices, 1) if choice[0] == place]
        towers = [number for number, words in choices if re.search(r"\d+x\d+", words)]
        others = [number for number, words in choices if "decline" not in words][:-1]
        offered = towers or others or [number for number, _ in choices]
        if not offered:
            return None
        self.said += 1
        mark = hashlib.sha256(f"{self.seed} {self.name} {self.said}".encode()).digest()
        return offered[int.from_bytes(mark[:4], "big") % len(offered)]


async def play_by_mail(url: str, folder: Path, *, seed: int, say: Callable[[str], None]) -> Figures:
    """Play a match in the empty database at `url`; return what it took."""
    load_tasks()
    engine = make_engine(url, application_name="placa demo")
    sessions, clock, box = make_sessions(engine), FastClock(), Postbox(folder)
    try:
        async with _listening(box) as port, _road(sessions, clock, port) as (settings, road):
            await _start(sessions, clock, seed)
            friends = {name.lower(): _Friend(name, seed) for name in NAMES}
            answers = 0
            for _ in range(MOST_ROUNDS):
                await _work(url, sessions, clock, settings)
                letters = box.take()
                if not letters:
                    break
                answers += sum(_kind(letter) == "answer" for letter in letters)
                for name, friend in friends.items():
                    read = [one for one in letters if str(one["To"]).startswith(f"{name}@")]
                    await friend.write(read, box, road)
            say(f"{box.count} mails in {folder}, {answers} of them answer a reply")
            return await _figures(sessions, box.turns)
    finally:
        await engine.dispose()


async def _figures(sessions: Sessions, mails: int) -> Figures:
    async with transaction(sessions) as session:
        row = (await session.execute(_FIGURES)).one()
    return Figures(row.decisions, mails, row.obsolete, row.refused, row.status == "finished")


async def _start(sessions: Sessions, clock: FastClock, seed: int) -> None:
    async with transaction(sessions) as session:
        seats = []
        for number, name in enumerate(NAMES):
            person = await create_guest(session, name=name, now=clock.now())
            address = f"{name.lower()}@{DOMAIN}"
            code = await claim_address(session, person=person, address=address, now=clock.now())
            await confirm_address(session, person=person, code=code, now=clock.now())
            seats.append(SeatSpec(person.id, None, name, number + 1))
            if name == "Bernat":
                await commit_directly(session, person_id=person.id, directly=True)
        await start_match(
            session,
            game="castell",
            options=checked_options(game_info("castell"), {}),
            seats=seats,
            now=clock.now(),
            seed=hashlib.sha256(f"placa demo {seed}".encode()).digest(),
        )


async def _work(url: str, sessions: Sessions, clock: FastClock, settings: Settings) -> None:
    """Let some minutes pass, and the worker do all there is to do."""
    clock.advance()
    await run_pending(url, sessions, clock=clock, settings=settings)
    clock.advance()
    async with transaction(sessions) as session:
        await queue_due(session, now=clock.now())
    await run_pending(url, sessions, clock=clock, settings=settings)


@asynccontextmanager
async def _listening(box: Postbox) -> AsyncIterator[int]:
    """Run the three's mail server on a port of its own."""
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: SMTP(box, hostname=DOMAIN, loop=loop), "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()


@asynccontextmanager
async def _road(
    sessions: Sessions, clock: FastClock, port: int
) -> AsyncIterator[tuple[Settings, Smtp]]:
    """Yield the settings that send to `port`, and the road by which answers come back."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        back = probe.getsockname()[1]
    settings = Settings(
        secret_key=secrets.token_urlsafe(48),
        public_url="https://play.example",
        smtp_url=f"smtp://127.0.0.1:{port}?security=none",
        mail_from="Plaça <play@play.example>",
        reply_address="play+*@play.example",
        reply_listen=f"smtp://127.0.0.1:{back}",
    )
    async with open_roads(settings, sessions, clock):
        yield settings, Smtp("127.0.0.1", back, None, None, "none", 30.0)


def _reply(letter: EmailMessage, name: str, written: str, number: int) -> EmailMessage:
    """Return an answer as a mail program makes it: the letter quoted below."""
    told = letter.get_body(("plain",))
    quoted = str(told.get_content()) if told is not None else ""
    made = EmailMessage(policy=policy.SMTP)
    made["From"] = formataddr((name, f"{name.lower()}@{DOMAIN}"))
    made["To"] = str(letter["Reply-To"])
    made["Subject"] = "Re: " + str(letter["Subject"]).removeprefix("Re: ")
    made["Message-ID"] = f"<{number}.{name.lower()}@{DOMAIN}>"
    made["In-Reply-To"] = str(letter["Message-ID"])
    lines = "\n".join(f"> {line}".rstrip() for line in quoted.splitlines())
    made.set_content(
        f"{written}\n\nOn {letter['Date']}, Plaça <play@play.example> wrote:\n{lines}\n"
    )
    return made
