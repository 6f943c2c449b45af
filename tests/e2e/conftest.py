"""The whole product in a real browser: one server a test process, Debian's Chromium."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from playwright.sync_api import Browser, BrowserContext, Playwright, expect, sync_playwright

from tests.e2e.server import Server, running
from tests.e2e.watch import Watch

CHROMIUM = (
    os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
)
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

# Two cores may be busy with four browsers, the server, its worker and its database.
PATIENCE_MS = 40_000
expect.set_options(timeout=PATIENCE_MS)

NewContext = Callable[..., BrowserContext]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything in this folder drives a browser."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.e2e)


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A server with its worker and database, started as a player starts it.

    Not under pytest's own folder: that one is closed to the user as whom the
    embedded database runs when root starts it.
    """
    with TemporaryDirectory(prefix="placa-e2e-") as folder:
        Path(folder).chmod(0o755)
        with running(Path(folder)) as started:
            yield started


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """Playwright's driver."""
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="session")
def chromium(playwright: Playwright) -> Iterator[Browser]:
    """The browser itself, without a window."""
    assert CHROMIUM, "no Chromium: set CHROMIUM to the path of one"
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
    yield browser
    browser.close()


@pytest.fixture
def watch(server: Server) -> Iterator[Watch]:
    """Notes what no page may do; the test fails at its end if one did."""
    watching = Watch(server.url)
    yield watching
    assert watching.faults == []


@pytest.fixture
def new_context(chromium: Browser, server: Server, watch: Watch) -> Iterator[NewContext]:
    """Make a fresh device: its own cookies, watched."""
    contexts: list[BrowserContext] = []

    def make(**options: object) -> BrowserContext:
        context = chromium.new_context(base_url=server.url, **options)  # type: ignore[arg-type] # playwright's own keywords
        context.set_default_timeout(PATIENCE_MS)
        watch.over(context)
        contexts.append(context)
        return context

    yield make
    for context in contexts:
        context.close()
