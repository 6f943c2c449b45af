"""Identifiers and tokens."""

import time

from app.ids import new_id, new_token, token_hash


def test_ids_are_version_seven_and_sort_by_time() -> None:
    first = new_id()
    time.sleep(0.002)
    second = new_id()

    assert first < second
    assert {first.version, second.version} == {7}
    assert first.variant == "specified in RFC 4122"


def test_ids_and_tokens_do_not_repeat() -> None:
    assert len({new_id() for _ in range(10_000)}) == 10_000
    assert len({new_token() for _ in range(10_000)}) == 10_000


def test_a_token_has_256_bits_and_only_its_hash_is_comparable() -> None:
    token = new_token()

    assert len(token) == 43
    assert token_hash(token) == token_hash(token)
    assert len(token_hash(token)) == 32
    assert token.encode() not in token_hash(token)
    assert token_hash("\ud800") != token_hash("\ud801")
