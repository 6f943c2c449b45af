"""What the worker does: jobs of the queue, ticks of the clocks, letters; and that it was away."""

from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any, cast
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from app.db.session import Sessions
from app.jobs.queue import queue
from app.jobs.tasks import RESOURCES, Resources
from app.matches.asking import TURN_WITHDRAWN
from app.matches.timeouts import GRACE, TIME_RAN_OUT, tick
from app.notifications.channels.values import Short
from app.notifications.sending import Composed, Occasion, send_due
from tests.simulator.faults import DiedError
from tests.simulator.observer import NOBODY, Glance
from tests.simulator.world import Table, World

_TOLD = """
    select distinct person_id from notices where about = %s and event in ('turn', 'reminder')
    and status = 'sent' and version > %s and version < %s
"""
_WITHDRAWN = (
    "select person_id from notices where about = %s and event = 'withdrawn' and version = %s"
)


async def work(world: World, _: Table) -> str:
    """Do a job of any match, or die over it; what was not noted as done is done again."""
    numbers = {str(table.id): table.number for table in world.tables}
    jobs = sorted(world.observer.jobs(), key=lambda job: _named(job, numbers))
    # A time that has run out is seldom the only job: it comes up more often than the others.
    urgent = [job for job in jobs if job.task_name == TIME_RAN_OUT]
    job = world.rng.choice(urgent if urgent and world.rng.randrange(2) else jobs)
    table = world.tables[numbers[job.args["match_id"]]]
    before = table.now
    if job.task_name == TIME_RAN_OUT:
        # A tick over another match may have given time to this one.
        before = world.observer.glance(table.id)
        _be_awake(world)
    told = await _run(world, job)
    cause = world.observer.command_of_program(table.id, before.version)
    if cause is None and job.task_name == TIME_RAN_OUT:
        cause = (NOBODY, "proposes void")
    if world.look(table, cause) and job.task_name == TIME_RAN_OUT:
        assert _has_passed(world, before, job.args["seat"]), "a time ran out too early"
        assert not world.away, "a time ran out while the server was away"
        world.timeouts += 1
    if told == "done":
        if job.task_name == TURN_WITHDRAWN:
            _see_who_was_told(world, table, job.args)
        world.observer.done(job)
    return f"{told} m{table.number} v{table.now.version} {_named(job, numbers)[:-1]}"


def _named(job: Any, numbers: dict[str, int]) -> tuple[Any, ...]:
    """Return what a job is called in every run of a seed; of several like it, the first."""
    what = sorted((name, str(value)) for name, value in job.args.items() if name != "match_id")
    return numbers[job.args["match_id"]], job.task_name, what, job.id


async def _run(world: World, job: Any) -> str:
    world.endanger()
    resources = Resources(cast(Sessions, world.mortal), world.clock, world.settings)
    try:
        await queue.tasks[job.task_name].func(
            SimpleNamespace(additional_context={RESOURCES: resources}), **job.args
        )
    except DiedError as death:
        return f"died {death}"
    finally:
        world.faults.point = "none"
    return "done"


def _see_who_was_told(world: World, table: Table, args: dict[str, Any]) -> None:
    """Whoever has had a letter about a decision that is undone hears of that, if not asked anew."""
    to, at = args["undone_to"], args["undone_at"]
    had = {row.person_id for row in world.observer.rows(_TOLD, [table.id, to, at])}
    hear = {row.person_id for row in world.observer.rows(_WITHDRAWN, [table.id, at])}
    assert {who for who in had if not table.now.waits_for(who)} <= hear, "nobody told them"
    world.heard.add((table.number, at))


def _be_awake(world: World) -> None:
    """Let the worker have ticked until now, unless the server was away."""
    if not world.away:
        world.observer.beat(world.clock.now())


async def beat(world: World, table: Table) -> str:
    """The worker ticks, or dies over it."""
    _be_awake(world)

    async def once(session: AsyncSession) -> None:
        await tick(session, world.clock.now())

    before = {job.id for job in world.observer.jobs()}
    told, _ = await world.attempt(table, once, None)
    for job in world.observer.jobs():
        if job.task_name == TIME_RAN_OUT and job.id not in before:
            now = world.observer.glance(UUID(job.args["match_id"]))
            assert _has_passed(world, now, job.args["seat"]), "a time was called too early"
    if world.observer.beaten(world.clock.now()):
        world.away = False
    return told


def _has_passed(world: World, now: Glance, seat: int) -> bool:
    """Tell whether the time of a seat has run out, and those who were in time have been heard."""
    return now.due[seat] + GRACE.total_seconds() <= world.clock.now().timestamp()


async def be_away(world: World, table: Table) -> str:
    """The server is away for minutes or days, and comes back."""
    minutes = world.rng.choice((1, 3, 30, 300, 4000))
    world.away = True
    world.clock.advance(timedelta(minutes=minutes))
    return f"{minutes} min, {await beat(world, table)}"


async def post(world: World, table: Table) -> str:
    """The worker sends a letter that is due, or dies over it; it says what is true."""
    due = due_letters(world)
    number, who = world.rng.choice(due)
    about = world.tables[number]
    world.told.clear()

    async def send(session: AsyncSession) -> None:
        await send_due(
            session,
            _composed(world),
            person_id=world.people[who],
            about=about.id,
            now=world.clock.now(),
            settings=world.settings,
        )

    told, _ = await world.attempt(about, send, None)
    for person, notices in world.told:
        for notice in notices:
            assert stands(about.now, notice, person, world), f"told of what is not so: {notice}"
            world.letters += 1
    said = sorted((one.event, one.seat, one.version) for _, all_ in world.told for one in all_)
    return f"m{number} p{who} {told} {said}"


def due_letters(world: World) -> list[tuple[int, int]]:
    """Return which table each letter that is due is about, and to whom it goes."""
    numbers = {table.id: table.number for table in world.tables}
    now = world.clock.now()
    return sorted(
        {
            (numbers[one.about], world.people.index(one.person_id))
            for one in world.observer.notices()
            if one.due_at <= now
        }
    )


def _composed(world: World) -> Any:
    async def compose(_: AsyncSession, occasion: Occasion) -> Composed:
        world.told.append((occasion.person.id, occasion.notices))
        return Composed("a subject", "a text", "<p>a text</p>", Short("a title", "a text", "", ""))

    return compose


def _nothing_since(now: Glance, version: int) -> bool:
    """Tell whether nobody has played, and no turn was taken back, since a version."""
    return now.played <= version and all(before <= version for _, before in now.struck)


def stands(now: Glance, notice: Any, person: UUID, world: World) -> bool:
    """Tell whether what a notice says is so, as far as anybody can see."""
    running = now.status == "running"
    if notice.event in {"turn", "reminder"}:
        prompt = now.prompts.get(notice.seat, {})
        return (
            running
            and (prompt.get("key"), prompt.get("opened")) == (notice.prompt, notice.version)
            and now.people.get(notice.seat) == person
            and notice.seat not in now.answered
            and not any(after < notice.version < before for after, before in now.struck)
        )
    if notice.event == "withdrawn":
        return not now.waits_for(person)
    if notice.event == "over":
        return person in now.people.values()
    asked = {
        seat
        for one in now.proposals
        if (one["kind"], one["version"]) == (notice.event, notice.version)
        and (notice.event in {"pause", "resume"} or _nothing_since(now, one["version"]))
        and (notice.event != "void" or now.late - {one["seat"]})
        and (one["until"] is None or datetime.fromisoformat(one["until"]) > world.clock.now())
        for seat in set(one["asked"]) - set(one["agreed"])
    }
    return running and any(now.people.get(seat) == person for seat in asked)
