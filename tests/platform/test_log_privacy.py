"""A server's JSON log, as its own process writes it: every line parses, and none tells secrets."""

import json
import re
from html import unescape
from pathlib import Path
from urllib.parse import parse_qs, quote_plus, urlsplit

import httpx
import pytest

from app.clock import SYSTEM_CLOCK
from app.ids import new_token
from tests.support.issuer import CLIENT, SECRET, issuing
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
    says = {"sub": "sentinel-subject", "email": "roser@example.org", "groups": ["sentinel-group"]}
    with (
        issuing(SYSTEM_CLOCK.now, says=says) as issuer,
        web_process(
            database_url,
            tmp_path,
            port,
            **environment,
            OIDC_ISSUER=issuer.address,
            OIDC_CLIENT_ID=CLIENT,
            OIDC_CLIENT_SECRET=SECRET,
        ) as log,
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
        for _ in range(2):
            # The second time with a token that is refused.
            secrets += sign_in_at_the_issuer(browser)
            issuer.says["nonce"] = "sentinel-nonce"
        secrets += [*issuer.given, SECRET, quote_plus(SECRET)]
    written = log.read_text()
    lines = [json.loads(line) for line in written.splitlines()]

    events = {line["event"] for line in lines}
    assert {"login.failed", "csrf.refused", "session.started", "oidc.refused"} <= events
    failed = next(line for line in lines if line["event"] == "login.failed")
    assert re.fullmatch(r"network-[0-9a-f]{8}", failed["network"])
    assert len(cookies) >= 1
    assert len(tokens) >= 1
    for secret in (*secrets, *cookies, *tokens, PASSWORD, "sentinel", "203.0.113.77"):
        assert secret not in written
    assert "roser@example.org" not in written
    assert all("timestamp" in line and "level" in line for line in lines)


def sign_in_at_the_issuer(browser: httpx.Client) -> list[str]:
    """Go there and back; return every secret that travelled with the browser."""
    page = browser.post("/login/oidc", data={}).text
    found = re.search(r'content="0;url=([^"]+)"', page)
    assert found is not None
    there = unescape(found[1])
    back = httpx.get(there).headers["Location"]
    assert browser.get(back).status_code in {303, 403, 409}
    sent, returned = (parse_qs(urlsplit(address).query) for address in (there, back))
    return [sent[name][0] for name in ("state", "nonce", "code_challenge")] + returned["code"]
