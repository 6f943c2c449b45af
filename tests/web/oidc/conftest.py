"""An application whose people can sign in at an issuer of the tests' own."""

from collections.abc import AsyncIterator, Iterator

import pytest
from fastapi import FastAPI

from tests.support.browser import serving
from tests.support.clock import SettableClock
from tests.support.issuer import FakeIssuer, issuing


@pytest.fixture
def issuer(clock: SettableClock) -> Iterator[FakeIssuer]:
    with issuing(clock.now) as issuer:
        yield issuer


@pytest.fixture
async def app(
    database_url: str, clock: SettableClock, issuer: FakeIssuer
) -> AsyncIterator[FastAPI]:
    async with serving(database_url, clock=clock, **issuer.settings) as app:
        yield app
