"""`placa web` and `placa worker`: one process each, as `placa serve` starts them."""

import asyncio
import gc
import signal
import socket
from typing import Annotated

import typer

from app.cli import app
from app.cli.supervisor import Leash, hold_leash
from app.cli.surroundings import prepare


@app.command()
def web(
    leash: Leash = None,
    fd: Annotated[int | None, typer.Option(help="Listen on this open socket.")] = None,
) -> None:
    """Serve the pages and the API; needs DATABASE_URL."""
    import uvicorn  # noqa: PLC0415 - only this command needs it

    settings = prepare()
    hold_leash(leash)
    # uvicorn repeats the signal that stopped it; for us that is a clean end.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: None)
    config = uvicorn.Config(
        "app.main:create_app",
        factory=True,
        host=settings.host,
        port=settings.port,
        log_config=None,
        access_log=False,
        server_header=False,
        forwarded_allow_ips=list(settings.trusted_proxies),
        timeout_graceful_shutdown=5,
        ws="none",
        lifespan="on",
    )
    config.load()
    # What is loaded stays.  To look through it for garbage takes a tenth of a second, each time.
    gc.freeze()
    uvicorn.Server(config).run(None if fd is None else [socket.socket(fileno=fd)])


@app.command()
def worker(leash: Leash = None) -> None:
    """Run background jobs: the bots' moves; needs DATABASE_URL."""
    from app.worker import work  # noqa: PLC0415 - only this command needs it

    settings = prepare()
    hold_leash(leash)
    asyncio.run(work(settings))
