"""The container files: valid, safe by default, and in need of no edit."""

import re
import ssl
import subprocess
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.config import Settings, load_settings, names_of
from tests.support.compose import composed, read, tool
from tests.support.proxies import NAME, Ports, changed, running
from tests.support.web import free_port, web_process

ROOT = Path(__file__).parents[2]
NO_DATABASE = "postgresql://placa@127.0.0.1:1/placa"
BOTH = ("docker-compose.yml", "docker-compose.tls.yml")
# What image and compose file decide, since the container's inside depends on it.
OF_THE_IMAGE = {
    *("PLACA_DATA_DIR", "PLACA_HOST", "PORT", "PLACA_PG_BIN", "PLACA_PG_USER", "PLACA_REPLY_LISTEN")
}
# The pools that Docker takes its networks from, unless it is told others.
DOCKERS = ("172.17.0.0/16", "172.31.0.0/16", "192.168.0.0/20", "fd12:3456:789a:1::/64")


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    """Return the compose file as compose itself reads it, with an empty environment."""
    return read("docker-compose.yml")


@pytest.fixture(scope="module")
def with_https() -> dict[str, Any]:
    """Return both compose files together, with the one setting they need."""
    return read(*BOTH, DOMAIN=NAME)


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
    for name in (*BOTH, "Dockerfile", ".env.example"):
        source = (ROOT / name).read_text(encoding="utf-8")

        assert not re.search(r"://\w+:\w+@", source), name
        assert not re.search(
            r"^\s*\w*(PASSWORD|SECRET_KEY):?\s*[=:]\s*(?!\$\{)\S", source, re.MULTILINE
        )


def test_every_setting_can_be_given_in_the_file_env(compose: dict[str, Any]) -> None:
    passed = set(compose["services"]["app"]["environment"])

    assert passed == {names_of(name)[-1] for name in Settings.model_fields} - OF_THE_IMAGE
    assert load_settings(compose["services"]["app"]["environment"]) == load_settings(
        {"DATABASE_URL": compose["services"]["app"]["environment"]["DATABASE_URL"]}
    )


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


class TestHttps:
    """docker-compose.tls.yml puts Caddy before the app."""

    def test_only_caddy_is_reached_from_outside(self, with_https: dict[str, Any]) -> None:
        services = with_https["services"]

        assert set(services) == {"app", "db", "caddy"}
        assert "ports" not in services["app"]
        assert "ports" not in services["db"]
        assert {port["published"] for port in services["caddy"]["ports"]} == {"80", "443"}
        assert set(services["app"]["networks"]) == set(services["caddy"]["networks"]) == {"web"}

    def test_caddy_may_bind_its_ports_and_nothing_else(self, with_https: dict[str, Any]) -> None:
        caddy = with_https["services"]["caddy"]

        assert caddy["read_only"] is True
        assert caddy["cap_drop"] == ["ALL"]
        assert caddy["cap_add"] == ["NET_BIND_SERVICE"]
        assert caddy["depends_on"]["app"]["condition"] == "service_healthy"
        assert [volume["target"] for volume in caddy["volumes"]] == ["/data"]

    def test_the_address_follows_from_the_name_and_caddy_is_believed(
        self, with_https: dict[str, Any]
    ) -> None:
        environment = with_https["services"]["app"]["environment"]
        settings = load_settings(environment)
        trusted = [ip_network(one) for one in settings.trusted_proxies]

        assert settings.public_url == f"https://{NAME}"
        for pool in map(ip_network, DOCKERS):
            assert any(
                pool.version == one.version and pool.subnet_of(one)  # type: ignore[arg-type] # of one version
                for one in trusted
            )

    def test_without_a_name_it_says_what_to_write(self) -> None:
        done = composed(*BOTH)

        assert done.returncode != 0
        assert f"write DOMAIN={NAME} into the file .env" in done.stderr

    def test_the_real_caddy_serves_with_its_lines(
        self, with_https: dict[str, Any], tmp_path: Path
    ) -> None:
        lines = with_https["configs"]["caddyfile"]["content"]
        port = free_port()
        ports = Ports(http=free_port(), https=free_port(), behind=port)
        (tmp_path / "data").mkdir()
        with (
            web_process(NO_DATABASE, tmp_path / "data", port, PUBLIC_URL=f"https://{NAME}"),
            running(
                "caddy",
                changed(lines, ("app:8000", "127.0.0.1:8000")),
                ports,
                tmp_path / "caddy",
                tmp_path,
            ) as proxy,
        ):
            context = ssl.create_default_context(cafile=str(proxy.authority))
            with httpx.Client(verify=context) as client:
                alive = client.get(
                    f"https://127.0.0.1:{ports.https}/healthz",
                    headers={"Host": NAME},
                    extensions={"sni_hostname": NAME},
                )

        assert alive.json() == {"status": "ok"}
