"""One request to a service outside, and nothing that it could be made to lead to.

Names are resolved once, here; what they stand for is checked; and the connection goes to
one of the addresses that were checked, whatever the name stands for by then.  Redirects are
answers like others and not followed, proxies of the environment not asked, and of an answer
only its status is read: nobody is shown what a server inside has to say.
"""

import asyncio
import socket
import ssl
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from app.notifications.channels.guard import Guard, Target
from app.notifications.channels.outcome import NotSentError

if TYPE_CHECKING:
    import httpcore

Resolve: TypeAlias = Callable[[str, int], Awaitable[Iterable[str]]]

SECONDS: Final = 10.0
LARGEST: Final = 16_384
AGENT: Final = "Placa"


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be sent, and where."""

    url: str
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)
    method: str = "POST"


async def by_the_system(host: str, port: int) -> Iterable[str]:
    """Return the addresses that the machine knows for a name."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(where[0]) for *_, where in found]


@dataclass(frozen=True, slots=True)
class Wire:
    """The network as requests use it."""

    guard: Guard
    resolve: Resolve = by_the_system
    trust: ssl.SSLContext | None = None
    connect: "httpcore.AsyncNetworkBackend | None" = None
    seconds: float = SECONDS

    async def send(self, request: Request) -> int:
        """Send the request and return the status of the answer.

        Raises NotAllowedError, and NotSentError `later` when no answer came: `unknown` if
        the request may have arrived.
        """
        if len(request.body) > LARGEST:
            raise ValueError("too much for a notice")
        target = self.guard.target(request.url)
        sent = _Progress()
        try:
            async with asyncio.timeout(self.seconds):
                addresses = self.guard.check(await self.resolve(target.host, target.port), target)
                return await self._ask(request, target, addresses, sent)
        except TimeoutError as error:
            raise NotSentError("later", "channel.silent", unknown=sent.out) from error
        except (OSError, UnicodeError) as error:
            # What a resolver or the network says may name what lies inside.
            raise NotSentError("later", "channel.unreached", unknown=sent.out) from error

    async def _ask(
        self, request: Request, target: Target, addresses: tuple[str, ...], sent: "_Progress"
    ) -> int:
        # Only a worker that sends to other channels needs it.
        import httpcore  # noqa: PLC0415 - see above

        pool = httpcore.AsyncConnectionPool(
            ssl_context=self.trust or ssl.create_default_context(),
            max_connections=1,
            network_backend=_pinned(addresses, self.connect or httpcore.AnyIOBackend()),
        )
        url = httpcore.URL(
            scheme=target.scheme.encode(),
            host=target.host.encode(),
            port=target.port,
            target=target.path.encode(),
        )
        headers = {"Host": authority(target), "User-Agent": AGENT, **request.headers}
        content = {"Content-Length": str(len(request.body)), "Connection": "close"}
        try:
            async with (
                pool,
                pool.stream(
                    request.method,
                    url,
                    headers=list({**headers, **content}.items()),
                    content=request.body,
                    extensions={"trace": sent.trace},
                ) as answer,
            ):
                return answer.status
        except (httpcore.NetworkError, httpcore.TimeoutException) as error:
            untrusted = any(isinstance(why, ssl.SSLCertVerificationError) for why in error.args)
            said = "channel.untrusted" if untrusted else "channel.unreached"
            raise NotSentError("later", said, unknown=sent.out) from error
        except httpcore.ProtocolError as error:
            raise NotSentError("later", "channel.garbled", unknown=sent.out) from error


def _pinned(
    addresses: tuple[str, ...], connect: "httpcore.AsyncNetworkBackend"
) -> "httpcore.AsyncNetworkBackend":
    """Return what connects to `addresses`, whatever name it is asked for."""
    import httpcore  # noqa: PLC0415 - as above

    class Pinned(httpcore.AsyncNetworkBackend):
        """Knows no names."""

        async def connect_tcp(
            self,
            host: str,
            port: int,
            timeout: float | None = None,  # noqa: ASYNC109 - named by the library
            local_address: str | None = None,
            socket_options: Iterable[Any] | None = None,
        ) -> httpcore.AsyncNetworkStream:
            failed: Exception = httpcore.ConnectError("no address")
            for address in addresses:
                try:
                    return await connect.connect_tcp(address, port, timeout)
                except httpcore.ConnectError as error:
                    failed = error
            raise failed

    return Pinned()


@dataclass(slots=True)
class _Progress:
    """Whether the request was on its way."""

    out: bool = False

    async def trace(self, name: str, _information: Mapping[str, Any]) -> None:
        self.out = self.out or name.endswith("send_request_headers.started")


def authority(target: Target) -> str:
    """Return the host, and the port where it is not the usual one."""
    host = f"[{target.host}]" if ":" in target.host else target.host
    usual = {"https": 443, "http": 80}[target.scheme]
    return host if target.port == usual else f"{host}:{target.port}"
