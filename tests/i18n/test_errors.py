"""Every error that can be raised has a sentence."""

import re
from pathlib import Path

from app.i18n.errors import explain, known_codes

APP = Path(__file__).parents[2] / "app"
# Raised as an AppError with a code of its own, in whatever room.
# What is wrong with a token is for the log, and has one sentence for all of it.
RAISED = re.compile(r'(?:(?<!Token)Error|refused)\(\s*"([a-z_]+(?:\.[a-z_]+)?)"')
DEFAULT = re.compile(r'default_code: ClassVar\[str\] = "([a-z_]+)"|default_code = "([a-z_]+)"')


def codes_of(room: str) -> set[str]:
    return {
        code for path in (APP / room).rglob("*.py") for code in RAISED.findall(path.read_text())
    }


def test_every_code_of_accounts_lobby_and_pages_has_a_sentence() -> None:
    raised = codes_of("accounts") | codes_of("lobby") | codes_of("web")
    defaults = {a or b for a, b in DEFAULT.findall((APP / "errors.py").read_text())}

    assert len(raised) > 30
    assert raised | (defaults - {"move_rejected"}) <= known_codes()


def test_numbers_stand_in_the_sentence() -> None:
    assert explain("password.too_short", {"min": 8}) == "A password has at least 8 characters."


def test_an_unknown_code_is_told_in_general() -> None:
    assert explain("never.heard", {}) == "This request cannot be understood."
