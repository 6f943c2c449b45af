"""Reading mails: what nobody's client does, but somebody may send."""

import time
from email import message_from_bytes
from email.header import Header

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.notifications.reading.incoming import parse_mail, recipients_of
from app.notifications.reading.meaning import Said, Unclear, understand
from app.notifications.reading.quotes import CUT, own_lines
from app.notifications.reading.reader import read_mail
from app.rules.castell import CASTELL
from app.rules.el_grande import EL_GRANDE
from app.rules.game import NotationError

SECONDS = 2.0


def is_move(line: str) -> bool:
    try:
        return bool(CASTELL.parse(line))
    except NotationError:
        return False


def is_el_grande(line: str) -> bool:
    try:
        return bool(EL_GRANDE.parse(line))
    except NotationError:
        return False


def said(text: str) -> Said | Unclear:
    return understand(text.split("\n"), is_move=is_move, names=("Anna Puig",))


@given(st.binary(max_size=2000))
def test_no_bytes_make_reading_raise(raw: bytes) -> None:
    read_mail(raw).understood(is_move=is_move)


@given(st.text(max_size=400), st.sampled_from(["plain", "html"]))
def test_no_text_makes_reading_raise(text: str, kind: str) -> None:
    head = f"From: a@b.example\r\nContent-Type: text/{kind}; charset=utf-8\r\n\r\n"

    read_mail(head.encode() + text.encode("utf-8", "replace")).understood(is_move=is_move)


@settings(max_examples=200)
@given(st.lists(st.sampled_from(["3", "commit", "move BCN", "recruit 7 4", "end"]), max_size=6))
def test_nothing_in_a_quote_is_ever_said(lines: list[str]) -> None:
    quoted = "\n".join(f"> {line}" for line in lines)
    below = "\n".join([CUT, *lines])

    assert said("\n".join(own_lines(quoted))) == Unclear()
    assert said("\n".join(own_lines(below))) == Unclear()


@pytest.mark.parametrize(
    "text",
    [
        "3 or 4",
        "3, 4",
        "3\n4",
        "-3",
        "3.5",
        "1000",
        "3?",
        "not 3",
        "3 but only if Bernat is there",
        "3\nmove BCN",
        "move BCN\n3",
        "commit\n3",
        "commit\nmove BCN",
        "3\ncommit\n4",
        "do not commit",
        "commit?",
        "move BCN or move TGN",
        "festival BCN = 3x9/2x8\n/1x7/1x1",
        "Anna\nAnna",
        "Thanks",
        "",
        "three",
        "third",
        "٣",
        "3\nThanks\nno, 4",
        "3\nAnna\nno, wait",
        "3\nAnna\n4",
        "3\nAnna\nPS: 4",
        "3\nAnna\nmove BCN",
        "3\nAnna\ncommit",
    ],
)
def test_what_is_not_plain_is_unclear(text: str) -> None:
    assert isinstance(said(text), Unclear)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3.", Said(3)),
        ("*3*", Said(3)),
        ("#3", Said(3)),
        ("(3)", Said(3)),
        ("Option 3", Said(3)),
        ("3 please", Said(3)),
        ("3. Go to Barcelona  [move BCN]", Said(3, copied="move BCN")),
        ("3\ncommit", Said(3, commit=True)),
        ("12) end", Said(12, copied="end")),
        ("commit.", Said(commit=True)),
        ("- move BCN\n- recruit 7 4", Said(lines=("move BCN", "recruit 7 4"))),
        ("MOVE bcn; RECRUIT 7 4", Said(lines=("MOVE bcn; RECRUIT 7 4",))),
        ("move BCN; commit", Said(lines=("move BCN",), commit=True)),
        ("move BCN\n\nThanks, Anna", Said(lines=("move BCN",))),
        ("3\nA.", Said(3)),
    ],
)
def test_what_is_plain_is_understood(text: str, expected: Said) -> None:
    assert said(text) == expected


def test_the_other_games_lines_are_understood_alike() -> None:
    lines = ["power 9", ""]

    assert understand(lines, is_move=is_el_grande) == Said(lines=("power 9",))
    assert understand(["Pass", "Thanks"], is_move=is_el_grande) == Said(lines=("Pass",))


@pytest.mark.parametrize(
    "body",
    [
        "<div>" * 20_000 + "3" + "</p>" * 20_000,
        "<" * 100_000,
        "&" * 100_000,
        "> " * 50_000,
        ">\n" * 50_000,
        ":\n" * 50_000,
        "From: a\n" * 12_000,
        "a@" * 50_000 + ":",
        "10:15 " * 16_000 + ":",
        "-" * 100_000,
        "3 " * 50_000,
        " \u00a0" * 50_000,
        "move BCN;" * 11_000,
        ("x" * 2_000 + "\n") * 50,
        ("Anna " * 400 + "\n") * 50,
        "<a " * 60_000,
        "<!--" * 45_000,
        "<?" * 90_000,
        "</a " * 45_000,
        '<p class="' + "ydp" * 60_000 + '">3',
        "<a x='>" * 27_000,
        ("x" * 2_490 + ":\n") * 400,
        ("1h" * 1_245 + ":\n") * 400,
        "3\n" + ("." * 2_400 + "*\n") * 400,
        ("hi" + " " * 2_400 + "all\n") * 400,
    ],
    ids=range(25),
)
@pytest.mark.parametrize("kind", ["plain", "html"])
def test_hostile_bodies_are_read_in_no_time(body: str, kind: str) -> None:
    head = f"From: a@b.example\r\nContent-Type: text/{kind}; charset=utf-8\r\n\r\n"
    before = time.process_time()

    read_mail(head.encode() + body.encode()).understood(is_move=is_move)

    assert time.process_time() - before < SECONDS


def test_a_mail_of_ten_thousand_parts_is_read_as_far_as_is_sensible() -> None:
    part = b"--b\r\nContent-Type: text/plain\r\n\r\n3\r\n"
    raw = b"Content-Type: multipart/mixed; boundary=b\r\n\r\n" + part * 10_000 + b"--b--\r\n"

    assert len(message_from_bytes(raw).get_payload()) == 10_000
    assert parse_mail(raw).text.count("3") < 100


@pytest.mark.parametrize(
    "head",
    [
        "Content-Type: text/plain" + ";a" * 300_000,
        "Content-Type: text/plain;" + 'a="\\";' * 100_000,
        "Content-Type: text/plain; " + "; ".join(f"a*{n}=x" for n in range(50_000)),
        "Content-Type: text/plain; charset=punycode\r\n\r\nx-" + "b" * 190_000,
        "Content-Type: text/plain; charset=idna\r\n\r\nxn--" + "b" * 190_000,
        "To: x@b.example\r\n" * 60_000 + "Content-Type: text/plain",
        "Content-Type: text/plain; format=flowed\r\n\r\n" + "a \n" * 300_000,
    ],
    ids=["parameters", "quoted", "continued", "punycode", "idna", "readers", "flowed"],
)
def test_hostile_heads_are_read_in_no_time(head: str) -> None:
    before = time.process_time()

    read_mail(f"From: a@b.example\r\n{head}\r\n\r\n3\r\n".encode())

    assert time.process_time() - before < SECONDS


@pytest.mark.parametrize(
    "raw",
    [
        "From: " + "(" * 1_900 + "\r\n\r\n3",
        "".join(
            f"Content-Type: multipart/mixed; boundary=b{n}\r\n\r\n--b{n}\r\n" for n in range(5_000)
        ),
        "Content-Type: message/rfc822\r\n\r\n" * 20_000,
        "Content-Disposition: inline; filename*" + "9" * 5_000 + "*=x\r\n\r\n3",
        "Content-Type: text/html\r\n\r\n<![foo bar[3",
        "Content-Type: text/html\r\n\r\n<![=3",
        "Content-Type: text/html\r\n\r\n&#" + "9" * 5_000 + ";",
    ],
    ids=["comments", "parts", "mails", "number", "section", "name", "letter"],
)
def test_what_the_library_cannot_bear_is_left_aside(raw: str) -> None:
    read_mail(raw.encode())
    assert recipients_of(f"To: a@b.example\r\n{raw}".encode())[:1] == ("a@b.example",)


@pytest.mark.parametrize("charset", ["utf-7", "unicode_escape", "raw_unicode_escape"])
def test_no_charset_brings_half_a_letter(charset: str) -> None:
    head = f"From: a@b.example\r\nContent-Type: text/plain; charset={charset}\r\n\r\n"

    text = parse_mail(head.encode() + b"+2AA- \\ud800 3").text

    text.encode()
    assert text.endswith("3")


@pytest.mark.parametrize("sign", ["\r\n", "\n", "\r", "\x00", "\x1c", "\x85", "\u2028", "\u2029"])
@pytest.mark.parametrize("name", ["Message-ID", "From", "Subject", "To", "Auto-Submitted"])
def test_no_header_brings_another_line(name: str, sign: str) -> None:
    value = Header(f"a@b.example{sign}Bcc: everybody@example.org", "utf-8").encode()
    mail = parse_mail(f"{name}: {value}\r\n\r\n3\r\n".encode())

    shown = [mail.message_id, mail.sender, mail.sender_name, mail.subject, *mail.headers.values()]
    assert all(len(text.splitlines()) <= 1 and "\x00" not in text for text in shown)
    assert "bcc" not in mail.headers
