"""Who gets what answer from every page: the authorization matrix.

A row is a route, a request to it that is in order, and the status each role
gets.  `tests/web/test_authorization.py` tries them all, and fails when a route
has no row.  Paths and forms may name the things of `tests/support/world.py`:
{table} gathers, {started} and {match} run.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

# In the order of tests.support.world.ROLES:
# anonymous, guest at the table, guest elsewhere, player (host), ex-player, spectator.
ANYBODY = (200,) * 6
GOES_ON = (303,) * 6
HOST = (401, 403, 404, 303, 404, 404)
MEMBERS = (401, 303, 404, 303, 404, 404)
KNOWN = (303, 200, 200, 200, 200, 200)
KNOWN_POSTS = (401, 303, 303, 303, 303, 303)
# What the rules and the version say to a seat is another matter; others do not get so far.
ACTED = frozenset({303, 409, 422})
# Who sits in the match, and who may look on: spectators and who has resigned.
SEATS = (404, 200, 404, 200, 404, 404)
NO_ADMIN = (401, 404, 404, 404, 404, 404)
LOOKERS = (404, 200, 404, 200, 200, 200)


@dataclass(frozen=True, slots=True)
class Row:
    """One route: its name, method and path, what is sent, and each role's status."""

    name: str
    method: str
    path: str
    expected: tuple[int | frozenset[int], ...]
    form: Mapping[str, str] = field(default_factory=dict)


def get(name: str, path: str, expected: tuple[int | frozenset[int], ...]) -> Row:
    """Return the row of a page."""
    return Row(name, "GET", path, expected)


def post(name: str, path: str, expected: tuple[int | frozenset[int], ...], /, **form: str) -> Row:
    """Return the row of a form."""
    return Row(name, "POST", path, expected, form)


ROWS = (
    get("health.live", "/healthz", ANYBODY),
    get("health.ready", "/readyz", (503,) * 6),  # no worker runs in this test
    get("health.proxy", "/proxyz", (404,) * 6),  # for `placa doctor` alone
    # Nobody here is an administrator: tests/web/test_admin.py has one.
    get("admin", "/admin", (303, 404, 404, 404, 404, 404)),
    get("admin.match", "/admin/matches/{match}", (303, 404, 404, 404, 404, 404)),
    post("admin.void", "/admin/matches/{match}/void", NO_ADMIN),
    post("admin.rollback", "/admin/matches/{match}/rollback", NO_ADMIN, version="1"),
    post("admin.reassign", "/admin/matches/{match}/reassign", NO_ADMIN, seat="0", bot="steady"),
    get("metrics", "/metrics", (404,) * 6),  # for a Prometheus with the token alone
    get("front", "/", ANYBODY),
    get("about", "/about", ANYBODY),
    get("rules.index", "/rules", ANYBODY),
    get("rules.show", "/rules/castell", ANYBODY),
    get("rules.show", "/rules/el_grande", ANYBODY),
    get("rules.show", "/rules/nothing", (404,) * 6),
    post("preferences", "/preferences", GOES_ON, theme="dark"),
    # Tables
    post("play_bots", "/play-bots", GOES_ON, bots="1", key="k"),
    get("tables.open", "/tables", ANYBODY),
    get("tables.new", "/new", ANYBODY),
    post(
        "tables.create",
        "/new",
        GOES_ON,
        name="Somebody",
        game="castell",
        seats="2",
        visibility="private",
        seat_order="chosen",
        wheel_side="all_regions",
        key="k",
    ),
    get("tables.show", "/tables/{table}", (404, 200, 404, 200, 404, 404)),
    get("tables.show", "/tables/{started}", (404, 303, 404, 303, 303, 404)),
    get("tables.part", "/tables/{table}/part?since=0.0", GOES_ON),
    post("tables.join", "/tables/{table}/join", (404, 303, 404, 303, 404, 404), name="Somebody"),
    post("tables.start", "/tables/{table}/start", (401, 403, 404, 409, 404, 404)),
    post("tables.leave", "/tables/{table}/leave", MEMBERS),
    post("tables.close", "/tables/{table}/close", HOST),
    post(
        "tables.settings",
        "/tables/{table}/settings",
        HOST,
        visibility="private",
        seat_order="shuffled",
    ),
    post("tables.renew_invite", "/tables/{table}/invite", HOST),
    post("tables.add_bot", "/tables/{table}/seats/0/bot", HOST, policy="steady"),
    post("tables.add_player", "/tables/{table}/seats/0/player", MEMBERS, name="Beside"),
    # The host empties others' seats, and nobody their own.
    post("tables.free_seat", "/tables/{table}/seats/2/free", HOST),
    post("tables.free_seat", "/tables/{table}/seats/1/free", (401, 403, 404, 403, 404, 404)),
    post("tables.confirm", "/tables/{table}/seats/2/confirm", (401, 303, 404, 403, 404, 404)),
    post("tables.move_seat", "/tables/{table}/seats/1/move", HOST, to="up"),
    post(
        "tables.change_kit",
        "/tables/{table}/seats/2/kit",
        (401, 303, 404, 403, 404, 404),
        kit="5",
    ),
    post("tables.rematch", "/tables/{started}/rematch", (401, 409, 404, 409, 409, 404)),
    # Talk: for the people of the table, those who have resigned too, not for spectators.
    get("tables.talk", "/tables/{started}/talk", (303, 200, 404, 200, 200, 404)),
    get("matches.talk", "/matches/{match}/talk", (303, 303, 404, 303, 303, 404)),
    post(
        "tables.say",
        "/tables/{started}/talk",
        (401, 303, 404, 303, 303, 404),
        text="Hola",
        key="k",
    ),
    post(
        "tables.mute",
        "/tables/{started}/mute",
        (401, 404, 404, 303, 303, 404),
        person="{guest}",
        muted="on",
    ),
    # Joining
    get("join", "/join", ANYBODY),
    post("join.find", "/join", GOES_ON, code="{code}"),
    get("join.code", "/join/{code}", (200, 303, 200, 303, 200, 200)),
    post("join.take", "/join/{code}", (303, 303, 303, 303, 403, 303), name="Somebody"),
    get("invite", "/i/{invite}", (200, 303, 200, 303, 200, 200)),
    post("invite.take", "/i/{invite}", (303, 303, 303, 303, 403, 303), name="Somebody"),
    get("invite", "/i/{nobody}", (404,) * 6),
    get("watch", "/w/{watch}", ANYBODY),
    post("watch.take", "/w/{watch}", GOES_ON),
    # Accounts
    get("account", "/account", KNOWN),
    get("signup", "/signup", (200, 200, 200, 303, 200, 200)),
    post(
        "signup.take",
        "/signup",
        (303, 303, 303, 409, 303, 303),
        name="Somebody",
        password="quatre de nou",
    ),
    get("login", "/login", (200, 200, 200, 303, 200, 200)),
    # This server sends no mail: tests/web/test_mail_login.py has one that does.
    get("login.mail", "/login/mail", (404,) * 6),
    post("login.mail.ask", "/login/mail", (404,) * 6, address="a@b.example"),
    get("login.code", "/login/code", (404,) * 6),
    post("login.code.take", "/login/code", (404,) * 6, code="123456"),
    get("account.data", "/account/data", KNOWN),
    # Nor has it an issuer: tests/web/oidc/test_oidc.py has one.
    post("oidc.begin", "/login/oidc", (404,) * 6),
    get("oidc.callback", "/login/oidc/callback?state=s&code=c", (404,) * 6),
    get("oidc.new", "/login/oidc/new", (404,) * 6),
    post("oidc.new.take", "/login/oidc/new", (404,) * 6, name="Somebody"),
    post("oidc.disconnect", "/account/oidc/disconnect", (401, *(404,) * 5)),
    get("replies.show", "/account/replies", KNOWN),
    post("replies.keep", "/account/replies", KNOWN_POSTS, directly="on"),
    post("login.take", "/login", (422,) * 6, name="Player", password="wrong"),
    post("logout", "/logout", GOES_ON),
    get("notices", "/account/notices", KNOWN),
    post("notices.claim", "/account/notices/address", (401, *(422,) * 5), address="a@b.org"),
    post("notices.confirm", "/account/notices/code", (401, *(422,) * 5), code="123456"),
    post("notices.again", "/account/notices/again", KNOWN_POSTS),
    post("notices.forget", "/account/notices/forget", KNOWN_POSTS),
    post("notices.resume", "/account/notices/resume", KNOWN_POSTS),
    post("notices.keep", "/account/notices/wishes", KNOWN_POSTS, mode="off", zone="UTC"),
    post("notices.test", "/account/notices/test", KNOWN_POSTS),
    post(
        "notices.match",
        "/account/notices/matches/{match}",
        (401, 303, 404, 303, 404, 404),
        told="no",
    ),
    # This server has no address to send to that is not everybody's: nothing is kept.
    post(
        "notices.channel.add",
        "/account/notices/channels",
        (401, *(422,) * 5),
        kind="ntfy",
        address="https://127.0.0.1/x",
    ),
    post("notices.browser.add", "/account/notices/browser", (401, *(422,) * 5), endpoint="x"),
    get("browser.worker", "/worker.js", ANYBODY),
    get("browser.icon", "/icon.png", ANYBODY),
    post("notices.channel.test", "/account/notices/channels/{session}/test", (401, *(404,) * 5)),
    post(
        "notices.channel.resume", "/account/notices/channels/{session}/resume", (401, *(404,) * 5)
    ),
    post(
        "notices.channel.forget", "/account/notices/channels/{session}/forget", (401, *(404,) * 5)
    ),
    get("notices.stop", "/notices/stop/{nobody}", (404,) * 6),
    post("notices.stop.take", "/notices/stop/{nobody}", (404,) * 6),
    post("account.device_link", "/account/device-link", (401, 200, 200, 200, 200, 200)),
    get("device", "/device/{device}", ANYBODY),
    get("device", "/device/{nobody}", (404,) * 6),
    post("device.take", "/device/{device}", GOES_ON),
    post("account.rename", "/account/name", KNOWN_POSTS, name="Somebody"),
    post(
        "account.password",
        "/account/password",
        (401, 403, 403, 422, 403, 403),
        old="wrong",
        password="quatre de nou",
    ),
    post(
        "account.revoke_session",
        "/account/sessions/{session}/revoke",
        (401, 404, 404, 303, 404, 404),
    ),
    post("account.revoke_others", "/account/sessions/revoke-others", KNOWN_POSTS),
    post("account.create_token", "/account/tokens", (401, 403, 403, 200, 403, 403), label="bot"),
    post(
        "account.revoke_token",
        "/account/tokens/{api_token}/revoke",
        (401, 404, 404, 303, 404, 404),
    ),
    get("account.time", "/account/time", KNOWN),
    get("account.orders", "/account/orders", KNOWN),
    post("account.away", "/account/absences", (401, 422, 422, 422, 422, 422)),
    post("account.back", "/account/absences/{session}/end", (401,) + (404,) * 5),
    post("account.delete", "/account/delete", (401, 303, 303, 422, 303, 303), password="wrong"),
    # Matches
    get("matches.mine", "/matches", KNOWN),
    get("matches.show", "/matches/{match}", LOOKERS),
    get("matches.text", "/matches/{match}/text", LOOKERS),
    get("matches.board", "/matches/{match}/board?since=0", GOES_ON),
    post(
        "matches.draft", "/matches/{match}/draft", (404, ACTED, 404, ACTED, 404, 404), clear="all"
    ),
    post(
        "matches.commit",
        "/matches/{match}/commit",
        (404, 409, 404, 409, 404, 404),
        expected_version="0",
        key="k",
    ),
    post(
        "matches.say",
        "/matches/{match}/talk",
        (404, 303, 404, 303, 404, 404),
        text="Hola",
        key="k",
    ),
    # Nothing is told to stand in for the seat: it is asked, as before.
    post(
        "matches.standing",
        "/matches/{match}/standing",
        (404, 303, 404, 303, 404, 404),
        decision="veto",
    ),
    get("matches.orders", "/matches/{match}/orders", (404, 200, 404, 200, 404, 404)),
    post(
        "matches.order",
        "/matches/{match}/orders",
        (404, 303, 404, 303, 404, 404),
        decision="festivals",
        order="best",
    ),
    get("matches.time", "/matches/{match}/time", LOOKERS),
    # The match has no clock that could stand still, and nobody has proposed anything.
    post(
        "matches.propose", "/matches/{match}/propose", (404, 409, 404, 409, 404, 404), kind="resume"
    ),
    post(
        "matches.agree",
        "/matches/{match}/agree",
        (404,) * 6,
        kind="pause",
        version="1",
        word="yes",
    ),
    get("matches.resign", "/matches/{match}/resign", SEATS),
    post("matches.leave", "/matches/{match}/resign", (404, 303, 404, 303, 404, 404), key="k"),
    # The host decides who watches; the others at the table know that there is a host.
    get("matches.spectators", "/matches/{match}/spectators", (404, 403, 404, 200, 403, 404)),
    post(
        "matches.allow_spectators",
        "/matches/{match}/spectators",
        (404, 403, 404, 303, 403, 404),
        allowed="off",
    ),
    # Without a goal, the way to the workshop with one.
    get("matches.workshop", "/matches/{match}/workshop", (404, 303, 404, 303, 404, 404)),
    get("matches.workshop_part", "/matches/{match}/workshop/part?goal=nothing", (404,) * 6),
    get("matches.workshop_builders", "/matches/{match}/workshop/builders?goal=x&since=0", GOES_ON),
    # A running match has no results yet: the way back to it.
    get("matches.results", "/matches/{match}/results", (404, 303, 404, 303, 303, 303)),
    get("matches.festival", "/matches/{match}/festivals/1", (404,) * 6),
    # Another game’s page.
    get("matches.scoring", "/matches/{match}/scorings/3", (404,) * 6),
    # Nothing was revealed yet: on to the match.
    get("matches.answered", "/matches/{match}/festivals", (404, 303, 404, 303, 303, 303)),
    get("matches.export", "/matches/{match}/export", LOOKERS),
    # A match that runs keeps its secrets from everybody.
    get("matches.proof", "/matches/{match}/proof", (404, 409, 404, 409, 409, 409)),
    get("matches.history", "/matches/{match}/history/1", LOOKERS),
)
