"""The documentation: its links lead somewhere, and its commands exist."""

import re
from pathlib import Path

import pytest
import typer.main

from app.cli import __main__ as commands
from app.cli import app as cli

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])

LINK = re.compile(r"(?<!!)\[[^\]]+\]\(([^)\s]+)\)|!\[[^\]]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`((?:make|placa) [^`]+)`")


def shown(path: Path) -> str:
    return str(path.relative_to(ROOT))


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    plain = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings)
    return {heading.strip().replace(" ", "-") for heading in plain}


def commands_in(page: Path) -> list[str]:
    """Return each `make …` and `placa …` a reader could type."""
    text = page.read_text(encoding="utf-8")
    blocks = [body for language, body in FENCE.findall(text) if language in {"", "sh", "console"}]
    typed = [line.strip().removeprefix("$ ") for block in blocks for line in block.splitlines()]
    typed += INLINE.findall(text)
    return [re.sub(r"\s+#.*$", "", line) for line in typed]


def make_targets() -> set[str]:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    return set(re.findall(r"^([a-z0-9-]+):.*## ", makefile, re.MULTILINE))


@pytest.mark.parametrize("page", PAGES, ids=shown)
def test_every_link_within_the_repository_leads_somewhere(page: Path) -> None:
    broken = []
    for target in (a or b for a, b in LINK.findall(page.read_text(encoding="utf-8"))):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        found = (page.parent / name).resolve() if name else page
        if not found.exists() or (anchor and anchor not in anchors(found)):
            broken.append(target)

    assert broken == []


@pytest.mark.parametrize("page", PAGES, ids=shown)
def test_every_make_target_exists(page: Path) -> None:
    wanted = {
        word
        for command in commands_in(page)
        if command.startswith("make ")
        for word in command.split()[1:]
        if re.fullmatch(r"[a-z0-9-]+", word)
    }

    assert wanted - make_targets() == set()


@pytest.mark.parametrize("page", PAGES, ids=shown)
def test_every_placa_command_exists(page: Path) -> None:
    commands.load()
    root = typer.main.get_command(cli)
    unknown = []
    for command in commands_in(page):
        if not command.startswith("placa "):
            continue
        here = root
        for word in command.split()[1:]:
            inner = getattr(here, "commands", None)
            if inner is None or not re.fullmatch(r"[a-z][a-z-]*", word):
                break
            if word not in inner:
                unknown.append(command)
                break
            here = inner[word]

    assert unknown == []


def test_every_make_target_says_what_it_does() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    declared = set(re.findall(r"^\.PHONY: (\S+)$", makefile, re.MULTILINE))

    assert declared == make_targets()
    assert {
        "help",
        "play",
        "test",
        "test-fast",
        "check",
        "fix",
        "bench",
        "seed",
        "docs",
    } <= declared


def test_every_item_of_the_checklist_names_its_tests_or_says_why_not() -> None:
    page = (ROOT / "docs" / "asvs.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d+) \|.*\| ([^|]+) \|$", page, re.MULTILINE)
    missing = []
    for number, shown in rows:
        named = re.findall(r"`([a-z_0-9/]+\.py)(?:::(\w+))?`", shown)
        if not named and "**Deviation:**" not in shown:
            missing.append(number)
        for file, test in named:
            path = ROOT / "tests" / file
            if not path.exists() or (test and f"def {test}(" not in path.read_text("utf-8")):
                missing.append(f"{file}::{test}")

    assert [int(number) for number, _ in rows] == list(range(1, 60))
    assert missing == []
