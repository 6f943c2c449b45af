"""The roads by which mails come in; each hands their bytes to one inbox."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from app.clock import SYSTEM_CLOCK, Clock
from app.config import Settings
from app.db.session import Sessions
from app.notifications.replies.inbox import Inbox
from app.notifications.replies.roads.mailbox import watching
from app.notifications.replies.roads.port import listening


@asynccontextmanager
async def open_roads(
    settings: Settings, sessions: Sessions, clock: Clock = SYSTEM_CLOCK
) -> AsyncIterator[None]:
    """Take mails in by the roads of the settings while the block runs.

    Raises OSError when the port is not free.
    """
    inbox = Inbox.of(settings, sessions, clock)
    async with AsyncExitStack() as stack:
        if inbox is not None and settings.reply_listen is not None:
            await stack.enter_async_context(listening(settings.reply_listen, inbox))
        if inbox is not None and settings.reply_imap_url is not None:
            seconds = settings.reply_imap_seconds
            await stack.enter_async_context(watching(settings.reply_imap_url, inbox, seconds))
        yield
