"""Jobs and the transaction that enqueues them."""

from datetime import UTC, datetime

import pytest
from sqlalchemy import text

from app.db.session import Sessions, transaction
from app.jobs.queue import enqueue


async def count(sessions: Sessions) -> int:
    async with transaction(sessions) as session:
        found = await session.execute(text("select count(*) from procrastinate_jobs"))
        return int(found.scalar_one())


async def test_a_job_appears_when_its_transaction_commits(sessions: Sessions) -> None:
    async with transaction(sessions) as session:
        await enqueue(session, "tests.happened", number=1)

        assert await count(sessions) == 0

    assert await count(sessions) == 1


async def test_a_job_of_a_transaction_that_fails_never_existed(sessions: Sessions) -> None:
    with pytest.raises(RuntimeError):
        async with transaction(sessions) as session:
            await enqueue(session, "tests.happened", number=1)
            raise RuntimeError

    assert await count(sessions) == 0


async def test_a_job_for_later_must_not_hold_a_lock(sessions: Sessions) -> None:
    async with transaction(sessions) as session:
        with pytest.raises(ValueError, match="lock"):
            await enqueue(session, "tests.happened", lock="match:1", at=datetime.now(UTC))
