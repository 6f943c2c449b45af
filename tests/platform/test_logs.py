"""Logs: readable by programs, free of secrets."""

import json
import logging
from collections.abc import Iterator

import pytest
import structlog

from app.logs import HIDDEN, configure_logging, redact


def fail(message: str) -> None:
    raise ValueError(message)


@pytest.fixture
def _restored() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers, root.level
    yield
    root.handlers = handlers
    root.setLevel(level)
    structlog.reset_defaults()


@pytest.mark.usefixtures("_restored")
def test_every_line_is_json_whoever_writes_it(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging(log_format="json")
    structlog.get_logger("ours").info("match.started", match=7)
    logging.getLogger("theirs").warning("it is %s", "late")
    try:
        fail("broken\nin two lines")
    except ValueError:
        structlog.get_logger("ours").exception("match.failed")

    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]

    assert [line["event"] for line in lines] == ["match.started", "it is late", "match.failed"]
    assert lines[0]["match"] == 7
    assert "broken" in lines[2]["exception"]


@pytest.mark.usefixtures("_restored")
@pytest.mark.parametrize("log_format", ["json", "text"])
def test_no_secret_reaches_a_line(capsys: pytest.CaptureFixture[str], log_format: str) -> None:
    configure_logging(log_format=log_format)
    log = structlog.get_logger("ours")
    log.info("person.seen", session_token="sentinel-1", Cookie="sentinel-2")
    log.info("request", path="/i/sentinel-3", other="/device/sentinel-4?x=1")
    log.warning("database", error="cannot reach postgresql://placa:sentinel-5@db/placa")
    try:
        fail("GET /w/sentinel-6 failed")
    except ValueError:
        log.exception("request.failed")

    written = capsys.readouterr().err

    assert "sentinel" not in written
    assert written.count(HIDDEN) >= 6


def test_ordinary_addresses_stay_readable() -> None:
    assert redact("/matches/7/board?since=3") == "/matches/7/board?since=3"
    assert redact("https://play.example.org/about") == "https://play.example.org/about"
