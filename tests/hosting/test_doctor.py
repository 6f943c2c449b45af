"""`placa doctor` finds each of the faults seeded here, names the fix, and nothing else."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest

from app.clock import SYSTEM_CLOCK
from app.config import Settings
from app.db.address import conninfo
from app.db.embedded import EmbeddedServer
from app.hosting.doctor.database import look_at_database
from app.hosting.doctor.findings import Finding
from app.hosting.doctor.machine import look_at_registration
from tests.support.clock import SettableClock
from tests.support.forked import placa
from tests.support.issuer import issuing
from tests.support.proxy import Habits, make_certificate, proxying
from tests.support.web import free_port, web_process

ROOT = Path(__file__).parents[2]
KEY = "0123456789abcdefghijklmnopqrstuvwxyz"
OURS = (
    "OIDC_",
    "PLACA_",
    "DATABASE_URL",
    "PUBLIC_URL",
    "SECRET_KEY",
    "PORT",
    "TRUSTED_",
    "LOG_FORMAT",
)
# On a busy machine a test may take longer than a worker may be silent.
ALIVE = "insert into procrastinate_workers (last_heartbeat) values (now() + interval '1 hour')"
MATCH = """
    insert into matches (id, game, rules_version, options, nonce, seed, commitment, version, events,
      state, prompts, created_at, updated_at)
    values ('00000000-0000-4000-8000-000000000001', 'castell', 1, '{}', '', '', '', 1, 1, '{}',
      '{"0": {"key": "turn:1:0", "kind": "turn", "opened": 1}}', now(), now() - interval '1 hour')
"""
SEAT = """
    insert into match_seats (match_id, seat, bot, name, kit, committed_version)
    values ('00000000-0000-4000-8000-000000000001', 0, 'steady', 'Mercè', 1, 1)
"""


def do(url: str, *statements: str) -> None:
    with closing(psycopg.connect(conninfo(url), autocommit=True)) as connection:
        for statement in statements:
            connection.execute(statement.encode())


def doctor(
    environment: dict[str, str], *words: str, before: tuple[str, ...] = ()
) -> tuple[int, dict[str, dict[str, Any]]]:
    """Run the command; return its status and what it found, by code."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
    given = {**clean, **environment}
    if before:
        done = subprocess.run(
            [*before, sys.executable, "-m", "app.cli", "doctor", "--json", *words],
            cwd=ROOT,
            env=given,
            capture_output=True,
            text=True,
            check=False,
        )
    else:
        done = placa("doctor", "--json", *words, environment=given)
    assert done.stdout, done.stderr
    return done.returncode, {found["code"]: found for found in json.loads(done.stdout)}


def at(url: str, folder: Path) -> dict[str, str]:
    return {"DATABASE_URL": url, "PLACA_DATA_DIR": str(folder), "SECRET_KEY": KEY}


def faults(found: dict[str, dict[str, Any]]) -> set[str]:
    return {code for code, one in found.items() if one["grade"] == "fault"}


def by_code(findings: tuple[Finding, ...]) -> dict[str, Finding]:
    return {found.code: found for found in findings}


@pytest.fixture
def sound(database_url: str) -> str:
    """Return a database with a living worker."""
    do(database_url, ALIVE)
    return database_url


def look(url: str) -> dict[str, Finding]:
    return by_code(look_at_database(url, SYSTEM_CLOCK).findings)


def test_nothing_is_wrong_where_nothing_is_wrong(sound: str, tmp_path: Path) -> None:
    status, found = doctor(at(sound, tmp_path))

    assert faults(found) == set()
    assert status == 0
    assert {"config", "data", "database", "clock", "schema", "worker", "matches"} <= set(found)


def test_1_the_database_is_down(tmp_path: Path) -> None:
    away = "postgresql://placa:sentinel@127.0.0.1:1/placa"

    status, found = doctor({"DATABASE_URL": away, "PLACA_DATA_DIR": str(tmp_path)})

    assert status == 1
    assert faults(found) == {"database.down"}
    assert "start PostgreSQL" in found["database.down"]["fix"]
    assert "sentinel" not in json.dumps(found)


@pytest.fixture
def guarded(open_folder: Path) -> Iterator[str]:
    """Return the address of a server that wants a password, without the password."""
    server = EmbeddedServer(open_folder)
    server.start()
    try:
        do(server.url("postgres"), "create role guarded login password 'right'")
        rules = server.cluster / "pg_hba.conf"
        rules.write_text("local all guarded scram-sha-256\n" + rules.read_text())
        do(server.url("postgres"), "select pg_reload_conf()")
        yield f"postgresql://guarded:{{}}@/postgres?host={server.sockets}"
    finally:
        server.stop()


def test_2_the_password_is_wrong(guarded: str) -> None:
    wrong = look(guarded.format("sentinel"))
    missing = look(guarded.format("right").replace("/postgres?", "/nowhere?"))
    never_started = look(guarded.format("right"))

    assert set(wrong) == {"database.password"}
    assert "ALTER ROLE" in wrong["database.password"].fix
    assert "sentinel" not in wrong["database.password"].says
    assert "createdb" in missing["database.missing"].fix
    assert "placa migrate" in never_started["schema.older"].fix


def test_3_the_schema_is_old(make_database: Callable[[str], str]) -> None:
    url = make_database("doctor")
    do(url, "update alembic_version set version_num = '20261130_upkeep'")

    found = look(url)

    assert "placa migrate" in found["schema.older"].fix
    assert "20261130_upkeep" in found["schema.older"].says


def test_4_the_schema_is_of_a_newer_version(make_database: Callable[[str], str]) -> None:
    url = make_database("doctor")
    do(url, "update alembic_version set version_num = '20991231_future'")

    assert "install that version again" in look(url)["schema.newer"].fix


def test_5_the_worker_is_dead_or_cannot_keep_up(database_url: str) -> None:
    none = look(database_url)
    do(
        database_url,
        "insert into procrastinate_workers (last_heartbeat) values (now() - interval '5 min')",
        "insert into procrastinate_jobs (task_name, queue_name, args) values ('a', 'q', '{}')",
    )
    silent = look(database_url)
    do(
        database_url,
        ALIVE,
        "update procrastinate_events set at = now() - interval '10 min'",
    )
    late = look(database_url)

    assert "placa worker" in none["worker.dead"].fix
    assert "none for 300 s; 1 jobs are due" in silent["worker.dead"].says
    assert "PLACA_WORKER_CONCURRENCY" in late["worker.late"].fix


@pytest.mark.parametrize(("minutes", "said"), [(-5, "ahead of"), (5, "behind")])
def test_6_the_clocks_differ(sound: str, minutes: int, said: str) -> None:
    clock = SettableClock(SYSTEM_CLOCK.now() + timedelta(minutes=minutes))

    found = by_code(look_at_database(sound, clock).findings)

    assert said in found["clock.skew"].says
    assert "chrony" in found["clock.skew"].fix


def unshared(script: str) -> tuple[str, ...]:
    """Return what runs a command with mounts of its own; skip where that is not allowed."""
    if shutil.which("unshare") is None:
        pytest.skip("no unshare here")
    probe = ["unshare", "-m", "sh", "-c", "mount -t tmpfs tmpfs /mnt"]
    if subprocess.run(probe, check=False, capture_output=True).returncode != 0:
        pytest.skip("mounts of one's own are not allowed here")
    return ("unshare", "-m", "sh", "-c", f'{script} && exec "$@"', "sh")


def test_7_the_disk_is_nearly_full(sound: str, tmp_path: Path) -> None:
    small = unshared(f"mount -t tmpfs -o size=40m tmpfs {tmp_path}")

    status, found = doctor(at(sound, tmp_path), before=small)

    assert status == 1
    assert faults(found) == {"disk.full"}
    assert "PLACA_DATA_DIR" in found["disk.full"]["fix"]


def test_8_the_data_folder_cannot_be_written(sound: str, tmp_path: Path) -> None:
    read_only = unshared(f"mount -t tmpfs tmpfs {tmp_path} && mount -o remount,ro {tmp_path}")
    (tmp_path / "file").write_text("")

    _, sealed = doctor(at(sound, tmp_path), before=read_only)
    _, no_folder = doctor(at(sound, tmp_path / "file"))

    for found in (sealed, no_folder):
        assert "data.not_writable" in faults(found)
        assert f"chown -R {os.geteuid()}:" in found["data.not_writable"]["fix"]


class TestTheSecret:
    """Fault 9: missing, too short, or another."""

    @pytest.fixture
    def used(self, sound: str, tmp_path: Path) -> dict[str, str]:
        """Return the environment of a server that was started once."""
        environment = {"DATABASE_URL": sound, "PLACA_DATA_DIR": str(tmp_path)}
        started = placa("migrate", environment={**os.environ, **environment})
        assert started.returncode == 0, started.stderr
        return environment

    def test_9_missing(self, used: dict[str, str], tmp_path: Path) -> None:
        _, before = doctor(used)
        (tmp_path / "secret.key").unlink()
        _, found = doctor(used)

        assert faults(before) == set()
        assert faults(found) == {"secret.missing"}
        assert "backup" in found["secret.missing"]["fix"]
        assert not (tmp_path / "secret.key").exists()

    def test_9_too_short(self, used: dict[str, str], tmp_path: Path) -> None:
        (tmp_path / "secret.key").write_text("sentinel")
        _, in_folder = doctor(used)
        _, given = doctor({**used, "SECRET_KEY": "sentinel"})

        assert faults(in_folder) == {"secret.unusable"}
        assert faults(given) == {"config.unusable"}
        assert "sentinel" not in json.dumps([in_folder, given])

    def test_9_changed_until_it_is_accepted(self, used: dict[str, str]) -> None:
        _, changed = doctor({**used, "SECRET_KEY": KEY})
        told = placa("secrets", "accept", environment={**os.environ, **used, "SECRET_KEY": KEY})
        _, accepted = doctor({**used, "SECRET_KEY": KEY})

        assert told.returncode == 0, told.stderr
        assert faults(changed) == {"secret.changed"}
        assert "placa secrets accept" in changed["secret.changed"]["fix"]
        assert faults(accepted) == set()


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_certificate(tmp_path_factory.mktemp("tls"))


@dataclass(frozen=True, slots=True)
class Place:
    """A database, a data folder and a certificate, between which proxy and server can be run."""

    url: str
    folder: Path
    certificate: Path

    @property
    def environment(self) -> dict[str, str]:
        """What the doctor is started with."""
        return {**at(self.url, self.folder), "SSL_CERT_FILE": str(self.certificate)}

    def ask(self, habits: Habits, *, path: str = "", told: str = "{}") -> dict[str, dict[str, Any]]:
        """Start proxy and server as told, and let the doctor look at the proxy's address."""
        port = free_port()
        with proxying(port, habits, certificate=self.certificate) as before:
            address = before + path
            environment = {"PUBLIC_URL": told.format(address), "SECRET_KEY": KEY}
            with web_process(self.url, self.folder, port, **environment):
                return doctor(self.environment, "--url", address)[1]


@pytest.fixture
def place(sound: str, tmp_path: Path, certificate: Path) -> Place:
    return Place(sound, tmp_path, certificate)


class TestTheProxy:
    """Fault 10: headers that are missing or not believed, and addresses that lead elsewhere."""

    @pytest.mark.parametrize("strip", ["", "/games"])
    def test_10_a_good_one_is_good_under_a_path_too(self, place: Place, strip: str) -> None:
        found = place.ask(Habits(strip=strip), path="/games")

        assert faults(found) == set()
        assert "leads here" in found["address"]["says"]

    @pytest.mark.parametrize(
        ("wrong", "code", "fix"),
        [
            ({"forwarded_proto": False}, "proxy.no_proto", "X-Forwarded-Proto $scheme"),
            ({"forwarded_for": False}, "proxy.no_client", "X-Forwarded-For"),
            ({"keep_host": False}, "proxy.host", "Host $host"),
            ({"source": "127.0.0.9"}, "proxy.untrusted", "TRUSTED_PROXIES=127.0.0.1,127.0.0.9"),
        ],
    )
    def test_10_each_wrong_header_is_named_with_the_line_that_mends_it(
        self, place: Place, wrong: dict[str, Any], code: str, fix: str
    ) -> None:
        found = place.ask(Habits(**wrong))

        assert faults(found) == {code}
        assert fix in found[code]["fix"]

    def test_10_another_public_address_is_named(self, place: Place) -> None:
        found = place.ask(Habits(), told="https://old.example.org")

        assert faults(found) == {"address.public_url"}
        assert "set PUBLIC_URL=https://localhost:" in found["address.public_url"]["fix"]

    def test_10_a_stranger_or_nobody_at_the_address(self, place: Place) -> None:
        environment = place.environment
        _, nobody = doctor(environment, "--url", f"http://localhost:{free_port()}")
        port = free_port()
        with (
            proxying(port, Habits(), certificate=place.certificate) as address,
            web_process(place.url, place.folder, port, PUBLIC_URL=address, SECRET_KEY=KEY[::-1]),
        ):
            _, stranger = doctor(environment, "--url", address)
            _, unknown = doctor({**environment, "SSL_CERT_FILE": "/dev/null"}, "--url", address)

        assert faults(nobody) == {"address.unreachable"}
        assert faults(stranger) == {"address.stranger"}
        assert faults(unknown) == {"address.certificate"}


@pytest.mark.parametrize(
    ("public_url", "registration", "code", "grade"),
    [
        ("https://play.example.org", "open", "registration.open", "warning"),
        ("https://play.example.org", None, "registration", "ok"),
        ("http://192.168.1.5:8000", "open", "registration", "ok"),
        (None, None, "registration", "ok"),
    ],
)
def test_who_may_make_an_account_is_said_and_open_on_the_internet_warned_of(
    public_url: str | None, registration: Any, code: str, grade: str
) -> None:
    found = look_at_registration(Settings(public_url=public_url, registration=registration))

    assert (found.code, found.grade) == (code, grade)


def test_11_a_name_that_means_nothing(sound: str, tmp_path: Path) -> None:
    status, found = doctor({**at(sound, tmp_path), "PLACA_PUBLIC_ULR": "https://play.example.org"})

    assert status == 1
    assert faults(found) == {"config.unknown"}
    assert "did you mean PLACA_PUBLIC_URL?" in found["config.unknown"]["says"]


def test_12_a_match_is_jammed(sound: str) -> None:
    do(sound, MATCH, SEAT)
    jammed = look(sound)
    do(sound, "update match_seats set bot = null")
    a_person_takes_time = look(sound)
    do(sound, "update matches set prompts = '{}'")
    asks_nobody = look(sound)

    assert "rollback, reassign-seat to another bot, or void" in jammed["match.jammed"].fix
    assert "match.jammed" not in a_person_takes_time
    assert "asks nobody" in asks_nobody["match.jammed"].says


def test_an_issuer_that_answers_is_told_with_what_it_has_to_know(
    sound: str, tmp_path: Path
) -> None:
    here = {**at(sound, tmp_path), "OIDC_CLIENT_ID": "placa"}
    with issuing(SYSTEM_CLOCK.now) as issuer:
        known = {**here, "OIDC_ISSUER": issuer.address}
        status, found = doctor(known)
        _, misspelt = doctor({**here, "OIDC_ISSUER": f"{issuer.address}/"})
        _, addressed = doctor(known, "--url", f"http://localhost:{free_port()}/placa/")
    _, down = doctor(known)

    assert (status, found["oidc.issuer"]["grade"]) == (0, "ok")
    assert found["oidc.no_address"]["grade"] == "warning"
    assert addressed["oidc.redirect"]["says"].endswith("/placa/login/oidc/callback")
    assert faults(misspelt) == {"oidc.garbled"}
    assert "to the last slash" in misspelt["oidc.garbled"]["fix"]
    assert faults(down) == {"oidc.silent"}
    assert "placa oidc disable" in down["oidc.silent"]["fix"]


def test_an_installation_that_was_never_started_is_told_how_to(tmp_path: Path) -> None:
    status, found = doctor({"PLACA_DATA_DIR": str(tmp_path)})

    assert status == 0
    assert "placa serve" in found["database.new"]["fix"]


def test_the_text_has_one_line_for_each(sound: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "app.cli", "doctor"],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": sound, "PLACA_DATA_DIR": str(tmp_path), "PLACA_X": "1"},
        capture_output=True,
        text=True,
        check=False,
    )

    lines = done.stdout.splitlines()
    assert lines[0].startswith("FAULT   config.unknown: PLACA_X is not a setting")
    assert " -> " in lines[0]
    assert all(line.startswith(("ok ", "WARNING ", "FAULT ")) for line in lines)
