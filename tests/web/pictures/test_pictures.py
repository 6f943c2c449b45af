"""Pictures of positions: what is seen on them, how large they are, and what goes wrong."""

import io
import sys
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest
from PIL import Image, ImageChops, ImageStat

from app.db.engine import LIMITS
from app.web.pictures.picture import (
    DOTS,
    LONGEST,
    MOST_BYTES,
    drawing_of,
    picture_of,
    rasterised,
)
from tests.web.pictures.positions import EVERY, KINDS, page

pytestmark = pytest.mark.anyio

SVG = "{http://www.w3.org/2000/svg}"
PIECES = ("pawn-", "cube", "grande", "king", "casteller", "skill-", "arch")


def opened(png: bytes) -> Image.Image:
    return Image.open(io.BytesIO(png)).convert("RGB")


def without_pieces(drawing: str) -> str:
    """Return the same land with nothing on it."""
    root = ET.fromstring(drawing)
    for parent in list(root.iter()):
        for child in list(parent):
            if child.get("href", "")[1:].startswith(PIECES):
                parent.remove(child)
    return ET.tostring(root, encoding="unicode")


def changed(one: Image.Image, other: Image.Image) -> float:
    """Return the share of dots that are not alike."""
    difference = ImageChops.difference(one, other).convert("L").point(lambda dot: 255 * (dot > 24))
    return float(ImageStat.Stat(difference).mean[0]) / 255


@pytest.mark.parametrize(("game", "kind"), EVERY)
async def test_there_is_one_of_every_kind_of_decision(game: str, kind: str) -> None:
    match = page(game, kind)
    made = await picture_of(match)

    assert made is not None
    assert len(made) <= MOST_BYTES
    image = opened(made)
    assert image.width == DOTS
    assert 0.7 < image.height / image.width < 1
    bare = opened(await rasterised(without_pieces(drawing_of(match))))
    assert 0.005 < changed(image, bare) < 0.2
    # Mail in the dark: no dot is seen through.
    assert "transparency" not in Image.open(io.BytesIO(made)).info


@pytest.mark.parametrize("game", KINDS)
async def test_the_same_position_is_the_same_bytes(game: str) -> None:
    match = page(game, KINDS[game][0])

    assert await picture_of(match) == await picture_of(match)


async def test_another_position_is_another_picture() -> None:
    one, other = (page("el_grande", kind) for kind in ("turn", "place"))

    assert await picture_of(one) != await picture_of(other)


@pytest.mark.parametrize("text", ["Vilafranca", "10", "ñÑáÉçŀà·’"])
async def test_words_are_written_in_the_faces_that_come_along(text: str) -> None:
    def drawing(words: str, family: str) -> str:
        return (
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 60"><rect width="400"'
            f' height="60" fill="#fff"/><text x="9" y="45" font-size="40" font-weight="800"'
            f' font-family="{family}">{words}</text></svg>'
        )

    for family in ("Alegreya", "Alegreya Sans"):
        letters = opened(await rasterised(drawing(text, family)))
        nothing = opened(await rasterised(drawing("", family)))
        assert changed(letters, nothing) > 0.01
    serif, sans = [
        opened(await rasterised(drawing(text, family))) for family in ("Alegreya", "Alegreya Sans")
    ]
    assert changed(serif, sans) > 0.005


@pytest.mark.parametrize(
    "program",
    [
        ("/nowhere/at/all",),
        (sys.executable, "-c", "import sys; sys.exit(3)"),
        (sys.executable, "-c", "pass"),
        (sys.executable, "-c", "import time; time.sleep(60)"),
        (sys.executable, "-c", "import os; os.abort()"),
    ],
    ids=["missing", "fails", "silent", "hangs", "dies"],
)
async def test_a_program_that_fails_means_no_picture(
    program: tuple[str, ...],
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    assert await picture_of(page("castell", "turns"), program=program, seconds=1) is None
    assert "picture.not_drawn" in "".join([caplog.text, *capsys.readouterr()])


def test_a_picture_gives_up_before_the_database_gives_the_letter_up() -> None:
    limit = float(LIMITS["idle_in_transaction_session_timeout"].removesuffix("s"))

    assert limit >= 2 * LONGEST


async def test_what_cannot_be_read_means_no_picture() -> None:
    match = page("castell", "turns")
    seats = tuple(replace(info, name="\x01") for info in match.seats)

    assert await picture_of(replace(match, seats=seats)) is None


async def test_a_drawing_too_full_for_a_mail_is_none() -> None:
    # Every dot differs from its neighbours.
    noise = "".join(
        f'<rect x="{x}" y="{y}" width="1" height="1" fill="#{(x * 7919 + y * 104729) % 4096:03x}"/>'
        for x in range(60)
        for y in range(60)
    )
    full = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 60">{noise}</svg>'
    pattern = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 600"><filter id="f">'
        '<feTurbulence baseFrequency="0.9" numOctaves="4"/></filter>'
        '<rect width="600" height="600" filter="url(#f)"/></svg>'
    )

    assert len(await rasterised(full)) <= MOST_BYTES
    with pytest.raises(Exception, match="1: "):
        await rasterised(pattern)
