"""Keep this release: play matches to every kind of prompt, back them up, note what is true.

    make release-dump

writes two files into tests/upgrade/releases, named by the version in
pyproject.toml; what is kept already is never made again.
"""

import asyncio
import io
import itertools
import random
import sys
from contextlib import suppress
from importlib.metadata import version
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.service import create_guest
from app.db.engine import make_engine
from app.db.session import Sessions, make_sessions
from app.hosting.backup.taking import take
from app.matches import service
from app.matches.games import codec_for
from app.matches.pages import MatchPage
from app.matches.standing import set_standing
from app.rules.castell.edition import WHEEL_SIDES
from app.rules.el_grande.setup import CHOICES
from app.rules.game import Seat
from tests.support.matches import NOW
from tests.support.postgres import TestServer, forget_server, prepare_run
from tests.upgrade.playing import play, try_draft
from tests.upgrade.release import KINDS, Record, Release, record

# So many matches wait at each kind of prompt, of each game.
CASTELL_EACH = 26
EL_GRANDE_EACH = 11
OPTIONS: dict[str, list[dict[str, Any]]] = {
    "castell": [{"wheel_side": side} for side in WHEEL_SIDES],
    "el_grande": [
        dict(zip(CHOICES, chosen, strict=True)) for chosen in itertools.product(*CHOICES.values())
    ],
}


class _EndedError(Exception):
    """The match has ended before it came to the prompt that was wanted."""


def main() -> None:
    """Make both files."""
    release = Release(version("placa"))
    if release.backup.exists() or release.records.exists():
        sys.exit(f"{release.name} is kept already")
    prepare_run()
    try:
        with TestServer.running() as server:
            url = server.clone("release")
            records = asyncio.run(fill(url))
            out = io.BytesIO()
            take(url, out, secret="", now=NOW)
    finally:
        forget_server()
    release.write(out.getvalue(), records)
    print(f"{release.name}: {len(records)} running matches")  # noqa: T201 - a command says what it did


async def fill(url: str) -> dict[str, Record]:
    """Play the matches, and return what is true of them."""
    engine, records = make_engine(url), {}
    sessions, rng = make_sessions(engine), random.Random(1)
    for game, kinds in KINDS.items():
        each = CASTELL_EACH if game == "castell" else EL_GRANDE_EACH
        for kind in sorted(kinds):
            for number in range(each):
                match_id = await open_at(sessions, game, kind, number, rng)
                async with sessions.begin() as session:
                    records[str(match_id)] = await record(session, match_id)
    await engine.dispose()
    return records


async def open_at(
    sessions: Sessions, game: str, kind: str, number: int, rng: random.Random
) -> UUID:
    """Return a match that waits at a prompt of this kind, some way on."""
    while True:
        version = rng.randrange(1, 45)

        def will_do(page: MatchPage, version: int = version) -> bool:
            assert page.seat is not None
            return page.version >= version and page.prompts[page.seat].kind == kind

        # A match that comes to its end first is rolled back.
        with suppress(_EndedError):
            async with sessions.begin() as session:
                match_id = await _start(session, game, number, rng)
                found = await play(session, match_id, rng, until=will_do)
                if found is None:
                    raise _EndedError
                if number % 3 == 0:
                    await try_draft(session, found, rng)
            return match_id


async def _start(session: AsyncSession, game: str, number: int, rng: random.Random) -> UUID:
    counts = codec_for(game).game.seat_counts
    seats = counts[number % len(counts)]
    specs = [
        service.SeatSpec(
            person_id=None
            if number % 4 == 0 and n == seats - 1
            else (await create_guest(session, name=f"Person {n}", now=NOW)).id,
            bot="random" if number % 4 == 0 and n == seats - 1 else None,
            name=f"Seat {n}",
            kit=n + 1,
        )
        for n in range(seats)
    ]
    match_id = await service.start_match(
        session,
        game=game,
        options=OPTIONS[game][number % len(OPTIONS[game])],
        seats=specs,
        now=NOW,
        seed=rng.randbytes(32),
    )
    if game == "el_grande" and number % 5 == 0:
        first = specs[0].person_id
        assert first is not None
        await set_standing(
            session,
            match_id=match_id,
            seat=Seat(0),
            person_id=first,
            decision="veto",
            order="pass",
        )
    return match_id


if __name__ == "__main__":
    main()
