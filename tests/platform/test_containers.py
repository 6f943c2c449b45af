"""The container files: valid, safe by default, and in need of no edit."""

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
BIN = ROOT / ".venv" / "bin"


def tool(name: str) -> str:
    found = shutil.which(name, path=f"{BIN}{os.pathsep}{os.environ['PATH']}")
    if found is None:
        pytest.skip(f"{name} is not published for this platform")
    return found


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    """Return the compose file as compose itself reads it, with an empty environment."""
    done = subprocess.run(
        [tool("docker-compose"), "-f", "docker-compose.yml", "config"],
        check=False,
        cwd=ROOT,
        capture_output=True,
        text=True,
        env={"PATH": os.environ["PATH"], "HOME": "/nonexistent"},
    )

    assert done.returncode == 0, done.stderr
    assert done.stderr == "", "compose warns, about an unset variable for instance"
    loaded: dict[str, Any] = yaml.safe_load(done.stdout)
    return loaded


def test_the_dockerfile_passes_its_linter() -> None:
    done = subprocess.run(
        [tool("hadolint"), "Dockerfile"], check=False, cwd=ROOT, capture_output=True, text=True
    )

    assert done.returncode == 0, done.stdout


def test_two_services_are_all_there_is(compose: dict[str, Any]) -> None:
    assert set(compose["services"]) == {"app", "db"}


def test_the_app_waits_for_a_healthy_database(compose: dict[str, Any]) -> None:
    services = compose["services"]

    assert services["app"]["depends_on"]["db"]["condition"] == "service_healthy"
    assert services["db"]["healthcheck"]["test"]
    assert services["db"]["image"].startswith("postgres:18")


def test_the_app_may_do_next_to_nothing(compose: dict[str, Any]) -> None:
    app = compose["services"]["app"]

    assert app["read_only"] is True
    assert app["cap_drop"] == ["ALL"]
    assert app["security_opt"] == ["no-new-privileges:true"]


def test_the_database_is_on_no_network_and_the_app_on_this_machine_only(
    compose: dict[str, Any],
) -> None:
    assert compose["services"]["db"]["network_mode"] == "none"
    assert "ports" not in compose["services"]["db"]
    assert [port["host_ip"] for port in compose["services"]["app"]["ports"]] == ["127.0.0.1"]


def test_no_password_is_written_down() -> None:
    for name in ("docker-compose.yml", "Dockerfile", ".env.example"):
        source = (ROOT / name).read_text(encoding="utf-8")

        assert not re.search(r"://\w+:\w+@", source), name
        assert not re.search(r"^\s*\w*(PASSWORD|SECRET_KEY):?\s*[=:]\s*\S", source, re.MULTILINE)


def test_the_image_runs_as_nobody_in_particular() -> None:
    stages = (ROOT / "Dockerfile").read_text(encoding="utf-8").split("\nFROM ")

    assert "\nUSER 10001\n" in stages[-1]
    assert "HEALTHCHECK" in stages[-1]
    assert "uv sync --frozen" in stages[1]


def test_what_the_image_copies_is_let_through() -> None:
    allowed = set((ROOT / ".dockerignore").read_text(encoding="utf-8").split())
    source = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    copied = [
        name
        for line in re.findall(r"^COPY (?!--)(.+) \S+$", source, re.MULTILINE)
        for name in line.split()
    ]

    assert copied
    for name in copied:
        assert f"!{name}" in allowed
        assert (ROOT / name).exists()
