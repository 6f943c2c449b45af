"""Runs background jobs: the worker process's composition root."""

import asyncio
import signal
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules

import app
from app.config import Settings
from app.db.engine import make_engine
from app.db.session import make_sessions
from app.jobs.worker import run_for_ever
from app.keys import with_secret_key
from app.notifications.replies.roads import open_roads


def load_tasks() -> None:
    """Import every feature's `tasks`, so that the queue knows its handlers."""
    for room in iter_modules(app.__path__):
        if room.ispkg and find_spec(f"app.{room.name}.tasks") is not None:
            import_module(f"app.{room.name}.tasks")


async def work(settings: Settings) -> None:
    """Run jobs until SIGINT or SIGTERM, then let the running ones finish."""
    load_tasks()
    if settings.sends_mail or settings.reply_address is not None or settings.notify_channels:
        # What mails link to is signed, and so are the addresses that answers go to; channels
        # are sealed.
        settings = with_secret_key(settings)
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)

    concurrency = settings.worker_concurrency
    url = settings.required_database_url
    engine = make_engine(url, application_name="placa worker", pool_size=concurrency)
    sessions = make_sessions(engine)
    try:
        async with open_roads(settings, sessions):
            working = asyncio.create_task(
                run_for_ever(url, sessions, concurrency=concurrency, settings=settings)
            )
            stopping = asyncio.create_task(stop.wait())
            await asyncio.wait([working, stopping], return_when=asyncio.FIRST_COMPLETED)
            stopping.cancel()
            working.cancel()
            with suppress(asyncio.CancelledError):
                await working
    finally:
        await engine.dispose()
