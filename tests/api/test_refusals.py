"""Whatever cannot be done is a problem with a stable code, and changes nothing."""

from typing import Any

import pytest
from httpx import ASGITransport, AsyncClient
from sqlalchemy import text

from app.config import Settings
from app.db.session import Sessions
from app.ids import new_id
from app.main import create_app
from tests.api.conftest import SECRET_KEY
from tests.support.programs import Program, Programs

pytestmark = pytest.mark.anyio

PROBLEM = "application/problem+json"


async def pair(programs: Programs) -> tuple[Program, Program, str]:
    """Return who is asked, who waits, and their match."""
    anna, berta = await programs.make("Anna"), await programs.make("Berta")
    match_id = await anna.match_against(berta)
    asked = (await anna.get(f"/matches/{match_id}")).json()["asked"]
    mover, other = (anna, berta) if asked == [0] else (berta, anna)
    return mover, other, match_id


async def test_a_problem_says_what_is_wrong_in_words_and_by_code(programs: Programs) -> None:
    mover, _, match_id = await pair(programs)

    refused = await mover.post(f"/matches/{match_id}/draft", add="recruit 7")

    assert refused.headers["Content-Type"] == PROBLEM
    body = refused.json()
    assert (refused.status_code, body["status"]) == (422, 422)
    assert body["title"].startswith("Unprocessable")
    assert body["code"] == "turn.pawn_not_placed"
    assert body["rule"] == "5"
    assert " " in body["detail"]


@pytest.mark.parametrize(
    "headers", [{}, {"Authorization": "Bearer wrong"}, {"Authorization": "Basic YTpi"}]
)
async def test_without_a_token_nothing_is_answered(
    programs: Programs, headers: dict[str, str]
) -> None:
    bare = await programs.client(headers)

    for path in ("/api/me", "/api/matches", f"/api/matches/{new_id()}", f"/api/tables/{new_id()}"):
        refused = await bare.get(path)
        assert refused.status_code == 401
        assert refused.headers["WWW-Authenticate"] == "Bearer"
        assert refused.json()["code"] == "sign_in_required"


async def test_a_cookie_is_no_token(programs: Programs) -> None:
    anna = await programs.make("Anna")
    bare = await programs.client({"Cookie": f"__Host-placa={anna.token}; sid={anna.token}"})

    assert (await bare.get("/api/me")).status_code == 401


async def test_the_description_is_public(programs: Programs) -> None:
    bare = await programs.client()

    described = await bare.get("/api/openapi.json")

    assert described.status_code == 200
    assert "/matches/{match_id}/commit" in described.json()["paths"]


@pytest.mark.parametrize("path", ["/docs", "/redoc", "/nothing", "", "/matches/%0A", "/%0A/x"])
async def test_there_is_nothing_else(programs: Programs, path: str) -> None:
    bare = await programs.client()

    missing = await bare.get(f"/api/{path}")

    assert missing.status_code == 404
    assert missing.json()["code"] == "not_found"


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "PATCH", "TRACE"])
async def test_unused_methods_are_refused(programs: Programs, method: str) -> None:
    anna = await programs.make("Anna")

    refused = await anna.raw(method, f"/matches/{new_id()}/commit")

    assert refused.status_code == 405
    assert refused.json()["code"] == "method_not_allowed"
    assert refused.headers["Allow"] == "POST"


async def test_an_outsider_learns_nothing_about_a_match(programs: Programs) -> None:
    mover, _, match_id = await pair(programs)
    outsider = await programs.make("Carla")
    table_id = (await mover.get("/matches")).json()[0]["id"]

    for path in ("", "/legal", "/events", "/export", "/history/1"):
        mine = await outsider.get(f"/matches/{match_id}{path}")
        none = await outsider.get(f"/matches/{new_id()}{path}")
        odd = await outsider.get(f"/matches/x{path}")
        assert (mine.status_code, none.status_code, odd.status_code) == (404, 404, 404)
        assert mine.content == none.content == odd.content
    for path in ("/commit", "/draft", "/resign"):
        refused = await outsider.post(f"/matches/{match_id}{path}", expected_version=1, key="k")
        assert refused.status_code in {404, 422}
    assert (await outsider.get(f"/tables/{table_id}")).status_code == 404


async def test_another_seat_is_not_mine(programs: Programs) -> None:
    mover, _, match_id = await pair(programs)
    mine = (await mover.get(f"/matches/{match_id}")).json()["seat"]

    refused = await mover.post(
        f"/matches/{match_id}/commit", seat=1 - mine, expected_version=1, key="k"
    )

    assert refused.status_code == 404


async def test_who_waits_cannot_commit(programs: Programs) -> None:
    _, other, match_id = await pair(programs)

    refused = await other.post(f"/matches/{match_id}/commit", expected_version=1, key="k")

    assert refused.status_code == 409
    assert refused.json()["code"] == "match.not_asked"
    assert (await other.get(f"/matches/{match_id}/legal")).json()["moves"] == []


async def test_a_stale_commit_names_the_version_there_is(programs: Programs) -> None:
    mover, _, match_id = await pair(programs)

    refused = await mover.post(f"/matches/{match_id}/commit", expected_version=0, key="k")

    assert refused.status_code == 409
    assert refused.json()["code"] == "stale_match"
    assert refused.json()["details"] == {"version": 1}


async def test_a_key_is_good_for_one_command(programs: Programs) -> None:
    mover, _, match_id = await pair(programs)
    await mover.post(f"/matches/{match_id}/commit", expected_version=1, key="k", line="move BCN")

    refused = await mover.post(
        f"/matches/{match_id}/commit", expected_version=1, key="k", line="move GIR"
    )

    assert refused.status_code == 422
    assert refused.json()["code"] == "idempotency_key_reused"


async def test_who_has_left_may_look_and_not_play(programs: Programs) -> None:
    _, other, match_id = await pair(programs)
    await other.post(f"/matches/{match_id}/resign", key="r")

    seen = await other.get(f"/matches/{match_id}")
    refused = await other.post(f"/matches/{match_id}/draft", add="move BCN")

    assert seen.json()["seat"] is None
    assert refused.status_code == 403


BODIES: list[tuple[str, bytes]] = [
    ("no JSON", b"{"),
    ("nothing", b""),
    ("a list", b"[]"),
    ("a key twice", b'{"expected_version":1,"key":"k","key":"k"}'),
    ("no number", b'{"expected_version":NaN,"key":"k"}'),
    ("a number as text", b'{"expected_version":"1","key":"k"}'),
    ("a number with a point", b'{"expected_version":1.5,"key":"k"}'),
    ("true as a number", b'{"expected_version":true,"key":"k"}'),
    ("a huge number", b'{"expected_version":9223372036854775808,"key":"k"}'),
    ("a number of 5000 digits", b'{"expected_version":' + b"1" * 5000 + b',"key":"k"}'),
    ("NUL", b'{"expected_version":1,"key":"a\\u0000b"}'),
    ("half a character", b'{"expected_version":1,"key":"\\ud800"}'),
    ("no UTF-8", b'{"expected_version":1,"key":"\xff"}'),
    ("a field too many", b'{"expected_version":1,"key":"k","seat":0}'),
    ("a field too few", b'{"expected_version":1}'),
    ("an empty key", b'{"expected_version":1,"key":""}'),
    ("a long key", b'{"expected_version":1,"key":"' + b"x" * 65 + b'"}'),
    ("a long line", b'{"expected_version":1,"key":"k","line":"' + b"x" * 2001 + b'"}'),
    ("deep", b'{"expected_version":' + b"[" * 10000 + b"]" * 10000 + b',"key":"k"}'),
]


@pytest.mark.parametrize("body", [pytest.param(body, id=name) for name, body in BODIES])
async def test_a_body_that_cannot_be_is_refused_and_changes_nothing(
    programs: Programs, body: bytes
) -> None:
    mover, _, match_id = await pair(programs)

    refused = await mover.raw(
        "POST",
        f"/matches/{match_id}/commit",
        content=body,
        headers={"Content-Type": "application/json"},
    )

    assert refused.status_code in {400, 422}
    assert refused.headers["Content-Type"] == PROBLEM
    assert (await mover.get(f"/matches/{match_id}")).json()["version"] == 1


async def test_a_body_of_another_kind_is_refused(programs: Programs) -> None:
    anna = await programs.make("Anna")

    refused = await anna.raw(
        "POST",
        "/tables",
        content=b'{"game":"castell","seats":2,"key":"k"}',
        headers={"Content-Type": "text/plain"},
    )

    assert refused.status_code == 422


async def test_too_large_a_body_is_refused(programs: Programs) -> None:
    anna = await programs.make("Anna")

    refused = await anna.raw(
        "POST", "/join", content=b" " * 70_000, headers={"Content-Type": "application/json"}
    )

    assert refused.status_code == 413
    assert refused.json()["code"] == "too_large"


@pytest.mark.parametrize("query", ["seat=x", "seat=-1", "seat=99", "seat=0&seat=1", "colour=red"])
async def test_a_query_that_cannot_be_is_refused(programs: Programs, query: str) -> None:
    _, other, match_id = await pair(programs)

    refused = await other.raw("GET", f"/matches/{match_id}?{query}")

    assert refused.status_code == 422
    assert refused.json()["code"] == "invalid_field"


@pytest.mark.parametrize(
    ("path", "body", "status", "code"),
    [
        ("/tables", {"game": "chess", "seats": 2, "key": "k"}, 422, "table.unknown_game"),
        ("/tables", {"game": "castell", "seats": 5, "key": "k"}, 422, "table.wrong_seats"),
        (
            "/tables",
            {"game": "castell", "seats": 2, "key": "k", "options": {"colour": "red"}},
            422,
            "table.bad_option",
        ),
        ("/matches", {"bots": 1, "policy": "genius", "key": "k"}, 422, "table.unknown_policy"),
        ("/join", {}, 422, "invalid_field"),
        ("/join", {"code": "PINYA-42", "invite": "x"}, 422, "invalid_field"),
        ("/join", {"code": "PINYA-42"}, 404, "not_found"),
        ("/join", {"invite": "x"}, 404, "not_found"),
        ("/tables/01900000-0000-7000-8000-000000000000/start", {}, 404, "not_found"),
    ],
)
async def test_what_the_lobby_refuses_keeps_its_code(
    programs: Programs, path: str, body: dict[str, Any], status: int, code: str
) -> None:
    anna = await programs.make("Anna")

    refused = await anna.post(path, **body)

    assert (refused.status_code, refused.json()["code"]) == (status, code)


async def test_adding_and_dropping_at_once_is_neither(programs: Programs) -> None:
    mover, _, match_id = await pair(programs)

    refused = await mover.post(f"/matches/{match_id}/draft", add="move BCN", drop=0)

    assert refused.status_code == 422


async def test_guessing_codes_is_slowed_down(programs: Programs) -> None:
    anna = await programs.make("Anna")

    tries = [await anna.post("/join", code=f"PINYA-{n}") for n in range(12)]

    assert [tried.status_code for tried in tries] == [404] * 10 + [429] * 2
    assert int(tries[-1].headers["Retry-After"]) > 0


async def test_a_database_that_is_away_is_503_and_says_when_to_come_back(
    sessions: Sessions,
) -> None:
    settings = Settings(database_url="postgresql://127.0.0.1:1/none", secret_key=SECRET_KEY)
    app = create_app(settings)
    async with Programs.of(app, sessions) as programs:
        anna = await programs.make("Anna")
        refused = await anna.get("/me")

    assert refused.status_code == 503
    assert refused.json()["code"] == "unavailable"
    assert refused.headers["Retry-After"] == "5"
    await app.state.engine.dispose()


async def test_a_commit_that_waits_too_long_is_503_and_can_be_repeated(
    programs: Programs,
) -> None:
    mover, _, match_id = await pair(programs)
    async with programs.sessions.begin() as session:
        await session.execute(text("select 1 from matches for update"))
        await programs.app.state.engine.dispose()
        refused = await mover.post(f"/matches/{match_id}/commit", expected_version=1, key="k")

    assert refused.status_code == 503
    repeated = await mover.post(f"/matches/{match_id}/commit", expected_version=1, key="k")
    assert repeated.json() == {"version": 2}


async def test_a_bug_is_a_500_with_a_reference_and_no_more(
    programs: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna = await programs.make("Anna")

    async def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("app.api.matches.lists.my_matches", broken)
    transport = ASGITransport(programs.app, raise_app_exceptions=False)
    async with AsyncClient(transport=transport, base_url="https://plaza.test") as client:
        failed = await client.get("/api/matches", headers={"Authorization": f"Bearer {anna.token}"})

    assert failed.status_code == 500
    assert failed.json()["code"] == "internal"
    assert set(failed.json()["details"]) == {"reference"}
    assert "ZeroDivision" not in failed.text
