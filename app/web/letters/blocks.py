"""What a page says, without what can be clicked: headings, paragraphs and list items.

The text board of a match is a page of words with forms in between.  Read by this,
it is a letter: mail shows the position in the very sentences of the page.
"""

import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Final, Literal, TypeAlias

Kind: TypeAlias = Literal["heading", "paragraph", "item"]

WIDTH: Final = 72
_KINDS: Final[Mapping[str, Kind]] = {
    "h2": "heading",
    "h3": "heading",
    "h4": "heading",
    "p": "paragraph",
    "li": "item",
}
# What is for clicking, drawing or laying out, with all that is in it.
_LEFT_OUT: Final = frozenset(
    {"nav", "form", "button", "svg", "table", "details", "select", "script", "template"}
)
_SPACE: Final = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Block:
    """A heading, a paragraph or one item of a list."""

    kind: Kind
    text: str


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a letter: its title, and what it says."""

    title: str
    blocks: tuple[Block, ...]


def sections(html: str) -> dict[str, Part]:
    """Return the `<section id>`s of a page, by id, each with its first heading as title."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    found = {}
    for name, blocks in reader.found.items():
        title = next((block.text for block in blocks if block.kind == "heading"), "")
        rest = blocks[1:] if blocks and blocks[0].kind == "heading" else blocks
        found[name] = Part(title, tuple(rest))
    return found


def until_heading(part: Part) -> tuple[Block, ...]:
    """Return what a part says before its first heading within."""
    for number, block in enumerate(part.blocks):
        if block.kind == "heading":
            return part.blocks[:number]
    return part.blocks


def as_text(blocks: Iterable[Block]) -> str:
    """Return blocks as plain text, in lines that no mail program breaks anew."""
    lines: list[str] = []
    for block in blocks:
        if block.kind == "item":
            lines.extend(wrapped(block.text, "* ", "  "))
        elif block.kind == "heading":
            lines.extend(["", *wrapped(block.text)])
        else:
            lines.extend([*wrapped(block.text)])
    return "\n".join(lines).strip("\n")


def wrapped(text: str, first: str = "", then: str = "") -> Sequence[str]:
    """Return `text` in lines of the width of a letter; long words stay whole."""
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=first,
        subsequent_indent=then,
        break_long_words=False,
        break_on_hyphens=False,
    ) or [first.rstrip()]


class _Reader(HTMLParser):
    """Collects the blocks of each section."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: dict[str, list[Block]] = {}
        self._section = ""
        self._left_out: list[str] = []
        self._kind: Kind | None = None
        self._words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._left_out:
            if tag == self._left_out[0]:
                self._left_out.append(tag)
            return
        if tag in _LEFT_OUT:
            self._left_out.append(tag)
        elif tag == "section":
            self._section = dict(attrs).get("id") or ""
            self.found[self._section] = []
        elif tag in _KINDS:
            self._end()
            self._kind = _KINDS[tag]

    def handle_endtag(self, tag: str) -> None:
        if self._left_out:
            if tag == self._left_out[0]:
                self._left_out.pop()
        elif tag == "section":
            self._section = ""
        elif tag in _KINDS:
            self._end()

    def handle_data(self, data: str) -> None:
        if self._kind is not None and not self._left_out:
            self._words.append(data)

    def _end(self) -> None:
        text = _SPACE.sub(" ", "".join(self._words)).strip()
        if self._kind is not None and text and self._section in self.found:
            self.found[self._section].append(Block(self._kind, text))
        self._kind = None
        self._words.clear()
