"""The numbered choices are all that may be done, worked out from the view alone."""

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from app.db.session import Sessions
from app.matches import queries
from app.notifications.choices import choices
from app.rules.game import Seat
from tests.support.matches import Matches

pytestmark = pytest.mark.anyio

STEPS = 40


@pytest.fixture
def matches(sessions: Sessions, engine: AsyncEngine) -> Matches:
    return Matches(sessions, engine)


async def legal(matches: Matches, match_id: object, seat: Seat) -> tuple[str, ...]:
    async with matches.sessions.begin() as session:
        return await queries.legal_lines(session, match_id=match_id, seat=seat)  # type: ignore[arg-type]  # a match's id


@pytest.mark.parametrize("game", ["castell", "el_grande"])
async def test_every_legal_move_has_one_number(matches: Matches, game: str) -> None:
    match_id = await matches.start(await matches.person(), None, None, game=game)
    for turn in range(STEPS):
        (seat, *_) = sorted((await matches.page(match_id)).asked)
        page = await matches.page(match_id, seat)
        offered = choices(page)
        lines = [choice.line for choice in offered]

        assert [choice.number for choice in offered] == list(range(1, len(lines) + 1))
        assert set(lines) == set(await legal(matches, match_id, seat))
        assert len(set(lines)) == len(lines)
        assert page.prompt is not None
        line = lines[turn % len(lines)]
        if page.prompt.finish is None:
            await matches.commit(match_id, seat, page.version, line, key=str(turn))
        elif lines[-1] == page.prompt.finish and turn % 2:
            await matches.commit(match_id, seat, page.version, key=str(turn))
        else:
            await matches.add(match_id, seat, lines[0])


async def test_whoever_is_not_asked_has_none(matches: Matches) -> None:
    match_id = await matches.start(await matches.person(), None, game="castell")
    (asked,) = (await matches.page(match_id)).asked

    assert choices(await matches.page(match_id, 1 - asked)) == ()
    assert choices(await matches.page(match_id)) == ()


async def test_a_draft_is_what_the_choices_go_on_from(matches: Matches) -> None:
    match_id = await matches.start(await matches.person(), None, game="castell")
    (seat,) = (await matches.page(match_id)).asked
    before = choices(await matches.page(match_id, seat))
    await matches.add(match_id, seat, before[0].line)
    after = choices(await matches.page(match_id, seat))

    assert {choice.line for choice in after} == set(await legal(matches, match_id, seat))
    assert before != after
