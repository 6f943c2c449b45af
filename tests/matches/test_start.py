import hashlib
from typing import Any

import pytest

from app.errors import InvalidError
from app.matches import service
from app.matches.values import SeatSpec
from app.rules.game import Prompt
from tests.support import pinya
from tests.support.matches import NOW, OF_BOTS, Matches

pytestmark = pytest.mark.anyio


async def test_a_match_starts_at_version_one_with_its_first_prompt(matches: Matches) -> None:
    anna = await matches.person()

    page = await matches.page(await matches.start(anna, None), 0)

    assert page.version == page.latest == 1
    assert page.status == "running"
    assert page.prompts == {0: Prompt("turn:1:0", "turn", finish="end")}
    assert [(seat.name, seat.kit, seat.person_id, seat.bot) for seat in page.seats] == [
        ("Seat 0", 1, anna, None),
        ("Seat 1", 2, None, None),
    ]
    assert page.created_at == NOW
    assert page.finished_at is None


async def test_what_setup_drew_is_no_news(matches: Matches) -> None:
    page = await matches.page(await matches.start(None, None), 0)

    assert page.since == ()


async def test_a_bot_asked_first_gets_its_job_with_the_match(matches: Matches) -> None:
    match_id = await matches.start("steady", "random", None)

    jobs = await matches.run(f"select task_name, args from procrastinate_jobs {OF_BOTS}")

    assert [tuple(job) for job in jobs] == [
        ("bots.seat_asked", {"match_id": str(match_id), "seat": 0, "version": 1})
    ]


async def test_each_match_gets_a_seed_of_its_own(matches: Matches) -> None:
    await matches.start(None, seed=None)
    await matches.start(None, seed=None)

    rows = await matches.run("select seed, nonce, commitment from matches")

    assert len({row.seed for row in rows}) == 2
    assert {len(row.seed) for row in rows} == {len(row.nonce) for row in rows} == {32}
    for row in rows:
        assert hashlib.sha256(row.nonce + row.seed).hexdigest() == row.commitment


async def test_the_commitment_is_shown_and_the_seed_is_not(matches: Matches) -> None:
    match_id = await matches.start(None)
    ((commitment,),) = await matches.run("select commitment from matches")

    page = await matches.page(match_id, 0)

    assert page.commitment == commitment
    assert page.seed is page.nonce is None


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        pytest.param({"game": "chess"}, "match.unknown_game", id="a game we do not have"),
        pytest.param({"kits": ()}, "match.wrong_seat_count", id="nobody"),
        pytest.param({"kits": range(1, 7)}, "match.wrong_seat_count", id="too many"),
        pytest.param({"kits": (1, 1)}, "match.same_kit", id="two of a colour"),
        pytest.param({"options": {"rounds": 0}}, "option.unsupported", id="an option refused"),
    ],
)
async def test_what_cannot_be_played_is_refused(
    matches: Matches, arguments: dict[str, Any], code: str
) -> None:
    kits = arguments.get("kits", (1, 2))
    async with matches.sessions() as session:
        with pytest.raises(InvalidError) as error:
            await service.start_match(
                session,
                game=arguments.get("game", "pinya"),
                options=arguments.get("options", {}),
                seats=[SeatSpec(None, None, "x", kit) for kit in kits],
                now=NOW,
            )

    assert error.value.code == code


async def test_an_unknown_edition_is_refused_by_name(matches: Matches) -> None:
    with pytest.raises(InvalidError) as error:
        await matches.start(None, None, game="castell", options={"edition": "../secrets"})

    assert error.value.code == "option.unknown_edition"
    assert error.value.details == {"key": "edition", "value": "../secrets"}


async def test_the_edition_is_frozen_into_the_match(matches: Matches) -> None:
    await matches.start(None, None, game="castell", options={"edition": "castell-1"})

    ((options,),) = await matches.run("select options from matches")

    assert options["edition"]["rounds"] == 10


async def test_the_same_seed_sets_up_the_same_match(matches: Matches) -> None:
    for _ in range(2):
        await matches.start(None, None, game="castell")

    first, second = await matches.run("select state from matches")

    assert first == second


async def test_options_are_the_games_own(matches: Matches) -> None:
    page = await matches.page(await matches.start(None, None), 0)

    assert page.options == pinya.Options(("take 1", "take 2", "take 3", "peek", "end"))
