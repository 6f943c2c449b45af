"""How often something may be tried."""

import re
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import pytest

from app.accounts import limits
from app.accounts.gate import sign_in_at_the_gate
from app.accounts.limits import LOGIN_BY_ADDRESS, LOGIN_BY_NAME, Limit, Limiter, network_of
from app.accounts.service import sign_up
from app.db.session import Sessions
from app.errors import InvalidError, TooManyError
from tests.support.people import NOON

FIVE = Limit("test", 5, timedelta(minutes=10))
MINUTE = timedelta(minutes=1)
PASSWORD = "quatre de nou amb folre"


def tries(limiter: Limiter, count: int, *, key: str = "k", minutes: int = 0) -> int:
    """Return how many of `count` tries pass."""
    passed = 0
    for _ in range(count):
        try:
            limiter.spend(FIVE, key, now=NOON + minutes * MINUTE)
        except TooManyError:
            continue
        passed += 1
    return passed


def test_passes_the_burst_and_then_a_steady_trickle() -> None:
    limiter = Limiter()

    assert tries(limiter, 100) == 5
    assert tries(limiter, 100, minutes=2) == 1
    assert tries(limiter, 100, minutes=60) == 5


def test_refused_tries_do_not_prolong_the_wait() -> None:
    limiter = Limiter()
    tries(limiter, 1000)

    assert tries(limiter, 1, minutes=2) == 1


def test_says_when_to_try_again() -> None:
    limiter = Limiter()
    tries(limiter, 5)

    with pytest.raises(TooManyError) as refused:
        limiter.check(FIVE, "k", now=NOON)

    assert refused.value.details["retry_after_seconds"] == 120


def test_keys_and_limits_do_not_touch_each_other() -> None:
    limiter = Limiter()
    tries(limiter, 5)

    assert tries(limiter, 5, key="other") == 5
    limiter.spend(Limit("other", 1, MINUTE), "k", now=NOON)


def test_what_is_given_back_can_be_spent_again() -> None:
    limiter = Limiter()
    tries(limiter, 5)
    limiter.give_back(FIVE, "k", now=NOON)

    assert tries(limiter, 2) == 1


def test_forgets_what_is_over() -> None:
    limiter = Limiter()
    for n in range(12_000):
        limiter.spend(FIVE, n, now=NOON + n * timedelta(seconds=1))

    assert len(limiter) < 11_000


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:0db8:0001:0002::/64"),
        ("2001:db8:1:2::1", "2001:0db8:0001:0002::/64"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("testclient", "testclient"),
        ("", ""),
    ],
)
def test_a_household_is_an_ipv4_address_or_an_ipv6_network(address: str, network: str) -> None:
    assert network_of(address) == network


@pytest.mark.anyio
class TestTheGate:
    async def enter(
        self,
        sessions: Sessions,
        limiter: Limiter,
        password: str,
        *,
        name: str = "Anna",
        network: str = "203.0.113.7",
        known_device: bool = False,
    ) -> str:
        def is_device_of(_: UUID) -> bool:
            return known_device

        try:
            async with sessions.begin() as session:
                await sign_in_at_the_gate(
                    session,
                    limiter=limiter,
                    name=name,
                    password=password,
                    network=network,
                    is_device_of=is_device_of,
                    now=NOON,
                )
        except (InvalidError, TooManyError) as error:
            return error.code
        return "in"

    async def test_an_attack_from_everywhere_does_not_lock_the_owner_out(
        self, sessions: Sessions
    ) -> None:
        async with sessions.begin() as session:
            await sign_up(session, guest=None, name="Anna", password=PASSWORD, now=NOON)
        limiter = Limiter()
        for n in range(LOGIN_BY_NAME.count):
            await self.enter(sessions, limiter, "wrong", network=f"198.51.100.{n}")

        stranger = await self.enter(sessions, limiter, PASSWORD, network="192.0.2.1")
        owner = await self.enter(sessions, limiter, PASSWORD, known_device=True)

        assert (stranger, owner) == ("too_many_requests", "in")

    @pytest.mark.parametrize(
        "spelling",
        ["À{n}nna", "{pad}Anna", "{marks}Anna"],
        ids=["with fillers", "after blanks", "after 150 invisible ones"],
    )
    async def test_every_spelling_of_a_name_is_counted_with_the_others(
        self, sessions: Sessions, spelling: str
    ) -> None:
        async with sessions.begin() as session:
            await sign_up(session, guest=None, name="Anna", password=PASSWORD, now=NOON)
        limiter = Limiter()
        for n in range(LOGIN_BY_NAME.count):
            name = spelling.format(
                n="\u3164" * n, pad="\u2800" * n, marks="\u200b" * n + "\u200d" * (150 - n)
            )
            tried = await self.enter(
                sessions, limiter, "wrong", name=name, network=f"198.51.100.{n}"
            )
            assert tried == "account.wrong_password"

        late = await self.enter(sessions, limiter, PASSWORD, network="192.0.2.1")

        assert late == "too_many_requests"

    async def test_unknown_names_are_throttled_like_known_ones(self, sessions: Sessions) -> None:
        async with sessions.begin() as session:
            await sign_up(session, guest=None, name="Anna", password=PASSWORD, now=NOON)

        answers = {}
        for name in ("Anna", "Nobody"):
            limiter = Limiter()
            answers[name] = [
                await self.enter(sessions, limiter, "wrong", name=name)
                for _ in range(LOGIN_BY_ADDRESS.count + 2)
            ]

        assert answers["Anna"] == answers["Nobody"]
        assert answers["Anna"][-3:] == [
            "account.wrong_password",
            "too_many_requests",
            "too_many_requests",
        ]

    async def test_a_household_of_six_signs_in_undisturbed(self, sessions: Sessions) -> None:
        limiter = Limiter()
        names = ["Anna", "Blai", "Carla", "Dídac", "Elsa", "Ferran"]
        for name in names:
            async with sessions.begin() as session:
                await sign_up(session, guest=None, name=name, password=PASSWORD, now=NOON)

        answers = [await self.enter(sessions, limiter, PASSWORD, name=name) for name in names * 5]

        assert answers == ["in"] * 30


def test_every_limit_is_documented() -> None:
    text = (Path(limits.__file__).parents[2] / "SECURITY.md").read_text()
    rows = {
        (name, int(row["tries"]))
        for row in re.finditer(r"^\| (?P<names>`.*`) \| (?P<tries>\d+) ", text, re.MULTILINE)
        for name in re.findall(r"`([^`]+)`", row["names"])
    }

    assert rows == {
        (limit.name, limit.count) for limit in vars(limits).values() if isinstance(limit, Limit)
    }
