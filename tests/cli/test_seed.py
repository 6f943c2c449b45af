"""`placa seed`: people, a half-played match, a table that waits; made once."""

import os
import re
from pathlib import Path

from app.accounts.links import take_link
from app.accounts.queries import person_by_link
from app.clock import SYSTEM_CLOCK
from app.db.session import Sessions
from app.matches.history import verify_all
from app.matches.lists import my_matches
from tests.support.forked import placa
from tests.support.matches import Matches
from tests.support.postgres import TestServer

LINK = re.compile(r"^  (\w+) +https://play\.example\.org/device/(\S+)$", re.MULTILINE)


def seed(database_url: str, folder: Path) -> dict[str, str]:
    """Run the command; return each name's link."""
    environment = {
        **os.environ,
        "DATABASE_URL": database_url,
        "PLACA_DATA_DIR": str(folder),
        "PUBLIC_URL": "https://play.example.org",
    }
    printed = placa("seed", environment=environment)
    assert printed.returncode == 0, printed.stderr
    return dict(LINK.findall(printed.stdout))


async def test_a_match_in_its_middle_a_table_and_links_are_made_once(
    database_url: str, sessions: Sessions, tmp_path: Path
) -> None:
    first = seed(database_url, tmp_path)
    second = seed(database_url, tmp_path)

    assert list(first) == list(second) == ["Mar", "Jordi", "Txell"]
    async with sessions.begin() as session:
        now = SYSTEM_CLOCK.now()
        assert await person_by_link(session, token=first["Mar"], now=now) is None
        taken = await take_link(session, token=second["Mar"], now=now)
        (card,) = await my_matches(session, taken.person.id)
        problems = await verify_all(session)
    assert (taken.person.name, taken.person.kind, taken.resets_password) == ("Mar", "account", True)
    assert [seat.name for seat in card.seats] == ["Mar", "Jordi", "Txell"]
    assert (card.status, card.view.round, len(card.asked)) == ("running", 6, 1)
    assert problems == []

    matches = Matches(sessions, sessions.kw["bind"])
    assert await matches.run("select count(*), sum(talk_count) from tables") == [(2, 1)]
    assert await matches.run(
        "select array_agg(coalesce(name, '-') order by position) from table_seats"
        " join tables on tables.id = table_id where status = 'gathering'"
    ) == [(["Jordi", "Txell", "Mercè", "-"],)]


def test_a_database_without_tables_gets_them(postgres: TestServer, tmp_path: Path) -> None:
    assert list(seed(postgres.create("seeded"), tmp_path)) == ["Mar", "Jordi", "Txell"]
