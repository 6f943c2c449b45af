"""What is kept of a name, and when two names are the same."""

import pytest

from app.accounts.names import MAX_CODE_POINTS, clean_name, name_key
from app.errors import InvalidError


@pytest.mark.parametrize(
    ("raw", "kept"),
    [
        pytest.param("  Anna   Maria ", "Anna Maria", id="one space between words"),
        pytest.param("Anna\u202etxt", "Annatxt", id="no text direction marks"),
        pytest.param("An\u200bn\u200da\ufeff", "Anna", id="no zero-width characters"),
        pytest.param("An\x00na\x1b[31m", "Anna[31m", id="no control characters"),
        pytest.param("Anna\r\nSet-Cookie: x", "Anna Set-Cookie: x", id="no line breaks"),
        pytest.param("Nu\u0301ria", "Núria", id="composed"),
        pytest.param("An\u3164na\u2800", "Anna", id="no letters that show nothing"),
        pytest.param("An\ud800na", "Anna", id="no lone surrogates"),
        pytest.param("🦊", "🦊", id="a picture is a name"),
        pytest.param("{{7*7}}", "{{7*7}}", id="a template stays text"),
        pytest.param("<b>Anna</b>", "<b>Anna</b>", id="markup stays text"),
    ],
)
def test_name_is_kept_as(raw: str, kept: str) -> None:
    assert clean_name(raw) == kept


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        pytest.param("", "name.empty", id="nothing"),
        pytest.param(" \t\u3000", "name.empty", id="only spaces"),
        pytest.param("\u200b\u2060\u3164", "name.empty", id="only invisible characters"),
        pytest.param("...", "name.empty", id="only punctuation"),
        pytest.param("a" * (MAX_CODE_POINTS + 1), "name.too_long", id="too many characters"),
        pytest.param("🦊" * 19, "name.too_long", id="too many bytes"),
        pytest.param("a" * 100_000, "name.too_long", id="far too many"),
        pytest.param("a\u0301\u0302\u0303\u0304", "name.not_allowed", id="marks piled up"),
    ],
)
def test_name_is_refused(raw: str, code: str) -> None:
    with pytest.raises(InvalidError) as refused:
        clean_name(raw)

    assert refused.value.code == code


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("Anna", "ANNA", id="case"),
        pytest.param("Núria", "Nuria", id="accents"),
        pytest.param("Anna", "Аnna", id="a Cyrillic letter"),  # noqa: RUF001 - that is the case
        pytest.param("Anna", "Ａｎｎａ", id="full-width letters"),  # noqa: RUF001 - that is the case
        pytest.param("Ivan", "lvan", id="capital i and small l"),
        pytest.param("Bob", "B0b", id="zero and o"),
        pytest.param("Marn", "Mam", id="rn and m"),
        pytest.param("Strauß", "STRAUSS", id="sharp s"),
        pytest.param("Anna Maria", "Anna-Maria", id="space and hyphen"),
    ],
)
def test_two_names_are_the_same(one: str, other: str) -> None:
    assert name_key(clean_name(one)) == name_key(clean_name(other))


def test_two_names_differ() -> None:
    assert len({name_key(name) for name in ("Anna", "Hanna", "Joan", "Joana", "🦊", "🐻")}) == 6
