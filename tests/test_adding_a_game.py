"""`docs/adding-a-game.md` names the files of a game: it is compared with those there are."""

import re
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Final

import pytest

from app.rules.registry import LISTINGS

ROOT: Final = Path(__file__).parents[1]
GUIDE: Final = (ROOT / "docs" / "adding-a-game.md").read_text()
TEXTS: Final = {".py", ".html", ".css", ".js", ".json", ".toml", ".svg"}
# Where the word is an example, or the name of a thing that several games could have.
TOLD: Final = frozenset({"app/api/schemas.py", "app/matches/portable.py"})


def rows(title: str) -> Iterator[list[str]]:
    """Yield the cells of the table under a title."""
    section = GUIDE.split(f"## {title}\n")[1].split("\n## ")[0]
    for line in section.splitlines():
        if line.startswith("| `"):
            yield [cell.strip().strip("`") for cell in line.strip("|").split("|")]


OWN: Final = list(rows("Files of its own"))
LINES: Final = [file for file, *_ in rows("Lines to add")]


def files(below: str = "app") -> Iterator[str]:
    """Yield every text file of the program."""
    for path in sorted((ROOT / below).rglob("*")):
        if path.suffix in TEXTS and path.is_file():
            yield path.relative_to(ROOT).as_posix()


def is_own(path: str, key: str) -> bool:
    return any(fnmatch(path, pattern.replace("<game>", key)) for pattern, *_ in OWN)


@pytest.mark.parametrize("key", LISTINGS)
@pytest.mark.parametrize(("pattern", "needed"), [(row[0], row[2]) for row in OWN])
def test_a_game_has_the_files_it_needs(key: str, pattern: str, needed: str) -> None:
    found = [path for path in files() if fnmatch(path, pattern.replace("<game>", key))]

    assert found or needed == "no"


@pytest.mark.parametrize("key", LISTINGS)
def test_no_file_of_a_game_is_left_out_of_the_guide(key: str) -> None:
    assert [path for path in files() if key in path and not is_own(path, key)] == []


@pytest.mark.parametrize("key", LISTINGS)
@pytest.mark.parametrize("file", LINES)
def test_a_game_stands_in_every_registry(key: str, file: str) -> None:
    assert key in (ROOT / file).read_text()


@pytest.mark.parametrize("below", ["app/matches", "app/lobby", "app/accounts", "app/api"])
def test_no_common_code_asks_which_game_it_is(below: str) -> None:
    named = re.compile("|".join(LISTINGS), re.IGNORECASE)

    assert [
        path
        for path in files(below)
        if path not in TOLD and named.search((ROOT / path).read_text())
    ] == []


def test_the_runner_of_the_bots_does_not_ask_either() -> None:
    assert not re.search("|".join(LISTINGS), (ROOT / "app/bots/runner.py").read_text())
