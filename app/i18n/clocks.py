"""What a table has agreed on about time, in plain words; it reads the terms as they are stored."""

from collections.abc import Mapping
from typing import Any

from app.i18n import gettext as _
from app.i18n import ngettext
from app.i18n.times import zone_city


def clock_title(clock: Mapping[str, Any] | None) -> str:
    """Return the clock in one line."""
    match (clock or {}).get("kind"):
        case "turn":
            return ngettext(
                "%(n)s day for each turn", "%(n)s days for each turn", _of(clock, "days")
            )
        case "bank":
            bank = ngettext(
                "%(n)s day for the whole match",
                "%(n)s days for the whole match",
                _of(clock, "bank_days"),
            )
            more = _of(clock, "increment_hours")
            if not more:
                return bank
            return _("%(bank)s, and %(hours)s h back with each turn", bank=bank, hours=more)
        case "daily":
            return _(
                "a turn by %(time)s each day (%(zone)s)",
                time=_of(clock, "at"),
                zone=zone_city(_of(clock, "zone")),
            )
        case _:
            return _("no clock: play when you like")


def clock_lines(clock: Mapping[str, Any] | None) -> tuple[str, ...]:
    """Return what goes with the clock: when it stands still, what happens when it has run out."""
    if not clock:
        return ()
    lines = []
    if clock.get("nights_off"):
        begins, _dash, ends = clock["nights_off"].partition("-")
        lines.append(
            _(
                "Nights do not count, from %(begins)s to %(ends)s (%(zone)s).",
                begins=begins,
                ends=ends,
                zone=zone_city(clock["zone"]),
            )
        )
    if clock.get("weekends_off"):
        lines.append(
            _("Saturdays and Sundays do not count (%(zone)s).", zone=zone_city(clock["zone"]))
        )
    if clock["absence_days"]:
        lines.append(
            ngettext(
                "Whoever is away has up to %(n)s day that does not count.",
                "Whoever is away has up to %(n)s days that do not count.",
                clock["absence_days"],
            )
        )
    else:
        lines.append(_("Absences count like any other time."))
    lines.append(timeout_words(clock["timeout"]))
    return tuple(lines)


def timeout_words(timeout: str) -> str:
    """Return what happens to a seat whose time has run out."""
    return {
        "default": _("Whoever is late: the move that harms them least is played."),
        "wait": _("Whoever is late: the others wait."),
        "bot": _("Whoever is late: a bot takes the seat for good."),
        "substitute": _(
            "Whoever is late: somebody else with the invitation may take the seat for good."
        ),
        "void": _("Whoever is late: the others may end the match by vote, or wait."),
    }[timeout]


def _of(clock: Mapping[str, Any] | None, key: str) -> Any:
    return (clock or {})[key]
