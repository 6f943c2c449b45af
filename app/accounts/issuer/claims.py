"""What the issuer says of somebody, held against the host's rules."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from app.accounts.names import MAX_BYTES, MAX_CODE_POINTS, clean_name
from app.config_oidc import ClaimRule
from app.errors import InvalidError

NAMES: Final = ("preferred_username", "nickname", "given_name", "name")


def holds(rules: Iterable[str], claims: Mapping[str, Any]) -> bool:
    """Whether one of the rules holds."""
    return any(_holds(ClaimRule.read(rule), claims) for rule in rules)


def needs(rules: Iterable[str]) -> frozenset[str]:
    """Return which claims the rules look at."""
    return frozenset(ClaimRule.read(rule).claim for rule in rules)


def name_in(claims: Mapping[str, Any]) -> str:
    """Return a name that could be the person's here; empty if the issuer has none."""
    for claim in NAMES:
        said = claims.get(claim)
        if isinstance(said, str) and (name := _cut(said)):
            return name
    return ""


def _holds(rule: ClaimRule, claims: Mapping[str, Any]) -> bool:
    said = claims.get(rule.claim)
    if rule.claim == "email":
        # Whoever can type any address there must not become anybody by it.
        if claims.get("email_verified") is not True or not isinstance(said, str):
            return False
        pattern = re.escape(rule.value.lower()).replace(r"\*", "[^@]+")
        return re.fullmatch(pattern, said.lower()) is not None
    said_all = said if isinstance(said, list) else [said]
    return any(isinstance(one, str) and one == rule.value for one in said_all)


def _cut(said: str) -> str:
    """Return what of `said` fits a name: of an address, what stands before the @."""
    words = said[:200].partition("@")[0]
    for length in range(min(len(words), MAX_CODE_POINTS), 0, -1):
        try:
            return clean_name(words[:length])
        except InvalidError as error:
            if error.code != "name.too_long":
                return ""
    return ""


def numbered(name: str, number: int) -> str:
    """Return the name with a number behind it, still no longer than names may be."""
    tail = f" {number}"
    room = MAX_CODE_POINTS - len(tail)
    head = name[:room].encode()[: MAX_BYTES - len(tail)].decode("utf-8", "ignore")
    return head.rstrip() + tail
