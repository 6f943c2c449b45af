"""What is sent to browsers against the examples of the RFCs, and the key it is signed with."""

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from app.notifications.channels.envelope import bytes_of, is_point, point_of, sealed, text_of
from app.notifications.channels.vapid import public_key, signing_key

# RFC 8291, section 5 and appendix A.
PLAIN = b"When I grow up, I want to be a watermelon"
SENDER = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
SENDER_POINT = (
    "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"
)
BROWSER_POINT = (
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
)
AUTH = "BTBZMqHH6r4Tts7J_aSIgg"
SALT = "DGv6ra1nlYgDCS1FRnbzlw"
MESSAGE = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27ml"
    "mlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT"
    "pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)
KEY = "a key for tests, and for nothing else at all"


def test_a_message_is_what_the_rfc_says() -> None:
    own = ec.derive_private_key(int.from_bytes(bytes_of(SENDER), "big"), ec.SECP256R1())
    message = sealed(
        PLAIN,
        to=bytes_of(BROWSER_POINT),
        auth=bytes_of(AUTH),
        size=len(PLAIN),
        own=own,
        salt=bytes_of(SALT),
    )

    assert text_of(point_of(own)) == SENDER_POINT
    assert text_of(message) == MESSAGE


def test_no_two_messages_are_alike_and_all_are_as_long() -> None:
    to, auth = bytes_of(BROWSER_POINT), bytes_of(AUTH)
    messages = [sealed(plain, to=to, auth=auth, size=100) for plain in (b"", b"x", b"x", b"y" * 99)]

    assert len(set(messages)) == 4
    assert {len(message) for message in messages} == {len(messages[0])}


def test_the_key_is_the_same_wherever_the_secret_key_is() -> None:
    before = public_key(KEY)
    signing_key.cache_clear()

    assert public_key(KEY) == before
    assert public_key(KEY + "x") != before
    assert is_point(bytes_of(before))


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        bytes(65),
        b"\x04" + bytes(64),
        b"\x04" + b"\xff" * 64,
        bytes_of(BROWSER_POINT)[:-1],
        bytes_of(BROWSER_POINT)[:-1] + b"\x0f",
        b"\x02" + bytes_of(BROWSER_POINT)[1:33],
        b"\x06" + bytes_of(BROWSER_POINT)[1:],
    ],
)
def test_what_is_no_point_of_the_curve_is_none(raw: bytes) -> None:
    assert not is_point(raw)


@pytest.mark.parametrize("text", ["a", "YR", "YQ===", "Y Q", "Y+Q", "é"])
def test_what_is_written_in_another_way_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        bytes_of(text)
