"""The machine and its settings: names that mean nothing, the data folder, the disk, the key."""

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from app.config import Settings, SettingsError, unknown_settings
from app.hosting.doctor.findings import Finding, fault, ok, warning
from app.keys import key_path, with_secret_key

MEGABYTE: Final = 1024 * 1024
# Below the first a database may stop within a day; below the second a host should know.
FULL_MEGABYTES: Final = 200
TIGHT_MEGABYTES: Final = 1000


def look_at_names(environment: Mapping[str, str] | None = None) -> Iterator[Finding]:
    """Name every variable that begins as ours and is none."""
    unknown = unknown_settings(environment)
    for said in unknown:
        yield fault("config.unknown", said, "rename or remove it; placa config list has all names")
    if not unknown:
        yield ok("config", "every PLACA_ variable is a setting")


def look_at_registration(settings: Settings) -> Finding:
    """Say who may make an account, which on the internet a host should have decided."""
    who = settings.who_registers
    if who == "open" and settings.secure:
        return warning(
            "registration.open",
            f"anybody who finds {settings.public_url} may make an account",
            "unless that is meant, remove REGISTRATION: then it takes an invitation",
        )
    return ok("registration", f"{who}: who may make an account")


def look_at_folder(settings: Settings) -> Iterator[Finding]:
    """Try to write into the data folder, and see how full its disk is."""
    folder = settings.data_dir
    nearest = next((path for path in (folder, *folder.parents) if path.is_dir()), Path("/"))
    try:
        with tempfile.NamedTemporaryFile(dir=folder if folder.is_dir() else nearest):
            pass
        if folder.exists() and not folder.is_dir():
            raise NotADirectoryError(20, os.strerror(20), str(folder))
    except OSError as error:
        yield fault(
            "data.not_writable",
            f"{folder}: {error.strerror}",
            "make it a folder this user may write to:"
            f" chown -R {os.geteuid()}:{os.getegid()} {folder}, and mount it without ro",
        )
    else:
        yield ok("data", f"{folder} can be written to")
    free = shutil.disk_usage(nearest).free // MEGABYTE
    if free < FULL_MEGABYTES:
        yield fault(
            "disk.full",
            f"{free} MB are left where {folder} is",
            f"free at least {FULL_MEGABYTES} MB, or move PLACA_DATA_DIR to a larger disk",
        )
    elif free < TIGHT_MEGABYTES:
        yield warning("disk.tight", f"{free} MB are left where {folder} is", "free some soon")
    else:
        yield ok("disk", f"{free} MB are left where {folder} is")


def look_at_key(settings: Settings, expected: str | None, fingerprint: str | None) -> Finding:
    """Compare the key with the one the database was first used with.

    `fingerprint` is that of the key there is, None where there is none.
    """
    path = key_path(settings)
    if expected is None:
        return ok("secret", "there is no other key to compare it with yet")
    if fingerprint is None:
        return fault(
            "secret.missing",
            f"{path} is gone, and a start would make another key",
            f"put {path} back from your backup, or give the old key as SECRET_KEY",
        )
    if fingerprint != expected:
        return fault(
            "secret.changed",
            f"the key has fingerprint {fingerprint}, and this database was used with {expected}",
            "put the old key back; if it is to be another, placa secrets accept",
        )
    return ok("secret", f"the key has fingerprint {fingerprint}, as ever")


def key_there_is(settings: Settings) -> tuple[str | None, Finding | None]:
    """Return the key, making none; and what is wrong with the one in the data folder."""
    if settings.secret_key is None and not key_path(settings).exists():
        return None, None
    try:
        return with_secret_key(settings).secret_key, None
    except SettingsError as error:
        return None, fault(
            "secret.unusable",
            str(error).split(". ", maxsplit=1)[0],
            f"put {key_path(settings)} back from your backup, or remove it: a new one is made",
        )
