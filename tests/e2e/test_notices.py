"""The page of one's notices in a browser: with and without scripts, for fingers, for everybody."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.axe import BOTH, violations
from tests.e2e.players import DESK, PHONE
from tests.e2e.server import running
from tests.support.services import TOPIC, TOPIC_TOKEN, Services, services
from tests.support.smtp import Mailbox, mail_thread

SMALLEST = 44
# Where to leave pictures, for whoever wants to look at them.
PICTURES = os.environ.get("PICTURES")


@pytest.fixture(scope="module")
def box() -> Iterator[Mailbox]:
    with mail_thread() as box:
        yield box


@pytest.fixture(scope="module")
def peer() -> Iterator[Services]:
    with services() as peer:
        yield peer


@pytest.fixture(scope="module")
def url(box: Mailbox, peer: Services) -> Iterator[str]:
    with TemporaryDirectory(prefix="placa-e2e-") as folder:
        Path(folder).chmod(0o755)
        settings = {
            "SMTP_URL": f"smtp://127.0.0.1:{box.port}?security=none",
            "MAIL_FROM": "play@plaza.test",
            "PLACA_NOTIFY_CHANNELS": "discord,ntfy,matrix,telegram,webhook",
            "PLACA_NOTIFY_ALLOW": f"127.0.0.1:{peer.port}",
        }
        with running(Path(folder), **settings) as server:
            yield server.url


def code_in(box: Mailbox, page: Page, already: int) -> str:
    """Wait for the next letter, and return the code in its subject."""
    for _ in range(200):
        if len(box.letters) > already:
            return "".join(re.findall(r"\d", str(box.letters[-1]["Subject"])))
        page.wait_for_timeout(200)
    raise AssertionError("no code was mailed")


def picture(page: Page, name: str) -> None:
    for theme in BOTH if PICTURES else ():
        page.emulate_media(color_scheme=theme)
        page.screenshot(path=f"{PICTURES}/{name}-{theme}.png", full_page=True)


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
def test_an_address_is_given_proven_and_tried(
    chromium: Browser, url: str, box: Mailbox, scripts: bool
) -> None:
    context = chromium.new_context(**{**DESK, "java_script_enabled": scripts, "locale": "en"})  # type: ignore[arg-type]  # playwright's own keywords
    page = context.new_page()
    page.goto(url)
    page.get_by_role("button", name=re.compile("Play now against bots")).click()
    page.wait_for_url(re.compile("/matches/"))
    page.goto(f"{url}/account/notices")
    before = len(box.letters)
    page.get_by_label("Where to write to you").fill("anna@example.org")
    page.get_by_role("button", name="Send me a code").click()
    page.get_by_label("Code", exact=True).fill("000 000")
    page.get_by_role("button", name="That is me").click()
    expect(page.get_by_role("alert")).to_contain_text("not the code")
    page.get_by_label("Code", exact=True).fill(code_in(box, page, before))
    page.get_by_role("button", name="That is me").click()
    expect(page.get_by_text("anna@example.org")).to_be_visible()
    page.get_by_text("Once a day", exact=True).click()
    page.get_by_label("Once a day: at").fill("19:30")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_label("Once a day: at")).to_have_value("19:30")
    expect(page.get_by_role("radio", name=re.compile("Once a day"))).to_be_checked()

    context.close()


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
def test_a_channel_is_pasted_and_tried_by_keyboard(
    chromium: Browser, url: str, peer: Services, scripts: bool
) -> None:
    context = chromium.new_context(**{**DESK, "java_script_enabled": scripts, "locale": "en"})  # type: ignore[arg-type]  # playwright's own keywords
    page = context.new_page()
    page.goto(url)
    page.get_by_role("button", name=re.compile("Play now against bots")).click()
    page.wait_for_url(re.compile("/matches/"))
    page.goto(f"{url}/account/notices")
    before = len(peer.got)
    page.get_by_text("Add ntfy", exact=True).focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.type(f"{peer.url}/{TOPIC}")
    page.keyboard.press("Tab")
    page.keyboard.type(TOPIC_TOKEN)
    page.keyboard.press("Enter")
    expect(page.get_by_text("127.0.0.1 …lls", exact=True)).to_be_visible()
    assert TOPIC not in page.content()
    page.get_by_role("button", name=re.compile("Send a test.*lls")).press("Enter")
    for _ in range(200):
        if len(peer.got) > before:
            break
        page.wait_for_timeout(200)
    context.close()

    assert "A test from Plaça" in str(peer.got[-1].body)


@pytest.mark.parametrize("device", [DESK, PHONE], ids=["desk", "phone"])
def test_it_is_for_everybody_and_for_fingers(
    chromium: Browser, url: str, box: Mailbox, peer: Services, device: dict[str, Any]
) -> None:
    context = chromium.new_context(**{**device, "locale": "en"})
    page = context.new_page()
    page.goto(url)
    page.get_by_role("button", name=re.compile("Play now against bots")).click()
    page.wait_for_url(re.compile("/matches/"))
    page.goto(f"{url}/account/notices")
    faults = violations(page)
    name = f"{device['viewport']['width']}"
    picture(page, f"notices-{name}")
    before = len(box.letters)
    page.get_by_label("Where to write to you").fill("anna@example.org")
    page.get_by_role("button", name="Send me a code").click()
    faults += violations(page)
    picture(page, f"notices-code-{name}")
    page.get_by_label("Code", exact=True).fill(code_in(box, page, before))
    page.get_by_role("button", name="That is me").click()
    box.rcpt = "550 5.1.1 nobody of this name here"
    page.get_by_role("button", name="Send a test").click()
    for _ in range(100):
        page.goto(f"{url}/account/notices")
        if page.get_by_text("It is mended").count():
            break
        page.wait_for_timeout(300)
    box.rcpt = ""
    faults += violations(page)
    picture(page, f"notices-refused-{name}")
    for kind, address in (
        ("ntfy", f"{peer.url}/{TOPIC}"),
        ("Webhook", f"{peer.url}/hooks/that-nobody-answers"),
    ):
        page.get_by_text(f"Add {kind}", exact=True).click()
        adding = page.locator("details[open]")
        adding.get_by_label(re.compile("^Address")).fill(address)
        adding.get_by_role("button", name="Keep it").click()
    page.get_by_role("button", name=re.compile("Send a test.*wers")).click()
    for _ in range(100):
        page.goto(f"{url}/account/notices")
        if page.get_by_text("it is gone").count():
            break
        page.wait_for_timeout(300)
    for kind in ("Discord", "Matrix", "Telegram"):
        page.get_by_text(f"Add {kind}", exact=True).click()
    faults += violations(page)
    picture(page, f"notices-channels-{name}")
    page.goto(f"{url}/account")
    faults += violations(page)
    picture(page, f"account-{name}")
    page.goto(f"{url}/account/notices")
    for kind in ("Discord", "ntfy", "Matrix", "Telegram", "Webhook"):
        page.get_by_text(f"Add {kind}", exact=True).click()
    small = page.evaluate(
        """least => [...document.querySelectorAll(
             'main button, main input:not([type=hidden]), main select, main summary, ' +
             'main label.option')]
           .filter(one => one.checkVisibility())
           .filter(one => !one.closest('label.option') || one.matches('label.option'))
           .filter(one => one.getBoundingClientRect().height < least)
           .map(one => one.outerHTML.slice(0, 80))""",
        SMALLEST,
    )
    wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    context.close()

    assert faults == []
    assert small == []
    assert not wide
