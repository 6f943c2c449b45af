"""`placa config` and `placa secrets`, as an operator runs them."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.config import Settings

ROOT = Path(__file__).parents[2]
KEY = "0123456789abcdefghijklmnopqrstuvwxyz"
OURS = ("PLACA_", "DATABASE_URL", "PUBLIC_URL", "SECRET_KEY", "PORT", "TRUSTED_", "LOG_FORMAT")


def placa(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
    return subprocess.run(
        [sys.executable, "-m", "app.cli", *arguments],
        cwd=ROOT,
        env={**clean, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_every_setting_is_listed_with_names_default_and_meaning() -> None:
    listed = json.loads(placa("config", "list", "--json").stdout)
    page = placa("config", "list").stdout

    assert [line["names"][0].removeprefix("PLACA_").lower() for line in listed] == list(
        Settings.model_fields
    )
    assert all(line["meaning"].endswith(".") for line in listed)
    assert "PORT or PLACA_PORT  (or PORT_FILE)\n    Port to listen on.\n    default 8000" in page


def test_what_is_set_is_shown_with_where_it_came_from(tmp_path: Path) -> None:
    (tmp_path / "port").write_text("81\n")

    page = placa("config", "list", PORT_FILE=str(tmp_path / "port"), LOG_FORMAT="json").stdout

    assert "PORT_FILE sets it to 81" in page
    assert "LOG_FORMAT sets it to json" in page


def test_no_secret_is_shown_by_any_of_them(tmp_path: Path) -> None:
    url = "postgresql://placa:sentinel@db/placa"
    folder = str(tmp_path)
    given = {"SECRET_KEY": KEY, "DATABASE_URL": url, "PLACA_DATA_DIR": folder}

    for words in (
        ("config", "list"),
        ("config", "list", "--json"),
        ("config", "list", "--markdown"),
        ("config", "check"),
        ("secrets", "show"),
        ("secrets", "fingerprint"),
    ):
        done = placa(*words, **given)
        assert done.returncode == 0, done.stderr
        assert KEY not in done.stdout + done.stderr
        assert "sentinel" not in done.stdout + done.stderr


def test_a_variable_that_means_nothing_is_named_with_the_nearest() -> None:
    done = placa("config", "list", PLACA_WORKER_CONCURENCY="2")

    assert done.returncode == 0
    assert done.stderr == (
        "placa: warning: PLACA_WORKER_CONCURENCY is not a setting;"
        " did you mean PLACA_WORKER_CONCURRENCY?\n"
    )


def test_check_names_each_value_that_cannot_be_used() -> None:
    done = placa("config", "check", PORT="eighty", LOG_FORMAT="xml")

    assert done.returncode == 78
    assert "PLACA_PORT='eighty'" in done.stderr
    assert "PLACA_LOG_FORMAT='xml'" in done.stderr
    assert placa("config", "check").returncode == 0


def test_a_password_in_an_address_that_cannot_be_used_is_not_repeated() -> None:
    done = placa("config", "check", DATABASE_URL="mysql://placa:sentinel@db/placa")

    assert done.returncode == 78
    assert "mysql://placa:(hidden)@db/placa" in done.stderr
    assert "sentinel" not in done.stderr


def test_two_installations_differ_and_each_stays_the_same(tmp_path: Path) -> None:
    def of(name: str) -> str:
        return placa("secrets", "fingerprint", PLACA_DATA_DIR=str(tmp_path / name)).stdout

    first, again, other = of("a"), of("a"), of("b")

    assert len(first.strip()) == 16
    assert first == again
    assert first != other


@pytest.mark.parametrize("content", [b"short", b"changeme" * 8, b"\xff" * 64])
def test_a_damaged_key_is_refused_with_one_line_that_says_what_to_do(
    tmp_path: Path, content: bytes
) -> None:
    (tmp_path / "secret.key").write_bytes(content)

    done = placa("secrets", "fingerprint", PLACA_DATA_DIR=str(tmp_path))

    assert done.returncode == 78
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "Put the file of your backup back" in done.stderr


def test_a_file_that_is_not_there_is_named() -> None:
    done = placa("config", "list", SECRET_KEY_FILE="/nowhere/key")

    assert done.returncode == 78
    assert done.stderr == "placa: SECRET_KEY_FILE=/nowhere/key: No such file or directory\n"
