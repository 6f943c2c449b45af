"""The embedded server: started, shared, killed, and never confused by what is left over."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import psycopg
import pytest

from app.db.address import conninfo
from app.db.embedded import EmbeddedServer, EmbeddedServerError, find_binaries
from app.db.embedded.binaries import within_reach
from app.db.embedded.probe import recorded_pid, serves

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root hands the server to another user")


@contextmanager
def running(folder: Path) -> Iterator[EmbeddedServer]:
    server = EmbeddedServer(folder, settings={"fsync": "off"})
    server.start()
    try:
        yield server
    finally:
        server.stop()


def ask(server: EmbeddedServer, statement: str) -> object:
    with closing(psycopg.connect(conninfo(server.url("postgres")), autocommit=True)) as connection:
        cursor = connection.execute(statement.encode())
        return None if cursor.description is None else cursor.fetchall()


def kill(server: EmbeddedServer) -> int:
    pid = recorded_pid(server.cluster)
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    while serves(pid, server.cluster):
        time.sleep(0.01)
    return pid


def test_data_outlives_a_stop(open_folder: Path) -> None:
    with running(open_folder) as server:
        ask(server, "create table kept (n int)")

    assert not server.answers()
    with running(open_folder) as server:
        assert ask(server, "select count(*) from kept") == [(0,)]


def test_a_killed_server_is_noticed_and_started_again(open_folder: Path) -> None:
    with running(open_folder) as server:
        ask(server, "create table kept (n int)")
        kill(server)

        assert not server.alive()

        server.start()

        assert server.alive()
        assert ask(server, "select count(*) from kept") == [(0,)]


def test_a_stale_process_id_of_a_living_stranger_is_no_obstacle(open_folder: Path) -> None:
    with running(open_folder) as server:
        kill(server)
        record = server.cluster / "postmaster.pid"
        lines = record.read_text().split("\n")
        record.write_text("\n".join([str(os.getppid()), *lines[1:]]))

        server.start()

        assert ask(server, "select 1") == [(1,)]


def test_the_last_to_leave_stops_the_server(open_folder: Path) -> None:
    first, second = (EmbeddedServer(open_folder, settings={"fsync": "off"}) for _ in range(2))
    first.start()
    second.start()

    assert not first.stop()
    assert second.answers()
    assert second.stop()
    assert not second.answers()


def test_half_made_data_is_made_again(open_folder: Path) -> None:
    (open_folder / "postgres.new" / "base").mkdir(parents=True)

    with running(open_folder) as server:
        assert ask(server, "select 1") == [(1,)]


def test_data_of_another_major_is_refused_and_left_alone(open_folder: Path) -> None:
    with running(open_folder):
        pass
    version = open_folder / "postgres" / "PG_VERSION"
    version.write_text("17\n")

    with pytest.raises(EmbeddedServerError, match=r"PostgreSQL 17.*cannot read") as refusal:
        EmbeddedServer(open_folder).start()

    assert "pg_dump" in str(refusal.value)
    assert version.read_text() == "17\n"


def test_only_its_own_account_reaches_the_socket(open_folder: Path) -> None:
    with running(open_folder) as server:
        assert server.sockets.stat().st_mode & 0o777 == 0o700
        assert ask(server, "show listen_addresses") == [("",)]


def test_names_are_folded_in_every_alphabet(open_folder: Path) -> None:
    if sys.platform == "darwin":
        pytest.skip("macOS has no C.UTF-8")
    with running(open_folder) as server:
        assert ask(server, "select lower('PLAÇA')") == [("plaça",)]


def test_a_long_path_gets_a_short_socket_that_every_process_finds(open_folder: Path) -> None:
    deep = open_folder / ("long" * 15) / ("longer" * 8)
    program = (
        "import sys, pathlib; from app.db.embedded import EmbeddedServer;"
        "print(EmbeddedServer(pathlib.Path(sys.argv[1])).sockets)"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", program, str(deep)],
            check=True,
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout.strip()
        for seed in ("1", "2")
    }

    with running(deep) as server:
        assert told == {str(server.sockets)}
        assert len(str(server.sockets)) < 100
        assert ask(server, "select 1") == [(1,)]
    server.sockets.rmdir()


@as_root
def test_a_socket_folder_somebody_else_prepared_is_refused(open_folder: Path) -> None:
    trap = open_folder / "elsewhere"
    trap.mkdir()
    (open_folder / "run").symlink_to(trap)

    with pytest.raises(EmbeddedServerError, match="not ours"):
        EmbeddedServer(open_folder).start()


@as_root
def test_root_is_told_when_the_folder_is_closed_to_the_server(open_folder: Path) -> None:
    closed = open_folder / "closed"
    closed.mkdir(mode=0o700)

    with pytest.raises(EmbeddedServerError, match="PLACA_DATA_DIR"):
        EmbeddedServer(closed / "data").start()


@as_root
def test_programs_out_of_reach_are_copied_with_their_libraries(open_folder: Path) -> None:
    from app.db.embedded.account import server_account  # noqa: PLC0415 - needs root to mean anything

    account = server_account(open_folder / "postgres", "nobody")
    assert account is not None
    there = find_binaries()
    hidden = open_folder / "hidden"
    package = hidden / there.root.parent.name
    package.mkdir(parents=True)
    (package / there.root.name).symlink_to(there.root)
    libraries = there.root.parent.with_name(f"{there.root.parent.name}.libs")
    if libraries.is_dir():
        (hidden / libraries.name).symlink_to(libraries)
    hidden.chmod(0o700)
    closed = type(there)(package / there.root.name, there.version)

    copy = within_reach(closed, account, open_folder)

    assert copy.root != closed.root
    assert account.can_run(copy.program("postgres"))
    ran = subprocess.run(
        [copy.program("initdb"), "--version"], check=False, cwd="/", **account.process_options()
    )
    assert ran.returncode == 0


def test_a_missing_installation_is_explained(open_folder: Path) -> None:
    with pytest.raises(EmbeddedServerError, match="PLACA_PG_BIN"):
        find_binaries(open_folder)
