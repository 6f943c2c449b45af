"""Signed addresses: what they say, and that nobody else can say it."""

import hmac
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.config import Settings, SettingsError, load_settings
from app.notifications.letters import reply_address
from app.notifications.replies.addresses import LIFE, Question, ReplyAddresses

NOW = datetime(2026, 11, 30, 10, 15, tzinfo=UTC)
KEY = "a key of this installation and of no other one"
QUESTION = Question(UUID(int=77), 2, "turn:3:1", 41, ("move BCN",))


def addresses(pattern: str = "play+*@plaza.example", key: str = KEY) -> ReplyAddresses:
    made = ReplyAddresses.of(Settings(reply_address=pattern, secret_key=key))
    assert made is not None
    return made


@given(
    st.builds(
        Question,
        st.uuids(),
        st.integers(0, 255),
        st.text(max_size=30),
        st.integers(0, 2**24 - 1),
        st.lists(st.text(max_size=20), max_size=3).map(tuple),
    ),
    st.datetimes(datetime(2026, 1, 1), datetime(3000, 1, 1), timezones=st.just(UTC)),  # noqa: DTZ001 - hypothesis wants naive bounds
)
def test_an_address_says_what_it_was_made_of(question: Question, expires: datetime) -> None:
    made = addresses().make(question, expires=expires)
    read = addresses().read(made)

    assert read is not None
    assert (read.match_id, read.seat) == (question.match_id, question.seat)
    assert read.version == question.version
    assert read.asks(question.prompt, question.draft)
    assert timedelta() <= read.expires - expires <= timedelta(hours=1)
    assert len(made.rpartition("@")[0]) <= 64


def test_case_does_not_matter() -> None:
    made = addresses("Play+*@Plaza.Example").make(QUESTION, expires=NOW)

    assert addresses().read(made.upper()) == addresses().read(made) is not None


def test_the_longest_prefix_leaves_a_lawful_local_part() -> None:
    made = addresses("plaplac+*@plaza.example").make(QUESTION, expires=NOW)

    assert len(made.rpartition("@")[0]) == 64


def test_another_decision_or_another_draft_is_not_what_was_asked() -> None:
    read = addresses().read(addresses().make(QUESTION, expires=NOW))

    assert read is not None
    assert not read.asks("turn:3:2", ("move BCN",))
    assert not read.asks("turn:3:1", ())
    assert not read.asks("turn:3:1", ("move BCN", "train balance"))


def test_no_changed_character_passes() -> None:
    local, _, domain = addresses().make(QUESTION, expires=NOW).rpartition("@")
    passed = [
        (place, letter)
        for place in range(len("play+"), len(local))
        for letter in "abcdefghijklmnopqrstuvwxyz234567"
        if letter != local[place]
        and addresses().read(f"{local[:place]}{letter}{local[place + 1 :]}@{domain}") is not None
    ]

    assert passed == []


@pytest.mark.parametrize(
    "change",
    [
        lambda made: made.replace("play+", ""),
        lambda made: made.replace("play+", "play-"),
        lambda made: made.replace("plaza.example", "plaza.example.org"),
        lambda made: made.replace("@", "a@"),
        lambda made: made[:5] + made[6:],
        lambda made: made[:5] + "=" + made[6:],
        lambda made: made[:5] + "\u017f" + made[6:],
        lambda made: made[:5] + "1" + made[6:],
        lambda made: made + "\r\nBcc: a@b.example",
        lambda made: "",
        lambda made: "@",
    ],
)
def test_what_is_not_quite_an_address_of_ours_is_none(change: object) -> None:
    assert callable(change)

    assert addresses().read(change(addresses().make(QUESTION, expires=NOW))) is None


def test_another_installation_makes_other_addresses() -> None:
    made = addresses(key="a key of another installation, as long").make(QUESTION, expires=NOW)

    assert addresses().is_ours(made)
    assert addresses().read(made) is None


def test_the_signing_key_is_not_the_installations_key() -> None:
    assert addresses().key != KEY.encode()
    assert addresses().key == hmac.digest(KEY.encode(), b"placa reply addresses", "sha256")


def test_a_host_that_takes_no_answers_has_no_addresses() -> None:
    assert reply_address(Settings(secret_key=KEY), QUESTION, now=NOW) is None


def test_a_decision_without_a_deadline_may_be_answered_for_two_months() -> None:
    settings = Settings(secret_key=KEY, reply_address="*@play.plaza.example")
    made = reply_address(settings, QUESTION, now=NOW)
    read = addresses("*@play.plaza.example").read(made or "")

    assert read is not None
    assert timedelta() <= read.expires - NOW - LIFE <= timedelta(hours=1)


@pytest.mark.parametrize(
    "pattern",
    ["play@plaza.example", "*", "toolongg+*@plaza.example", "a b+*@x.example", "**@x.example"],
)
def test_an_address_without_room_for_the_token_is_refused(pattern: str) -> None:
    with pytest.raises(SettingsError, match="PLACA_REPLY_ADDRESS"):
        load_settings({"PLACA_REPLY_ADDRESS": pattern})


def test_an_address_holds_to_the_last_moment() -> None:
    expires = NOW.replace(minute=0, second=0, microsecond=1)

    read = addresses().read(addresses().make(QUESTION, expires=expires))

    assert read is not None
    assert read.expires >= expires
