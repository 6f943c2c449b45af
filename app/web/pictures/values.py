"""Values of CSS as an SVG file says them: no variables, one theme, plain colours and numbers."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

import tinycss2
from tinycss2 import color5

from app.web.pictures.sheets import REM, StyleError

Tokens: TypeAlias = tuple[Any, ...]
# Custom properties by name, with their values in tokens.
Known: TypeAlias = Mapping[str, Tokens]
_Triple: TypeAlias = tuple[float, float, float]

_DEEPEST: Final = 20
_KEYWORDS: Final = frozenset({"none", "currentcolor", "inherit", "transparent"})
# sRGB to the cone responses of Oklab, and from there to its axes (Björn Ottosson).
_TO_CONES: Final = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
_TO_LAB: Final = (
    (0.2104542553, 0.7936177850, -0.0040720468),
    (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)
_FROM_LAB: Final = (
    (1.0, 0.3963377774, 0.2158037573),
    (1.0, -0.1055613458, -0.0638541728),
    (1.0, -0.0894841775, -1.2914855480),
)
_FROM_CONES: Final = (
    (4.0767416621, -3.3077115913, 0.2309699292),
    (-1.2684380046, 2.6097574011, -0.3413193965),
    (-0.0041960863, -0.7034186147, 1.7076147010),
)


def substituted(value: Sequence[Any], known: Known, depth: int = 0) -> Tokens:
    """Return `value` with every `var()` replaced; raises StyleError if one is not known."""
    if depth > _DEEPEST:
        raise StyleError("variables that name each other")
    found: list[Any] = []
    for token in value:
        if token.type != "function":
            found.append(token)
        elif token.lower_name == "var":
            found.extend(_variable(token, known, depth))
        else:
            inside = substituted(token.arguments, known, depth + 1)
            found.append(
                tinycss2.ast.FunctionBlock(
                    token.source_line, token.source_column, token.name, list(inside)
                )
            )
    return tuple(found)


def written(value: Sequence[Any]) -> str:
    """Return tokens as text."""
    text: str = tinycss2.serialize(value)
    return text.strip()


def paint(value: Tokens) -> str:
    """Return a colour as `#rrggbb` or `#rrggbbaa`, or what stands in place of one."""
    said = written(value)
    if said.lower() in _KEYWORDS or said.startswith("url(#"):
        return {"currentcolor": "currentColor"}.get(said.lower(), said)
    (token,) = (one for one in value if one.type not in {"whitespace", "comment"})
    return _hex(*_colour(token))


def length(value: Tokens) -> str:
    """Return a length in units of the drawing, or a bare number; several stay several."""
    return " ".join(_length(one) for one in value if one.type not in {"whitespace", "comment"})


def with_colours(value: Tokens) -> str:
    """Return a value of functions with the colours and lengths in them made plain."""
    parts = []
    for token in value:
        if token.type == "whitespace":
            continue
        if token.type != "function":
            raise StyleError(written(value))
        inside = [
            _length(one) if one.type in {"dimension", "number"} else _hex(*_colour(one))
            for one in token.arguments
            if one.type != "whitespace"
        ]
        parts.append(f"{token.name}({' '.join(inside)})")
    return " ".join(parts)


def _variable(token: Any, known: Known, depth: int) -> Tokens:
    name, *rest = [one for one in token.arguments if one.type != "whitespace"]
    if name.value in known:
        return substituted(known[name.value], known, depth + 1)
    if not rest:
        raise StyleError(f"nothing says what {name.value} is")
    comma = token.arguments.index(rest[0])
    return substituted(token.arguments[comma + 1 :], known, depth + 1)


def _length(token: Any) -> str:
    match token.type:
        case "number" | "percentage":
            return _plain(token.value) + ("%" if token.type == "percentage" else "")
        case "dimension" if token.lower_unit in {"px", "rem"}:
            return _plain(token.value * (REM if token.lower_unit == "rem" else 1))
        case "dimension" if token.lower_unit == "em":
            return _plain(token.value) + "em"
        case "ident":
            return str(token.lower_value)
        case _:
            raise StyleError(f"no length: {tinycss2.serialize([token])}")


def _plain(number: float) -> str:
    return f"{number:.4f}".rstrip("0").rstrip(".")


def _colour(token: Any) -> tuple[_Triple, float]:
    """Return a colour as red, green and blue between 0 and 1, and how opaque it is."""
    if token.type == "function" and token.lower_name == "light-dark":
        return _colour(_arguments(token)[0][0])
    if token.type == "function" and token.lower_name == "color-mix":
        return _mixed(token)
    found = color5.parse_color(token)
    if found is None or found == "currentcolor":
        raise StyleError(f"no colour: {tinycss2.serialize([token])}")
    red, green, blue = found.to("srgb").coordinates
    return (red, green, blue), found.alpha


def _mixed(token: Any) -> tuple[_Triple, float]:
    space, one, other = _arguments(token)
    if [part.lower_value for part in space] != ["in", "oklab"] or len(other) != 1:
        raise StyleError(f"no colour: {tinycss2.serialize([token])}")
    share = one[1].value / 100
    first, second = (_to_lab(_colour(part[0])[0]) for part in (one, other))
    red, green, blue = (share * a + (1 - share) * b for a, b in zip(first, second, strict=True))
    return _from_lab((red, green, blue)), 1.0


def _arguments(token: Any) -> list[list[Any]]:
    parts: list[list[Any]] = [[]]
    for one in token.arguments:
        if one.type == "literal" and one.value == ",":
            parts.append([])
        elif one.type != "whitespace":
            parts[-1].append(one)
    return parts


def _to_lab(colour: _Triple) -> _Triple:
    linear = tuple(c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour)
    cones = tuple(cone ** (1 / 3) for cone in _times(_TO_CONES, linear))
    return _times(_TO_LAB, cones)


def _from_lab(lab: _Triple) -> _Triple:
    linear = _times(_FROM_CONES, tuple(cone**3 for cone in _times(_FROM_LAB, lab)))
    red, green, blue = (
        12.92 * c if c <= 0.0031308 else 1.055 * c ** (1 / 2.4) - 0.055 for c in linear
    )
    return red, green, blue


def _times(matrix: Sequence[_Triple], vector: Sequence[float]) -> _Triple:
    x, y, z = (sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix)
    return x, y, z


def _hex(colour: _Triple, alpha: float) -> str:
    parts = [*colour, alpha] if alpha < 1 else colour
    return "#" + "".join(f"{round(max(0.0, min(1.0, part)) * 255):02x}" for part in parts)
