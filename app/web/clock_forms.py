"""The choice of a clock on the form of a new table."""

from typing import Any, Final

from pydantic import Field

from app.web.forms import FormModel, Line, Small

# What the fields of each kind of clock are called among the terms.
_KINDS: Final = {
    "turn": ("days",),
    "bank": ("bank_days", "increment_hours"),
    "daily": ("at",),
}


class ClockFields(FormModel):
    """What a form sends about time; the fields of the other kinds of clock do not count."""

    clock: Line = "none"
    days: Small | None = None
    bank_days: Small | None = None
    increment_hours: Small | None = None
    at: Line = ""
    zone: Line = ""
    nights: bool = False
    night_from: Line = "22:00"
    night_until: Line = "08:00"
    weekends_off: bool = False
    timeout: Line = "default"
    absence_days: int = Field(14, ge=0, le=99, strict=False)

    def terms(self) -> dict[str, Any] | None:
        """Return what the lobby is given; None without a clock."""
        if self.clock == "none":
            return None
        given: dict[str, Any] = {
            "kind": self.clock,
            "zone": self.zone or "UTC",
            "weekends_off": self.weekends_off,
            "timeout": self.timeout,
            "absence_days": self.absence_days,
        }
        if self.nights:
            given["nights_off"] = f"{self.night_from}-{self.night_until}"
        for name in _KINDS.get(self.clock, ()):
            value = getattr(self, name)
            if value not in {None, ""}:
                given[name] = value
        return given
