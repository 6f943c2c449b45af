"""Odd tokens, keys and answers of an issuer: each is refused in words, and breaks nothing."""

import json
from datetime import datetime
from typing import Any

import pytest
from fastapi import FastAPI
from joserfc import jws

from app.accounts.issuer.documents import read_keys
from tests.support.browser import Browser
from tests.support.issuer import FakeIssuer, travel
from tests.support.people import NOON

pytestmark = pytest.mark.anyio


def signed(issuer: FakeIssuer, body: bytes) -> str:
    """Return a token with a signature of the issuer's around anything at all."""
    key = issuer.keys[0]
    return jws.serialize_compact({"alg": "RS256", "kid": key.kid}, body, key, ["RS256"])


def as_said(issuer: FakeIssuer, claims: dict[str, Any]) -> str:
    """Return a token of claims that the library would not write down."""
    return signed(issuer, json.dumps(claims).encode())


async def came_back(app: FastAPI) -> tuple[int, str]:
    async with Browser(app) as browser:
        answer = await travel(browser)
    return answer.status_code, answer.text


@pytest.mark.parametrize(
    "says",
    [
        {"exp": 10**400},
        {"iat": -(10**400)},
        {"nbf": 10**400},
        {"exp": float("inf")},
        {"nonce": "\ud800"},
        {"nonce": []},
        {"sub": "\ud800"},
        {"aud": {"placa": 1}},
        {"aud": [["placa"]]},
        {"azp": []},
        {"iss": []},
    ],
    ids=range(11),
)
async def test_odd_claims_are_refused_unless_they_are_right(
    app: FastAPI, issuer: FakeIssuer, says: dict[str, Any]
) -> None:
    issuer.says |= says
    issuer.forge = as_said

    status, _ = await came_back(app)
    # For ever is a long time, and still a time.
    assert status == (303 if says.get("exp") == 10**400 else 403)


@pytest.mark.parametrize(
    "says",
    [
        {"preferred_username": "\ud800", "name": [], "nickname": "a\u202eb"},
        {"preferred_username": "\u0301" * 40, "name": "<b>&amp;]]>"},
        {"preferred_username": "x" * 5000, "groups": [[], {}, None]},
        {"preferred_username": "\U0001f469\u200d" * 30},
    ],
    ids=range(4),
)
async def test_an_odd_name_is_no_obstacle(
    app: FastAPI, issuer: FakeIssuer, says: dict[str, Any]
) -> None:
    issuer.says |= says
    issuer.forge = as_said
    async with Browser(app) as browser:
        answer = await travel(browser)
        page = await browser.get("/login/oidc/new")

    assert (answer.status_code, page.status_code) == (303, 200)
    assert "<b>" not in page.text


@pytest.mark.parametrize(
    "head",
    [
        {"alg": []},
        {"alg": {}},
        {"alg": None},
        {"kid": []},
        {"kid": "\ud800"},
        {"alg": "ES256"},
        {"alg": "Ed25519"},
        {"crit": 1},
        {"crit": ["b64"], "b64": False},
        {"b64": False},
        {"typ": []},
    ],
    ids=str,
)
async def test_a_token_with_an_odd_head_is_refused(
    app: FastAPI, issuer: FakeIssuer, head: dict[str, Any]
) -> None:
    def forge(issuer: FakeIssuer, claims: dict[str, Any]) -> str:
        right = issuer.token(claims)
        made = signed(
            issuer, json.dumps({"alg": "RS256", "kid": issuer.keys[0].kid, **head}).encode()
        )
        return f"{made.split('.')[1]}.{right.partition('.')[2]}"

    issuer.forge = forge

    status, page = await came_back(app)
    assert (status, "oidc.token" in page) == (403, True)


@pytest.mark.parametrize("body", [b"[" * 100_000, b"9" * 5000, b"\xff", b"[]"], ids=range(4))
async def test_what_is_signed_and_is_no_claims_is_refused(
    app: FastAPI, issuer: FakeIssuer, body: bytes
) -> None:
    issuer.forge = lambda issuer, _claims: signed(issuer, body)

    status, _ = await came_back(app)
    assert status == 403


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ((400, {"error": []}), 403),
        ((400, {"error": {"invalid_client": 1}}), 403),
        ((200, {"id_token": []}), 403),
        ((500, {"error": ["invalid_client"]}), 503),
    ],
)
async def test_an_odd_answer_is_told_in_words(
    app: FastAPI, issuer: FakeIssuer, said: tuple[int, dict[str, Any]], status: int
) -> None:
    class Odd(FakeIssuer):
        def exchange(self, form: dict[str, str], authorization: str) -> tuple[int, dict[str, Any]]:
            return said

    issuer.__class__ = Odd

    assert (await came_back(app))[0] == status


@pytest.mark.parametrize("door", ["token_endpoint", "jwks_uri", "userinfo_endpoint"])
@pytest.mark.parametrize(
    "place",
    ["http://[/x", "http://[::1/x", "http://x:99999999/", "http://x:abc/", "http://:80/"],
)
async def test_a_door_that_is_nowhere_is_told_at_once(
    app: FastAPI, issuer: FakeIssuer, door: str, place: str
) -> None:
    issuer.describes[door] = place
    async with Browser(app) as browser:
        answer = await browser.submit("/login/oidc")

    assert (answer.status_code, "oidc.garbled" in answer.text) == (503, True)


@pytest.mark.parametrize(
    "odd",
    [
        {"kty": "EC", "crv": "BP-256", "x": "AA", "y": "AA"},
        {"kty": "OKP", "crv": "Ed999", "x": "AA"},
        {"kty": "RSA", "n": 7, "e": []},
        {"kty": ["RSA"]},
        {"kty": "RSA", "n": "AQAB", "e": "AQAB", "use": []},
        7,
    ],
)
def test_an_odd_key_hides_no_other(odd: Any) -> None:
    good = FakeIssuer(_noon).keys[0].as_dict(private=False)

    assert list(read_keys({"keys": [odd, good]})) == [good["kid"]]


def _noon() -> datetime:
    return NOON
