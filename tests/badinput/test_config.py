"""Settings as hosts mistype them: one line names the variable, and no server starts.

config.json holds what is refused, with the variable to be named, and what is
taken: of that an application is made, so that nothing in it fails later.
"""

import json
from typing import Any, Final

import pytest

from app.config import PREFIX, SettingsError, load_settings
from app.main import create_app
from app.notifications.channels.mail import smtp_of
from app.notifications.letters import sender_of
from tests.badinput.corpus import FOLDER
from tests.support.browser import KEY
from tests.support.forked import placa

CASES: Final[dict[str, list[Any]]] = json.loads((FOLDER / "config.json").read_text("utf-8"))
DATABASE: Final = "postgresql://nobody@127.0.0.1:9/none"


@pytest.mark.parametrize("case", CASES["refused"], ids=ascii)
def test_what_cannot_be_used_is_refused_in_a_line(case: dict[str, Any]) -> None:
    with pytest.raises(SettingsError) as refusal:
        load_settings(case["set"])

    name = case["names"].removeprefix(PREFIX)
    assert f"{PREFIX}{name}" in str(refusal.value)
    assert len(str(refusal.value).splitlines()) == 1
    assert "geheim" not in str(refusal.value)


@pytest.mark.parametrize("given", CASES["taken"], ids=ascii)
def test_what_is_taken_works(given: dict[str, str]) -> None:
    settings = load_settings({"DATABASE_URL": DATABASE, "SECRET_KEY": KEY, **given})

    app = create_app(settings)

    assert app.state.cookies.session
    assert sender_of(settings).address
    assert smtp_of(settings) is None or settings.sends_mail


def test_a_command_ends_with_the_line_and_status_78() -> None:
    for case in CASES["refused"][::25]:
        told = placa("config", "check", environment=case["set"])

        assert told.returncode == 78, case
        assert "Traceback" not in told.stderr
        assert case["names"].removeprefix(PREFIX) in told.stderr
