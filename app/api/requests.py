"""Requests read strictly: no key twice, nothing the database cannot hold."""

import json
from collections import Counter
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute

from app.errors import InvalidError


class StrictRequest(Request):
    """A request whose JSON may not name a key twice: two readers would believe two values."""

    async def json(self) -> Any:
        """Return the body; raises ValueError for JSON that is not quite JSON."""
        return json.loads(await self.body(), object_pairs_hook=_unique, parse_constant=_no_constant)


class StrictRoute(APIRoute):
    """A route that reads its requests strictly."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Wrap FastAPI's own handler."""
        handle = super().get_route_handler()

        async def strictly(request: Request) -> Response:
            names = Counter(name for name, _ in request.query_params.multi_items())
            twice = [name for name, count in names.items() if count > 1]
            if twice:
                raise InvalidError("invalid_field", field=twice[0][:40])
            return await handle(StrictRequest(request.scope, request.receive))

        return strictly


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice")
    return found


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON")
