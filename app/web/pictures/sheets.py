"""The style sheets of a board's page, read for its drawing alone.

Conditions are answered for one screen, the one that the picture stands for: a phone
in the light theme, which nobody touches.  What cannot be answered is an error, not a
guess.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import cssselect2
import tinycss2

from app.web.static import DIRECTORY

# Linked by every page, before the sheets of a board.
EVERYWHERE: Final = ("base", "tokens", "shell", "components")
REM: Final = 16.0
# A phone, upright.
_SCREEN: Final[Mapping[str, float]] = {"width": 375.0, "height": 812.0}
_RANGE: Final = re.compile(r"\((min|max)-(width|height):\s*([\d.]+)rem\)")
_NEVER: Final = frozenset(
    {"print", "(forced-colors: active)", "(prefers-reduced-motion: no-preference)"}
)
# A picture is touched by nobody, and has no boxes that only style sheets make.
_TOUCHED: Final = (":hover", ":focus", ":active", "::", ":target")


class StyleError(Exception):
    """A style sheet says something that the picture would not show."""


@dataclass(frozen=True, slots=True)
class Declaration:
    """One property, its value in tokens, and how it ranks against others."""

    name: str
    value: tuple[Any, ...]
    important: bool
    layer: int


@dataclass(frozen=True, slots=True)
class Sheets:
    """Which rules apply to an element, once they have been read."""

    matcher: Any

    def of(self, element: Any) -> Sequence[Declaration]:
        """Return what is declared for the element, the strongest last."""
        ranked = []
        for specificity, order, _pseudo, declarations in self.matcher.match(element):
            for number, one in enumerate(declarations):
                # Among what is important, the layer that comes first is the strongest.
                layer = -one.layer if one.important else one.layer
                ranked.append(((one.important, layer, specificity, order, number), one))
        ranked.sort(key=lambda pair: pair[0])
        return [one for _, one in ranked]


@cache
def sheets_of(names: tuple[str, ...]) -> Sheets:
    """Return the sheets called `names`, read once; raises StyleError."""
    reader = _Reader()
    for name in (*EVERYWHERE, *names):
        text = (DIRECTORY / "css" / f"{name}.css").read_text(encoding="utf-8")
        reader.read(tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True))
    return Sheets(reader.matcher)


class _Reader:
    """Goes through sheets in their order."""

    # Stronger than every layer: what stands in none.
    _BARE: Final = 1_000

    def __init__(self) -> None:
        self.matcher = cssselect2.Matcher()
        self._layers: dict[str, int] = {}

    def read(self, rules: Sequence[Any], layer: int = _BARE) -> None:
        for rule in rules:
            if rule.type == "error":
                raise StyleError(rule.message)
            if rule.type == "qualified-rule":
                self._keep(rule, layer)
            else:
                self._descend(rule, layer)

    def _descend(self, rule: Any, layer: int) -> None:
        said = tinycss2.serialize(rule.prelude).strip()
        match rule.lower_at_keyword:
            case "layer" if rule.content is None:
                for name in said.split(","):
                    self._layer(name.strip())
            case "layer":
                self.read(_inside(rule), self._layer(said))
            case "media" if _holds(said):
                self.read(_inside(rule), layer)
            case "container" if _holds(said.removeprefix("board ")):
                self.read(_inside(rule), layer)
            case "media" | "container" | "font-face" | "keyframes" | "page" | "supports":
                # Not this screen; faces come as files; a picture does not move.
                pass
            case other:
                raise StyleError(f"@{other}")

    def _layer(self, name: str) -> int:
        return self._layers.setdefault(name, len(self._layers))

    def _keep(self, rule: Any, layer: int) -> None:
        found = tuple(_declarations(rule, layer))
        if not found:
            return
        for written in _alternatives(rule.prelude):
            if any(mark in written for mark in _TOUCHED):
                continue
            try:
                (selector,) = cssselect2.compile_selector_list(written)
            except cssselect2.SelectorError as error:
                raise StyleError(f"{written}: {error}") from error
            self.matcher.add_selector(selector, found)


def _inside(rule: Any) -> Sequence[Any]:
    inside: Sequence[Any] = tinycss2.parse_rule_list(
        rule.content, skip_comments=True, skip_whitespace=True
    )
    return inside


def _declarations(rule: Any, layer: int) -> Iterator[Declaration]:
    for one in tinycss2.parse_blocks_contents(
        rule.content, skip_comments=True, skip_whitespace=True
    ):
        if one.type == "error":
            raise StyleError(one.message)
        if one.type != "declaration":
            raise StyleError(f"nested in {tinycss2.serialize(rule.prelude)}")
        # Custom properties are case-sensitive, and nothing else is.
        name = one.name if one.name.startswith("--") else one.lower_name
        yield Declaration(name, tuple(one.value), one.important, layer)


def _alternatives(prelude: Sequence[Any]) -> Iterator[str]:
    """Yield the selectors of a list, each by itself: a comma within brackets parts nothing."""
    part: list[Any] = []
    for token in prelude:
        if token.type == "literal" and token.value == ",":
            yield tinycss2.serialize(part).strip()
            part = []
        else:
            part.append(token)
    yield tinycss2.serialize(part).strip()


def _holds(condition: str) -> bool:
    """Say whether a condition is true of the screen that the picture stands for."""
    if condition in _NEVER:
        return False
    parts = condition.split(" and ")
    return all(_in_range(part) for part in parts)


def _in_range(part: str) -> bool:
    found = _RANGE.fullmatch(part.strip())
    if found is None:
        raise StyleError(f"an unknown condition: {part}")
    bound, side, size = found.groups()
    wanted = float(size) * REM
    return _SCREEN[side] >= wanted if bound == "min" else _SCREEN[side] <= wanted
