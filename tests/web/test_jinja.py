"""Our text in templates is Jinja's text, only cheaper."""

from dataclasses import dataclass

import pytest
from jinja2 import DictLoader, Environment, StrictUndefined, UndefinedError, pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape

from app.web.jinja import TextEnvironment, text


class Loud(str):
    """A string that is written otherwise."""

    __slots__ = ()

    def __str__(self) -> str:
        return f"<{super().__str__()}>"


@dataclass(frozen=True, slots=True)
class Drawn:
    """Something that knows its own HTML."""

    def __html__(self) -> str:
        return "<b>drawn</b>"


VALUES = (
    0, -7, 27.5, True, None, "", "plain", "a & b", "<i>", 'say "x"', "it’s", "it's",
    Markup("<b>bold</b>"), Loud("x"), Drawn(), ("<", 1), b"<",
)  # fmt: skip


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_a_value_is_written_as_markupsafe_writes_it(value: object) -> None:
    assert text(value) == str(escape(value))


def test_a_template_says_the_same() -> None:
    source = "{% for v in values %}[{{ v }}|{{ v|safe }}|{{ v|string|upper }}]{% endfor %}"
    ours, theirs = (
        kind(autoescape=True).from_string(source).render(values=VALUES)
        for kind in (TextEnvironment, Environment)
    )

    assert ours == theirs
    assert "&lt;i&gt;" in ours


def test_without_escaping_nothing_is_escaped() -> None:
    assert TextEnvironment(autoescape=False).from_string("{{ v }}").render(v="<i>") == "<i>"


def test_what_is_not_there_is_an_error() -> None:
    template = TextEnvironment(undefined=StrictUndefined).from_string("{{ nothing }}")

    with pytest.raises(UndefinedError):
        template.render()


def test_templates_inside_templates_say_the_same_in_one_piece() -> None:
    sources = {
        "base": "<{% block head %}base{% endblock %}|{% block main required %}{% endblock %}>",
        "part": "[{{ n }}{% set inner = n %}{{ inner }}]",
        "macros": "{% macro twice(x) %}{{ x }}{{ caller() }}{{ x }}{% endmacro %}",
        "page": "{% extends 'base' %}{% block head %}{{ super() }} {{ title }}{% endblock %}"
        "{% block main %}{% from 'macros' import twice %}"
        "{% for n in values recursive %}{% if loop.first %}{% include 'part' %}"
        "{% else %}{% call twice(n) %}, {% endcall %}{% endif %}{% endfor %}"
        "{% filter upper %}{{ self.head() }}{% endfilter %}{% endblock %}",
    }
    ours, theirs = (
        kind(autoescape=True, loader=DictLoader(sources)) for kind in (TextEnvironment, Environment)
    )
    given = {"values": ["<i>", "b"], "title": "it's"}
    template = ours.get_template("page")

    assert template.render(given) == theirs.get_template("page").render(given)
    assert "&lt;i&gt;&lt;i&gt;" in template.render(given)
    assert len([*ours.get_template("part").root_render_func(template.new_context({"n": 1}))]) == 1


def test_a_function_is_called_with_what_the_template_gives_it() -> None:
    @pass_context
    def seen(context: Context, name: str) -> object:
        return context[name]

    def plain(*given: object, **named: object) -> str:
        return f"{given} {named}"

    source = (
        "{% for n in [1, 2] %}{% set m = n * 10 %}{{ seen('m') }} {{ plain(n, m, last=m) }} "
        "{{ 'x'.upper() }} {% endfor %}{% block end %}{% set e = 3 %}{{ seen('e') }}{% endblock %}"
    )
    ours, theirs = (
        kind(autoescape=True).from_string(source).render(seen=seen, plain=plain)
        for kind in (TextEnvironment, Environment)
    )

    assert ours == theirs
    assert ours.startswith("10 (1, 10) {&#39;last&#39;: 10} X 20 ")
    assert ours.endswith(" 3")
