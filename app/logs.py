"""Logs: one line an event, on standard error, without secrets.

Text for people, JSON for programs.  Other libraries' messages come the same
way.  Nothing is written to disk: whoever runs the program decides that.
"""

import hmac
import logging
import re
import secrets
import sys
from collections.abc import MutableMapping
from typing import Any

import structlog
from structlog.typing import Processor

HIDDEN = "[hidden]"
SECRET_NAMES = re.compile(r"token|secret|password|cookie|authorization|api_key", re.IGNORECASE)

# Paths whose next segment opens a door: invitations, spectator links, devices.
_CAPABILITY = re.compile(r"/(i|w|device|join|stop)/[^/?\s\"']+")
# Whose network it was is nobody's business; that it was the same one again is.
NETWORKS = frozenset({"network", "client"})
_NETWORK_KEY = secrets.token_bytes(16)
_MAIL = re.compile(r"[\w.+-]+@[\w-]+(\.[\w-]+)+")
_URL_PASSWORD = re.compile(r"(://[^:/@\s]+:)[^@\s]+@")


def redact(text: str) -> str:
    """Return `text` without the secrets that stand in addresses, and without e-mail addresses."""
    without = _URL_PASSWORD.sub(rf"\1{HIDDEN}@", _CAPABILITY.sub(rf"/\1/{HIDDEN}", text))
    return _MAIL.sub(HIDDEN, without)


def same_network(network: str) -> str:
    """Return what stands for `network` while this process lives, and tells it to nobody."""
    return f"network-{hmac.digest(_NETWORK_KEY, network.encode(), 'sha256').hex()[:8]}"


def hide_secrets(
    logger: Any, method: str, event: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    """Blank values with a telling name, and secrets within any text."""
    for name, value in event.items():
        if SECRET_NAMES.search(name):
            event[name] = HIDDEN
        elif name in NETWORKS:
            event[name] = same_network(str(value))
        elif isinstance(value, str):
            event[name] = redact(value)
    return event


def configure_logging(*, log_format: str = "text", level: str = "info") -> None:
    """Send all logs to standard error in `log_format`, from `level` upwards."""
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.stdlib.PositionalArgumentsFormatter(),
    ]
    # Tracebacks become text before secrets are looked for, not after.
    last: list[Processor] = [structlog.processors.format_exc_info, hide_secrets]
    if log_format == "json":
        last.append(structlog.processors.JSONRenderer(default=str))
    else:
        last.append(structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty()))

    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *last],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level.upper())
    for chatty in ("procrastinate", "uvicorn", "alembic"):
        logging.getLogger(chatty).setLevel(max(logging.WARNING, root.level))
