"""Ways to spoil a line of notation."""

import random
from collections.abc import Callable, Sequence

Spoil = Callable[[str, random.Random], str]

# What stands where a number or a name should.
INSTEAD: Sequence[str] = (
    "",
    "0",
    "-1",
    "+1",
    "1.5",
    "1e3",
    "99",
    "007",
    "2147483648",
    "9223372036854775808",
    "9" * 400,
    "١٢",
    "²",
    "Ⅳ",
    "\uff11",
    "nan",
    "None",
    "__class__",
    "{0.__class__}",
    "%s",
    "' or 1=1 --",
    "<script>",
    "\x00",
    "\ud800",
    "\u202e",
    "e\u0301" * 50,
    "🏰",
)


def _words(line: str) -> list[str]:
    return line.split(" ")


def another_word(line: str, rng: random.Random) -> str:
    """Put something else in place of a word."""
    words = _words(line)
    words[rng.randrange(len(words))] = rng.choice(INSTEAD)
    return " ".join(words)


def without_a_word(line: str, rng: random.Random) -> str:
    """Leave a word out."""
    words = _words(line)
    del words[rng.randrange(len(words))]
    return " ".join(words)


def a_word_twice(line: str, rng: random.Random) -> str:
    """Say a word twice."""
    words = _words(line)
    at = rng.randrange(len(words))
    return " ".join([*words[:at], words[at], *words[at:]])


def words_in_disorder(line: str, rng: random.Random) -> str:
    """Shuffle the words."""
    words = _words(line)
    rng.shuffle(words)
    return " ".join(words)


def a_mark_changed(line: str, rng: random.Random) -> str:
    """Put another character somewhere."""
    at = rng.randrange(len(line) + 1)
    return line[:at] + rng.choice(";,:+-*/()[]|\\'\"\n\t\r\x0b\x1c\u2028 aZ9=") + line[at + 1 :]


def a_mark_left_out(line: str, rng: random.Random) -> str:
    """Leave a character out."""
    at = rng.randrange(max(1, len(line)))
    return line[:at] + line[at + 1 :]


def a_number_changed(line: str, rng: random.Random) -> str:
    """Count up or down."""
    places = [at for at, mark in enumerate(line) if mark in "0123456789"]
    if not places:
        return line + " 1"
    at = rng.choice(places)
    return line[:at] + str((int(line[at]) + rng.choice((1, 2, 5, 9))) % 10) + line[at + 1 :]


def other_case(line: str, rng: random.Random) -> str:
    """Shout, or whisper."""
    return line.upper() if rng.random() < 0.5 else line.lower()


def the_line_twice(line: str, rng: random.Random) -> str:
    """Do it again."""
    return rng.choice(("; ", ";", " ", "\n")).join((line, line))


def far_too_much(line: str, rng: random.Random) -> str:
    """Never stop."""
    return "; ".join([line] * 300) if rng.random() < 0.5 else line + " 7" * 2000


def cut(line: str, rng: random.Random) -> str:
    """Stop in the middle."""
    return line[: rng.randrange(len(line) + 1)]


SPOILS: Sequence[Spoil] = (
    another_word,
    without_a_word,
    a_word_twice,
    words_in_disorder,
    a_mark_changed,
    a_mark_left_out,
    a_number_changed,
    other_case,
    the_line_twice,
    far_too_much,
    cut,
)
