"""A server's JSON log, as its own process writes it: every line parses, and none tells secrets."""

import json
import re
from pathlib import Path

import httpx
import pytest

from app.ids import new_token
from tests.support.web import free_port, web_process

PASSWORD = "sentinel-password-of-roser"


@pytest.mark.parametrize("level", ["info", "debug"])
def test_no_token_password_mail_or_network_reaches_the_log(
    database_url: str, tmp_path: Path, level: str
) -> None:
    port = free_port()
    here = f"http://127.0.0.1:{port}"
    secrets = [new_token() for _ in range(4)]
    environment = {"LOG_FORMAT": "json", "PLACA_LOG_LEVEL": level, "PUBLIC_URL": here}
    with (
        web_process(database_url, tmp_path, port, **environment) as log,
        httpx.Client(base_url=here, headers={"Origin": here}, timeout=60) as browser,
    ):
        form = {"name": "Roser", "password": PASSWORD, "next": ""}
        assert browser.post("/signup", data=form).status_code == 303
        cookies = list(browser.cookies.values())
        api = browser.post("/account/tokens", data={"label": "sentinel-label"})
        link = browser.post("/account/device-link", data={})
        tokens = re.findall(r'value="([\w-]{43})"', api.text + link.text)
        wrong = {"name": "Roser", "password": "sentinel-wrong", "next": ""}
        httpx.post(
            f"{here}/login",
            data=wrong,
            headers={"Origin": here, "X-Forwarded-For": "203.0.113.77"},
            timeout=60,
        )
        for path, token in zip(("/i/", "/w/", "/device/", "/join/"), secrets, strict=True):
            browser.get(path + token)
        browser.get("/matches/roser@example.org?mail=roser@example.org")
        browser.post("/preferences", data={"theme": "dark"}, headers={"Origin": "http://evil.test"})
        browser.get("/api/matches", headers={"Authorization": f"Bearer {secrets[0]}"})
        browser.post("/i/" + secrets[0], content=b"\xff" * 100)
    written = log.read_text()
    lines = [json.loads(line) for line in written.splitlines()]

    events = {line["event"] for line in lines}
    assert {"login.failed", "csrf.refused", "session.started"} <= events
    failed = next(line for line in lines if line["event"] == "login.failed")
    assert re.fullmatch(r"network-[0-9a-f]{8}", failed["network"])
    assert len(cookies) >= 1
    assert len(tokens) >= 1
    for secret in (*secrets, *cookies, *tokens, PASSWORD, "sentinel", "203.0.113.77"):
        assert secret not in written
    assert "roser@example.org" not in written
    assert all("timestamp" in line and "level" in line for line in lines)
