"""Bad values in every field of every form, request, query and address.

    BADINPUT_CASES=all .venv/bin/python -m pytest -s -q tests/badinput/test_values.py

tries each value of values.json in each field there is (`make test`: some of
them).  Whatever comes back is no failure of ours, and what was refused has
changed nothing.
"""

import json
import os
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

import pytest
from httpx import Response

from app.db.session import Sessions
from tests.api import routes as api_routes
from tests.badinput.corpus import Value, fingerprint, values
from tests.support.browser import Browser, serving
from tests.support.world import World, make_world
from tests.web import routes as web_routes

pytestmark = pytest.mark.anyio

CASES = os.environ.get("BADINPUT_CASES", "100")
# With these the world would be another one for all that come after.
ENDINGS = {
    "/matches/{match_id}/resign",
    "matches.resign",
    "account.delete",
    "account.logout",
    "account.signup",
    "account.login",
}
# What names things in an address.
NAMES = ("table", "started", "match", "invite", "code", "watch", "device", "session", "api_token")

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Case:
    """One request that is in order but for one value."""

    method: str
    path: str
    where: str
    value: Value
    body: bytes | None = None
    form: str | None = None


def chosen(cases: Sequence[T]) -> list[T]:
    """Return all of them, or some: always the same."""
    if CASES == "all":
        return list(cases)
    return random.Random(1).sample(cases, min(int(CASES), len(cases)))


def api_cases(world: World) -> list[Case]:
    """Return each field of each operation with each value."""
    cases = []
    for row in api_routes.ROWS:
        if row.route in ENDINGS:
            continue
        body = {
            name: world.path(value) if isinstance(value, str) else value
            for name, value in (row.body or {}).items()
        }
        for field in body:
            for value in values():
                rest = {name: one for name, one in body.items() if name != field}
                text = json.dumps(rest)
                if value.json is not None:
                    begin = text[:-1] + (", " if rest else "")
                    text = f"{begin}{json.dumps(field)}: {value.json}}}"
                where = f"{row.method} {row.route} {field}"
                sent = text.encode()
                cases.append(Case(row.method, f"/api{world.path(row.path)}", where, value, sent))
        cases += [
            Case(row.method, f"/api{path}", f"{row.method} {row.route} address", value, b"{}")
            for path, value in addresses(row.path, world)
        ]
    return cases


def web_cases(world: World) -> list[Case]:
    """Return each field of each form, and of each query, with each value."""
    cases = []
    for row in web_routes.ROWS:
        if row.name in ENDINGS:
            continue
        path = world.path(row.path)
        form = {name: world.path(value) for name, value in row.form.items()}
        for field in form:
            for value in values():
                fields = {name: one for name, one in form.items() if name != field}
                if value.form is not None:
                    fields[field] = value.form
                sent = encoded(fields)
                cases.append(Case(row.method, path, f"{row.name} {field}", value, form=sent))
        query = dict(parse_qsl(urlsplit(path).query))
        for field in query:
            for value in values():
                if value.form is not None and len(value.form) < 4000:
                    asked = encoded({**query, field: value.form})
                    there = f"{urlsplit(path).path}?{asked}"
                    cases.append(Case(row.method, there, f"{row.name} ?{field}", value))
        cases += [
            Case(row.method, path, f"{row.name} address", value, form="")
            for path, value in addresses(row.path, world)
        ]
    return cases


def encoded(fields: dict[str, str]) -> str:
    return urlencode({k: v.encode("utf-8", "surrogatepass") for k, v in fields.items()})


def addresses(path: str, world: World) -> list[tuple[str, Value]]:
    """Return the address with each value in place of each name."""
    found = []
    for name in NAMES:
        if f"{{{name}}}" not in path:
            continue
        for value in values():
            if value.form is None or not 0 < len(value.form) < 2000:
                continue
            strange = quote(value.form.encode("utf-8", "surrogatepass"), safe="")
            found.append((path.replace(f"{{{name}}}", strange), value))
    return [(there.format(**world.names), value) for there, value in found if "{{" not in there]


class Referee:
    """Says of each answer whether it may be."""

    def __init__(self, sessions: Sessions) -> None:
        self.sessions = sessions
        self.statuses: Counter[int] = Counter()
        self.before = ""

    async def look(self) -> None:
        """See how things stand."""
        async with self.sessions.begin() as session:
            self.before = await fingerprint(session)

    async def judge(self, case: Case, answer: Response) -> None:
        """Fail unless the answer may be."""
        said = f"{case.where}: {case.value.name} {str(case.value.json)[:60]!r}"
        self.statuses[answer.status_code] += 1
        down = answer.status_code == 503 and case.where.startswith("health")
        assert answer.status_code < 500 or down, f"{said}: {answer.status_code} {answer.text[:300]}"
        assert "Traceback" not in answer.text, said
        kind = answer.headers.get("Content-Type", "")
        if answer.status_code >= 400 and case.path.startswith("/api"):
            assert kind == "application/problem+json", said
        wrong = case.value.refused and not (case.form and case.value.text_in_forms)
        if wrong and (case.body not in {None, b"{}"} or case.form):
            assert answer.status_code >= 400 or answer.status_code == 303, said
        if answer.status_code >= 400 or case.method == "GET":
            before = self.before
            await self.look()
            assert self.before == before, f"{said}: {answer.status_code}, and something changed"
        else:
            await self.look()


async def test_bad_values_in_requests_are_refused_or_harmless(
    sessions: Sessions, database_url: str
) -> None:
    async with serving(database_url) as app:
        world = await make_world(sessions)
        referee = Referee(sessions)
        await referee.look()
        headers = {
            "Authorization": f"Bearer {world.tokens['player']}",
            "Content-Type": "application/json",
        }
        cases = chosen(api_cases(world))
        for number, case in enumerate(cases):
            async with Browser(app, address=f"198.51.100.{number % 250}") as client:
                answer = await client.request(
                    case.method, case.path, content=case.body, headers=headers
                )
            await referee.judge(case, answer)
    print(f"\n{len(cases)} requests: {sorted(referee.statuses.items())}")  # noqa: T201 - the figures are what it is run for
    assert referee.statuses[429] < len(cases) / 10


async def test_bad_values_in_forms_are_refused_or_harmless(
    sessions: Sessions, database_url: str
) -> None:
    async with serving(database_url) as app:
        world = await make_world(sessions)
        referee = Referee(sessions)
        await referee.look()
        headers = {
            "Sec-Fetch-Site": "same-origin",
            "Content-Type": "application/x-www-form-urlencoded",
        }
        cases = chosen(web_cases(world))
        for number, case in enumerate(cases):
            async with Browser(app, address=f"198.51.100.{number % 250}") as browser:
                browser.cookies.set(app.state.cookies.session, world.cookies["player"])
                answer = await browser.request(
                    case.method, case.path, content=case.form, headers=headers
                )
            await referee.judge(case, answer)
    print(f"\n{len(cases)} forms and pages: {sorted(referee.statuses.items())}")  # noqa: T201 - as above
    assert referee.statuses[429] < len(cases) / 10
