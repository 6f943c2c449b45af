"""Plain values that only pages need."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class DeviceLink:
    """A link for another device, as it is shown once."""

    url: str
    expires_at: datetime
