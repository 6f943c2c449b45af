"""House rules that no linter knows."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
APP = ROOT / "app"
LONGEST = 500

PYTHON = sorted(
    path
    for folder in ("app", "migrations", "tests", "docs")
    for path in (ROOT / folder).rglob("*.py")
)
TEMPLATES = sorted((APP / "templates").rglob("*.html"))
SCRIPTS = sorted(
    path
    for pattern in ("*.css", "*.js")
    for path in (APP / "static").rglob(pattern)
    if "vendor" not in path.parts
)
PROSE = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
SET_UP = sorted(
    [
        *(path for path in (ROOT / ".ci").iterdir() if path.is_file()),
        *(
            ROOT / name
            for name in (
                "Makefile",
                "Dockerfile",
                "docker-compose.yml",
                ".env.example",
                "alembic.ini",
                "pyproject.toml",
            )
        ),
    ]
)


def shown(path: Path) -> str:
    return str(path.relative_to(ROOT))


def trees(folder: Path) -> Iterator[tuple[Path, ast.Module]]:
    for path in sorted(folder.rglob("*.py")):
        yield path, ast.parse(path.read_text(encoding="utf-8"))


def lines_with(pattern: str, paths: list[Path], flags: int = 0) -> list[str]:
    """Return `file:line` for each line of `paths` in which `pattern` is found."""
    wanted = re.compile(pattern, flags)
    return [
        f"{shown(path)}:{number}: {line.strip()}"
        for path in paths
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if wanted.search(line)
    ]


def test_no_file_is_longer_than_it_can_be_read() -> None:
    lengths = {
        shown(path): len(path.read_text(encoding="utf-8").splitlines())
        for path in (*PYTHON, *TEMPLATES, *SCRIPTS)
    }

    assert {name: n for name, n in lengths.items() if n > LONGEST} == {}


def test_every_suppression_gives_its_reason() -> None:
    suppressed = lines_with(r"#\s*(noqa|type:\s*ignore)", PYTHON)
    kinds = r"noqa: [A-Z]+\d+(, ?[A-Z]+\d+)*|type: ignore\[[\w, -]+\]"
    with_reason = re.compile(rf"# ({kinds}) +[-#] ?\w")

    assert [line for line in suppressed if not with_reason.search(line)] == []


def test_nothing_is_left_for_later() -> None:
    marks = "|".join(("TO" + "DO", "FIX" + "ME"))

    assert lines_with(rf"\b({marks})\b", [*PYTHON, *TEMPLATES, *SCRIPTS, *PROSE, *SET_UP]) == []


def test_nothing_points_outside_the_repository() -> None:
    places = (r"(?<![\w./-])/wo" + r"rk\b", r"\.\./sha" + "red", "/ro" + r"ot/(?!\.cache)")

    everywhere = [*PYTHON, *TEMPLATES, *SCRIPTS, *PROSE, *SET_UP]
    assert lines_with("|".join(places), everywhere) == []


@pytest.mark.parametrize(
    "path", [path for path in PYTHON if not path.name.startswith("test_")], ids=shown
)
def test_every_module_and_class_says_what_it_is_for(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    silent = [] if ast.get_docstring(tree) or not tree.body else ["the module itself"]
    if "tests" not in path.parts:
        silent += [
            node.name
            for node in ast.walk(tree)
            if isinstance(node, ast.ClassDef)
            and not node.name.startswith("_")
            and not ast.get_docstring(node)
        ]

    assert silent == []


def test_chance_comes_through_rng_alone() -> None:
    culprits = [
        shown(path)
        for path, tree in trees(APP)
        for node in ast.walk(tree)
        if (isinstance(node, ast.Import) and any(name.name == "random" for name in node.names))
        or (isinstance(node, ast.ImportFrom) and node.module == "random")
    ]

    assert culprits == []


def calls(tree: ast.Module, names: set[str]) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in names
            and not node.args
            and not node.keywords
        ):
            yield node


def test_nobody_commits_but_the_session_and_the_wrapper_of_jobs() -> None:
    ends = {"commit", "rollback", "begin"}
    culprits = {shown(path) for path, tree in trees(APP) for _ in calls(tree, ends)} - {
        "app/db/session.py"
    }

    assert culprits == set()


def test_only_entry_points_open_transactions() -> None:
    openers = {
        shown(path)
        for path, tree in trees(APP)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        and node.module == "app.db.session"
        and any(name.name == "transaction" for name in node.names)
    }
    # An error's own transaction has been rolled back by the time it is put into words.
    # A mail that comes to a port or is fetched from a mailbox is an entry like a request.
    entries = {
        "app/jobs/tasks.py",
        "app/api/problems.py",
        "app/notifications/replies/inbox.py",
        # While it talks to the issuer, a request holds on to no transaction.
        "app/web/oidc.py",
    }

    assert {name for name in openers if not name.startswith("app/cli/")} <= entries


def test_no_clock_is_read_but_the_clock() -> None:
    culprits = [
        f"{shown(path)}:{node.lineno}"
        for path, tree in trees(APP)
        if path != APP / "clock.py"
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and node.attr in {"now", "utcnow", "today"}
        and isinstance(node.value, ast.Name)
        and node.value.id in {"datetime", "date"}
    ]

    assert culprits == []


@pytest.mark.parametrize(
    ("what", "pattern"),
    [
        ("markup that nobody escapes", r"\|\s*safe\b|autoescape\s+false"),
        ("an inline style", r"<style|\sstyle\s*="),
        ("an inline script", r"<script(?![^>]*\ssrc=)(?![^>]*type=\"application/json\")"),
        ("an event attribute", r"\son[a-z]+\s*=|hx-on"),
        ("a value that is code", r"hx-[\w:-]+=[\"'](?:javascript|js):"),
        ("a filtered trigger, which the policy silently stops", r"hx-trigger=\"[^\"]*\["),
        ("a link to another host", r"(?:src|href|action)=[\"'](?:https?:)?//"),
    ],
)
def test_no_template_has(what: str, pattern: str) -> None:
    found = lines_with(pattern, TEMPLATES, re.IGNORECASE)
    # A plain link somewhere else is an invitation, not a request.  A picture in a mail, where
    # there is neither policy nor style sheet, says by itself how wide it is.
    allowed = re.compile(r"<a\b[^>]*\shref=\"https://[^\"]+\"|<img src=\"cid:")

    assert [line for line in found if not allowed.search(line)] == [], what


def test_style_sheets_and_scripts_stay_on_this_host() -> None:
    elsewhere = r"url\([\"']?(?:https?:)?//|(?:import|fetch)\s*\(?[\"']https?:"

    assert lines_with(elsewhere, SCRIPTS) == []
    assert lines_with(r"\beval\(|new Function\(", SCRIPTS) == []


def test_no_html_is_made_in_python() -> None:
    assert lines_with(r"\bMarkup\(f[\"']", sorted(APP.rglob("*.py"))) == []
