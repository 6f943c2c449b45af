"""What the address of a match page says is open; it decides nothing."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Opened:
    """The open action, the casteller picked first, the region looked at, the talk.

    `seen` is the round whose revelation has been put aside, 0 for none.
    """

    action: str = ""
    pick: int = 0
    region: str = ""
    talk: bool = False
    seen: int = 0

    @property
    def nothing(self) -> bool:
        """Whether nothing is open: whoever comes to the page has not begun to look around."""
        return not (self.action or self.pick or self.region or self.talk)
