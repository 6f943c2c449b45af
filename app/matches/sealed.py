"""Text whose every line is sealed: what was changed is found, and in which line.

Each line begins with sixteen hexadecimal digits of SHA-256 over the seal of the
line before and the line itself; the last line is `end` and the number of lines.
So a changed, lost, added or swapped line shows at once, and a cut one too.  A seal
keeps out accidents, not forgers: whoever changes a line on purpose can seal it
again.  Against those stands the commitment of the seed.
"""

import hashlib
from collections.abc import Iterable, Sequence
from typing import Final

DIGITS: Final = 16
END: Final = "end"


class SealError(Exception):
    """A sealed text is damaged; `line` says where, counted from 1."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


def seal(lines: Iterable[str]) -> str:
    """Return `lines`, none of which may be broken, as sealed text."""
    before = ""
    sealed: list[str] = []
    for line in lines:
        before = _seal(before, line.encode())
        sealed.append(f"{before} {line}\n")
    last = f"{END} {len(sealed) + 1}"
    sealed.append(f"{_seal(before, last.encode())} {last}\n")
    return "".join(sealed)


def unseal(data: bytes) -> Sequence[str]:
    """Return the lines of a sealed text without their seals and the end.

    Raises SealError at the first line that is not as it was sealed.
    """
    raw = data.split(b"\n")
    before = ""
    lines: list[str] = []
    for number, line in enumerate(raw, 1):
        given, space, content = line[:DIGITS], line[DIGITS : DIGITS + 1], line[DIGITS + 1 :]
        before = _seal(before, content)
        if given != before.encode() or space != b" ":
            last = number == len(raw)
            raise SealError(number, "cut short" if last and not line else "not as it was written")
        if content == f"{END} {number}".encode():
            if raw[number:] != [b""]:
                raise SealError(number + 1, "something follows the end")
            return lines
        try:
            lines.append(content.decode())
        except UnicodeDecodeError as error:
            raise SealError(number, "not text") from error
    raise SealError(len(raw), "cut short")


def _seal(before: str, content: bytes) -> str:
    return hashlib.sha256(before.encode() + b" " + content).hexdigest()[:DIGITS]
