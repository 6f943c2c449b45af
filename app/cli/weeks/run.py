"""One run: the friends sit down, the weeks pass, and it is reckoned what came of it."""

import hashlib
import secrets
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, cast

from sqlalchemy.ext.asyncio import AsyncEngine

from app.accounts.addresses import claim_address, confirm_address
from app.accounts.preferences import Wishes, keep_wishes
from app.accounts.service import create_guest
from app.cli.weeks.books import Books, Table
from app.cli.weeks.days import days_with_orders
from app.cli.weeks.deaths import Deaths
from app.cli.weeks.minutes import DAY
from app.cli.weeks.peer import Letter, Peer, listening
from app.cli.weeks.people import Crowd, Friend
from app.cli.weeks.plan import STEP, Persona, Plan, Setting
from app.cli.weeks.reckoning import Finding, findings, judge
from app.cli.weeks.server import FastClock, Server
from app.config import Settings
from app.db.engine import make_engine
from app.db.session import Sessions, make_sessions, transaction
from app.matches.clocks.terms import terms_from
from app.matches.games import codec_for
from app.matches.service import SeatSpec, start_match
from app.notifications.timing import Mode, NoticeWishes
from app.notifications.wishes import keep_notice_wishes
from app.worker import load_tasks

# Drawing takes half a second of work: one friend's letters are enough to see that they go.
PICTURED: Final = 0
FIGURES: Final = ("lost", "obsolete_sent", "timeouts_in_outage", "clock_gained", "unfinished")


@dataclass(slots=True)
class Run:
    """A run that is under way."""

    plan: Plan
    books: Books
    crowd: Crowd
    server: Server
    peer: Peer
    wrong: list[Finding] = field(default_factory=list)

    def arrive(self, letter: Letter) -> None:
        """Hold what a letter asks for against whom the matches wait for as it arrives."""
        persona = next(one for one in self.plan.people if one.address == letter.to)
        for match_id in letter.matches:
            table = self.server.by_id[match_id]
            self.crowd.friends[persona.number].unread.add(table.setting.number)
            self.wrong += judge(table, persona, letter)

    async def pass_time(self, say: Callable[[str], None]) -> None:
        """Let the weeks pass."""
        calendar = self.plan.calendar
        for now in range(0, self.plan.end, STEP):
            self.server.clock.set(calendar.moment(now))
            if now % (7 * DAY) == 0:
                running = sum(table.status == "running" for table in self.books.tables)
                say(f"day {now // DAY}: {running} matches run, {self.peer.taken} letters so far")
            if self.server.away is None:
                await self.server.fall(now)
            if not await self.server.come_back(now):
                self.crowd.turned_away(now)
                continue
            if await self.crowd.look(now) or now >= self.server.wanted:
                await self.server.work(now)

    def report(self) -> dict[str, Any]:
        """Return the figures; those that have to be 0 come first."""
        counted = Counter(one.figure for one in self.wrong)
        tally, tables = self.crowd.tally, self.books.tables
        return {
            **{name: counted.pop(name, 0) for name in FIGURES},
            "doubled": counted.pop("doubled", 0),
            "early": counted.pop("early", 0),
            "clock_short": counted.pop("clock_short", 0),
            "tables": len(tables),
            "seats": self.plan.seats,
            "people": len(self.plan.people),
            "weeks": self.plan.weeks,
            "virtual_days": self.plan.end // DAY,
            "seed": self.plan.chance.seed,
            "starts": self.plan.calendar.start.date().isoformat(),
            "finished": sum(table.status == "finished" for table in tables),
            "void": sum(table.status == "void" for table in tables),
            "decisions": sum(len(table.past) for table in tables),
            "moves": tally.moves,
            "answers": tally.answers,
            "mails_sent": self.peer.taken,
            "mails_repeated": self.peer.repeated,
            "mails_refused": self.peer.refused,
            "mails_unknown": self.peer.unknown,
            "timeouts": sum(len(table.late) for table in tables),
            "outages": len(self.plan.storms),
            "downtimes": len(self.books.outages),
            "kills": self.server.deaths.count,
            "doubled_workers": self.server.doubled,
            "undo_asked": tally.undo_asked,
            "undone": tally.undone,
            "pauses": tally.pauses,
            "absences": tally.absences,
            "locked_out": tally.locked_out,
            "jobs": self.server.jobs,
            "failures": len(self.server.failures),
        }


async def simulate_weeks(
    plan: Plan, url: str, *, say: Callable[[str], None] = lambda _line: None
) -> tuple[dict[str, Any], list[Finding]]:
    """Let a plan happen in the empty database at `url`; return the figures and what was wrong."""
    load_tasks()
    began, used = time.monotonic(), time.process_time()
    engine = make_engine(url, application_name="placa weeks")
    sessions = make_sessions(engine)
    deaths = Deaths(sessions, plan.chance)
    deaths.attach(engine)
    try:
        run = await _make(plan, engine, sessions, deaths)
        async with listening(run.peer) as port:
            run.server.settings = _settings(port)
            await run.pass_time(say)
        run.wrong += findings(plan, books=run.books, mishaps=run.peer.mishaps)
        figures = run.report()
        figures["days_with_orders"] = days_with_orders(plan.chance, plan.seats)
    finally:
        deaths.detach(engine)
        await engine.dispose()
    figures["seconds"] = round(time.monotonic() - began, 1)
    figures["cpu_seconds"] = round(time.process_time() - used, 1)
    return figures, run.wrong


def _settings(port: int) -> Settings:
    return Settings(
        secret_key=secrets.token_urlsafe(48),
        public_url="https://play.example",
        smtp_url=f"smtp://127.0.0.1:{port}?security=none",
        mail_from="Plaça <play@play.example>",
        reply_address="play+*@play.example",
    )


async def _make(plan: Plan, engine: AsyncEngine, sessions: Sessions, deaths: Deaths) -> Run:
    clock, books = FastClock(plan.calendar.start), Books(plan.calendar)
    friends = [await _friend(sessions, one, clock) for one in plan.people]
    crowd = Crowd(plan, books, deaths, clock, friends)
    crowd.plan_looks()
    server = Server(plan, books, sessions, engine, deaths, clock, Settings(), crowd.person_of)
    peer = Peer(plan, lambda: plan.calendar.minute(clock.now()))
    run = Run(plan, books, crowd, server, peer)
    peer.arrive = run.arrive
    for setting in plan.tables:
        table = await _table(plan, sessions, setting, friends, clock)
        books.tables.append(table)
        server.by_id[str(table.id)] = table
        for number in setting.people:
            friends[number].tables.append(table)
        async with transaction(sessions) as session:
            await books.look(session, table, 0)
    return run


async def _friend(sessions: Sessions, persona: Persona, clock: FastClock) -> Friend:
    now = clock.now()
    async with transaction(sessions) as session:
        person = await create_guest(session, name=persona.name, now=now)
        await keep_wishes(session, person=person, wishes=Wishes(time_zone=persona.zone))
        code = await claim_address(session, person=person, address=persona.address, now=now)
        await confirm_address(session, person=person, code=code, now=now)
        quiet_from, quiet_until = persona.quiet or (None, None)
        wishes = NoticeWishes(
            cast(Mode, persona.mode),
            persona.delay,
            persona.daily_at,
            quiet_from,
            quiet_until,
            picture=persona.number == PICTURED,
        )
        await keep_notice_wishes(session, person_id=person.id, wishes=wishes, now=now)
    return Friend(persona, person)


async def _table(
    plan: Plan, sessions: Sessions, setting: Setting, friends: list[Friend], clock: FastClock
) -> Table:
    seed = hashlib.sha256(f"placa weeks {plan.chance.seed} {setting.number}".encode()).digest()
    seats = [
        SeatSpec(friends[number].person.id, None, friends[number].persona.name, kit)
        for kit, number in enumerate(setting.people, 1)
    ]
    async with transaction(sessions) as session:
        match_id = await start_match(
            session,
            game=setting.game,
            options=setting.options,
            seats=seats,
            now=clock.now(),
            seed=seed,
            clock=terms_from(setting.clock),
        )
    return Table(setting, match_id, codec_for(setting.game))
