import pytest

from app.errors import NotFoundError
from app.ids import new_id
from app.matches import games, history
from app.matches.codec import Codec, Upcast
from app.matches.history import Problem
from tests.support import pinya
from tests.support.matches import Matches

pytestmark = pytest.mark.anyio


async def played(matches: Matches) -> object:
    """Play a whole match of two with a few draws in it."""
    match_id = await matches.start(None, None, options={"rounds": 1})
    await matches.commit(match_id, 0, 1, "take 3; leap; peek")
    await matches.commit(match_id, 1, 2, "peek")
    await matches.commit(match_id, 0, 3, "guess 1", key="g")
    await matches.commit(match_id, 1, 3, "guess 2", key="g")
    return match_id


async def test_a_match_that_was_played_has_no_problems(matches: Matches) -> None:
    await played(matches)
    await matches.start(None, None)

    assert await matches.problems() == []


@pytest.mark.parametrize(
    ("damage", "codes"),
    [
        ("delete from match_events where seq = 4", {"log.gap", "log.decided"}),
        ("update match_events set version = 7 - version where version > 1", {"log.order"}),
        (
            "update matches set state = jsonb_set(state, '{round}', '1')",
            {"head.state"},
        ),
        (
            """update match_events set payload = jsonb_set(payload, '{number}', '9')
               where payload->>'type' = 'Peeked'""",
            {"log.decided"},
        ),
        ("update matches set seed = nonce", {"seed.commitment", "log.decided"}),
        (
            """update matches set prompts =
               jsonb_build_object(0, jsonb_build_object('key', 'x', 'kind', 'x', 'opened', 1))""",
            {"head.prompts"},
        ),
        ("update matches set status = 'void'", {"head.status"}),
        (
            "update matches set status = 'running', finished_at = null",
            {"head.status"},
        ),
        (
            "insert into match_answers select id, 'x', 0, 1, 'guess 1' from matches",
            {"answers.left"},
        ),
        ("update matches set game = 'chess'", {"match.unreadable"}),
        (
            'update match_events set payload = \'{"type":"Odd"}\' where seq = 3',
            {"match.unreadable"},
        ),
        ("update match_events set line = 'dance' where seq = 2", {"match.unreadable"}),
    ],
)
async def test_damage_is_found(matches: Matches, damage: str, codes: set[str]) -> None:
    await played(matches)
    await matches.run(damage)

    assert codes <= set(await matches.problems())


async def test_a_match_that_is_not_cannot_be_verified(matches: Matches) -> None:
    async with matches.sessions() as session:
        with pytest.raises(NotFoundError):
            await history.verify(session, new_id())


async def test_every_match_is_verified_a_page_at_a_time(
    matches: Matches, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = [await matches.start(None) for _ in range(3)]

    async with matches.sessions() as session:
        assert [id_ async for id_ in history.match_ids(session)] == made


def test_a_problem_says_where_it_is() -> None:
    match_id = new_id()

    assert str(Problem(match_id, "log.gap")) == f"{match_id} log.gap"
    assert str(Problem(match_id, "log.gap", "2 of 3")) == f"{match_id} log.gap 2 of 3"


async def test_what_older_rules_decided_is_not_decided_again(
    matches: Matches, monkeypatch: pytest.MonkeyPatch
) -> None:
    await played(matches)
    same = Upcast(state=lambda state: state, event=lambda event: event)
    older = Codec.of(pinya.PINYA, pinya.State, pinya.Event, upcasts={1: same})
    monkeypatch.setitem(games.CODECS, "pinya", older)
    await matches.run("update match_events set rules_version = 1 where seq < 3")
    await matches.run("update matches set rules_version = 1")
    await matches.run("update match_events set line = 'peek' where seq = 2")

    assert await matches.problems() == []
