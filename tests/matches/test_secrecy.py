"""Two databases that differ only in what a viewer may not know show the viewer the same."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import pytest

from app.matches import lists, queries
from app.matches.export import export_text
from app.matches.live import Live, Standing
from app.rules.game import Seat
from app.rules.listing import Record
from tests.support import pinya
from tests.support.matches import LATER, Matches

pytestmark = pytest.mark.anyio

VIEWERS = (Seat(0), Seat(2), None)

# Each changes facts that nobody in VIEWERS may know.
HIDDEN = {
    "the lucky number": """
        update matches set state = jsonb_set(state, '{lucky}', '999');
        update match_events set payload = jsonb_set(payload, '{lucky}', '999') where seq = 1""",
    "the seed": "update matches set seed = decode(repeat('ab', 32), 'hex'), nonce = seed",
    "another seat's answer": "update match_answers set line = 'guess 5' where seat = 1",
    "another seat's draft": """
        update match_drafts set moves = '{guess 2}', revision = 9, updated_at = now()
        where seat = 1""",
    "another seat's keys": "update match_commands set key = key || '!' where seat = 1",
    "the queue": "update procrastinate_jobs set attempts = 3, status = 'failed'",
}


@pytest.fixture(autouse=True)
def _printable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the tiny game be exported."""

    def known(events: Sequence[Any], seat: Seat | None) -> tuple[Any, ...]:
        seen = (pinya.PINYA.event_view(event, seat) for event in events)
        return tuple(event for event in seen if event is not None)

    records = {"pinya": Record(lambda events: "\n".join(map(repr, events)), lambda text: (), known)}
    monkeypatch.setattr("app.matches.export.RECORDS", records)


async def shown(matches: Matches, match_id: UUID, viewer: Seat | None, person: UUID) -> list[Any]:
    """Return everything the viewer can ask for."""
    async with matches.sessions() as session:
        page = await queries.match_page(session, match_id=match_id, seat=viewer)
        past = [
            await queries.match_at(session, match_id, viewer, version)
            for version in range(1, page.version + 1)
        ]
        return [
            *map(repr, (page, *past)),
            repr(await queries.events_since(session, match_id=match_id, seat=viewer, version=0)),
            await export_text(session, match_id=match_id, seat=viewer),
            repr(await lists.my_matches(session, person)),
        ]


async def since(matches: Matches, match_id: UUID, viewer: Seat | None) -> str:
    """Return the viewer's poll token."""

    async def read() -> Standing:
        async with matches.sessions() as session:
            progress = await queries.progress_of(session, match_id)
        seats = frozenset() if viewer is None else frozenset({viewer})
        return Standing(seats, progress.version, progress.drafts, 0)

    return await Live("postgresql://nowhere").since_token(match_id, b"", viewer, read)


@pytest.mark.parametrize("secret", HIDDEN)
async def test_hidden_facts_show_nowhere(matches: Matches, secret: str) -> None:
    anna = await matches.person()
    match_id = await matches.start(anna, "steady", None, options={"rounds": 1})
    version = await matches.turns(match_id, 3, 1)
    await matches.add(match_id, 1, "guess 4")
    await matches.commit(match_id, 1, version, "guess 3")
    await matches.add(match_id, 1, "guess 4")
    before = [
        (await shown(matches, match_id, viewer, anna), await since(matches, match_id, viewer))
        for viewer in VIEWERS
    ]
    everything = await matches.dump(
        "matches",
        "match_events",
        "match_answers",
        "match_drafts",
        "match_commands",
        "procrastinate_jobs",
    )

    for statement in HIDDEN[secret].split(";"):
        await matches.run(statement)

    after = [
        (await shown(matches, match_id, viewer, anna), await since(matches, match_id, viewer))
        for viewer in VIEWERS
    ]
    assert everything != await matches.dump(*everything)
    assert after == before


async def test_changing_ones_answer_shows_nowhere(matches: Matches) -> None:
    anna = await matches.person()
    match_id = await matches.start(anna, None, None)
    version = await matches.turns(match_id, 3, 1)
    await matches.commit(match_id, 1, version, "guess 3", key="one")
    before = [await shown(matches, match_id, viewer, anna) for viewer in VIEWERS]

    for n in range(5):
        await matches.commit(match_id, 1, version, f"guess {n}", key=f"again {n}")

    assert [await shown(matches, match_id, viewer, anna) for viewer in VIEWERS] == before


async def test_what_was_hidden_is_shown_once_the_match_is_over(matches: Matches) -> None:
    match_id = await matches.start(None, None, options={"rounds": 1})
    version = await matches.turns(match_id, 2, 1)
    for seat in (0, 1):
        await matches.commit(match_id, seat, version, f"guess {seat}", key="g")

    async with matches.sessions() as session:
        text = await export_text(session, match_id=match_id, seat=None)

    assert repr(pinya.Guessed(Seat(1), 1)) in text
    assert "lucky=None" not in text
    assert (await matches.page(match_id)).finished_at == LATER
