"""Settings: what is read, what is refused and in which words, and the key nobody ships."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from app.config import PREFIX, Settings, SettingsError, load_settings, names_of, unknown_settings
from app.keys import with_secret_key

ROOT = Path(__file__).parents[2]
KEY = "0123456789abcdefghijklmnopqrstuvwxyz"


def test_nothing_need_be_set() -> None:
    assert load_settings({}) == Settings()


def test_the_plain_and_the_prefixed_name_both_count_and_the_prefixed_first() -> None:
    assert load_settings({"PORT": "81"}).port == 81
    assert load_settings({"PORT": "81", "PLACA_PORT": "82"}).port == 82


def test_an_empty_variable_is_not_set() -> None:
    assert load_settings({"PUBLIC_URL": "", "PLACA_PORT": ""}) == Settings()


def test_a_value_can_come_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "key").write_text(f"{KEY}\n")

    assert load_settings({"SECRET_KEY_FILE": str(tmp_path / "key")}).secret_key == KEY


def test_a_file_that_is_not_there_is_named() -> None:
    with pytest.raises(SettingsError, match=r"SECRET_KEY_FILE=/nowhere/key: No such file"):
        load_settings({"SECRET_KEY_FILE": "/nowhere/key"})


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("PORT", "eighty", "PLACA_PORT='eighty'"),
        ("PORT", "70000", "65535"),
        ("PUBLIC_URL", "play.example.org", "https://play.example.org"),
        ("DATABASE_URL", "sqlite:///x", "postgresql://"),
        ("LOG_FORMAT", "xml", "'text' or 'json'"),
        ("TRUSTED_PROXIES", "everyone", "everyone"),
    ],
)
def test_a_bad_value_is_named_with_what_is_allowed(name: str, value: str, said: str) -> None:
    with pytest.raises(SettingsError) as refusal:
        load_settings({name: value})

    assert f"PLACA_{name}" in str(refusal.value)
    assert said in str(refusal.value)


@pytest.mark.parametrize("key", ["changeme", "short", "a" * 40])
def test_a_key_that_can_be_guessed_is_refused_and_not_repeated(key: str) -> None:
    with pytest.raises(SettingsError) as refusal:
        load_settings({"SECRET_KEY": key})

    assert key not in str(refusal.value)


def test_the_key_is_made_once_and_kept_private(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "new")

    first = with_secret_key(settings).secret_key
    second = with_secret_key(settings).secret_key

    assert first is not None
    assert first == second
    assert len(first) >= 32
    assert (tmp_path / "new" / "secret.key").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["secret.key"]


def test_two_installations_have_different_keys(tmp_path: Path) -> None:
    keys = {with_secret_key(Settings(data_dir=tmp_path / name)).secret_key for name in "ab"}

    assert len(keys) == 2


def test_a_given_key_is_not_written_anywhere(tmp_path: Path) -> None:
    settings = with_secret_key(Settings(data_dir=tmp_path, secret_key=KEY))

    assert settings.secret_key == KEY
    assert list(tmp_path.iterdir()) == []
    assert KEY not in repr(settings)


def test_a_folder_that_cannot_be_written_says_how_to_mend_it(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(SettingsError, match="chown"):
        with_secret_key(Settings(data_dir=tmp_path / "file"))


def test_an_unknown_variable_is_reported_with_the_nearest_name() -> None:
    assert unknown_settings({"PLACA_PROT": "1", "PLACA_PORT": "1", "OTHER": "1"}) == [
        "PLACA_PROT is not a setting; did you mean PLACA_PORT?"
    ]
    assert unknown_settings({"PLACA_SECRET_KEY_FILE": "/x"}) == []


def test_https_is_what_makes_a_place_secure() -> None:
    assert Settings(public_url="https://play.example.org").secure
    assert not Settings(public_url="http://192.168.1.5:8000").secure
    assert not Settings().secure


def test_where_notices_may_go_is_read_as_a_list() -> None:
    allow = "ntfy.lan, 192.168.1.10:8080,[fd00::/8],*.example.org,*"
    given = {"PLACA_NOTIFY_ALLOW": allow, "PLACA_NOTIFY_CHANNELS": "none"}
    settings = load_settings(given)

    assert settings.notify_allow == (
        "ntfy.lan",
        "192.168.1.10:8080",
        "[fd00::/8]",
        "*.example.org",
        "*",
    )
    assert settings.notify_channels == ()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PLACA_NOTIFY_CHANNELS", "discord,pigeon"),
        ("PLACA_NOTIFY_ALLOW", "https://ntfy.lan"),
        ("PLACA_NOTIFY_ALLOW", "ntfy.lan:99999"),
        ("PLACA_NOTIFY_ALLOW", "192.168.1"),
        ("PLACA_NOTIFY_ALLOW", "192.168.1.10/24"),
        ("PLACA_NOTIFY_ALLOW", "127.0.0.01"),
        ("PLACA_NOTIFY_ALLOW", "[fd00::1"),
        ("PLACA_NOTIFY_ALLOW", "a b"),
        ("PLACA_NOTIFY_TELEGRAM_URL", "ftp://x"),
        ("PLACA_NOTIFY_TELEGRAM_URL", "https://user:pw@x"),
    ],
)
def test_where_no_notice_can_go_is_refused(name: str, value: str) -> None:
    with pytest.raises(SettingsError, match=name):
        load_settings({name: value})


def test_the_example_lists_every_setting_and_no_other() -> None:
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    listed = re.findall(r"^#(\w+)=(.*)$", example, re.MULTILINE)

    assert sorted(name.removeprefix(PREFIX).lower() for name, _ in listed) == sorted(
        Settings.model_fields
    )
    # One of these is not without the other.
    issuer = {name: value for name, value in listed if name in {"OIDC_ISSUER", "OIDC_CLIENT_ID"}}
    for name, value in listed:
        assert name in names_of(name.removeprefix(PREFIX).lower())
        if value:
            load_settings({**(issuer if "OIDC" in name else {}), name: value})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("OIDC_ISSUER", "id.example.org"),
        ("OIDC_ISSUER", "http://id.example.org"),
        ("OIDC_ISSUER", "http://93.184.216.34"),
        ("OIDC_ISSUER", "https://id.example.org/?realm=friends"),
        ("OIDC_ISSUER", "https://user:pw@id.example.org"),
        ("OIDC_CLIENT_ID", ""),
        ("PLACA_OIDC_NAME", "x" * 41),
        ("PLACA_OIDC_ADMINS", "placa-admins"),
        ("PLACA_OIDC_ADMINS", "groups="),
        ("PLACA_OIDC_ALLOW", "groups=*"),
        ("PLACA_OIDC_ALLOW", "email=anna@*"),
        ("PLACA_OIDC_ALLOW", "email=*"),
        ("PLACA_LOCAL_SIGN_IN", "perhaps"),
    ],
)
def test_an_issuer_that_cannot_be_used_is_refused(name: str, value: str) -> None:
    issuer = {"OIDC_ISSUER": "https://id.example.org", "OIDC_CLIENT_ID": "placa"}
    with pytest.raises(SettingsError, match=name) as refused:
        load_settings({**issuer, name: value})

    assert str(refused.value).count("\n") == 0


@pytest.mark.parametrize(
    "address",
    ["http://localhost:8080/realms/x", "http://10.0.0.5", "http://keycloak:8080", "http://id.lan/"],
)
def test_plain_http_leads_to_an_issuer_inside_only(address: str) -> None:
    assert load_settings({"OIDC_ISSUER": address, "OIDC_CLIENT_ID": "p"}).oidc_issuer == address


def test_somebody_can_always_sign_in() -> None:
    with pytest.raises(SettingsError, match="nobody could sign in"):
        load_settings({"PLACA_LOCAL_SIGN_IN": "false"})


def test_a_bad_configuration_ends_a_command_with_status_78() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "app.cli", "migrate"],
        check=False,
        cwd=ROOT,
        capture_output=True,
        text=True,
        env={**os.environ, "PLACA_PORT": "eighty"},
    )

    assert done.returncode == 78
    assert done.stderr.startswith("placa: PLACA_PORT='eighty'")
    assert done.stderr.count("\n") == 1
