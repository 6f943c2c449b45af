"""What people do at a table by themselves: decide, try, repeat, leave."""

from dataclasses import replace
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from app.bots.random_policy import RandomPolicy
from app.errors import KeyReusedError
from app.matches import service
from app.matches.games import codec_for
from app.matches.standing import set_standing
from app.matches.values import Commit
from app.rules.game import Seat
from tests.simulator.world import Table, World

ORDERS = {
    "festival": ("best", "best 3", "decline"),
    "veto": ("pass", "ask"),
    "power": ("13, 12, 11", "1, 2", "ask"),
}


async def decide(world: World, table: Table) -> str:
    """Somebody who is asked commits a turn or an answer."""
    seat = world.rng.choice(table.now.asked)
    line = await _choice(world, table, seat)
    by_draft = world.rng.random() < 0.3 and await _note(world, table, seat, line)
    return await _send(world, table, _commit(world, table, seat, None if by_draft else line))


async def change(world: World, table: Table) -> str:
    """Somebody who has answered already answers anew."""
    seat = world.rng.choice(answerers(table))
    return await _send(world, table, _commit(world, table, seat, await _choice(world, table, seat)))


def answerers(table: Table) -> list[int]:
    """Return the seats of people whose answer waits for that of others."""
    return [seat for seat in table.now.people if seat in table.now.answered]


async def ask_again(world: World, table: Table) -> str:
    """A program whose answer was lost looks its key up, or sends the same again."""
    command = table.unknown.pop(world.rng.randrange(len(table.unknown)))
    if world.rng.random() < 0.5:
        return await _send(world, table, replace(command, now=world.clock.now()))
    async with world.sessions.begin() as session:
        found = await service.find_commit(
            session, match_id=table.id, seat=command.seat, key=command.key
        )
    cause = (int(command.seat), command.key)
    if found is None:
        assert cause not in table.causes.values()
        return f"{cause} was never committed"
    world.acknowledge(table, command, found.version)
    return f"{cause} made v{found.version}"


async def repeat(world: World, table: Table) -> str:
    """An acknowledged command comes a second time: nothing happens, and it is told so."""
    command = world.rng.choice(table.known)
    before = table.now.version
    told = await _send(world, table, replace(command, now=world.clock.now()))
    assert table.now.version == before
    return told


async def reuse(world: World, table: Table) -> str:
    """A key comes with another body: it is refused."""
    command = world.rng.choice(table.known)
    other = replace(command, expected_version=command.expected_version + 1)
    before = world.observer.rows_of(table.id)
    try:
        async with world.sessions.begin() as session:
            await service.commit(session, other)
    except KeyReusedError:
        assert world.observer.rows_of(table.id) == before
        return "refused"
    raise AssertionError("a key was taken twice")


async def be_late(world: World, table: Table) -> str:
    """A page that is out of date commits: the version moves by its own doing or not at all."""
    seat = world.rng.choice(table.now.asked)
    line = await _choice(world, table, seat)
    command = _commit(world, table, seat, line)
    seen = world.rng.randrange(1, command.expected_version)
    return await _send(world, table, replace(command, expected_version=seen))


async def draft(world: World, table: Table) -> str:
    """Somebody tries a move and leaves it."""
    seat = world.rng.choice(table.now.asked)
    return f"{seat} {await _note(world, table, seat, await _choice(world, table, seat))}"


async def order(world: World, table: Table) -> str:
    """Somebody leaves an order for what is to come, or takes it back."""
    seat = world.rng.choice(sorted(table.now.people))
    coming = (await world.page(table, seat)).decisions
    if not coming:
        return f"{seat} nothing to come"
    decision = world.rng.choice(coming)
    line = world.rng.choice((*ORDERS[decision.kind], None))

    async def leave(session: AsyncSession) -> None:
        await set_standing(
            session,
            match_id=table.id,
            seat=Seat(seat),
            person_id=table.now.people[seat],
            decision=decision.key,
            order=line,
        )

    told, _ = await world.attempt(table, leave, None)
    return f"{seat} {decision.key} {line} {told}"


async def resign(world: World, table: Table) -> str:
    """Somebody leaves for good: a bot takes the seat."""
    seat = world.rng.choice(sorted(table.now.people))

    async def leave(session: AsyncSession) -> None:
        await service.resign(
            session, match_id=table.id, seat=Seat(seat), key=world.key, now=world.clock.now()
        )

    told, _ = await world.attempt(table, leave, (seat, world.key))
    return f"{seat} {told}"


async def _send(world: World, table: Table, command: Commit) -> str:
    """Commit, with whatever happens over it, and see that it happened once or never."""
    cause = (int(command.seat), command.key)

    async def commit(session: AsyncSession) -> int:
        return (await service.commit(session, command)).version

    told, version = await world.attempt(table, commit, cause)
    if told.startswith("died"):
        table.unknown.append(command)
    elif told.startswith("refused"):
        assert cause not in table.causes.values(), "a repeat was refused"
        assert cause not in table.acknowledged, "a repeat was refused"
    else:
        world.acknowledge(table, command, version)
    return f"{cause} {command.line} {told} v{version}"


def _commit(world: World, table: Table, seat: int, line: str | None) -> Commit:
    return Commit(
        match_id=table.id,
        seat=Seat(seat),
        expected_version=table.now.version,
        key=world.key,
        line=line,
        now=world.clock.now(),
        person_id=table.now.people[seat],
    )


async def _choice(world: World, table: Table, seat: int) -> str:
    """Return a line that the seat may commit, chosen from its own view."""
    page = await world.page(table, seat)
    game: Any = codec_for(table.game).game
    moves = RandomPolicy(game).choose(
        page.base_view, Seat(seat), seed=world.rng.randbytes(32), iterations=1
    )
    return str(game.format(moves))


async def _note(world: World, table: Table, seat: int, line: str) -> bool:
    """Put `line` into the seat's draft, or die over it; tell whether it is there for certain."""

    async def put(session: AsyncSession) -> None:
        await service.clear_draft(session, match_id=table.id, seat=Seat(seat))
        await service.add_to_draft(session, match_id=table.id, seat=Seat(seat), line=line)

    told, _ = await world.attempt(table, put, None)
    return told == "done"
