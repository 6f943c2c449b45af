"""The corpus once more, through the service and a real match: nothing plays that should not."""

import json
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from app.db.session import Sessions
from app.notifications.reading.incoming import parse_mail
from tests.support.mails import Correspondence, give_address
from tests.support.matches import Matches

pytestmark = pytest.mark.anyio

CORPUS = Path(__file__).parent / "corpus"
EXPECTED: dict[str, dict[str, Any]] = json.loads(
    (CORPUS / "expected.json").read_text(encoding="utf-8")
)
# The address in every mail of the corpus; it is nobody's.
WRITTEN = b"play+ge4dsnzwha3tmobzhe4dmnbugmzdcmbqhe4dqnzvgqzdcmbzha3tkmrx@plaza.example"


async def test_only_what_says_a_move_does_anything(sessions: Sessions, engine: AsyncEngine) -> None:
    match = await Correspondence.of(Matches(sessions, engine), seats=3)
    for name, expected in sorted(EXPECTED.items()):
        raw = (CORPUS / f"{name}.eml").read_bytes()
        seat = await match.asked()
        person_id = match.people[seat]
        sender = parse_mail(raw).sender
        if expected["kind"] == "reply":
            await give_address(sessions, person_id, sender)
        before = await match.matches.dump("match_events", "match_drafts")

        outcome = await match.arrive(raw.replace(WRITTEN, (await match.address(seat)).encode()))

        silent = outcome not in {"played", "drafted"}
        unchanged = await match.matches.dump("match_events", "match_drafts") == before
        if expected["kind"] != "reply":
            assert (outcome, unchanged) in {(expected["kind"], True), ("refused", True)}, name
        elif expected.get("refused"):
            assert (outcome, unchanged) == ("refused", True), name
        else:
            assert outcome in {"played", "drafted", "refused"}, name
            assert unchanged or not silent, name
            assert outcome != "refused" or await match.refusal() not in {
                "reply.unclear",
                "reply.empty",
                "reply.other_sender",
            }, name
        # The next mail finds an empty draft, and limits that nobody has used up.
        await match.matches.clear(match.match_id, await match.asked())
        match.limiter.forget()

    assert await match.matches.problems() == []
