"""The corpus: real-shaped mails, each with what it has to be read as.

`corpus/expected.json` says for every file of which kind it is, and of a reply what
it says: `number`, `copied`, `lines`, `commit`; or `refused`, and then nothing of it
may be played.  `meant` marks those a person would have understood all the same.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from app.notifications.reading.meaning import Said
from app.notifications.reading.reader import read_mail
from app.rules.castell import CASTELL
from app.rules.game import NotationError

CORPUS = Path(__file__).parent / "corpus"
EXPECTED: dict[str, dict[str, Any]] = json.loads(
    (CORPUS / "expected.json").read_text(encoding="utf-8")
)
FEWEST = 60
UNDERSTOOD = 0.95


def is_move(line: str) -> bool:
    try:
        return bool(CASTELL.parse(line))
    except NotationError:
        return False


def outcome(name: str) -> dict[str, Any]:
    read = read_mail((CORPUS / f"{name}.eml").read_bytes())
    if read.kind != "reply":
        return {"kind": read.kind}
    match read.understood(is_move=is_move):
        case Said(number, copied, lines, commit):
            said = {"number": number, "copied": copied, "lines": list(lines), "commit": commit}
            told = {key: value for key, value in said.items() if value not in (None, [], False)}
            return {"kind": "reply", **told}
    return {"kind": "reply", "refused": True}


def test_every_mail_has_an_outcome_and_every_outcome_a_mail() -> None:
    assert {path.stem for path in CORPUS.glob("*.eml")} == set(EXPECTED)


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_a_mail_is_read_as_it_has_to_be(name: str) -> None:
    expected = {key: value for key, value in EXPECTED[name].items() if key != "meant"}

    assert outcome(name) == expected


def test_the_figures_are_good_enough(capsys: pytest.CaptureFixture[str]) -> None:
    found = {name: outcome(name) for name in EXPECTED}
    played = {
        name for name, one in found.items() if one["kind"] == "reply" and "refused" not in one
    }
    wrong = [name for name in played if found[name] != EXPECTED[name]]
    meant = [
        name
        for name, one in EXPECTED.items()
        if one["kind"] == "reply" and ("refused" not in one or "meant" in one)
    ]
    understood = [name for name in meant if name in played and found[name] == EXPECTED[name]]
    kinds = Counter(one["kind"] for one in EXPECTED.values())
    share = len(understood) / len(meant)
    with capsys.disabled():
        print(  # noqa: T201 - the figures are what this test is for
            f"\nreply corpus: {len(EXPECTED)} mails: "
            + ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
            + f"; {len(meant)} say a move: {len(understood)} understood ({share:.1%}),"
            f" {len(wrong)} wrong moves"
        )

    assert wrong == []
    assert len(EXPECTED) >= FEWEST
    assert share >= UNDERSTOOD
