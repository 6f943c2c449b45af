"""The services there are, and sending by one of them.

What is said of an attempt is a code, with the status of the answer behind it: it is put
into words where somebody reads it (`app.i18n.errors`).
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from app.accounts.channels import Channel
from app.accounts.sealing import NotOursError
from app.config import Settings
from app.errors import InvalidError
from app.notifications.channels import discord, matrix, ntfy, push, telegram, webhook
from app.notifications.channels.guard import NotAllowedError, guard_of
from app.notifications.channels.outcome import Grade, NotSentError
from app.notifications.channels.values import (
    Destination,
    Host,
    NotAnAddressError,
    Pasted,
    Services,
    Short,
    Verdict,
)
from app.notifications.channels.wire import Wire

SERVICES: Final[Services] = MappingProxyType(
    {
        "push": push.SERVICE,
        "discord": discord.SERVICE,
        "ntfy": ntfy.SERVICE,
        "matrix": matrix.SERVICE,
        "telegram": telegram.SERVICE,
        "webhook": webhook.SERVICE,
    }
)

# Too early, too often, or somebody else at the same moment: it passes.
_PASSING: Final = frozenset({408, 409, 425, 429})
_SAMPLE: Final = Short("", "", "", "sample")
_NOTHING_ELSE: Final[Mapping[int, Verdict]] = MappingProxyType({})


def offered(settings: Settings) -> tuple[str, ...]:
    """Return the kinds of channels that the host has on."""
    return tuple(kind for kind in SERVICES if kind in settings.notify_channels)


def read(kind: str, pasted: Pasted, settings: Settings) -> Destination:
    """Return where what was pasted leads.

    Raises InvalidError: `channel.off`, `channel.not_discord` and the like for what is
    no address of that service, `channel.host`, `.inside`, `.port` or `.scheme` for
    one that this server sends nothing to.
    """
    if kind not in offered(settings):
        raise InvalidError("channel.off")
    service = SERVICES[kind]
    try:
        found = service.read(pasted)
        made = service.request(found.secret, _SAMPLE, host_of(settings))
        guard_of(settings).target(made.url)
    except NotAnAddressError as error:
        raise InvalidError(f"channel.not_{kind}") from error
    except NotAllowedError as error:
        wrong = "channel.not_" + kind if error.code == "malformed" else f"channel.{error.code}"
        raise InvalidError(wrong) from error
    return found


async def tell(channel: Channel, short: Short, settings: Settings) -> str:
    """Send a notice by the channel, and return what came of it; raises NotSentError."""
    if channel.kind not in offered(settings):
        raise NotSentError("host", "channel.off")
    try:
        secret = channel.opened(settings.secret_key or "")
    except NotOursError as error:
        raise NotSentError("address", "channel.key") from error
    service = SERVICES[channel.kind]
    request = service.request(secret, short, host_of(settings))
    try:
        status = await Wire(guard_of(settings)).send(request)
    except NotAllowedError as error:
        grade: Grade = "address" if error.code == "inside" else "host"
        raise NotSentError(grade, f"channel.{error.code}") from error
    return judge(status, service.means)


def host_of(settings: Settings) -> Host:
    """Return what services are told of this installation."""
    _, address = settings.mail_sender
    public = settings.public_url if settings.secure else None
    contact = public or f"mailto:{address or 'placa@localhost'}"
    return Host(settings.notify_telegram_url, contact, settings.secret_key or "")


def judge(status: int, means: Mapping[int, Verdict] = _NOTHING_ELSE) -> str:
    """Return what to write into the log of a service that answered so; raises NotSentError."""
    if status in means:
        grade, said = means[status]
        raise NotSentError(grade, f"{said} {status}")
    if 200 <= status < 300:
        return f"channel.taken {status}"
    if 300 <= status < 400:
        raise NotSentError("address", f"channel.moved {status}")
    if 400 <= status < 500 and status not in _PASSING:
        raise NotSentError("address", f"channel.refused {status}")
    raise NotSentError("later", f"channel.busy {status}")
