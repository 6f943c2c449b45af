"""Words joined to lists, in the language being spoken."""

from collections.abc import Iterable

from app.i18n import gettext as _


def listed(words: Iterable[object]) -> str:
    """Join words with commas and a last *and*."""
    texts = [str(word) for word in words]
    if len(texts) < 2:
        return "".join(texts)
    return _("%(most)s and %(last)s", most=", ".join(texts[:-1]), last=texts[-1])


def ored(words: Iterable[object]) -> str:
    """Join words with commas and a last *or*."""
    texts = [str(word) for word in words]
    if len(texts) < 2:
        return "".join(texts)
    return _("%(most)s or %(last)s", most=", ".join(texts[:-1]), last=texts[-1])
