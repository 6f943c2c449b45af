"""How a match begins."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.errors import InvalidError
from app.ids import new_id
from app.matches.asking import ask, newly_asked
from app.matches.clocks.terms import Terms
from app.matches.clockwork import settle_clocks
from app.matches.codec import dump, open_prompts
from app.matches.editions import with_edition
from app.matches.games import codec_for
from app.matches.models import MatchSeat
from app.matches.seeds import new_secret, rng_for
from app.matches.values import SeatSpec
from app.matches.writes import insert_match, replace_draft
from app.rules.game import EditionError, Seat, replay

FIRST_VERSION = 1


async def start_match(
    session: AsyncSession,
    *,
    game: str,
    options: Mapping[str, Any],
    seats: Sequence[SeatSpec],
    now: datetime,
    seed: bytes | None = None,
    clock: Terms | None = None,
) -> UUID:
    """Set up a match at version 1 and return its id.

    `options["edition"]` is the name of an edition or all of its values; either
    way the values are frozen into the match.  With a `clock` the time of whom it
    asks first runs from `now` on.  Raises InvalidError for an
    unknown game, a number of seats it is not for, kits that are not different,
    or options that the rules refuse.
    """
    codec = codec_for(game)
    rules = codec.game
    if len(seats) not in rules.seat_counts:
        raise InvalidError(
            "match.wrong_seat_count",
            seats=len(seats),
            fewest=rules.seat_counts[0],
            most=rules.seat_counts[-1],
        )
    if len({seat.kit for seat in seats}) != len(seats):
        raise InvalidError("match.same_kit")
    secret = new_secret(seed)
    frozen = with_edition(game, options)
    try:
        events = rules.setup(len(seats), frozen, rng_for(secret.seed, FIRST_VERSION))
    except EditionError as error:
        raise InvalidError(error.code, rule=error.rule, **error.details) from error
    state = replay(rules, events)
    prompts = open_prompts(rules.prompts(state), FIRST_VERSION, {})

    match_id = new_id()
    await insert_match(
        session,
        {
            "id": match_id,
            "game": game,
            "rules_version": rules.rules_version,
            "options": dump(frozen),
            "nonce": secret.nonce,
            "seed": secret.seed,
            "commitment": secret.commitment,
            "version": FIRST_VERSION,
            "events": len(events),
            "state": codec.dump_state(state),
            "prompts": dump(prompts),
            "rows": dump([codec.logged(None, event) for event in events]),
            "now": now,
            "clock": None if clock is None else dump(clock.mapping()),
        },
    )
    await session.execute(
        insert(MatchSeat),
        [
            {
                "match_id": match_id,
                "seat": number,
                "person_id": seat.person_id,
                "bot": seat.bot,
                "name": seat.name,
                "kit": seat.kit,
                "committed_version": FIRST_VERSION,
            }
            for number, seat in enumerate(seats)
        ],
    )
    for asked, prompt in prompts.items():
        if prompt.draft:
            await replace_draft(
                session, match_id, asked, prompt=prompt.key, lines=prompt.draft, now=now
            )
    if clock is not None:
        await settle_clocks(session, match_id=match_id, version=FIRST_VERSION, now=now)
    bots = frozenset(Seat(n) for n, seat in enumerate(seats) if seat.bot is not None)
    await ask(session, match_id, FIRST_VERSION, newly_asked(prompts, FIRST_VERSION), bots)
    return match_id
