"""What is said of a match that is over, beside its results."""

from app.i18n import gettext
from app.matches.pages import MatchPage


def over_lines(page: MatchPage) -> tuple[str, ...]:
    """Return why there is no winner, a sentence each; nothing where there is one."""
    if not page.broken_off:
        return ()
    if all(seat.bot is not None for seat in page.seats):
        return (gettext("Nobody is left to play it, so it ended without a result."),)
    return (gettext("It ended without a result."),)
