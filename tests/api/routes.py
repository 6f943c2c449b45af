"""Who gets what answer from the API: the authorization matrix.

A row is a route, a request to it that is in order, and the status each role
gets.  `tests/api/test_authorization.py` tries them all, and fails when a route
has no row.  Paths and bodies may name the things of `tests/support/world.py`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Expected = tuple[int | frozenset[int], ...]

# In the order of tests.support.world.ROLES:
# no token, guest at the table, somebody elsewhere, player (host), ex-player, spectator.
PUBLIC = (200,) * 6
KNOWN = (401, 200, 200, 200, 200, 200)
MAKES = (401, 201, 201, 201, 201, 201)
# Who sits in the match, and who may look on: spectators and who has resigned.
LOOKERS = (401, 200, 404, 200, 200, 200)
# Whether it is the seat's turn is another matter; others do not get so far.
ACTED = frozenset({200, 409})
SEATS = (401, ACTED, 404, ACTED, 403, 403)


@dataclass(frozen=True, slots=True)
class Row:
    """One route (`method`, `route`): where it is asked, what is sent, each role's status."""

    method: str
    route: str
    path: str
    expected: Expected
    body: Mapping[str, Any] | None = None


def get(route: str, path: str, expected: Expected) -> Row:
    """Return the row of something that is looked at."""
    return Row("GET", route, path, expected)


def post(route: str, path: str, expected: Expected, /, **body: Any) -> Row:
    """Return the row of something that is done."""
    return Row("POST", route, path, expected, body)


ROWS = (
    get("/openapi.json", "/openapi.json", PUBLIC),
    get("/me", "/me", KNOWN),
    # For a mail server with the secret alone: tests/notifications/test_roads.py.
    post("/incoming-mail", "/incoming-mail", (404,) * 6),
    # Tables
    post("/tables", "/tables", MAKES, game="castell", seats=2, key="k"),
    get("/tables/{table_id}", "/tables/{table}", (401, 200, 404, 200, 404, 404)),
    get("/tables/{table_id}", "/tables/{started}", (401, 200, 404, 200, 200, 404)),
    post("/join", "/join", (401, 200, 200, 200, 403, 200), code="{code}"),
    post("/join", "/join", (401, 200, 200, 200, 403, 200), invite="{invite}"),
    post("/join", "/join", (401, 404, 404, 404, 404, 404), invite="{nobody}"),
    post("/tables/{table_id}/join", "/tables/{table}/join", (401, 200, 404, 200, 404, 404)),
    post(
        "/tables/{table_id}/bots",
        "/tables/{table}/bots",
        (401, 403, 404, 200, 404, 404),
        position=0,
    ),
    post("/tables/{table_id}/start", "/tables/{table}/start", (401, 403, 404, 409, 404, 404)),
    # Matches
    post("/matches", "/matches", MAKES, bots=1, key="k"),
    get("/matches", "/matches", KNOWN),
    get("/matches/{match_id}", "/matches/{match}", LOOKERS),
    # The seat of the guest is nobody else's, not even to look from.
    get("/matches/{match_id}", "/matches/{match}?seat=1", (401, 200, 404, 404, 404, 404)),
    get("/matches/{match_id}/history/{version}", "/matches/{match}/history/1", LOOKERS),
    get("/matches/{match_id}/legal", "/matches/{match}/legal", (401, 200, 404, 200, 403, 403)),
    post("/matches/{match_id}/draft", "/matches/{match}/draft", SEATS),
    post(
        "/matches/{match_id}/draft",
        "/matches/{match}/draft?seat=1",
        (401, ACTED, 404, 404, 404, 404),
    ),
    post(
        "/matches/{match_id}/commit",
        "/matches/{match}/commit",
        (401, 409, 404, 409, 403, 403),
        expected_version=0,
        key="k",
    ),
    post(
        "/matches/{match_id}/commit",
        "/matches/{match}/commit?seat=1",
        (401, 409, 404, 404, 404, 404),
        expected_version=0,
        key="k",
    ),
    post(
        "/matches/{match_id}/resign",
        "/matches/{match}/resign",
        (401, 200, 404, 200, 403, 403),
        key="k",
    ),
    post(
        "/matches/{match_id}/resign",
        "/matches/{match}/resign?seat=1",
        (401, 200, 404, 404, 404, 404),
        key="k",
    ),
    get("/matches/{match_id}/events", "/matches/{match}/events?since=0", LOOKERS),
    get(
        "/matches/{match_id}/events",
        "/matches/{match}/events?since=0&seat=1",
        (401, 200, 404, 404, 404, 404),
    ),
    get("/matches/{match_id}/export", "/matches/{match}/export", LOOKERS),
)
