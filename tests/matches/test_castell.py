"""Whole matches of Castell through the service."""

import random
from uuid import UUID

import pytest

from app.errors import MoveRejectedError
from app.matches import queries
from app.matches.export import export_text
from app.matches.games import codec_for
from app.rules.castell import CASTELL, State, match_from_text
from app.rules.game import replay
from app.rules.rng import NoRng
from tests.support.matches import Matches

pytestmark = pytest.mark.anyio

CODEC = codec_for("castell")


async def state_of(matches: Matches, match_id: UUID) -> State:
    """Return the true state, as no viewer may see it."""
    ((state,),) = await matches.run("select state::text from matches where id = :id", id=match_id)
    loaded: State = CODEC.load_state(state, CASTELL.rules_version)
    return loaded


async def step(matches: Matches, match_id: UUID, choose: random.Random) -> bool:
    """Let the first seat asked draft a random turn, or answer; tell whether anybody was."""
    page = await matches.page(match_id)
    if not page.asked:
        return False
    seat = min(page.asked)
    prompt = page.prompts[seat]
    key = f"{seat}:{page.version}"
    if prompt.simultaneous:
        moves = list(CASTELL.legal_moves(await state_of(matches, match_id), seat))
        line = CASTELL.format((choose.choice(moves),))
        await matches.commit(match_id, seat, page.version, line, key=key)
        return True
    state, lines = await state_of(matches, match_id), list[str]()
    while len(lines) < 5:
        moves = [m for m in CASTELL.legal_moves(state, seat) if CASTELL.format((m,)) != "end"]
        if not moves:
            break
        move = choose.choice(moves)
        lines.append(CASTELL.format((move,)))
        state = replay(CASTELL, CASTELL.decide(state, seat, move, NoRng()), state)
    await matches.add(match_id, seat, "; ".join(lines))
    await matches.commit(match_id, seat, page.version, key=key)
    return True


async def test_a_whole_match_is_played_verified_and_read_back(matches: Matches) -> None:
    choose = random.Random(7)
    match_id = await matches.start(None, None, None, game="castell")
    while await step(matches, match_id, choose):
        pass

    page = await matches.page(match_id)
    assert page.status == "finished"
    assert page.outcome is not None
    assert await matches.problems() == []
    async with matches.sessions() as session:
        text = await export_text(session, match_id=match_id, seat=None)
        rounds = [
            (await queries.match_at(session, match_id, None, version)).view.round
            for version in range(1, page.version + 1, 7)
        ]
    assert CASTELL.outcome(replay(CASTELL, match_from_text(text))) == page.outcome
    assert rounds == sorted(rounds)
    assert rounds[0] == 1


async def test_a_running_match_exports_the_towers_of_festivals_that_were_held(
    matches: Matches,
) -> None:
    choose = random.Random(7)
    match_id = await matches.start(None, None, None, game="castell")
    answers = "select count(*) from match_events where payload->>'type' = 'FestivalAnswered'"
    while (await matches.run(answers))[0][0] < 1:
        await step(matches, match_id, choose)

    rows = await matches.run(
        "select seat, line from match_events where payload->>'type' = 'FestivalAnswered'"
    )
    async with matches.sessions() as session:
        public = await export_text(session, match_id=match_id, seat=None)

    page = await matches.page(match_id)
    assert page.status == "running"
    assert public.count("festival seat") == len(rows)
    for seat, line in rows:
        assert f"festival seat {seat}: {line}" in public
    replayed = replay(CASTELL, match_from_text(public))
    assert CASTELL.view(replayed, None).round == page.view.round


async def test_a_draft_of_castell_shows_on_the_board(matches: Matches) -> None:
    match_id = await matches.start(None, None, game="castell")
    (seat,) = (await matches.page(match_id)).prompts

    await matches.add(match_id, seat, "move BCN")

    page = await matches.page(match_id, seat)
    pawns = {region.id: region.pawns for region in page.view.regions}
    assert pawns["BCN"] == (seat,)
    assert all(not region.pawns for region in page.base_view.regions)
    assert page.options is not None


@pytest.mark.parametrize("next_move", ["recruit 1", "recruit 10", "train mix", "end"])
async def test_who_ends_a_round_and_begins_the_next_learns_nothing_of_the_refill(
    matches: Matches, next_move: str
) -> None:
    """Of two seats the last of a round is the first of the next."""
    match_id = await matches.start(None, None, game="castell")
    first = min((await matches.page(match_id)).asked)
    await matches.commit(match_id, first, 1, "move BCN", key="first")
    (last,) = (await matches.page(match_id)).asked

    with pytest.raises(MoveRejectedError) as refused:
        await matches.commit(match_id, last, 2, f"move BCN; end; {next_move}")

    assert (refused.value.code, refused.value.details) == ("draft.would_end", {"move": "end"})
