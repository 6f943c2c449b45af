"""Playing by program, from the table to the export."""

from datetime import datetime, timedelta

import pytest

from app.matches import lists
from app.matches.service import move_seats
from app.rules.castell import match_from_text
from tests.support.programs import Programs

pytestmark = pytest.mark.anyio


async def test_a_token_says_for_whom_it_acts(programs: Programs) -> None:
    anna = await programs.make("Anna")

    assert (await anna.get("/me")).json() == {"name": "Anna", "account": False}


async def test_friends_gather_by_code_and_start(programs: Programs) -> None:
    anna, berta = await programs.make("Anna"), await programs.make("Berta")
    made = await anna.post(
        "/tables", game="castell", seats=3, key="k", options={"wheel_side": "no_regions"}
    )
    table = made.json()

    assert made.status_code == 201
    assert table["options"] == {"wheel_side": "no_regions", "assistants": True}
    assert table["invite_url"].startswith("https://plaza.test/i/")
    token = table["invite_url"].rpartition("/")[2]
    joined = (await berta.post("/join", invite=token, name="B.")).json()
    assert [(seat["name"], seat["mine"]) for seat in joined["seats"]] == [
        ("Anna", False),
        ("B.", True),
        (None, False),
    ]
    with_bot = (await anna.post(f"/tables/{table['id']}/bots", position=2, policy="random")).json()
    assert with_bot["seats"][2]["bot"] == "random"
    match_id = (await anna.post(f"/tables/{table['id']}/start")).json()["match_id"]
    seen = (await berta.get(f"/tables/{table['id']}")).json()
    assert (seen["status"], seen["match_id"]) == ("started", match_id)


async def test_making_a_table_again_makes_no_other(programs: Programs) -> None:
    anna = await programs.make("Anna")

    made = [await anna.post("/tables", game="castell", seats=2, key="k") for _ in range(2)]

    assert made[0].json() == made[1].json()


async def test_an_open_table_is_joined_by_its_id(programs: Programs) -> None:
    anna, berta = await programs.make("Anna"), await programs.make("Berta")
    table = (await anna.post("/tables", game="castell", seats=2, key="k", visibility="open")).json()

    joined = await berta.post(f"/tables/{table['id']}/join")

    assert joined.status_code == 200
    assert joined.json()["seats"][1]["mine"]


async def test_a_turn_is_looked_up_drafted_and_committed(programs: Programs) -> None:
    anna, berta = await programs.make("Anna"), await programs.make("Berta")
    match_id = await anna.match_against(berta)
    shown = (await anna.get(f"/matches/{match_id}")).json()
    mover, other = (anna, berta) if shown["asked"] == [0] else (berta, anna)

    legal = (await mover.get(f"/matches/{match_id}/legal")).json()
    assert "move BCN" in legal["moves"]
    assert legal["prompt"]["finish"] == "end"
    assert legal["options"]["recruit"]["refused"]["code"]
    drafted = (await mover.post(f"/matches/{match_id}/draft", add="move BCN", revision=0)).json()
    assert drafted == {"lines": ["move BCN"], "revision": 1, "dropped": []}
    assert (await other.get(f"/matches/{match_id}")).json()["drafted"] is None
    mine = (await mover.get(f"/matches/{match_id}")).json()
    assert mine["drafted"] != mine["view"]
    done = await mover.post(f"/matches/{match_id}/commit", expected_version=1, key="k", revision=1)
    assert done.json() == {"version": 2}
    again = await mover.post(f"/matches/{match_id}/commit", expected_version=1, key="k", revision=1)
    assert again.json() == {"version": 2}

    news = (await other.get(f"/matches/{match_id}/events", since=1)).json()
    assert (news["version"], news["status"]) == (2, "running")
    assert [event["event"]["type"] for event in news["events"]] == ["PawnMoved", "TurnEnded"]
    first = (await other.get(f"/matches/{match_id}/history/1")).json()
    assert (first["version"], first["latest"]) == (1, 2)


async def test_a_program_knows_until_when_it_has_to_answer(programs: Programs) -> None:
    anna, berta = await programs.make("Anna"), await programs.make("Berta")
    clock = {"kind": "turn", "days": 2, "zone": "Europe/Madrid"}
    made = await anna.post("/tables", game="castell", seats=2, key="k", clock=clock)
    await berta.post("/join", code=made.json()["code"])
    started = await anna.post(f"/tables/{made.json()['id']}/start")
    match_id = started.json()["match_id"]

    shown = (await anna.get(f"/matches/{match_id}")).json()
    (deadline,) = shown["deadlines"]
    mine = deadline["seat"] == shown["seat"]
    mover, other = (anna, berta) if mine else (berta, anna)
    (asked,) = (await mover.get("/matches")).json()
    (waits,) = (await other.get("/matches")).json()

    assert [deadline["seat"]] == shown["asked"]
    assert deadline["missed_at"] is None
    began = datetime.fromisoformat(shown["created_at"])
    assert datetime.fromisoformat(deadline["due_at"]) - began == timedelta(days=2)
    assert asked["deadlines"] == [deadline]
    assert waits["deadlines"] == []


async def test_a_draft_is_taken_back_step_by_step_and_at_once(programs: Programs) -> None:
    anna, berta = await programs.make("Anna"), await programs.make("Berta")
    match_id = await anna.match_against(berta)
    asked = (await anna.get(f"/matches/{match_id}")).json()["asked"]
    mover = (anna, berta)[asked[0]]
    draft = f"/matches/{match_id}/draft"
    await mover.post(draft, add="move BCN")

    assert (await mover.post(draft, drop=0)).json()["lines"] == []
    await mover.post(draft, add="move GIR")
    assert (await mover.post(draft)).json() == {"lines": [], "revision": 4, "dropped": []}


async def test_my_matches_name_those_that_wait_for_me(programs: Programs) -> None:
    anna, berta = await programs.make("Anna"), await programs.make("Berta")
    match_id = await anna.match_against(berta)

    lists = [(await program.get("/matches")).json() for program in (anna, berta)]

    assert [cards[0]["id"] for cards in lists] == [match_id, match_id]
    assert sorted(cards[0]["my_turn"] for cards in lists) == [False, True]


async def test_my_matches_come_a_page_at_a_time(
    programs: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lists, "CARDS_SHOWN", 1)
    anna = await programs.make("Anna")
    made = {await anna.match_with_bots(bots) for bots in (1, 2)}

    pages = [(await anna.get("/matches", page=page)).json() for page in (1, 2, 3)]

    assert [len(cards) for cards in pages] == [1, 1, 0]
    assert {cards[0]["id"] for cards in pages[:2]} == made


async def test_a_match_is_exported_as_text(programs: Programs) -> None:
    anna = await programs.make("Anna")
    match_id = await anna.match_with_bots()

    exported = await anna.get(f"/matches/{match_id}/export")

    assert exported.headers["Content-Type"].startswith("text/plain")
    assert len(match_from_text(exported.text)) == 1


async def test_the_last_person_who_resigns_ends_the_match(programs: Programs) -> None:
    anna = await programs.make("Anna")
    match_id = await anna.match_with_bots()

    left = await anna.post(f"/matches/{match_id}/resign", key="r")

    assert left.json() == {"version": 2}
    shown = (await anna.get(f"/matches/{match_id}")).json()
    assert (shown["status"], shown["seat"]) == ("void", None)
    assert shown["seed"] is not None


async def test_a_person_with_two_seats_names_the_one_they_act_for(
    programs: Programs,
) -> None:
    anna, berta = await programs.make("Anna"), await programs.make("Berta")
    match_id = await anna.match_against(berta)
    async with programs.sessions.begin() as session:
        await move_seats(session, old=berta.person.id, new=anna.person.id)

    seen = [(await anna.get(f"/matches/{match_id}", seat=seat)).json()["seat"] for seat in (0, 1)]

    assert seen == [0, 1]
    assert (await anna.get(f"/matches/{match_id}")).json()["seat"] == 0
    assert (await anna.get(f"/matches/{match_id}/events", seat=1)).status_code == 200
