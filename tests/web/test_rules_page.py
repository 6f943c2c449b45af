"""The rules of play say what the engine does."""

import html
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app import rules as engine
from app.rules.castell.notation import parse_tower
from app.rules.castell.towers import check_tower, problems, tower_score
from app.rules.game import IllegalMoveError
from app.web.boards.castell_rules import EXAMPLES, Example, current_edition, pictures
from tests.support.browser import HERE, Browser, serving

pytestmark = pytest.mark.anyio

CITATIONS = re.compile(
    r"""rule(?:: str)?\s*=\s*"([0-9][0-9.]*)\"|TowerProblem\([^)]*?"([0-9.]+)","""
)


@pytest.fixture
async def browser(database_url: str) -> AsyncIterator[Browser]:
    async with serving(database_url) as app, Browser(app) as browser:
        yield browser


def cited() -> set[str]:
    """Return every rule number that a refusal of the engine may cite."""
    folder = Path(engine.__file__).parent / "castell"
    text = "\n".join(path.read_text() for path in folder.rglob("*.py"))
    return {one or other for one, other in CITATIONS.findall(text)}


@pytest.mark.parametrize("example", EXAMPLES.values(), ids=EXAMPLES)
def test_an_example_stands_or_falls_where_it_says(example: Example) -> None:
    tower = parse_tower(example.tower)

    if example.falls_at is None:
        uses = check_tower(tower, example.ranks)
        assert {skill: n for skill, n in uses.items() if n} == dict(example.ranks)
    else:
        with pytest.raises(IllegalMoveError):
            check_tower(tower, example.ranks)
        found = {problem.level for problem in problems(tower, example.ranks, None)}
        assert found == {example.falls_at}


def test_the_festivals_example_scores_as_it_says() -> None:
    assert tower_score(parse_tower(EXAMPLES["festival"].tower), (6,)) == 7


def test_the_scoring_example_adds_up_in_this_edition() -> None:
    edition = current_edition()
    trophy, medal, _ribbon = edition.prize_points
    prizes = 2 * trophy + medal
    sizes = 2 * edition.size_token_first + edition.size_token_further
    local = 4 + 5 + 2 * edition.collected_token

    assert (edition.region_points[5], prizes, sizes, local) == (7, 13, 5, 11)
    assert 9 + edition.region_points[5] + prizes + sizes + local == 45


def test_only_falling_towers_have_a_level_marked() -> None:
    assert all((picture.fault is None) == picture.stands for picture in pictures().values())


@pytest.mark.parametrize("path", ["/rules", "/rules/castell", "/rules/el_grande"])
async def test_who_comes_from_a_match_finds_the_way_back(browser: Browser, path: str) -> None:
    match = "/matches/12345678-1234-4234-8234-123456789abc?seat=1&open=train"

    async def asked_from(referer: str) -> str:
        return html.unescape((await browser.get(path, headers={"Referer": referer})).text)

    assert f'href="{match}"' in await asked_from(HERE + match)
    for elsewhere in (HERE + "/matches", "https://evil.test" + match, HERE + "//evil.test" + match):
        assert "Back to the match" not in await asked_from(elsewhere)


async def test_every_rule_that_is_cited_has_its_paragraph(browser: Browser) -> None:
    page = (await browser.get("/rules/castell")).text
    anchors = set(re.findall(r'id="rule-([0-9.]+)"', page))

    assert {"2.1", "4", "5", "6.1", "6.2", "7", "8", "14"} <= cited()
    assert cited() <= anchors
    assert set(re.findall(r'href="#rule-([0-9.]+)"', page)) == anchors


async def test_there_are_rules_only_for_games_that_are_played(browser: Browser) -> None:
    assert (await browser.get("/rules/chess")).status_code == 404


@pytest.mark.parametrize("path", ["/", "/about", "/rules/castell", "/join", "/login", "/new"])
@pytest.mark.parametrize("locale", ["en", "ca"])
async def test_a_page_says_its_language_and_is_whole_without_anybody(
    browser: Browser, path: str, locale: str
) -> None:
    answer = await browser.get(path, headers={"Accept-Language": locale})

    assert answer.status_code == 200
    assert f'<html lang="{locale}"' in answer.text
    assert '<main class="' in answer.text
    assert answer.text.rstrip().endswith("</html>")


async def test_every_static_file_a_page_asks_for_is_there(browser: Browser) -> None:
    asked: set[str] = set()
    for path in ("/", "/new", "/rules/castell", "/about", "/login", "/missing"):
        asked |= set(re.findall(r"/static/[^\"'#]+", (await browser.get(path)).text))
    answers = {path: (await browser.get(path)).status_code for path in asked}

    assert len(asked) > 10
    assert set(answers.values()) == {200}


async def test_the_theme_chosen_is_written_into_the_page(browser: Browser) -> None:
    browser.cookies.set("theme", "dark")

    assert 'data-theme="dark"' in (await browser.get("/about")).text
