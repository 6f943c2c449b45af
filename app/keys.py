"""The secret key: made once, kept in the data folder, told apart without being shown."""

import hashlib
import hmac
import os
import secrets
from pathlib import Path

from pydantic import ValidationError

from app.config import Settings, SettingsError

_PUT_BACK = "Put the file of your backup back, or remove it and a new one is made."


def key_path(settings: Settings) -> Path:
    """Return where the generated key is kept."""
    return settings.data_dir / "secret.key"


def with_secret_key(settings: Settings) -> Settings:
    """Return `settings` with the key in them, making and keeping one the first time.

    Raises SettingsError when the data folder cannot be written, or when what
    lies in the key's file is no key.
    """
    if settings.secret_key is not None:
        return settings
    path = key_path(settings)
    try:
        settings.data_dir.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            _write_once(path, secrets.token_urlsafe(48))
        key = path.read_text(encoding="ascii").strip()
    except UnicodeDecodeError as error:
        raise SettingsError(f"{path}: not a key. {_PUT_BACK}") from error
    except OSError as error:
        raise SettingsError(
            f"{path}: {error.strerror}. Give this user the folder:"
            f" chown -R {os.geteuid()}:{os.getegid()} {settings.data_dir.absolute()}"
        ) from error
    try:
        return Settings.model_validate(
            {**settings.model_dump(exclude_unset=True), "secret_key": key}
        )
    except ValidationError as error:
        raise SettingsError(f"{path}: too short to be a key. {_PUT_BACK}") from error


DOCTOR_HEADER = "X-Placa-Doctor"


def doctor_token(key: str) -> str:
    """Return what `placa doctor` shows the server so that it tells what arrives at it."""
    return hmac.digest(key.encode(), b"placa doctor", "sha256").hex()


def fingerprint(key: str) -> str:
    """Return what tells one key from another and gives nothing of it away."""
    return hashlib.sha256(b"placa fingerprint\0" + key.encode()).hexdigest()[:16]


def _write_once(path: Path, content: str) -> None:
    """Write `content` unless another process was first; never leave half a file."""
    fresh = path.with_name(f"{path.name}.{os.getpid()}")
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(content)
    try:
        os.link(fresh, path)
    except FileExistsError:
        pass  # the other process's key is as good
    except OSError:
        fresh.replace(path)  # a file system without links
    finally:
        fresh.unlink(missing_ok=True)
