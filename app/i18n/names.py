"""Names of people as they are shown, also of those whose name was forgotten."""

from typing import Final

from app.i18n import gettext as _

# What is left where the name of a deleted person stood.
FORGOTTEN: Final = ""


def shown_name(name: str) -> str:
    """Return the name, or what stands for one that was forgotten."""
    return _("Someone who left") if name == FORGOTTEN else name
