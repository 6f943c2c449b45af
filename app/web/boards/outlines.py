"""Outlines of lands, written as short as they can be."""

import re
from typing import Final

_NUMBER: Final = re.compile(r"-?[0-9.]+")


def outline_steps(path: str) -> str:
    """Return outlines of corners with each as a step from the last: a tenth of the page less."""
    return "".join(map(_outline, path.split("M")[1:]))


def _outline(corners: str) -> str:
    # In tenths, so that no rounding adds up.
    tenths = [round(float(number) * 10) for number in _NUMBER.findall(corners)]
    moves = [new - old for old, new in zip(tenths, tenths[2:], strict=False)]
    steps = " ".join(map(_shortest, moves)).replace(" -", "-")
    return f"M{tenths[0] / 10:g} {tenths[1] / 10:g}l{steps}Z"


def _shortest(tenths: int) -> str:
    text = f"{tenths / 10:g}"
    return text.replace("0.", ".") if abs(tenths) < 10 else text
