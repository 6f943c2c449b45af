"""Nothing a page or a program asks for is sent to a thread: that costs more than the work."""

from collections.abc import Iterator
from inspect import isasyncgenfunction, iscoroutinefunction
from typing import Any

from fastapi import FastAPI
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute, iter_route_contexts

from app.main import create_app
from tests.api.test_authorization import api_of
from tests.support.browser import settings


def test_every_handler_and_dependency_is_a_coroutine() -> None:
    app = create_app(settings("postgresql://nobody@127.0.0.1:1/nothing"))
    asked = {call for part in (app, api_of(app)) for call in _called(part)}

    assert len(asked) > 100
    assert {call for call in asked if not _awaits(call)} == set()


def _called(app: FastAPI) -> Iterator[Any]:
    for context in iter_route_contexts(app.routes):
        if isinstance(context.original_route, APIRoute):
            yield context.endpoint
            # As the router that includes it adds to it.
            yield from _depended_on(context.dependant)


def _depended_on(dependant: Dependant) -> Iterator[Any]:
    for one in dependant.dependencies:
        yield one.call
        yield from _depended_on(one)


def _awaits(call: Any) -> bool:
    """Tell whether the framework awaits `call`, or its `__call__`."""
    called = call if hasattr(call, "__name__") else call.__call__
    return iscoroutinefunction(called) or isasyncgenfunction(called)
