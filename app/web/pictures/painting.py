"""The drawing of a board with its style sheets worked into it: an SVG file that needs nothing else.

Every element gets what the style sheets of its page declare for it, as attributes, so that
what is inherited is inherited as on the page.  Symbols of the sprite take their colours from
the place of use: each is copied for the colours it is used with.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Final
from xml.etree import ElementTree as ET

import cssselect2
import tinycss2

from app.web.pictures.sheets import Sheets, StyleError
from app.web.pictures.values import Known, Tokens, length, paint, substituted, with_colours, written
from app.web.static import DIRECTORY

SVG: Final = "http://www.w3.org/2000/svg"

_SAID: Final[Mapping[str, Callable[[Tokens], str]]] = {
    "fill": paint,
    "stroke": paint,
    "color": paint,
    "fill-opacity": length,
    "stroke-opacity": length,
    "opacity": length,
    "stroke-width": length,
    "stroke-dasharray": length,
    "stroke-linecap": written,
    "stroke-linejoin": written,
    "paint-order": written,
    "font-family": written,
    "font-size": length,
    "font-weight": written,
    "font-style": written,
    "text-anchor": written,
    "text-decoration": written,
    "word-spacing": length,
    "letter-spacing": length,
    "filter": with_colours,
    "visibility": written,
    "display": written,
}
# They lay pages out, or tell a browser what to do; none of them paints in a drawing.
_ELSEWHERE: Final = frozenset(
    {
        "animation",
        "aspect-ratio",
        "block-size",
        "box-sizing",
        "cursor",
        "font-variant-numeric",
        "inline-size",
        "inset",
        "margin",
        "outline",
        "pointer-events",
        "position",
        "text-decoration-thickness",
        "text-underline-offset",
    }
)
_INHERITED: Final = ("color", "font-family", "font-size", "font-weight", "font-style")
# What a drawing is made of; for all else only the page and its scripts have a use.
_SHAPE: Final = frozenset(
    {
        "clip-path",
        "cx",
        "cy",
        "d",
        "height",
        "href",
        "id",
        "overflow",
        "patternTransform",
        "patternUnits",
        "points",
        "preserveAspectRatio",
        "r",
        "rx",
        "ry",
        "transform",
        "viewBox",
        "width",
        "x",
        "x1",
        "x2",
        "y",
        "y1",
        "y2",
    }
)


@dataclass
class Painter:
    """Makes one file of a page's drawing; raises StyleError over what it cannot show."""

    sheets: Sheets
    symbols: Mapping[str, ET.Element]
    _made: dict[tuple[str, tuple[str, ...]], str] = field(default_factory=dict)
    _copies: list[ET.Element] = field(default_factory=list)
    _own: set[str] = field(default_factory=set)
    _paths: set[str] = field(default_factory=set)

    def paint(self, page: ET.Element, view_box: str) -> ET.Element:
        """Return the `svg`s of `page`, one upon the other, in `view_box`."""
        self._own = {element.get("id", "") for element in page.iter()}
        self._paths = {element.get("id", "") for element in page.iter("path")} - {""}
        drawing = ET.Element("svg", {"xmlns": SVG, "viewBox": view_box})
        self._descend(cssselect2.ElementWrapper.from_xml_root(page), {}, {}, drawing)
        drawing.extend(self._copies)
        return drawing

    def _descend(
        self,
        wrapped: cssselect2.ElementWrapper,
        known: Known,
        given: Mapping[str, str],
        drawing: ET.Element,
    ) -> None:
        """Go through the page down to its drawings, with what they inherit."""
        said, known = self._styles(wrapped, known, drawn=False)
        given = {**given, **{name: said[name] for name in _INHERITED if name in said}}
        if wrapped.local_name != "svg":
            for child in wrapped.iter_children():
                self._descend(child, known, given, drawing)
            return
        group = ET.SubElement(drawing, "g", dict(given))
        for child in wrapped.iter_children():
            self._draw(child, known, group)

    def _draw(self, wrapped: cssselect2.ElementWrapper, known: Known, parent: ET.Element) -> None:
        said, known = self._styles(wrapped, known)
        if said.pop("display", "") == "none":
            return
        element = wrapped.etree_element
        shape = {name: value for name, value in element.attrib.items() if name in _SHAPE}
        if element.tag == "a":
            shape.pop("href", None)
        if element.tag == "use" and shape["href"][1:] not in self._own:
            shape["href"] = "#" + self._copy(shape["href"][1:], known)
        self._thin(element, shape, said)
        drawn = ET.SubElement(parent, "g" if element.tag == "a" else element.tag, shape | said)
        drawn.text = element.text
        for child in wrapped.iter_children():
            self._draw(child, known, drawn)

    def _thin(self, element: ET.Element, shape: Mapping[str, str], said: dict[str, str]) -> None:
        """Let a line be seen through as a line: the same picture, without a layer of its own."""
        line = element.tag == "path" or shape.get("href", "")[1:] in self._paths
        if line and said.get("fill") == "none" and "stroke-opacity" not in said:
            said["stroke-opacity"] = said.pop("opacity", "1")

    def _styles(
        self, wrapped: cssselect2.ElementWrapper, known: Known, *, drawn: bool = True
    ) -> tuple[dict[str, str], Known]:
        """Return what is declared for an element, as attributes, and its custom properties.

        Of what is drawn, every declaration has to be understood.
        """
        declared = self.sheets.of(wrapped)
        own = {one.name: one.value for one in declared if one.name.startswith("--")}
        known = {**known, **own} if own else known
        said: dict[str, str] = {}
        for name, value in wrapped.etree_element.attrib.items():
            if name in _SAID:
                said[name] = _SAID[name](substituted(_tokens(value), known))
        for one in declared:
            if one.name == "font":
                said.update(_font(substituted(one.value, known)))
            elif one.name in _SAID:
                said[one.name] = _SAID[one.name](substituted(one.value, known))
            elif drawn and one.name not in _ELSEWHERE and not one.name.startswith("--"):
                raise StyleError(f"{one.name} of {wrapped.local_name}")
        return said, known

    def _copy(self, name: str, known: Known) -> str:
        """Return the id of the symbol's copy in the colours of its place of use."""
        if name not in self.symbols:
            raise StyleError(f"no symbol {name}")
        wanted = tuple(
            written(substituted(known[variable], known)) if variable in known else ""
            for variable in _variables(name)
        )
        if (name, wanted) not in self._made:
            self._made[name, wanted] = copied = f"{name}--{len(self._made)}"
            element = self._symbol(self.symbols[name], known)
            element.set("id", copied)
            self._copies.append(element)
        return self._made[name, wanted]

    def _symbol(self, element: ET.Element, known: Known) -> ET.Element:
        tag = element.tag.removeprefix(f"{{{SVG}}}")
        made = ET.Element(tag)
        for name, value in element.attrib.items():
            say = _SAID.get(name)
            made.set(name, say(substituted(_tokens(value), known)) if say else value)
        for child in element:
            made.append(self._symbol(child, known))
        return made


@cache
def symbols() -> Mapping[str, ET.Element]:
    """Return the drawings of the sprite by name, read once."""
    sprite = ET.parse(DIRECTORY / "symbols.svg").getroot()  # noqa: S314 - a file of ours
    return {one.get("id", ""): one for one in sprite}


@cache
def _variables(name: str) -> tuple[str, ...]:
    """Return the custom properties on which a symbol's colours depend."""
    return tuple(sorted(set(_named_in(symbols()[name]))))


def _named_in(element: ET.Element) -> Iterator[str]:
    for each in element.iter():
        for value in each.attrib.values():
            for token in _tokens(value) if "var(" in value else ():
                if token.type == "function" and token.lower_name == "var":
                    yield token.arguments[0].value


@lru_cache(maxsize=1024)
def _tokens(value: str) -> Tokens:
    return tuple(tinycss2.parse_component_value_list(value))


def _font(value: Tokens) -> dict[str, str]:
    """Return what the shorthand `font` says, longhand; raises StyleError."""
    said = {"font-style": "normal", "font-weight": "400"}
    tokens = list(value)
    while tokens:
        token = tokens.pop(0)
        if token.type == "ident" and token.value in {"italic", "normal"}:
            said["font-style"] = token.value
        elif token.type == "number":
            said["font-weight"] = written((token,))
        elif token.type in {"dimension", "percentage"}:
            said["font-size"] = length((token,))
            break
    rest = written(tokens)
    if rest.startswith("/"):
        rest = rest.partition(" ")[2]
    if "font-size" not in said or not rest:
        raise StyleError(f"font: {written(value)}")
    return said | {"font-family": rest}
