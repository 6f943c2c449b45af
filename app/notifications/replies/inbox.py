"""Where every road ends: one mail, one transaction."""

from dataclasses import dataclass, field
from typing import Self

from app.accounts.limits import Limiter
from app.clock import SYSTEM_CLOCK, Clock
from app.config import Settings
from app.db.session import Sessions, transaction
from app.notifications.replies.addresses import ReplyAddresses
from app.notifications.replies.service import Arrival, Result, take_in


@dataclass(frozen=True, slots=True)
class Inbox:
    """Takes mails in for a process that has no requests."""

    sessions: Sessions
    addresses: ReplyAddresses
    clock: Clock = SYSTEM_CLOCK
    limiter: Limiter = field(default_factory=Limiter)

    @classmethod
    def of(cls, settings: Settings, sessions: Sessions, clock: Clock = SYSTEM_CLOCK) -> Self | None:
        """Return the inbox of a host; None if it takes no answers."""
        addresses = ReplyAddresses.of(settings)
        return None if addresses is None else cls(sessions, addresses, clock)

    async def take(self, raw: bytes, *to: str) -> Result:
        """Take one mail in; once this returns, what it plays is played.

        Raises what the database raises: then nothing has happened.
        """
        async with transaction(self.sessions) as session:
            return await take_in(
                session,
                Arrival(raw=raw, to=to),
                addresses=self.addresses,
                limiter=self.limiter,
                now=self.clock.now(),
            )
