"""What a table decides together, and what the host of the server does to it."""

from datetime import timedelta
from typing import Any, cast

from sqlalchemy.ext.asyncio import AsyncSession

from app.matches.proposals import Kind, agree, drop_proposal, propose
from app.matches.rescue import Occupant, roll_back, seat_occupant
from app.matches.substitutes import lock_vacancies
from app.rules.game import Seat
from tests.simulator.observer import NOBODY
from tests.simulator.world import Table, World

KINDS: tuple[Kind, ...] = ("pause", "resume", "undo", "undo", "undo", "void")
# A host takes back so many versions at most, and now and then one that is not there.
FARTHEST = 6


async def suggest(world: World, table: Table) -> str:
    """Somebody asks for a pause, its end, a turn back, or the end of a match that waits."""
    seat = world.rng.choice(sorted(table.now.people))
    kind = world.rng.choice(KINDS)
    until = world.clock.now() + timedelta(hours=world.rng.randrange(-1, 60))

    async def ask(session: AsyncSession) -> bool:
        return await propose(
            session,
            match_id=table.id,
            seat=Seat(seat),
            person_id=table.now.people[seat],
            kind=kind,
            now=world.clock.now(),
            until=until if kind == "pause" else None,
        )

    told, at_once = await world.attempt(table, ask, (NOBODY, f"proposes {kind}"))
    return f"{seat} {kind} {told} {at_once}"


async def consent(world: World, table: Table) -> str:
    """Somebody who is asked agrees; perhaps to something they have not seen."""
    one = world.rng.choice(table.now.proposals)
    seat = _somebody(world, table, one)
    version = one["version"] - (world.rng.randrange(8) == 0)

    async def say_yes(session: AsyncSession) -> bool:
        return await agree(
            session,
            match_id=table.id,
            person_id=table.now.people[seat],
            kind=cast(Kind, one["kind"]),
            version=version,
            now=world.clock.now(),
        )

    told, last = await world.attempt(table, say_yes, (NOBODY, f"agrees to {one['kind']}"))
    return f"{seat} {one['kind']} {told} {last}"


async def refuse(world: World, table: Table) -> str:
    """Somebody refuses, or takes back what they have asked for."""
    one = world.rng.choice(table.now.proposals)
    seat = _somebody(world, table, one)

    async def say_no(session: AsyncSession) -> None:
        await drop_proposal(
            session,
            match_id=table.id,
            person_id=table.now.people[seat],
            kind=cast(Kind, one["kind"]),
            now=world.clock.now(),
        )

    told, _ = await world.attempt(table, say_no, (NOBODY, f"refuses {one['kind']}"))
    return f"{seat} {one['kind']} {told}"


def _somebody(world: World, table: Table, proposal: Any) -> int:
    asked = [seat for seat in proposal["asked"] if seat in table.now.people]
    return int(world.rng.choice(asked or sorted(table.now.people)))


async def take_back(world: World, table: Table) -> str:
    """The host takes turns back."""
    to = table.now.version - world.rng.randrange(FARTHEST)

    async def back(session: AsyncSession) -> int:
        return await roll_back(session, match_id=table.id, to_version=to, now=world.clock.now())

    told, version = await world.attempt(table, back, (NOBODY, f"back to {to}"))
    return f"to v{to} {told} v{version}"


async def reseat(world: World, table: Table) -> str:
    """The host gives a seat to somebody, or to a bot."""
    seat = world.rng.randrange(3)
    who = world.rng.randrange(len(world.people) + 1)
    occupant = (
        Occupant(name="Robot", bot="random")
        if who == len(world.people)
        else Occupant(name=f"Person {who}", person_id=world.people[who])
    )
    told = await _seat(world, table, seat, occupant)
    return f"{seat} {who} {told}"


async def take_over(world: World, table: Table) -> str:
    """Somebody takes a seat whose time has run out, where the table has chosen that."""
    who = world.rng.randrange(len(world.people))
    async with world.sessions.begin() as session:
        free = await lock_vacancies(session, table.id)
    if not free:
        return "none is free"
    occupant = Occupant(name=f"Person {who}", person_id=world.people[who])
    told = await _seat(world, table, int(free[0].seat), occupant)
    return f"{free[0].seat} {who} {told}"


async def _seat(world: World, table: Table, seat: int, occupant: Occupant) -> str:
    async def give(session: AsyncSession) -> int:
        return await seat_occupant(
            session,
            match_id=table.id,
            seat=Seat(seat),
            occupant=occupant,
            now=world.clock.now(),
        )

    told, _ = await world.attempt(table, give, (NOBODY, f"seats {occupant.name}"))
    return told
