"""A running app shows a viewer the same bytes, whatever it may not know.

Each pair of matches is put into the database in turn, one after the other into
the same rows, with everything else that others keep to themselves changed as
well: drafts, answers, standing orders, keys, the seed.  Then every address of
the match is asked for, and what mail and every channel tell of whose turn it is.
`SECRECY_PAIRS` says how many pairs of each game.
"""

import json
import os
import re
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any, Final, TypeAlias
from uuid import UUID

import msgspec
import pytest
from fastapi import FastAPI
from sqlalchemy import text

from app.accounts import api_tokens
from app.accounts.sessions import start_session
from app.accounts.values import Person
from app.db.session import Sessions
from app.lobby import seats
from app.matches.clocks.terms import Terms
from app.matches.clockwork import settle_clocks
from app.matches.codec import Codec, open_prompts
from app.matches.games import codec_for
from app.matches.queries import match_page
from app.notifications.channels.services import SERVICES
from app.notifications.channels.values import Host, Short
from app.notifications.letters import Letter, Sender, message
from app.notifications.outbox import Notice
from app.notifications.replies.answers import Answer, told
from app.notifications.sending import Occasion
from app.rules.game import Seat
from app.rules.registry import LISTINGS
from app.web.letters.answer import WORDS
from app.web.letters.compose import compose
from tests.secrecy.ways import SECRETS, all_pairs
from tests.support.browser import Browser, serving, without_tokens
from tests.support.people import NOON, Gathering, guest
from tests.support.push import Subscriber
from tests.support.twins import Pair, Side

pytestmark = pytest.mark.anyio

PAIRS: Final = int(os.environ.get("SECRECY_PAIRS", "20"))
# No more pairs than this of one match: other matches have other secrets.
OF_ONE: Final = 5

PAGES: Final = (
    "/matches/{match}",
    "/matches/{match}/text",
    "/matches/{match}/history/{version}",
    "/matches/{match}/export",
    "/matches/{match}/proof",
    "/matches/{match}/resign",
    "/matches/{match}/time",
    "/matches/{match}/results",
    "/matches/{match}/festivals",
    "/matches/{match}/festivals/1",
    "/matches/{match}/scorings/3",
    "/matches/{match}/workshop",
    "/matches/{match}/spectators",
    "/matches",
    "/",
    "/api/matches",
    "/api/matches/{match}",
    "/api/matches/{match}/legal",
    "/api/matches/{match}/events?since=0",
    "/api/matches/{match}/history/{version}",
    "/api/matches/{match}/export",
)
FRAGMENTS: Final = ("/matches/{match}/board?since=0.0.0",)
# What is refused, and how: error pages must not tell either.
REFUSED: Final[tuple[tuple[str, Mapping[str, str]], ...]] = (
    ("/matches/{match}/draft", {"add": "nonsense"}),
    ("/matches/{match}/draft", {"add": "disc CAS"}),
    ("/matches/{match}/propose", {"kind": "undo"}),
    ("/matches/{match}/commit", {"version": "1", "key": "k", "line": "end"}),
)

_OTHERS = """
    delete from match_answers where match_id = :id;
    delete from match_deadlines where match_id = :id;
    delete from match_times where match_id = :id;
    delete from match_proposals where match_id = :id;
    delete from match_drafts where match_id = :id;
    delete from match_standing where match_id = :id;
    delete from match_commands where match_id = :id;
    delete from match_events where match_id = :id;
    delete from procrastinate_events;
    delete from procrastinate_jobs
"""

_HEAD = text("""
    update matches set state = cast(:state as jsonb), prompts = cast(:prompts as jsonb),
      version = :version, events = :events, seed = :seed, nonce = :seed
    where id = :id
""")

_EVENT = text("""
    insert into match_events (match_id, seq, version, seat, payload, rules_version, at)
    values (:id, :seq, :version, :seat, cast(:payload as jsonb), :rules_version, :at)
""")

_ANSWER = text("""
    insert into match_answers (match_id, prompt, seat, opened_version, line)
    values (:id, :prompt, :seat, :opened, :line)
""")

_DRAFT = text("""
    insert into match_drafts (match_id, seat, prompt, moves, revision, updated_at)
    values (:id, :seat, :prompt, :moves, :revision, :at)
""")

_KEY = text("""
    insert into match_commands (match_id, seat, key, fingerprint) values (:id, :seat, :key, 'f')
""")

_STANDING = text("""
    insert into match_standing (match_id, seat, decision, line) values (:id, :seat, 'veto', 'ask')
""")

_CLOCK = text("update matches set clock = cast(:clock as jsonb) where id = :id")

_SEEN = text("update match_seats set committed_version = :version where match_id = :id")


_SECRET = {"url": "https://plaza.test", "token": "t", "room": "r"}
_BROWSER = Subscriber("")


def _sent(kind: str, short: Short) -> str:
    """Return what is sent by a channel of that kind; of what is sealed anew each time, the inside.

    Of a sealed message its length is seen as well, and every header but the signature.
    """
    if kind != "push":
        return str(SERVICES[kind].request(_SECRET, short, Host()))
    form = _BROWSER.form("https://plaza.test")
    secret = {"url": form["endpoint"], "key": form["p256dh"], "token": form["auth"]}
    request = SERVICES[kind].request(secret, short, Host())
    seen = {name: value for name, value in request.headers.items() if name != "Authorization"}
    return f"{request.url} {seen} {len(request.body)} {_BROWSER.opened(request.body)!r}"


# What a table chose, and two matches at it.
Chosen: TypeAlias = tuple[Mapping[str, Any], Pair]


@dataclass(frozen=True, slots=True)
class Stage:
    """A match whose rows are written over, and a browser and a program for every viewer."""

    sessions: Sessions
    match_id: UUID
    codec: Codec
    browsers: Mapping[Seat | None, Browser]
    tokens: Mapping[Seat | None, str]

    async def put(self, pair: Pair, number: int) -> None:
        """Store one side of a pair, with private things of the others that differ too."""
        side = pair.sides[number]
        async with self.sessions.begin() as session:
            connection = await session.connection()
            for statement in _OTHERS.split(";"):
                await connection.execute(text(statement), {"id": self.match_id})
            version = await self._write(session, side, number)
            opened = max(1, version - 1)
            prompts = self.codec.game.prompts(side.state)
            await session.execute(_SEEN, {"id": self.match_id, "version": max(1, version - 6)})
            asked = [seat for seat in sorted(prompts) if seat != pair.viewer]
            for seat in asked:
                moves = list(self.codec.game.legal_moves(side.state, seat))
                where = {"id": self.match_id, "seat": seat, "prompt": prompts[seat].key}
                line = self.codec.game.format((moves[-number],))
                # That somebody has answered a secret prompt is a secret too.
                if prompts[seat].simultaneous and (number or not prompts[seat].secret):
                    await session.execute(_ANSWER, {**where, "opened": opened, "line": line})
            for seat in {who for who in self.browsers if who not in {None, pair.viewer}}:
                if number:
                    where = {"id": self.match_id, "seat": seat}
                    drafted = {"prompt": "x", "moves": ["end"], "revision": 7, "at": NOON}
                    await session.execute(_DRAFT, {**where, **drafted})
                    await session.execute(_STANDING, where)
                    await session.execute(_KEY, {**where, "key": "secret"})
            # Whoever is asked, and has not answered, has a deadline; of some it is a secret.
            clock = json.dumps(Terms(kind="bank", bank_days=7, increment_hours=6).mapping())
            await session.execute(_CLOCK, {"id": self.match_id, "clock": clock})
            await settle_clocks(session, match_id=self.match_id, version=version, now=NOON)

    async def _write(self, session: Any, side: Side, number: int) -> int:
        prompts = open_prompts(self.codec.game.prompts(side.state), len(side.steps), {})
        rows = []
        for version, (seat, events) in enumerate(side.steps, start=1):
            rows += [(version, seat, event) for event in events]
        await session.execute(
            _HEAD,
            {
                "id": self.match_id,
                "state": self.codec.dump_state(side.state),
                "prompts": msgspec.json.encode(prompts).decode(),
                "version": len(side.steps),
                "events": len(rows),
                "seed": bytes([number]) * 32,
            },
        )
        await session.execute(
            _EVENT,
            [
                {
                    "id": self.match_id,
                    "seq": seq,
                    "version": version,
                    "seat": seat,
                    "payload": bytes(self.codec.dump_event(event)).decode(),
                    "rules_version": self.codec.game.rules_version,
                    "at": NOON,
                }
                for seq, (version, seat, event) in enumerate(rows, start=1)
            ],
        )
        return len(side.steps)

    async def shown(self, pair: Pair) -> dict[str, str]:
        """Return everything the viewer is answered, by address."""
        browser, token = self.browsers[pair.viewer], self.tokens[pair.viewer]
        last = len(pair.sides[0].steps)
        names = {"match": self.match_id, "version": max(1, last - 2), "last": last}
        answers = {}
        for page in PAGES:
            path = page.format(**names)
            headers = {"Authorization": f"Bearer {token}"} if path.startswith("/api") else {}
            answers[page] = _told(await browser.get(path, headers=headers))
        for page in FRAGMENTS:
            headers = {"HX-Request": "true"}
            answers[page] = _told(await browser.get(page.format(**names), headers=headers))
        for number, (page, form) in enumerate(REFUSED):
            path = page.format(**names)
            answers[f"{page} {number}"] = _told(await browser.submit(path, form))
        if pair.viewer is not None:
            answers["the turn mail"] = await self.letter(pair.viewer)
            # Drawing takes its time, and the turn mail has shown the same page already.
            drawn = last % 5 == 0
            answers["the answer to a mail"] = await self.answer(pair.viewer, drawn=drawn)
        return answers

    async def letter(self, seat: Seat) -> str:
        """Return the whole message that would be mailed to the seat now, and to its channels."""
        lead = Notice(
            id=self.match_id,
            event="turn",
            about=self.match_id,
            actor=None,
            seat=seat,
            prompt="the decision",
            version=1,
            created_at=NOON,
            due_at=NOON,
            attempts=0,
        )
        occasion = Occasion(
            person=Person(self.match_id, "P", "guest"),
            notices=(lead,),
            now=NOON,
            base="https://plaza.test",
            stop=None,
            reply_to=None,
            pictures=True,
        )
        async with self.sessions.begin() as session:
            composed = await compose(session, occasion)
        assert composed.pictures
        sender = Sender("Plaça", "play@plaza.test")
        letter = Letter(
            to="p@example.org",
            subject=composed.subject,
            text=composed.text,
            html=composed.html,
            pictures=composed.pictures,
            message_id="<1@plaza.test>",
            at=NOON,
        )
        short = [_sent(kind, composed.short) for kind in SERVICES]
        return f"200 {message(letter, sender).as_bytes()!r} {short}"

    async def answer(self, seat: Seat, *, drawn: bool) -> str:
        """Return the message by which a mail of the seat that was played would be answered now."""
        async with self.sessions.begin() as session:
            page = await match_page(session, match_id=self.match_id, seat=seat)
        answer = Answer(
            outcome="played",
            code="",
            details={},
            rule="",
            page=page,
            base="https://plaza.test",
            can_answer=True,
            pictures=drawn,
        )
        worded = await WORDS.worded(answer, "Re: a match", told(answer, WORDS.say))
        assert bool(worded.pictures) == drawn
        letter = Letter(
            to="p@example.org",
            subject="Re: a match",
            text=worded.text,
            html=worded.html,
            pictures=worded.pictures,
            message_id="<2@plaza.test>",
            at=NOON,
        )
        return f"200 {message(letter, Sender('Plaça', 'play@plaza.test')).as_bytes()!r}"


def _told(answer: Any) -> str:
    headers = {name: answer.headers.get(name, "") for name in ("location", "etag", "content-type")}
    body = re.sub(r'name="key" value="[^"]+"', "", without_tokens(answer.text))
    body = re.sub(r'"instance":"[^"]*"|[0-9a-f]{8}-request', "", body)
    return f"{answer.status_code} {headers} {body}"


@pytest.fixture
async def app(database_url: str) -> AsyncIterator[FastAPI]:
    async with serving(database_url) as app:
        yield app


async def staged(
    app: FastAPI, sessions: Sessions, stack: AsyncExitStack, key: str, chosen: Chosen
) -> Stage:
    """Make a match with a person in every seat and one who looks on."""
    options, pair = chosen
    count = pair.sides[0].state.seats
    table = await Gathering.of(
        sessions, seats=count, host="P1", spectators=True, game=key, options=options
    )
    people = [table.host, *[await table.joined(f"P{n}") for n in range(2, count + 1)]]
    looking = await guest(sessions, "Looker")
    watch = ((await table.page()).watch_url or "").rpartition("/")[2]
    match_id = await table.start()
    browsers: dict[Seat | None, Browser] = {}
    tokens: dict[Seat | None, str] = {}
    async with sessions.begin() as session:
        await seats.watch(session, token=watch, person=looking)
        for seat, person in [*((Seat(n), p) for n, p in enumerate(people)), (None, looking)]:
            browser = await stack.enter_async_context(Browser(app))
            cookie = await start_session(session, person=person, label="", now=NOON)
            browser.cookies.set(app.state.cookies.session, cookie)
            browsers[seat] = browser
            tokens[seat] = await api_tokens.create_api_token(
                session, person=person, label="t", now=NOON
            )
    return Stage(sessions, match_id, codec_for(key), browsers, tokens)


def some_pairs(key: str) -> Iterator[Chosen]:
    """Yield pairs at moments that are published, not too many of one match."""
    published, table, taken = SECRETS[key].published, None, 0
    for number, (options, pair) in enumerate(all_pairs(key)):
        first = pair.sides[0].steps[0]
        if first is not table:
            table, taken = first, 0
        if taken < OF_ONE and number % 3 == 0 and published(pair.sides[0].state):
            taken += 1
            yield options, pair


@pytest.mark.parametrize("key", LISTINGS)
async def test_no_answer_tells_what_its_viewer_may_not_know(
    app: FastAPI, sessions: Sessions, key: str
) -> None:
    told = compared = 0
    stage, table = None, None
    async with AsyncExitStack() as stack:
        for chosen in some_pairs(key):
            _, pair = chosen
            if stage is None or pair.sides[0].steps[0] is not table:
                table = pair.sides[0].steps[0]
                stage = await staged(app, sessions, stack, key, chosen)
            app.state.limiter.forget()
            answers = []
            for number in (0, 1):
                await stage.put(pair, number)
                answers.append(await stage.shown(pair))
            for address, answer in answers[0].items():
                assert answers[1][address] == answer, (pair.kind, pair.viewer, address)
            compared += len(answers[0])
            told += sum(answer.startswith("200") for answer in answers[0].values())
            if compared >= PAIRS * (len(PAGES) + len(FRAGMENTS) + len(REFUSED)):
                break
    # Most of it was there to be seen.
    assert told > compared / 2
