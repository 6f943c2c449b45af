"""What the content security policy and the languages ask of every template."""

import re
from pathlib import Path

import pytest

from app.web.templating import TEMPLATES

FILES = sorted(TEMPLATES.rglob("*.html"))
FORBIDDEN = {
    "an inline style": re.compile(r"""\sstyle\s*="""),
    "an inline handler": re.compile(r"""\son[a-z]+\s*=\s*["']"""),
    "an htmx handler": re.compile(r"hx-on\b"),
    "evaluated script": re.compile(r"""["']js:|javascript:"""),
    "a trigger filter": re.compile(r"""hx-trigger="[^"]*\["""),
    "a style element": re.compile(r"<style\b"),
    "an inline script": re.compile(r"<script(?![^>]*\bsrc=)"),
    "unescaped text": re.compile(r"\|\s*safe\b|autoescape\s+false|Markup\("),
    "an address with a host": re.compile(r"""(?:href|src|action)="https?://"""),
}
# Names are the same in every language; attributes and classes are not text.
NAMES = {"Alegreya Sans", "Zero-Clause BSD ("}
NO_TEXT = re.compile(r"""="|--""")
POST_FORM = re.compile(r"""<form\b[^>]*method="post".*?</form>""", re.DOTALL | re.IGNORECASE)


def named(path: Path) -> str:
    return path.relative_to(TEMPLATES).as_posix()


@pytest.mark.parametrize("path", FILES, ids=named)
def test_a_template_holds_nothing_the_policy_forbids(path: Path) -> None:
    text = path.read_text()
    # A mail is under no policy, and its reader's program knows no style sheet.
    allowed = {"an inline style"} if named(path).startswith("letters/") else set()

    assert {what for what, pattern in FORBIDDEN.items() if pattern.search(text)} <= allowed


@pytest.mark.parametrize("path", FILES, ids=named)
def test_every_form_that_changes_something_carries_the_token(path: Path) -> None:
    bare = [form for form in POST_FORM.findall(path.read_text()) if "_csrf.html" not in form]

    assert bare == []


@pytest.mark.parametrize("path", FILES, ids=named)
def test_no_sentence_escapes_translation(path: Path) -> None:
    text = re.sub(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}", " ", path.read_text(), flags=re.DOTALL)
    text = re.sub(r"<(pre|code|title)\b.*?</\1>", " ", text, flags=re.DOTALL)
    text = re.sub(r"""<[a-z]+\b[^>]*lang="en"[^>]*>.*?</""", " ", text, flags=re.DOTALL)
    text = re.sub(r"<[^>]*>", "|", text, flags=re.DOTALL)
    words = [
        part.strip() for part in text.split("|") if re.search(r"[^\W\d_]{2,}\s+[^\W\d_]{2,}", part)
    ]

    assert [part for part in words if part not in NAMES and not NO_TEXT.search(part)] == []


@pytest.mark.parametrize("path", FILES, ids=named)
def test_a_page_of_sheets_brings_the_style_of_sheets(path: Path) -> None:
    text = path.read_text()

    if 'extends "base.html"' in text and 'class="sheet' in text:
        assert re.search(r"""css/forms\.css|["']forms["']""", text)
