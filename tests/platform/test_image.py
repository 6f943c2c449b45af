"""The image's commands without an engine: read-only, no rights, any user, as the files say."""

import json
import os
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from app.cli.surroundings import BAD_CONFIGURATION
from app.db.address import conninfo
from app.db.embedded import EmbeddedServer
from tests.support.compose import read
from tests.support.container import USER, may_unshare, running
from tests.support.postgres import FAST

PATIENCE = 90.0
OPEN = {"unix_socket_permissions": "0777"}
VISITED = 60
# On a network that leads nowhere: a match is begun, and all pages, styles and scripts are read.
VISIT = f"""
import json, httpx
from tests.support.crawl import crawl
base = "http://127.0.0.1:8000"
form = {{"csrf": "", "bots": "1", "key": "k"}}
with httpx.Client(timeout=60) as client:
    made = client.post(base + "/play-bots", data=form, headers={{"Origin": base}})
    seen = crawl(client, base, most={VISITED})
print(json.dumps([made.status_code, seen.statuses, sorted(seen.foreign(base))]))
"""
WRITABLE = {"/data", "/tmp", "/var/run/postgresql"}  # noqa: S108 - the image's own


@pytest.fixture
def database(open_folder: Path) -> Iterator[EmbeddedServer]:
    """Return a server with the compose file's database, open to every user of this machine."""
    may_unshare()
    server = EmbeddedServer(open_folder, settings=FAST | OPEN)
    server.start()
    with closing(psycopg.connect(conninfo(server.url("postgres")), autocommit=True)) as connection:
        connection.execute("create role placa login")
        connection.execute("create database placa owner placa")
    server.stop()
    yield server
    server.stop()


def start(server: EmbeddedServer) -> None:
    server.start()
    server.sockets.chmod(0o755)


def family(pid: int) -> list[int]:
    """Return a process and all below it."""
    listed = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *(one for child in listed for one in family(int(child)))]


def status_of(pid: int) -> dict[str, str]:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}


def mounted_writable(pid: int) -> set[str]:
    """Return where a process could write, if the files let it."""
    lines = [line.split() for line in Path(f"/proc/{pid}/mountinfo").read_text().splitlines()]
    return {line[4] for line in lines if "rw" in line[5].split(",")}


def test_it_lives_without_a_database_and_is_healthy_with_one(
    database: EmbeddedServer, tmp_path: Path
) -> None:
    app = read("docker-compose.yml")["services"]["app"]
    data = tmp_path / "data"
    data.mkdir(mode=0o700)
    os.chown(data, USER, USER)
    with running(tmp_path, data, database.sockets, app) as container:
        container.until(lambda: "database.awaited" in container.said)
        before = (container.status("/healthz"), container.status("/readyz"), container.healthy())
        start(database)
        container.until(container.healthy)
        doctor = container.run("placa", "doctor")

        visited = container.run("python", "-c", VISIT)

        pids = family(container.process.pid)
        rights = [status_of(pid) for pid in pids]
        places = mounted_writable(container.process.pid)

        database.stop()
        container.until(lambda: not container.healthy())
        away = (container.status("/healthz"), container.status("/readyz"))
        start(database)
        container.until(container.healthy)

        began = time.monotonic()
        container.process.terminate()
        status = container.process.wait(PATIENCE)
        took = time.monotonic() - began

    assert before == ((200, "None"), (503, "3"), False)
    assert away == ((200, "None"), (503, "3"))
    assert doctor.returncode == 0, doctor.stdout
    assert visited.returncode == 0, visited.stderr
    made, statuses, foreign = json.loads(visited.stdout)
    assert made == 303
    assert len(statuses) == VISITED
    assert [address for address, code in statuses.items() if code >= 400] == []
    assert foreign == [], "pages ask others than this server"
    assert len(pids) == 3, "serve, web and worker"
    for one in rights:
        assert {one[name] for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")} == {
            "0000000000000000"
        }
        assert one["NoNewPrivs"] == "1"
        assert one["Uid"].split() == [str(USER)] * 4
    assert app["read_only"] is True
    assert app["tmpfs"] == ["/tmp"]  # noqa: S108 - the image's own
    assert {one for one in places if not one.startswith(("/proc", "/dev"))} == WRITABLE
    assert {path.name for path in data.iterdir()} == {"database.known", "secret.key"}
    assert status == 0, container.said
    assert took < seconds(app["stop_grace_period"])
    assert "ended" not in container.said


def seconds(text: str) -> float:
    return float(text.removesuffix("s"))


def test_a_data_folder_of_somebody_else_is_named_with_the_command_that_mends_it(
    tmp_path: Path,
) -> None:
    may_unshare()
    app = read("docker-compose.yml")["services"]["app"]
    data, sockets = tmp_path / "data", tmp_path / "sockets"
    data.mkdir(mode=0o755)
    sockets.mkdir()
    with running(tmp_path, data, sockets, app) as container:
        status = container.process.wait(PATIENCE)

    assert status == BAD_CONFIGURATION, container.said
    assert f"chown -R {USER}:{USER} /data" in container.said
    assert "Traceback" not in container.said
