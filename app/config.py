"""Settings, from the environment only.

Every setting is read as `PLACA_<NAME>`; the few that other programs know too
also by their plain name (`DATABASE_URL`, `PUBLIC_URL`, `SECRET_KEY`, `PORT`).
A secret can be given as a file: `SECRET_KEY_FILE=/run/secrets/key`.
"""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from ipaddress import ip_network
from pathlib import Path
from typing import Any, Literal, Self
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from app.config_oidc import OIDC_PLAIN, OidcSettings
from app.urls import parts_of, site_of

PREFIX = "PLACA_"
SHORTEST_KEY = 32
SHORTEST_TOKEN = 16
PLACEHOLDERS = frozenset({"changeme", "change-me", "secret", "placeholder", "example", "password"})

# What is never shown, and what is shown without the password in it.
SECRETS = frozenset(
    {"secret_key", "metrics_token", "smtp_password", "reply_secret", "oidc_client_secret"}
)
ADDRESSES = frozenset({"database_url", "smtp_url", "reply_imap_url"})

# Settings that are also read without the prefix.
PLAIN = (
    "database_url",
    "public_url",
    "secret_key",
    "port",
    "trusted_proxies",
    "log_format",
    "registration",
    "smtp_url",
    "mail_from",
    *OIDC_PLAIN,
)


# A name, `*.` before it for all below it, or an address or network; IPv6 in brackets.
ALLOWED_HOST = re.compile(
    r"(?:\[(?P<v6>[0-9A-Fa-f:./]+)\]|(?P<host>\*|(?:\*\.)?[A-Za-z0-9._/-]+))(?::(?P<port>\d{1,5}))?"
)
POSTGRES = ("postgres", "postgresql")
CHANNEL_KINDS = ("discord", "matrix", "ntfy", "push", "telegram", "webhook")

_PASSWORD = re.compile(r"(://[^:/@\s]+:)[^@\s]+@")


class SettingsError(Exception):
    """A setting cannot be used; each line names it, its value and what is allowed."""


class Basics(BaseModel):
    """What the operator may decide, but for signing in at another server."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    data_dir: Path = Field(
        default=Path("data"),
        description="Folder of the embedded database and the generated secret.",
    )
    database_url: str | None = Field(
        default=None, description="A PostgreSQL server to use instead of the embedded one."
    )
    pg_bin: Path | None = Field(
        default=None, description="Folder with postgres and initdb for the embedded database."
    )
    pg_user: str = Field(
        default="nobody", description="As whom the embedded database runs when root starts it."
    )
    host: str = Field(default="127.0.0.1", description="Address to listen on.")
    port: int = Field(default=8000, ge=0, le=65535, description="Port to listen on.")
    public_url: str | None = Field(
        default=None, description="The address players type, with https:// or http://."
    )
    secret_key: str | None = Field(
        default=None, repr=False, description="Key that signs forms; generated when not given."
    )
    trusted_proxies: tuple[str, ...] = Field(
        default=("127.0.0.1",),
        description="Addresses, separated by commas, whose X-Forwarded headers are believed.",
    )
    log_format: Literal["text", "json"] = Field(
        default="text", description="text for people, json for programs."
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="info", description="The least serious message that is logged."
    )
    metrics_token: str | None = Field(
        default=None,
        repr=False,
        description="What a Prometheus shows to read /metrics; without it there are none.",
    )
    registration: Literal["open", "invite", "closed"] | None = Field(
        default=None,
        description="Who may make an account: open is anybody, invite whom somebody with an account"
        " has seated, closed nobody; unset it is invite where PUBLIC_URL is https, else open.",
    )
    worker_concurrency: int = Field(
        default=4, ge=1, le=64, description="Background jobs that run at once."
    )

    smtp_url: str | None = Field(
        default=None,
        repr=False,
        description="Where mail is handed in: smtp://user:password@mail.example.org, or smtps://.",
    )
    smtp_host: str | None = Field(default=None, description="The mail server, without SMTP_URL.")
    smtp_port: int | None = Field(
        default=None, ge=1, le=65535, description="Its port; else 587, with tls 465, with none 25."
    )
    smtp_user: str | None = Field(default=None, description="The name to sign in to it with.")
    smtp_password: str | None = Field(
        default=None, repr=False, description="The password to sign in to it with."
    )
    smtp_security: Literal["starttls", "tls", "none"] = Field(
        default="starttls",
        description="starttls and tls insist on an encrypted way; none is for this machine.",
    )
    smtp_timeout_seconds: int = Field(
        default=15, ge=1, le=120, description="How long the mail server may take for one answer."
    )
    mail_from: str | None = Field(
        default=None,
        description="Whom mail comes from, like Plaça <play@example.org>; else placa@ the host of"
        " PUBLIC_URL.",
    )

    reply_address: str | None = Field(
        default=None,
        description="Where answers to mails go: play+*@example.org or *@play.example.org; the star"
        " stands for what the server puts there.",
    )
    reply_listen: str | None = Field(
        default=None,
        description="Where to take mails in: lmtp://127.0.0.1:8024 or smtp://0.0.0.0:8025.",
    )
    reply_imap_url: str | None = Field(
        default=None,
        description="A mailbox to fetch them from: imaps://user:password@mail.example.org/INBOX.",
    )
    reply_imap_seconds: int = Field(
        default=60, ge=5, le=3600, description="How long to wait before looking there again."
    )
    reply_secret: str | None = Field(
        default=None,
        repr=False,
        description="What a mail server shows to post mails to /api/incoming-mail.",
    )

    notify_channels: tuple[str, ...] = Field(
        default=("discord", "matrix", "ntfy", "push", "telegram"),
        description="By what people can be told besides mail: any of discord, matrix, ntfy,"
        " push (their browsers), telegram, webhook; or none.",
    )
    notify_allow: tuple[str, ...] = Field(
        default=(),
        description="Where that may lead besides the services of these names: names and, inside"
        " your network, addresses, like ntfy.lan,192.168.1.10:8080; * is every public server.",
    )
    notify_telegram_url: str = Field(
        default="https://api.telegram.org",
        description="The Bot API server, if you run your own.",
    )

    @field_validator("trusted_proxies", "notify_channels", "notify_allow", mode="before")
    @classmethod
    def _split(cls, value: Any) -> Any:
        if isinstance(value, str):
            return tuple(part.strip() for part in value.split(",") if part.strip())
        return value

    @field_validator("trusted_proxies")
    @classmethod
    def _are_addresses(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for part in value:
            ip_network(part, strict=False)
        return value

    @field_validator("notify_channels")
    @classmethod
    def _are_kinds(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if value == ("none",):
            return ()
        if not set(value) <= set(CHANNEL_KINDS):
            raise ValueError(f"may be none, or any of {', '.join(CHANNEL_KINDS)}")
        return value

    @field_validator("notify_allow")
    @classmethod
    def _are_hosts(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for part in value:
            found = ALLOWED_HOST.fullmatch(part)
            if found is None or not 0 <= int(found["port"] or 0) <= 65535:
                raise ValueError(f"{part} is not like ntfy.lan, 192.168.1.10:8080 or [fd00::1]")
            if found["v6"] or re.fullmatch(r"[0-9./]+", found["host"]) or "/" in found["host"]:
                ip_network(found["v6"] or found["host"])
        return value

    @field_validator("notify_telegram_url")
    @classmethod
    def _is_a_server(cls, value: str) -> str:
        parts = urlsplit(value)
        if parts.scheme not in {"http", "https"} or not ALLOWED_HOST.fullmatch(parts.netloc):
            raise ValueError("must be like https://api.telegram.org")
        return f"{parts.scheme}://{parts.netloc}"

    @field_validator("public_url")
    @classmethod
    def _is_an_origin(cls, value: str | None) -> str | None:
        if value is None:
            return None
        if site_of(value) is None:
            raise ValueError("must be like https://play.example.org")
        return value.rstrip("/")

    @field_validator("smtp_url")
    @classmethod
    def _is_smtp(cls, value: str | None) -> str | None:
        if value is None:
            return None
        parts = parts_of(value, "smtp", "smtps")
        if parts is None or not parts.hostname:
            raise ValueError("must be like smtp://user:password@mail.example.org:587, or smtps://")
        if parts.query not in {"", "security=none", "security=starttls"}:
            raise ValueError("may end with ?security=none and with nothing else")
        return value

    @field_validator("mail_from")
    @classmethod
    def _is_a_sender(cls, value: str | None) -> str | None:
        if value is not None and not re.fullmatch(
            r"(?:[^<>\x00-\x1f\x7f]* <)?[^\s<>@,;:\"]+@[A-Za-z0-9.-]+>?", value
        ):
            raise ValueError("must be like Plaça <play@example.org>, or the address alone")
        return value

    @field_validator("reply_address")
    @classmethod
    def _takes_answers(cls, value: str | None) -> str | None:
        # A local part has at most 64 characters, and the star stands for 56.
        if value is not None and not re.fullmatch(
            r"(?:[A-Za-z0-9._-]{1,7}[+-])?\*@[A-Za-z0-9.-]+", value
        ):
            raise ValueError(
                "must be like play+*@example.org, with at most 7 letters before the +, or like"
                " *@play.example.org"
            )
        return value

    @field_validator("database_url")
    @classmethod
    def _is_postgres(cls, value: str | None) -> str | None:
        if (
            value is not None
            and parts_of(re.sub(r"\+\w+:", ":", value, count=1), *POSTGRES) is None
        ):
            raise ValueError("must be like postgresql://user:password@host/database")
        return value

    @field_validator("reply_listen")
    @classmethod
    def _listens(cls, value: str | None) -> str | None:
        if value is not None:
            parts = parts_of(value, "lmtp", "smtp")
            if parts is None or not parts.hostname or not parts.port:
                raise ValueError("must be like lmtp://127.0.0.1:8024, or smtp://")
        return value

    @field_validator("reply_imap_url")
    @classmethod
    def _is_a_mailbox(cls, value: str | None) -> str | None:
        if value is not None:
            parts = parts_of(value, "imap", "imaps")
            if (
                parts is None
                or not (parts.hostname and parts.username)
                or parts.query not in {"", "security=none"}
            ):
                raise ValueError("must be like imaps://user:password@mail.example.org/INBOX")
        return value

    @field_validator("metrics_token", "reply_secret")
    @classmethod
    def _is_long(cls, value: str | None) -> str | None:
        if value is not None and len(value) < SHORTEST_TOKEN:
            raise ValueError(f"must have {SHORTEST_TOKEN} characters that nobody can guess")
        return value

    @field_validator("secret_key")
    @classmethod
    def _is_a_secret(cls, value: str | None) -> str | None:
        if value is not None and (
            len(value) < SHORTEST_KEY or value.lower() in PLACEHOLDERS or len(set(value)) < 8
        ):
            raise ValueError(
                f"must have {SHORTEST_KEY} characters that nobody can guess; leave it unset"
                " and one is made for you"
            )
        return value

    @property
    def secure(self) -> bool:
        """Whether players come by https, and cookies may insist on it."""
        return (self.public_url or "").startswith("https://")

    @property
    def who_registers(self) -> Literal["open", "invite", "closed"]:
        """Who may make an account, decided by the host or by where the server is."""
        return self.registration or ("invite" if self.secure else "open")

    @property
    def mail_sender(self) -> tuple[str, str]:
        """Name and address in MAIL_FROM; empty where there are none.

        Not by the library: what it makes of a comma in a name depends on its version.
        """
        name, _, address = (self.mail_from or "").rpartition(" <")
        return name.strip(), address.strip("<>")

    @property
    def sends_mail(self) -> bool:
        """Whether the host has a mail server to hand mail to."""
        return self.smtp_url is not None or self.smtp_host is not None

    @property
    def required_database_url(self) -> str:
        """The database's address; raises SettingsError when there is none."""
        if self.database_url is None:
            raise SettingsError("DATABASE_URL is not set, and no embedded database was started")
        return self.database_url

    def with_database(self, url: str) -> Self:
        """Return these settings with the database at `url`."""
        return self.model_copy(update={"database_url": url})


class Settings(OidcSettings, Basics):
    """What the operator may decide."""


def names_of(field: str) -> tuple[str, ...]:
    """Return the variables `field` is read from; the first that is set counts."""
    name = field.upper()
    return (PREFIX + name, name) if field in PLAIN else (PREFIX + name,)


def load_settings(environment: Mapping[str, str] | None = None) -> Settings:
    """Read the settings, `…_FILE` variants included; raises SettingsError."""
    given = dict(os.environ if environment is None else environment)
    values: dict[str, str] = {}
    for field in Settings.model_fields:
        for name in names_of(field):
            found = _value(given, name)
            if found is not None:
                values[field] = found
                break
    try:
        return Settings.model_validate(values)
    except ValidationError as error:
        raise SettingsError("\n".join(_explain(values, item) for item in error.errors())) from None


def unknown_settings(environment: Mapping[str, str] | None = None) -> list[str]:
    """Return one warning for each `PLACA_…` variable that means nothing."""
    known = {PREFIX + field.upper() for field in Settings.model_fields}
    known |= {f"{name}_FILE" for name in known}
    warnings = []
    for name in sorted(os.environ if environment is None else environment):
        if name.startswith(PREFIX) and name not in known:
            near = get_close_matches(name, known, n=1, cutoff=0.6)
            hint = f"; did you mean {near[0]}?" if near else ""
            warnings.append(f"{name} is not a setting{hint}")
    return warnings


@dataclass(frozen=True, slots=True)
class SettingLine:
    """One setting as `placa config list` shows it.

    `names` are the variables it is read from, the first that is set counts, and
    each also with `_FILE` behind it.  `given_by` is the one that is set; `value`
    is None for a secret.
    """

    names: tuple[str, ...]
    default: str
    meaning: str
    given_by: str | None
    value: str | None


def describe(environment: Mapping[str, str] | None = None) -> tuple[SettingLine, ...]:
    """Return every setting there is, and what `environment` makes of it.

    A value is repeated as it was given, even one that cannot be used.  Raises
    SettingsError for a file that cannot be read.
    """
    given = os.environ if environment is None else environment
    return tuple(_line(field, given) for field in Settings.model_fields)


def _line(field: str, given: Mapping[str, str]) -> SettingLine:
    info = Settings.model_fields[field]
    default = info.default
    shown = ",".join(default) if isinstance(default, tuple) else str(default)
    line = SettingLine(
        names_of(field), "" if default is None else shown, str(info.description), None, None
    )
    for name in line.names:
        value = _value(given, name)
        if value is not None:
            source = name if given.get(name) else f"{name}_FILE"
            return replace(line, given_by=source, value=_showable(field, value))
    return line


def _showable(field: str, value: str) -> str | None:
    if field in SECRETS:
        return None
    return _PASSWORD.sub(r"\1(hidden)@", value) if field in ADDRESSES else value


def _value(given: Mapping[str, str], name: str) -> str | None:
    """Return the value of `name`, from the file `<name>_FILE` names if need be."""
    if given.get(name):
        return given[name]
    path = given.get(f"{name}_FILE")
    if not path:
        return None
    try:
        return Path(path).read_text(encoding="utf-8").strip()
    except OSError as error:
        raise SettingsError(f"{name}_FILE={path}: {error.strerror}") from error


def _explain(values: Mapping[str, str], item: Any) -> str:
    field = str(item["loc"][0])
    value = _showable(field, values.get(field, ""))
    shown = "(hidden)" if value is None else repr(_PASSWORD.sub(r"\1(hidden)@", value))
    return f"{PREFIX}{field.upper()}={shown}: {item['msg'].removeprefix('Value error, ')}"
