"""Letters whose worker dies over them: none is lost, and a second copy says that it is one.

`NOTICES` and `NOTICE_KILLS` say how many; `make soak` asks for many.
"""

import os
import random
from collections import Counter, defaultdict
from datetime import timedelta
from types import SimpleNamespace
from typing import Any, cast

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from app.db.session import Sessions
from app.jobs.queue import queue
from app.jobs.tasks import RESOURCES, Resources
from app.notifications import tasks
from tests.simulator.faults import POINTS, DiedError, Faults, Mortal
from tests.support.post import Post

pytestmark = pytest.mark.anyio

NOTICES = int(os.environ.get("NOTICES", "40"))
KILLS = int(os.environ.get("NOTICE_KILLS", "8"))
SEED = int(os.environ.get("NOTICE_SEED", "1"))
# Of a hundred letters so many are met badly by the mail server.
MISHAPS = 5
PEOPLE = 20
HOUR = timedelta(hours=1)

JOBS = "select id, task_name, args from procrastinate_jobs where status = 'todo' order by id"


async def once(post: Post, mortal: Mortal, job: Any) -> bool:
    """Run one job as the worker does; tell whether its process has lived."""
    resources = Resources(cast(Sessions, mortal), post.clock, post.settings)
    context = SimpleNamespace(additional_context={RESOURCES: resources})
    try:
        await queue.tasks[job.task_name].func(context, **job.args)
    except DiedError:
        return False
    finally:
        mortal.faults.point = "none"
    await post.matches.run("delete from procrastinate_jobs where id = :id", id=job.id)
    return True


async def test_no_letter_is_lost_and_a_second_copy_has_the_id_of_the_first(
    post: Post, engine: AsyncEngine
) -> None:
    rng, faults = random.Random(SEED), Faults()
    mortal = Mortal(post.sessions, faults)
    people = [await post.person(f"P{n}") for n in range(min(PEOPLE, NOTICES))]
    wanted: Counter[str] = Counter()
    for n in range(NOTICES):
        await post.matches.start(people[n % len(people)], None, game="castell")
        wanted[f"p{n % len(people)}@example.org"] += 1
    faults.attach(engine)
    unknown = killed = 0
    try:
        while True:
            jobs = await post.matches.run(JOBS)
            for job in rng.sample(list(jobs), len(jobs)):
                if killed < KILLS and rng.random() < 1.2 * KILLS / NOTICES:
                    faults.point, faults.statement = rng.choice(POINTS), rng.randrange(8)
                post.box.rcpt = post.box.drop = ""
                if rng.randrange(100) < MISHAPS:
                    mishap = rng.choice(("rcpt", "before", "after"))
                    post.box.rcpt = "450 later" if mishap == "rcpt" else ""
                    post.box.drop = mishap if mishap != "rcpt" else ""
                had, dropped = len(post.box.letters), post.box.drop
                lived = await once(post, mortal, job)
                killed += not lived
                # Only whoever has taken it knows that it did.
                sent = len(post.box.letters) > had
                unknown += sent and (not lived or dropped == "after")
            async with post.sessions.begin() as session:
                await tasks.look_through(session, post.clock.now())
            if not jobs and "waiting" not in await post.statuses():
                break
            post.clock.advance(HOUR)
    finally:
        faults.detach(engine)

    ids: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for letter in post.box.letters:
        ids[letter["To"]][letter["Message-ID"]] += 1
    assert {to: len(found) for to, found in ids.items()} == dict(wanted)
    repeated = sum(found.total() - len(found) for found in ids.values())
    assert repeated <= unknown
    assert set(await post.statuses()) == {"sent"}
    assert killed == KILLS
    print(  # noqa: T201 - the figures that somebody who asked for more wants to see
        f"\n{NOTICES} notices, {killed} deaths of a worker ({dict(faults.died)}), {unknown} letters"
        f" of unknown fate: 0 lost, {repeated} came again, under the id of the first"
    )
