"""Languages: which ones there are, which one is being spoken, and how to say things in it.

English is the language of the message ids.  The others are `.po` files next to
this module; they are compiled in memory when first needed, so there is no build
step and no stale binary.  The language being spoken is a context variable: a
request sets it once and everything it calls speaks that language.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from babel import negotiate_locale
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

SOURCE: Final = "en"
LOCALES: Final = MappingProxyType({"en": "English", "ca": "Català"})
FOLDER: Final = Path(__file__).parent / "locale"

_current: ContextVar[str] = ContextVar("locale", default=SOURCE)


def current_locale() -> str:
    """Return the code of the language being spoken."""
    return _current.get()


@contextmanager
def use_locale(locale: str) -> Iterator[None]:
    """Speak `locale` inside the block; an unknown one counts as English."""
    token = _current.set(locale if locale in LOCALES else SOURCE)
    try:
        yield
    finally:
        _current.reset(token)


def negotiate(accept_language: str) -> str:
    """Return the language that suits an Accept-Language header best."""
    wanted: list[tuple[float, str]] = []
    for part in accept_language.split(",")[:20]:
        tag, _, weight = part.strip().partition(";q=")
        try:
            wanted.append((float(weight) if weight else 1.0, tag))
        except ValueError:
            continue
    ordered = [tag for weight, tag in sorted(wanted, key=lambda pair: -pair[0]) if weight > 0]
    return negotiate_locale(ordered, list(LOCALES), sep="-") or SOURCE


def gettext(message: str, /, **variables: Any) -> str:
    """Return `message` in the language being spoken, `%(name)s` filled in."""
    text = raw_gettext(message)
    return text % variables if variables else text


def ngettext(singular: str, plural: str, n: int, /, **variables: Any) -> str:
    """Return the form of the message that goes with `n`; `%(n)s` is filled in too."""
    return raw_ngettext(singular, plural, n) % {"n": n, **variables}


def pgettext(context: str, message: str, /, **variables: Any) -> str:
    """Return `message` as it is said in `context`."""
    text = raw_pgettext(context, message)
    return text % variables if variables else text


def raw_gettext(message: str) -> str:
    """Return `message` translated, placeholders left as they are."""
    return translations(_current.get()).gettext(message)


def raw_ngettext(singular: str, plural: str, n: int) -> str:
    """Return the right plural form, placeholders left as they are."""
    return translations(_current.get()).ngettext(singular, plural, n)


def raw_pgettext(context: str, message: str) -> str:
    """Return `message` translated in `context`, placeholders left as they are."""
    return translations(_current.get()).pgettext(context, message)


@cache
def translations(locale: str) -> NullTranslations:
    """Return the catalogue of `locale`, compiled from its `.po` file."""
    path = FOLDER / locale / "LC_MESSAGES" / "messages.po"
    if locale == SOURCE or not path.exists():
        return NullTranslations()
    with path.open("rb") as file:
        catalogue = read_po(file, locale=locale)
    compiled = BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return GNUTranslations(compiled)
