"""Notices in a real browser: subscribed on the page, sealed by the server, shown by the worker.

No push service can be reached from here: at the edge of the browser, where it would ask one for
a subscription, stands one with a key pair of its own.  Everything else is the browser's.
"""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlsplit

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.e2e.axe import BOTH, violations
from tests.e2e.players import DESK, PHONE
from tests.e2e.server import Server, running
from tests.e2e.watch import Watch
from tests.support.push import Push, PushService, Subscriber, decoded, push_service

PICTURES = os.environ.get("PICTURES")
NAME = "subscribed-by-this-very-browser"
BUTTON = "Tell me in this browser"

_EDGE = """
const base64 = (raw) => btoa(String.fromCharCode(...new Uint8Array(raw)))
  .replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
const kept = () => JSON.parse(localStorage.getItem("edge"));
const made = () => kept() && {
  toJSON: () => kept().told,
  unsubscribe: async () => { localStorage.removeItem("edge"); return true; },
};
PushManager.prototype.getSubscription = async () => made();
PushManager.prototype.subscribe = async (options) => {
  if (!options.userVisibleOnly) throw new DOMException("silent", "NotAllowedError");
  const curve = { name: "ECDH", namedCurve: "P-256" };
  const pair = await crypto.subtle.generateKey(curve, true, ["deriveBits"]);
  const auth = crypto.getRandomValues(new Uint8Array(16));
  const point = await crypto.subtle.exportKey("raw", pair.publicKey);
  const keys = { p256dh: base64(point), auth: base64(auth) };
  const edge = {
    told: { endpoint: "ENDPOINT", expirationTime: null, keys },
    key: (await crypto.subtle.exportKey("jwk", pair.privateKey)).d,
    only: options.applicationServerKey,
  };
  localStorage.setItem("edge", JSON.stringify(edge));
  return made();
};
"""


@pytest.fixture(scope="module")
def service() -> Iterator[PushService]:
    with push_service() as service:
        yield service
    assert service.faults == []


@pytest.fixture(scope="module")
def place(service: PushService) -> Iterator[Server]:
    with TemporaryDirectory(prefix="placa-e2e-") as folder:
        Path(folder).chmod(0o755)
        allow = {"PLACA_NOTIFY_ALLOW": ",".join(service.allow)}
        with running(Path(folder), **allow) as server:
            yield server


@pytest.fixture
def watching(place: Server) -> Iterator[Watch]:
    watching = Watch(place.url)
    yield watching
    assert watching.faults == []


def device(
    chromium: Browser, place: Server, service: PushService, watching: Watch, **options: Any
) -> BrowserContext:
    """Return a fresh device whose browser may show notices."""
    context = chromium.new_context(base_url=place.url, locale="en", **options)
    context.grant_permissions(["notifications"])
    context.add_init_script(_EDGE.replace("ENDPOINT", f"{service.url}/push/{NAME}"))
    watching.over(context)
    return context


def at_notices(context: BrowserContext) -> Page:
    page = context.new_page()
    page.goto("/")
    page.get_by_role("button", name=re.compile("Play now against bots")).click()
    page.wait_for_url(re.compile("/matches/"))
    page.goto("/account/notices")
    return page


def subscribe(page: Page, service: PushService) -> None:
    """Press the button, and let the service know what the browser has made."""
    page.get_by_role("button", name=BUTTON).press("Enter")
    expect(page.get_by_text("On: you are told in this browser")).to_be_visible()
    edge = json.loads(page.evaluate("localStorage.getItem('edge')"))
    key = ec.derive_private_key(int.from_bytes(decoded(edge["key"]), "big"), ec.SECP256R1())
    auth = decoded(edge["told"]["keys"]["auth"])
    service.subscribers[NAME] = Subscriber(edge["only"], key, auth, NAME)


def tried(page: Page, service: PushService) -> Push:
    """Have a test sent, and return what has come of it."""
    before = len(service.got)
    page.get_by_role("button", name=re.compile("Send a test")).press("Enter")
    for _ in range(200):
        if len(service.got) > before:
            return service.got[-1]
        page.wait_for_timeout(200)
    page.reload()
    raise AssertionError(f"{service.faults}, {page.locator('main').inner_text()}")


def deliver(page: Page, data: str) -> list[dict[str, str]]:
    """Let the push service's message arrive in the worker; return what the browser shows."""
    session = page.context.new_cdp_session(page)
    found: list[str] = []
    session.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda told: found.extend(one["registrationId"] for one in told["registrations"]),
    )
    session.send("ServiceWorker.enable")
    for _ in range(100):
        if found:
            break
        page.wait_for_timeout(100)
    parts = urlsplit(page.url)
    origin = f"{parts.scheme}://{parts.netloc}"
    session.send(
        "ServiceWorker.deliverPushMessage",
        {"origin": origin, "registrationId": found[-1], "data": data},
    )
    page.wait_for_timeout(1_000)
    shown: list[dict[str, str]] = page.evaluate(
        """async () => (await (await navigator.serviceWorker.ready).getNotifications())
             .map(({ title, body, tag, data }) => ({ title, body, tag, link: data.link }))"""
    )
    session.detach()
    return shown


def picture(page: Page, name: str) -> None:
    for theme in BOTH if PICTURES else ():
        page.emulate_media(color_scheme=theme)
        page.get_by_role("heading", name="Other channels").scroll_into_view_if_needed()
        page.screenshot(path=f"{PICTURES}/{name}-{theme}.png", full_page=True)


def test_a_notice_is_subscribed_to_sealed_sent_and_shown(
    chromium: Browser, place: Server, service: PushService, watching: Watch
) -> None:
    context = device(chromium, place, service, watching, **DESK)
    page = at_notices(context)
    subscribe(page, service)
    sent = tried(page, service)
    shown = deliver(page, json.dumps(sent.told))
    newer = deliver(page, json.dumps(sent.told | {"body": "newer"}))
    strange = deliver(page, "no JSON at all")
    page.reload()
    expect(page.get_by_text("On: you are told in this browser")).to_be_visible()
    page.get_by_role("button", name=re.compile("Forget it")).press("Enter")
    expect(page.get_by_role("button", name=BUTTON)).to_be_visible()
    page.wait_for_function("localStorage.getItem('edge') === null")
    context.close()

    assert sent.told["title"] == "A test from Plaça"
    assert shown == [sent.told]
    # The later one has taken the place of the first.
    assert newer == [sent.told | {"body": "newer"}]
    assert sorted(one["title"] for one in strange) == ["A test from Plaça", "Plaça"]


def test_a_subscription_that_the_browser_replaces_is_told_to_the_server_by_the_worker(
    chromium: Browser, place: Server, service: PushService, watching: Watch
) -> None:
    context = device(chromium, place, service, watching, **DESK)
    page = at_notices(context)
    subscribe(page, service)
    only = service.subscribers[NAME].only
    fresh = service.subscribe(only)
    form = fresh.form(service.url)
    told = {"endpoint": form.pop("endpoint"), "keys": form}
    worker = context.service_workers[0]
    worker.evaluate("(told) => renew({ toJSON: () => told })", told)
    sent = tried(page, service)
    lines = page.get_by_role("button", name=re.compile("Forget it")).count()
    context.close()

    assert sent.name == fresh.name
    assert lines == 1


def test_a_notice_that_is_clicked_leads_to_our_pages_alone(
    chromium: Browser, place: Server, service: PushService, watching: Watch
) -> None:
    context = device(chromium, place, service, watching, **DESK)
    page = at_notices(context)
    subscribe(page, service)
    worker = context.service_workers[0]
    links = [
        "",
        "/matches",
        f"{place.url}/matches/1",
        "https://evil.test/",
        "javascript:alert(1)",
        "//evil.test",
    ]
    led = worker.evaluate("(links) => links.map(address)", links)
    context.close()

    here = f"{place.url}/"
    assert led == [f"{here}matches", f"{here}matches", f"{here}matches/1", here, here, here]


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_every_state_is_told_in_words_and_passes_axe(
    chromium: Browser, place: Server, service: PushService, watching: Watch, size: dict[str, Any]
) -> None:
    context = device(chromium, place, service, watching, **size)
    page = at_notices(context)
    width = size["viewport"]["width"]
    expect(page.get_by_role("button", name=BUTTON)).to_be_visible()
    faults = violations(page)
    picture(page, f"browser-off-{width}")
    subscribe(page, service)
    faults += violations(page)
    picture(page, f"browser-on-{width}")
    page.evaluate("localStorage.removeItem('edge')")
    page.reload()
    expect(page.get_by_text("Notices do not arrive in this browser")).to_be_visible()
    expect(page.get_by_role("button", name=BUTTON)).to_be_visible()
    faults += violations(page)
    picture(page, f"browser-lost-{width}")
    page.evaluate("() => { PushManager.prototype.subscribe = () => Promise.reject('away'); }")
    page.get_by_role("button", name=BUTTON).press("Enter")
    expect(page.get_by_text("could not arrange it")).to_be_visible()
    wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    small = page.evaluate(
        "document.querySelector('[data-subscribe] button').getBoundingClientRect().height < 44"
    )
    context.close()

    assert faults == []
    assert not wide
    assert not small


_STATES = {
    "blocked": (
        "Object.defineProperty(Notification, 'permission', { value: 'denied' })",
        "blocks notices of this site",
    ),
    "insecure": (
        "Object.defineProperty(window, 'isSecureContext', { value: false })",
        "plain http",
    ),
    "unsupported": ("delete window.PushManager", "takes no notices"),
}


def test_what_cannot_work_says_why(chromium: Browser, place: Server, watching: Watch) -> None:
    desk: dict[str, Any] = {**DESK, "locale": "en"}
    context = chromium.new_context(base_url=place.url, **desk)
    watching.over(context)
    at_notices(context).close()
    faults = list[str]()
    shown = 0
    for state, (script, words) in _STATES.items():
        page = context.new_page()
        page.add_init_script(script)
        page.goto("/account/notices")
        expect(page.get_by_text(words)).to_be_visible()
        faults += violations(page)
        picture(page, f"browser-{state}")
        shown += page.get_by_role("button", name=BUTTON).count()
        page.close()
    context.close()

    assert shown == 0
    assert faults == []


def test_without_scripts_the_page_says_what_is_needed(chromium: Browser, place: Server) -> None:
    options: dict[str, Any] = {**DESK, "java_script_enabled": False, "locale": "en"}
    context = chromium.new_context(base_url=place.url, **options)
    page = at_notices(context)
    expect(page.get_by_text("scripts have to be on")).to_be_visible()
    shown = page.get_by_role("button", name=BUTTON).count()
    context.close()

    assert shown == 0
