"""Pages and fragments, addresses and languages."""

import httpx
import pytest
from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, PlainTextResponse
from jinja2 import DictLoader, Environment, StrictUndefined, UndefinedError
from markupsafe import Markup

from app.web.preferences import LocaleMiddleware, local_path
from app.web.templating import environment, is_htmx, path_for, render_block, static_url, symbol

pytestmark = pytest.mark.anyio


def client(app: FastAPI, **values: str) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(app, root_path=values.pop("root_path", ""))
    return httpx.AsyncClient(transport=transport, base_url="http://test", headers=values)


def small_app() -> FastAPI:
    app = FastAPI()
    app.add_middleware(LocaleMiddleware)

    @app.get("/things/{number}", name="thing")
    async def thing(request: Request, number: int) -> PlainTextResponse:
        text = f"{path_for(request, 'thing', number=number)} {is_htmx(request)}"
        return PlainTextResponse(text)

    @app.get("/parts")
    async def parts() -> HTMLResponse:
        template = environment().from_string("{{ locale() }} {{ pawn(3, '<b>') }}")
        return HTMLResponse(template.render())

    return app


def test_a_block_is_rendered_alone_and_escaped() -> None:
    env = Environment(
        loader=DictLoader(
            {
                "base": "<html>{% block main %}{% endblock %}</html>",
                "page": '{% extends "base" %}{% block main %}<p>{% block part %}{{ text }}'
                "{% endblock %}</p>{% endblock %}",
            }
        ),
        autoescape=True,
        undefined=StrictUndefined,
    )

    assert render_block(env.get_template("page"), "part", {"text": "<&>"}) == "&lt;&amp;&gt;"
    with pytest.raises(KeyError):
        render_block(env.get_template("page"), "missing", {})
    with pytest.raises(UndefinedError):
        render_block(env.get_template("page"), "part", {})


def test_what_is_put_into_a_sentence_is_escaped_once() -> None:
    template = environment().from_string("{{ _('%(one)s & %(two)s: 100%%', one=one, two=two) }}")
    said = template.render(one="<b> it's", two=Markup("<i>2</i>"))

    assert said == "&lt;b&gt; it&#39;s & <i>2</i>: 100%"


def test_an_unknown_static_file_is_an_error_and_not_a_broken_link() -> None:
    assert symbol("i-move").startswith("/static/symbols.")
    with pytest.raises(KeyError):
        static_url("css/missing.css")


async def test_addresses_hold_the_mount_path_and_never_the_host() -> None:
    async with client(small_app(), root_path="/games", Host="evil.test") as http:
        answer = await http.get("/games/things/7")
    async with client(small_app(), **{"HX-Request": "true"}) as http:
        fragment = await http.get("/things/7")

    assert answer.text == "/games/things/7 False"
    assert fragment.text == "/things/7 True"


@pytest.mark.parametrize(
    ("cookie", "accept", "spoken"),
    [
        ("", "ca,en;q=0.5", "ca"),
        ("locale=en", "ca", "en"),
        ("locale=ca", "", "ca"),
        ("locale=../../etc", "ca", "ca"),
        ("theme=dark; locale=ca", "", "ca"),
        (";;==;", "", "en"),
    ],
)
async def test_the_language_chosen_here_goes_before_the_browsers(
    cookie: str, accept: str, spoken: str
) -> None:
    async with client(small_app(), **{"Cookie": cookie, "Accept-Language": accept}) as http:
        answer = await http.get("/parts")

    assert answer.text.startswith(spoken)
    assert "&lt;b&gt;" in answer.text


@pytest.mark.parametrize("path", ["/", "/matches/1?seat=2#turn", "/join/PINYA-4217"])
def test_one_goes_back_to_a_page_of_ours(path: str) -> None:
    assert local_path(path) == path


@pytest.mark.parametrize(
    "path",
    [
        "",
        "https://evil.test/",
        "//evil.test",
        "/\\evil.test",
        "\\\\evil.test",
        "/a\\b",
        "javascript:alert(1)",
        "/\tevil",
        "/\n/evil.test",
        "evil",
        " //evil.test",
    ],
)
def test_nobody_is_sent_elsewhere(path: str) -> None:
    assert local_path(path) == "/"
