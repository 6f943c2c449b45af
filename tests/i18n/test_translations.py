"""Every language says everything: catalogues are fresh, complete and keep their placeholders."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.pofile import read_po

from app import i18n

ROOT = Path(i18n.__file__).parents[2]
KEYWORDS = {
    "_": None,
    "gettext": None,
    "ngettext": (1, 2),
    "pgettext": ((1, "c"), 2),
}
PLACEHOLDER = re.compile(r"%\((\w+)\)s")
LANGUAGES = sorted(set(i18n.LOCALES) - {i18n.SOURCE})

Key = tuple[str | tuple[str, ...], str | None]


@cache
def in_use() -> frozenset[Key]:
    """Return every message of the program, with its context."""
    with (ROOT / "babel.cfg").open() as file:
        methods, options = parse_mapping_cfg(file)  # type: ignore[no-untyped-call]  # babel has no annotation here
    found = extract_from_dir(ROOT, methods, options, keywords=KEYWORDS)
    return frozenset(
        (tuple(message) if isinstance(message, tuple | list) else message, context)
        for _, _, message, _, context in found
    )


@cache
def catalogue(locale: str) -> Catalog:
    """Return what the `.po` file of `locale` holds."""
    with (i18n.FOLDER / locale / "LC_MESSAGES" / "messages.po").open("rb") as file:
        return read_po(file, locale=locale)


def messages(locale: str) -> Iterator[Message]:
    return (message for message in catalogue(locale) if message.id)


def key(message: Message) -> Key:
    text = message.id
    return (tuple(text) if isinstance(text, tuple | list) else text), message.context


def forms(text: Any) -> tuple[str, ...]:
    """Return a message as its plural forms: one form if it has no plural."""
    return (text,) if isinstance(text, str) else tuple(text)


def placeholders(text: str) -> set[str]:
    """Return the names of the values a text fills in."""
    return set(PLACEHOLDER.findall(text))


@pytest.mark.parametrize("locale", LANGUAGES)
def test_a_catalogue_holds_just_the_messages_in_use(locale: str) -> None:
    there = {key(message) for message in messages(locale)}

    assert sorted(map(str, in_use() - there)) == [], "not in the catalogue: run `make i18n`"
    assert sorted(map(str, there - in_use())) == [], "no longer used: run `make i18n`"


@pytest.mark.parametrize("locale", LANGUAGES)
def test_every_message_is_translated_and_none_is_doubtful(locale: str) -> None:
    untranslated = [message.id for message in messages(locale) if not all(forms(message.string))]
    doubtful = [message.id for message in messages(locale) if message.fuzzy]

    assert untranslated == []
    assert doubtful == []


@pytest.mark.parametrize("locale", LANGUAGES)
def test_a_translation_fills_in_the_same_values(locale: str) -> None:
    wrong = [
        (message.id, form)
        for message in messages(locale)
        for form in forms(message.string)
        if placeholders(form) not in map(placeholders, forms(message.id))
    ]

    assert wrong == []


@pytest.mark.parametrize("locale", LANGUAGES)
def test_a_translation_ends_and_begins_as_the_message_does(locale: str) -> None:
    wrong = [
        (message.id, form)
        for message in messages(locale)
        for form in forms(message.string)
        if (form[:1].isspace(), form[-1:].isspace())
        != (forms(message.id)[0][:1].isspace(), forms(message.id)[0][-1:].isspace())
    ]

    assert wrong == []


@pytest.mark.parametrize(
    ("header", "locale"),
    [
        ("ca,en;q=0.8", "ca"),
        ("ca-ES", "ca"),
        ("en-GB,en;q=0.9,ca;q=0.8", "en"),
        ("de,ca;q=0.5,en;q=0.7", "en"),
        ("fr", "en"),
        ("", "en"),
        ("ca;q=0", "en"),
        ("ca;q=nonsense, en", "en"),
        (",;q=1,," * 100, "en"),
    ],
)
def test_the_browsers_wishes_are_heard_in_their_order(header: str, locale: str) -> None:
    assert i18n.negotiate(header) == locale


def test_a_language_is_spoken_inside_the_block_only() -> None:
    with i18n.use_locale("ca"):
        inside = i18n.gettext("Rules"), i18n.ngettext("%(n)s seat", "%(n)s seats", 1)
    outside = i18n.gettext("Rules"), i18n.ngettext("%(n)s seat", "%(n)s seats", 2)

    assert inside == ("Regles", "1 seient")
    assert outside == ("Rules", "2 seats")


def test_an_unknown_language_is_english() -> None:
    with i18n.use_locale("tlh"):
        assert i18n.current_locale() == "en"
        assert i18n.gettext("Rules") == "Rules"


@pytest.mark.parametrize("locale", LANGUAGES)
def test_a_translation_has_one_kind_of_apostrophe(locale: str) -> None:
    typed = [text for message in messages(locale) for text in forms(message.string) if "'" in text]

    assert typed == []
