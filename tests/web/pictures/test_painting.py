"""What the style sheets of the page say, in the drawing: nothing of it may get lost."""

import re
from collections.abc import Iterator
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest
import tinycss2

from app.web.boards.registry import BOARDS
from app.web.pictures.painting import Painter, symbols
from app.web.pictures.picture import drawing_of, page_of
from app.web.pictures.sheets import EVERYWHERE, StyleError, sheets_of
from app.web.pictures.values import length, paint, substituted, with_colours
from app.web.static import DIRECTORY
from app.web.templating import TEMPLATES
from tests.support import played
from tests.web.boards import el_grande_positions as el_grande
from tests.web.pictures.positions import EVERY, page

SVG = "{http://www.w3.org/2000/svg}"
SHAPES = {"path", "rect", "circle", "ellipse", "line", "text"}
HOLDERS = {"defs", "clipPath", "pattern", "symbol"}


def tokens(value: str) -> tuple[object, ...]:
    return tuple(tinycss2.parse_component_value_list(value))


def bare(root: ET.Element) -> set[str]:
    """Return the shapes, as drawn, to which nothing gives a colour."""
    by_id = {f"#{one.get('id')}": one for one in root.iter()}

    def below(element: ET.Element, painted: bool) -> Iterator[str]:
        tag = element.tag.removeprefix(SVG)
        painted = painted or "fill" in element.attrib or "stroke" in element.attrib
        if tag in SHAPES and not painted:
            yield ET.tostring(element, encoding="unicode")[:120]
        for child in element:
            if child.tag.removeprefix(SVG) not in HOLDERS:
                yield from below(child, painted)
        if tag == "use":
            yield from below(by_id[element.attrib["href"]], painted)

    return set(below(root, painted=False))


@pytest.mark.parametrize(("game", "kind"), EVERY)
def test_everything_that_is_drawn_has_a_colour(game: str, kind: str) -> None:
    root = ET.fromstring(drawing_of(page(game, kind)))

    assert bare(root) == set()


@pytest.mark.parametrize(("game", "kind"), EVERY)
def test_a_drawing_needs_nothing_but_itself(game: str, kind: str) -> None:
    drawing = drawing_of(page(game, kind))
    root = ET.fromstring(drawing)
    ids = [one.get("id") for one in root.iter() if one.get("id")]

    assert "var(" not in drawing
    assert "light-dark" not in drawing
    assert "class=" not in drawing
    assert "http" not in drawing.replace('xmlns="http://www.w3.org/2000/svg"', "", 1)
    assert len(ids) == len(set(ids))
    used = {one.attrib["href"] for one in root.iter() if "href" in one.attrib}
    assert used <= {f"#{one}" for one in ids}


def test_the_sheets_are_those_of_every_page() -> None:
    base = (TEMPLATES / "base.html").read_text()
    linked = re.findall(r"{% for sheet in \(([^)]+)\) %}", base)

    assert [re.findall(r"\w+", names) for names in linked] == [list(EVERYWHERE)]


def test_whole_matches_can_be_drawn() -> None:
    castell = played.play(4, seed=2)
    for version in range(1, len(castell.states), 9):
        # Drawn as the draft of somebody's turn: what differs is a ghost.
        later = castell.page(0, version=version + 1)
        drawing_of(replace(later, base_view=castell.page(0, version=version).view))
    states = [state for state, _ in el_grande.playing(el_grande.start(5))]
    for number in range(0, len(states) - 1, 9):
        base, later = (el_grande.page_of(state) for state in states[number : number + 2])
        drawing_of(replace(later, base_view=base.view))


def test_symbols_take_the_colours_of_the_place_of_use() -> None:
    root = ET.fromstring(drawing_of(page("el_grande", "turn")))
    pawns = {
        one.attrib["id"].partition("--")[0]: ET.tostring(one, encoding="unicode")
        for one in root.iter(f"{SVG}symbol")
        if one.attrib["id"].startswith("pawn-")
    }
    tokens = (DIRECTORY / "css" / "tokens.css").read_text()

    assert len(pawns) >= 3
    for name, drawn in pawns.items():
        colour = re.search(rf"--p{name[-1]}: (#[0-9a-f]{{6}})", tokens)
        assert colour is not None
        assert colour[1] in drawn


@pytest.mark.parametrize("wrong", ["m-unknown", ""])
def test_a_class_without_a_rule_is_found(wrong: str) -> None:
    view_box, drawn = page_of(page("castell", "turns"))
    token = next(one for one in drawn.iter() if one.get("class") == "place")
    circle = ET.SubElement(
        next(one for one in drawn.iter() if one.get("id") == "map-BCN"), "circle"
    )
    circle.set("class", wrong)
    painted = Painter(sheets_of(BOARDS["castell"].sheets), symbols()).paint(drawn, view_box)

    assert token is not None
    assert len(bare(ET.fromstring(ET.tostring(painted)))) == 1


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("#fffaf0", "#fffaf0"),
        ("light-dark(#f7efdf, #1b1916)", "#f7efdf"),
        ("rgb(66 45 24 / .16)", "#422d1829"),
        ("var(--a)", "#010203"),
        ("var(--none, #fff)", "#ffffff"),
        ("var(--none, var(--a))", "#010203"),
        ("none", "none"),
        ("currentColor", "currentColor"),
        ("url(#waves)", "url(#waves)"),
        ("color-mix(in oklab, #fff 50%, #000)", "#636363"),
        ("color-mix(in oklab, #b4d0ea 62%, #e9dfcb)", "#c8d6df"),
    ],
)
def test_colours_are_plain(given: str, expected: str) -> None:
    known = {"--a": tokens("#010203")}

    assert paint(substituted(tokens(given), known)) == expected


def test_lengths_are_numbers() -> None:
    assert length(tokens("5px")) == "5"
    assert length(tokens("1.5rem")) == "24"
    assert length(tokens("3.5 3")) == "3.5 3"
    assert with_colours(tokens("drop-shadow(0 0 3px #fff)")) == "drop-shadow(0 0 3 #ffffff)"


@pytest.mark.parametrize(
    "wrong", ["var(--nobody)", "var(--loop)", "calc(1px + 2px)", "chartreuse-ish"]
)
def test_what_is_not_understood_is_an_error(wrong: str) -> None:
    known = {"--loop": tokens("var(--loop)")}

    with pytest.raises(StyleError):
        paint(substituted(tokens(wrong), known))
    with pytest.raises(StyleError):
        length(substituted(tokens(wrong), known) + tokens("1vw"))
