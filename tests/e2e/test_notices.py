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
from tests.support.smtp import Mailbox, mail_thread

SMALLEST = 44
# Where to leave pictures, for whoever wants to look at them.
PICTURES = os.environ.get("PICTURES")


@pytest.fixture(scope="module")
def box() -> Iterator[Mailbox]:
    with mail_thread() as box:
        yield box


@pytest.fixture(scope="module")
def url(box: Mailbox) -> Iterator[str]:
    with TemporaryDirectory(prefix="placa-e2e-") as folder:
        Path(folder).chmod(0o755)
        smtp = f"smtp://127.0.0.1:{box.port}?security=none"
        with running(Path(folder), SMTP_URL=smtp, MAIL_FROM="play@plaza.test") as server:
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


@pytest.mark.parametrize("device", [DESK, PHONE], ids=["desk", "phone"])
def test_it_is_for_everybody_and_for_fingers(
    chromium: Browser, url: str, box: Mailbox, device: dict[str, Any]
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
    page.goto(f"{url}/account")
    faults += violations(page)
    picture(page, f"account-{name}")
    page.goto(f"{url}/account/notices")
    small = page.evaluate(
        """least => [...document.querySelectorAll(
             'main button, main input:not([type=hidden]), main select, main label.option')]
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
