"""Signing in at an issuer in a browser: there and back, new, connected, refused; for everybody."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from playwright.sync_api import Browser, Page, expect

from app.clock import SYSTEM_CLOCK
from tests.e2e.axe import BOTH, violations
from tests.e2e.players import DESK, PHONE
from tests.e2e.server import running
from tests.support.issuer import CLIENT, SECRET, FakeIssuer, issuing

SMALLEST = 44
# Where to leave pictures, for whoever wants to look at them.
PICTURES = os.environ.get("PICTURES")
PASSWORD = "quatre de nou amb folre"


@pytest.fixture(scope="module")
def issuer() -> Iterator[FakeIssuer]:
    with issuing(SYSTEM_CLOCK.now) as issuer:
        yield issuer


@pytest.fixture(scope="module")
def url(issuer: FakeIssuer) -> Iterator[str]:
    with TemporaryDirectory(prefix="placa-e2e-") as folder:
        Path(folder).chmod(0o755)
        settings = {
            "OIDC_ISSUER": issuer.address,
            "OIDC_CLIENT_ID": CLIENT,
            "OIDC_CLIENT_SECRET": SECRET,
            "PLACA_OIDC_NAME": "Amics",
        }
        with running(Path(folder), **settings) as server:
            yield server.url


def picture(page: Page, name: str) -> None:
    for theme in BOTH if PICTURES else ():
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        size = page.evaluate("`${innerWidth}x${innerHeight}`")
        page.screenshot(path=f"{PICTURES}/oidc-{name}-{size}-{theme}.png", full_page=True)
    page.emulate_media(color_scheme="light")


def is_fit(page: Page, name: str) -> None:
    """Nothing is against axe, nothing is too small for a finger, nothing sticks out."""
    picture(page, name)
    assert violations(page) == []
    small = page.eval_on_selector_all(
        "main :is(button, .button, .input, a)",
        f"""all => all.filter(one => one.checkVisibility()
              && one.getBoundingClientRect().height < {SMALLEST}).map(one => one.outerHTML)""",
    )
    assert small == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("device", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "plain"])
def test_there_and_back(
    chromium: Browser, url: str, issuer: FakeIssuer, device: dict[str, object], scripts: bool
) -> None:
    issuer.says = {"sub": f"{scripts}{device is DESK}", "preferred_username": "roser"}
    context = chromium.new_context(base_url=url, java_script_enabled=scripts, **device)  # type: ignore[arg-type] # playwright's own keywords
    page = context.new_page()
    page.goto("/login?next=/rules")
    if scripts:
        is_fit(page, "login")
    page.get_by_role("button", name="Sign in with Amics").click()
    page.wait_for_url(re.compile("/login/oidc/new"))
    expect(page.get_by_label("Name")).to_have_value(re.compile("^roser( [0-9]+)?$"))
    if scripts:
        is_fit(page, "new")
    page.get_by_role("button", name="Make the account").click()
    page.wait_for_url(re.compile("/rules$"))
    page.goto("/account")
    expect(page.get_by_text("Amics has signed you in since")).to_be_visible()
    if scripts:
        is_fit(page, "account")
    page.get_by_role("button", name="Sign out here").click()
    issuer.refuses = "access_denied"
    page.goto("/login?next=/rules")
    page.get_by_role("button", name="Sign in with Amics").click()
    expect(page.get_by_text("oidc.refused")).to_be_visible()
    if scripts:
        is_fit(page, "refused")
    issuer.refuses = ""
    page.get_by_role("button", name="Try again").click()
    page.wait_for_url(re.compile("/rules$"))
    context.close()


def test_an_account_is_connected_by_a_click(
    chromium: Browser, url: str, issuer: FakeIssuer
) -> None:
    issuer.says = {"sub": "Anna's"}
    context = chromium.new_context(base_url=url, **DESK)  # type: ignore[arg-type] # as above
    page = context.new_page()
    page.goto("/signup?next=/account")
    page.get_by_label("Name").fill("Anna")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Make the account").click()
    page.wait_for_url(re.compile("/account"))
    page.get_by_role("button", name="Connect with Amics").click()
    expect(page.get_by_text("Amics has signed you in since")).to_be_visible()
    page.get_by_role("button", name="Disconnect").click()
    expect(page.get_by_role("button", name="Connect with Amics")).to_be_visible()
    context.close()
