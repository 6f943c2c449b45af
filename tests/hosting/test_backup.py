"""Backups: consistent under load, refused when damaged, and every match proven afterwards."""

import asyncio
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest

from app.db.address import conninfo
from app.db.migrate import downgrade
from app.db.session import Sessions
from app.hosting.backup.container import BackupError, Header, TableStart, Writer, check
from app.hosting.backup.restoring import restore
from app.hosting.backup.taking import take
from app.hosting.backup.trying import prove, scratch_database
from app.jobs.holding import hold, outgoing, release
from app.jobs.queue import enqueue
from app.matches.rescue import roll_back
from tests.support.forked import placa_in_bytes
from tests.support.people import NOON, Gathering
from tests.support.played import play_on
from tests.support.postgres import TestServer

pytestmark = pytest.mark.anyio

VERSIONS = "select coalesce(sum(version), 0) from matches"
TABLES = (
    "select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace"
)


def rows(url: str, query: str) -> list[tuple[Any, ...]]:
    with closing(psycopg.connect(conninfo(url), autocommit=True)) as connection:
        cursor = connection.execute(query.encode())
        return cursor.fetchall() if cursor.description else []


def everything(url: str) -> dict[str, list[str]]:
    """Return every row of every table, but who works and what the schema is called."""
    names = {name for (name,) in rows(url, TABLES)} - {"procrastinate_workers", "alembic_version"}
    return {
        name: [text for (text,) in rows(url, f"select t::text from {name} t order by 1")]
        for name in sorted(names)
    }


def backed_up(url: str) -> bytes:
    out = io.BytesIO()
    take(url, out, secret="s" * 16, now=NOON)
    return out.getvalue()


def names(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


async def a_server_in_use(sessions: Sessions) -> None:
    """Fill the database with people, tables, talk, jobs, and matches in several moments."""
    for moves in (1, 5, 12):
        table = await Gathering.of(sessions, seats=2)
        await table.joined("Blai ✓ \\N \t tab")
        match_id = await table.start()
        await play_on(sessions, match_id, until=lambda page, m=moves: page.version > m)  # type: ignore[misc]  # the default binds it
    async with sessions.begin() as session:
        await roll_back(session, match_id=match_id, to_version=4, now=NOON)
        await enqueue(session, "notifications.turn_came", person="Anna")
        await enqueue(session, "bots.seat_asked", match_id=str(match_id), seat=0, version=1)
    await Gathering.of(sessions, seats=3)


async def test_what_comes_back_is_what_was_there(
    sessions: Sessions, database_url: str, postgres: TestServer
) -> None:
    await a_server_in_use(sessions)
    before = everything(database_url)

    target = postgres.create("restored")
    header, counts = restore(target, io.BytesIO(backed_up(database_url)))

    assert everything(target) == before
    assert counts["matches"] == 3
    assert header.secret == "s" * 16
    assert await prove(target) == (3, ())
    # The numbers that the database gives go on after those that were given.
    used = rows(target, "select max(id) from procrastinate_jobs")[0][0]
    given = rows(target, "select nextval(pg_get_serial_sequence('procrastinate_jobs', 'id'))")
    assert given[0][0] > used


async def test_a_started_but_unused_database_is_empty_enough(
    sessions: Sessions, database_url: str, make_database: Callable[[str], str]
) -> None:
    await a_server_in_use(sessions)
    target = make_database("unused")
    rows(
        target,
        "insert into procrastinate_workers default values; select from procrastinate_workers",
    )

    restore(target, io.BytesIO(backed_up(database_url)))

    assert everything(target) == everything(database_url)
    assert rows(target, "select count(*) from procrastinate_workers") == [(0,)]


async def somebody_plays(sessions: Sessions, playing: "list[asyncio.Task[None]]") -> None:
    """Return when a turn has been taken since the call."""
    before = None
    while True:
        assert not any(task.done() for task in playing), "somebody stopped playing"
        async with sessions.begin() as session:
            connection = await session.connection()
            now = (await connection.exec_driver_sql(VERSIONS)).scalar_one()
        if before is not None and now > before:
            return
        before = now
        await asyncio.sleep(0.05)


async def test_backups_under_load_hold_whole_turns_only(
    sessions: Sessions, database_url: str, postgres: TestServer
) -> None:
    async def always_playing() -> None:
        while True:
            table = await Gathering.of(sessions, seats=2)
            await table.joined("Blai")
            await play_on(sessions, await table.start())

    playing = [asyncio.create_task(always_playing()) for _ in range(3)]
    taken: list[bytes] = []
    try:
        for _ in range(4):
            await somebody_plays(sessions, playing)
            taken.append(await asyncio.to_thread(backed_up, database_url))
    finally:
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)

    versions = set()
    for content in taken:
        target = postgres.create("loaded")
        restore(target, io.BytesIO(content))
        assert (await prove(target))[1] == ()
        versions.add(rows(target, VERSIONS)[0][0])
    assert len(versions) == len(taken), "nobody played meanwhile"


async def test_jobs_of_dead_workers_run_again_and_the_clock_s_come_from_the_clock(
    database_url: str, postgres: TestServer
) -> None:
    rows(
        database_url,
        "insert into procrastinate_jobs (task_name, queue_name, args, status, queueing_lock)"
        " values ('a', 'default', '{}', 'doing', null), ('s', 'default', '{}', 'doing', 'sweep'),"
        " ('s', 'default', '{}', 'todo', 'sweep') returning id",
    )

    target = postgres.create("restored")
    restore(target, io.BytesIO(backed_up(database_url)))

    assert rows(target, "select task_name, status::text from procrastinate_jobs order by id") == [
        ("a", "todo"),
        ("s", "todo"),
    ]


class TestRefusals:
    async def test_any_flipped_bit_and_any_cut_is_found_before_anything_is_touched(
        self, sessions: Sessions, database_url: str, postgres: TestServer
    ) -> None:
        await Gathering.of(sessions, seats=2)
        whole = backed_up(database_url)
        target = postgres.create("untouched")

        step = max(1, len(whole) // 400)
        for at in range(0, len(whole), step):
            with pytest.raises(BackupError):
                check(io.BytesIO(whole[:at]))
            flipped = whole[:at] + bytes([whole[at] ^ (1 << at % 8)]) + whole[at + 1 :]
            with pytest.raises(BackupError):
                check(io.BytesIO(flipped))
        for damaged in (whole[:-1], whole + b"x", whole[: len(whole) // 2], b"", b"PK\x03\x04"):
            with pytest.raises(BackupError):
                restore(target, io.BytesIO(damaged))

        assert rows(target, TABLES) == []

    @pytest.mark.parametrize(
        ("change", "said"),
        [
            ({"revision": "20991231_future"}, "newer Plaça"),
            ({}, "not hold as many rows"),
        ],
    )
    def test_a_newer_one_and_one_with_rows_missing(
        self, postgres: TestServer, change: dict[str, str], said: str
    ) -> None:
        target = postgres.create("untouched")
        out = io.BytesIO()
        fields = {"version": "9", "revision": "20261130_host", "taken_at": "", "server": ""}
        writer = Writer(out, Header(**{**fields, "secret": "", **change}))
        writer.table(TableStart("people", ("id",)))
        writer.rows(b"one\n")
        writer.end({"people": 1 if change else 2})

        with pytest.raises(BackupError, match=said):
            restore(target, io.BytesIO(out.getvalue()))

        assert rows(target, TABLES) == []

    def test_a_later_format(self) -> None:
        with pytest.raises(BackupError, match=r"newer Plaça \(format 2"):
            check(io.BytesIO(b"PLACA BACKUP 2\nwhatever comes then"))

    def test_a_frame_that_claims_to_be_huge_is_not_read(self) -> None:
        with pytest.raises(BackupError, match="damaged"):
            check(io.BytesIO(b"PLACA BACKUP 1\nH\xff\xff\xff\xff" + bytes(100)))

    async def test_a_database_that_is_in_use_or_not_empty(
        self, sessions: Sessions, database_url: str, postgres: TestServer
    ) -> None:
        await Gathering.of(sessions, seats=2)
        content = backed_up(database_url)
        before = everything(database_url)

        with pytest.raises(BackupError, match=r"not empty: \d+ rows"):
            restore(database_url, io.BytesIO(content))
        assert everything(database_url) == before

        foreign = postgres.create("foreign")
        rows(foreign, "create table theirs ()")
        with pytest.raises(BackupError, match=r"not Plaça's"):
            restore(foreign, io.BytesIO(content))
        live = postgres.create("live")
        with (
            closing(psycopg.connect(conninfo(live), application_name="placa web")),
            pytest.raises(BackupError, match="stop it first"),
        ):
            restore(live, io.BytesIO(content))
        assert rows(live, TABLES) == []

    async def test_rows_the_database_refuses_leave_it_empty(
        self, database_url: str, postgres: TestServer
    ) -> None:
        out = io.BytesIO()
        fields = {"version": "1", "revision": "20261130_holds", "taken_at": "", "server": ""}
        writer = Writer(out, Header(**fields, secret=""))
        writer.table(TableStart("job_holds", ("prefix", "since")))
        writer.rows(b"fine\t2026-01-01 00:00:00+00\nodd\tnever and a day\n")
        writer.end({"job_holds": 2})
        target = postgres.create("refused")

        with pytest.raises(BackupError, match="the database refused it"):
            restore(target, io.BytesIO(out.getvalue()))

        assert rows(target, "select count(*) from job_holds") == [(0,)]
        assert restore(target, io.BytesIO(backed_up(database_url)))

    def test_a_database_that_was_never_started_has_no_backup(self, postgres: TestServer) -> None:
        with pytest.raises(BackupError, match="never started"):
            backed_up(postgres.create("blank"))
        with pytest.raises(BackupError, match="no database"):
            backed_up("postgresql://placa@127.0.0.1:1/placa")


async def test_a_backup_of_an_older_schema_comes_back_as_today_s(
    make_database: Callable[[str], str], postgres: TestServer
) -> None:
    old = make_database("old")
    downgrade(old, "20261130_upkeep")
    content = backed_up(old)

    target = postgres.create("upgraded")
    header, _ = restore(target, io.BytesIO(content))

    assert header.revision == "20261130_upkeep"
    assert rows(target, "select count(*) from job_holds") == [(0,)]


class TestHolding:
    async def test_what_is_sent_waits_and_bots_play_on(self, sessions: Sessions) -> None:
        async with sessions.begin() as session:
            await enqueue(session, "notifications.before", lock="l")
            await hold(session, now=NOON)
            await enqueue(session, "notifications.during", lock="l")
            await enqueue(session, "bots.seat_asked")
            state = await outgoing(session)
            due = await session.connection()
            ready = await due.exec_driver_sql(
                "select task_name from procrastinate_jobs"
                " where scheduled_at is null or scheduled_at < now()"
            )

        assert (state.waiting, state.held) == (0, 2)
        assert state.held_since == NOON
        assert ready.scalars().all() == ["bots.seat_asked"]

    @pytest.mark.parametrize(("drop", "left"), [(False, 3), (True, 1)])
    async def test_released_it_goes_or_is_forgotten(
        self, sessions: Sessions, drop: bool, left: int
    ) -> None:
        async with sessions.begin() as session:
            await hold(session, now=NOON)
            await enqueue(session, "notifications.a")
            await enqueue(session, "notifications.b")
            assert await release(session, drop=drop) == 2
            await enqueue(session, "notifications.c")
            state = await outgoing(session)

        assert (state.held_since, state.waiting, state.held) == (None, left, 0)


async def placa(url: str | None, folder: Path, *words: str, given: bytes = b"") -> Any:
    address = {} if url is None else {"DATABASE_URL": url}
    environment = {**os.environ, "PLACA_DATA_DIR": str(folder), **address}
    return placa_in_bytes(*words, environment=environment, given=given)


class TestCommands:
    async def test_backup_verify_restore_and_release(
        self, sessions: Sessions, database_url: str, postgres: TestServer, tmp_path: Path
    ) -> None:
        await a_server_in_use(sessions)
        file = tmp_path / "b.placa"

        stream = await placa(database_url, tmp_path, "backup")
        written = await placa(database_url, tmp_path, "backup", "--out", str(file))
        proven = await placa(database_url, tmp_path, "backup", "verify", str(file))
        target = postgres.create("commanded")
        restored = await placa(target, tmp_path, "restore", given=stream.stdout)
        verified = await placa(target, tmp_path, "verify", "--all")
        queue = await placa(target, tmp_path, "mail", "queue")
        released = await placa(target, tmp_path, "mail", "release")

        assert stream.returncode == written.returncode == 0, stream.stderr
        assert b"3 matches" in stream.stderr
        assert file.stat().st_mode & 0o777 == 0o600
        assert proven.returncode == 0, proven.stderr
        assert proven.stdout.endswith(b"3 matches verified, 0 problems\n")
        assert restored.returncode == 0, restored.stderr
        assert b"3 matches verified, 0 problems\n" in restored.stdout
        assert b"warning" not in restored.stderr
        assert verified.stdout == b"3 matches verified, 0 problems\n"
        assert queue.stdout.startswith(b"on hold since ")
        assert b"0 waiting, 1 held" in queue.stdout
        assert released.stdout == b"1 released\n"
        assert not any(
            "placa_try" in name for (name,) in rows(target, "select datname from pg_database")
        )

    async def test_a_failure_leaves_no_file_and_says_why(
        self, database_url: str, tmp_path: Path
    ) -> None:
        file = tmp_path / "b.placa"

        away = await placa(
            "postgresql://placa@127.0.0.1:1/placa", tmp_path, "backup", "-o", str(file)
        )
        nowhere = await placa(database_url, tmp_path, "backup", "-o", "/nowhere/b.placa")
        full = await placa(database_url, tmp_path, "backup", "-o", "/dev/full/b")
        damaged = await placa(database_url, tmp_path, "backup", "verify", "-", given=b"PLACA")
        absent = await placa(database_url, tmp_path, "backup", "verify", str(file))

        for done in (away, nowhere, full, damaged, absent):
            assert done.returncode in {1, 2}
            assert done.stderr.startswith(b"placa: ")
            assert done.stderr.count(b"\n") == 1
        assert not file.exists()
        assert names(tmp_path) == ["secret.key"]

    def test_a_full_disk_is_no_backup(self, database_url: str, tmp_path: Path) -> None:
        with Path("/dev/full").open("wb") as full:
            done = subprocess.run(
                [sys.executable, "-m", "app.cli", "backup"],
                env={
                    **os.environ,
                    "DATABASE_URL": database_url,
                    "PLACA_DATA_DIR": str(tmp_path),
                },
                stdout=full,
                stderr=subprocess.PIPE,
                check=False,
            )

        assert done.returncode != 0
        assert b"No space left" in done.stderr

    async def test_another_key_is_told(
        self, database_url: str, postgres: TestServer, tmp_path: Path
    ) -> None:
        (tmp_path / "a").mkdir()
        (tmp_path / "b").mkdir()
        taken = await placa(database_url, tmp_path / "a", "backup")

        restored = await placa(
            postgres.create("keyless"), tmp_path / "b", "restore", given=taken.stdout
        )

        assert restored.returncode == 0
        assert b"invitation links" in restored.stderr

    async def test_it_works_with_the_embedded_database(self, open_folder: Path) -> None:
        first, second = open_folder / "first", open_folder / "second"
        for folder in (first, second):
            folder.mkdir()
        clean = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}

        async def run(folder: Path, *words: str, given: bytes = b"") -> Any:
            environment = {**clean, "PLACA_DATA_DIR": str(folder)}
            return placa_in_bytes(*words, environment=environment, given=given)

        assert (await run(first, "migrate")).returncode == 0
        await run(first, "admin", "create", "Roser")
        taken = await run(first, "backup")
        restored = await run(second, "restore", given=taken.stdout)
        listed = await run(second, "admin", "list")
        again = await run(second, "restore", given=taken.stdout)

        assert restored.returncode == 0, restored.stderr
        assert listed.stdout.startswith(b"Roser")
        assert again.returncode == 1
        assert b"not empty" in again.stderr


def test_a_scratch_database_is_gone_afterwards(postgres: TestServer) -> None:
    with scratch_database(postgres.url("postgres")) as url:
        name = url.split("placa_try_")[1][:12]
        assert rows(url, "select 1") == [(1,)]

    found = rows(postgres.url("postgres"), "select datname from pg_database")
    assert not any(name in database for (database,) in found)


def test_the_header_is_readable_by_anybody() -> None:
    out = io.BytesIO()
    header = Header(version="1", revision="r", taken_at="t", server="s", secret="f")
    Writer(out, header).end({})
    content = out.getvalue()

    length = int.from_bytes(content[16:20], "big")
    assert json.loads(content[20 : 20 + length])["revision"] == "r"
