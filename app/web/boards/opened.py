"""What the address of a match page says is open; it decides nothing."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Opened:
    """The open action, the casteller picked first, the region looked at, the talk."""

    action: str = ""
    pick: int = 0
    region: str = ""
    talk: bool = False
