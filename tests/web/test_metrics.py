"""/metrics: for whoever shows the token, with figures and without names."""

import re

import pytest
from sqlalchemy import text

from app.db.session import Sessions
from tests.support.browser import Browser, serving
from tests.support.people import Gathering

pytestmark = pytest.mark.anyio

TOKEN = "a token for a Prometheus"
LINE = re.compile(r'^(# (HELP|TYPE) .+|placa_[a-z_]+(\{[a-z]+="[^"]*"\})? [0-9.e+-]+)$')


def shown(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


async def test_without_a_token_set_there_is_nothing(database_url: str) -> None:
    async with serving(database_url) as app, Browser(app) as browser:
        answers = [
            await browser.get("/metrics"),
            await browser.get("/metrics", headers=shown("")),
            await browser.get("/metrics", headers=shown("None")),
        ]

    assert [answer.status_code for answer in answers] == [404, 404, 404]


@pytest.mark.parametrize("wrong", ["", "wrong", TOKEN[:-1], "tökèn"])
async def test_a_wrong_token_finds_nothing(database_url: str, wrong: str) -> None:
    async with serving(database_url, metrics_token=TOKEN) as app, Browser(app) as browser:
        headers = {"Authorization": f"Bearer {wrong}".encode()}
        assert (await browser.get("/metrics", headers=headers)).status_code == 404  # type: ignore[arg-type]  # bytes reach it as they are


async def test_figures_say_how_the_server_stands(sessions: Sessions, database_url: str) -> None:
    table = await Gathering.of(sessions, seats=2)
    await table.joined("Blai")
    match_id = await table.start()
    async with sessions.begin() as session:
        await session.execute(text("delete from procrastinate_jobs"))
        await session.execute(
            text(
                "insert into procrastinate_jobs (task_name, queue_name, args)"
                " values ('a', 'default', '{}')"
            )
        )
        await session.execute(text("update procrastinate_events set at = now() - interval '90 s'"))
        await session.execute(
            text(
                "insert into procrastinate_workers (last_heartbeat) values (now() - interval '9 s')"
            )
        )
    async with serving(database_url, metrics_token=TOKEN) as app, Browser(app) as browser:
        await browser.get("/about")
        await browser.get("/nowhere")
        page = (await browser.get("/metrics", headers=shown(TOKEN))).text

    figures = dict(line.rsplit(" ", 1) for line in page.splitlines() if not line.startswith("#"))
    assert all(LINE.match(line) for line in page.splitlines())
    assert float(figures["placa_matches_running"]) == 1
    assert float(figures["placa_jobs_due"]) == 1
    assert 89 < float(figures["placa_job_age_seconds"]) < 200
    assert float(figures["placa_worker_silent_seconds"]) >= 9
    assert float(figures["placa_database_up"]) == 1
    assert float(figures['placa_answers_total{status="2xx"}']) == 1
    assert float(figures['placa_answers_total{status="4xx"}']) == 1
    assert float(figures["placa_answer_seconds_count"]) == 2
    assert str(match_id) not in page
    assert "Blai" not in page


async def test_a_database_that_is_away_is_a_figure() -> None:
    away = "postgresql://placa@127.0.0.1:1/placa"
    async with serving(away, metrics_token=TOKEN) as app, Browser(app) as browser:
        answer = await browser.get("/metrics", headers=shown(TOKEN))

    assert answer.status_code == 200
    assert "placa_database_up 0.0" in answer.text
    assert "placa_matches_running" not in answer.text
