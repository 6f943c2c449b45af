"""A program of its own: SVG on standard input, a PNG of few bytes on standard output.

It is run by path, `child.py WIDTH MOST_BYTES FONT…`, and imports nothing of the application:
what it takes of memory and time ends with it, and so does whatever goes wrong in it.
The same drawing gives the same bytes.
"""

import io
import os
import sys

import resvg_py
from PIL import Image

# So many colours are enough for a map; with fewer, a drawing that is full of things fits.
COLOURS = (256, 128, 64, 32)
# Behind the server, and behind everything else that people wait for.
NICENESS = 5


def main(width: int, most: int, fonts: list[str]) -> int:
    """Draw; the exit status says whether the picture is small enough."""
    os.nice(NICENESS)
    svg = sys.stdin.buffer.read().decode()
    drawn = resvg_py.svg_to_bytes(
        svg_string=svg, width=width, skip_system_fonts=True, font_files=fonts
    )
    image = Image.open(io.BytesIO(drawn)).convert("RGB")
    for colours in COLOURS:
        few = image.quantize(colours, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
        packed = io.BytesIO()
        few.save(packed, "PNG", optimize=True)
        if packed.tell() <= most:
            sys.stdout.buffer.write(packed.getvalue())
            return 0
    return 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]))
