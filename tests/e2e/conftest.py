"""The whole product in a real browser: one server a test process, Debian's Chromium."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from playwright.sync_api import Browser, BrowserContext, Playwright, expect, sync_playwright

from app.config import Settings
from tests.e2e.server import Server, running
from tests.e2e.stored import settings_for, web_process
from tests.e2e.watch import Watch

CHROMIUM = (
    os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
)
# A headless Chromium draws the browser around every page as well, and starts two processes
# for what its address bar may unfold, which costs more than most of our pages.  Naming
# them replaces Playwright's own list, which is therefore repeated.
_WITHOUT = [
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "SpareRendererForSitePerProcess",
    "AimEnabled",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
]
ARGUMENTS = [
    # In tiles this large the processor draws a page in a fifth of the time less.
    "--default-tile-width=1024",
    "--default-tile-height=1024",
    f"--disable-features={','.join(_WITHOUT)}",
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

# Whoever begins with what is short ends waiting for what is long: these begin.
LONGEST = (
    "test_five_people_play_six_rounds",
    "test_four_people_play_a_whole_match",
    "test_one_person_plays_six_rounds_with_four_bots_on_a_phone",
    "test_one_click_leads_to_a_whole_match_against_bots",
    "test_a_turn_passes_axe",
    "test_no_page_fails_axe",
    "test_every_step_of_a_general_scoring_passes_axe",
    "test_the_end_passes_axe",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything in this folder drives a browser; the longest tests begin.

    Two processes begin with one half of the list each, so every other one heads a half.
    """
    here = Path(__file__).parent
    ours = [item for item in items if here in item.path.parents]
    for item in ours:
        item.add_marker(pytest.mark.e2e)
    rank = {name: number for number, name in enumerate(LONGEST)}
    long = sorted(
        (item for item in ours if _name(item) in rank), key=lambda item: rank[_name(item)]
    )
    short = [item for item in ours if _name(item) not in rank]
    half = len(ours) // 2 - len(long[::2])
    # A file may have a server of its own: it is not divided.
    while 0 < half < len(short) and short[half - 1].path == short[half].path:
        half += 1
    rest = [item for item in items if item not in ours]
    items[:] = [*rest, *long[::2], *short[:half], *long[1::2], *short[half:]]


def _name(item: pytest.Item) -> str:
    return item.name.partition("[")[0]


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


@pytest.fixture
def settings(database_url: str) -> Settings:
    """Return the settings of `beside`, for matches that stand where a test wants to look."""
    return settings_for(database_url)


@pytest.fixture
def beside(settings: Settings, tmp_path: Path) -> Iterator[Server]:
    """The web process alone, on a database of its own: no bots sit in these matches.

    A file that looks at such matches makes this its `server`.
    """
    with web_process(settings, tmp_path) as started:
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
