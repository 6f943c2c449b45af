"""The API put together: an application of its own under `/api`."""

import re
from typing import Any

from fastapi import FastAPI
from starlette.routing import Mount

from app.api import incoming, matches, tables
from app.api.problems import MEDIA_TYPE, install_problems


class Api(FastAPI):
    """FastAPI whose description names the media type our errors really have."""

    def openapi(self) -> dict[str, Any]:
        """Return the description of the API."""
        if self.openapi_schema is None:
            for operations in super().openapi()["paths"].values():
                for operation in operations.values():
                    for status, response in operation["responses"].items():
                        if int(status) >= 400:
                            (described,) = response["content"].values()
                            response["content"] = {MEDIA_TYPE: described}
        return super().openapi()


def install_api(app: FastAPI) -> None:
    """Mount the API at `/api`; it shares the state of `app`.

    Its description is public at `/api/openapi.json`; there is no page to try it on.
    """
    api = Api(
        title="Plaça",
        version="1",
        summary="Play by program.",
        docs_url=None,
        redoc_url=None,
        openapi_url="/openapi.json",
    )
    api.state = app.state
    routes = [*matches.router.routes, *tables.router.routes, *incoming.router.routes]
    # Not included: each application would make all of its routes anew.
    api.router.routes.extend(routes)
    install_problems(api, routes)
    mount = Mount("/api", api, name="api")
    # Starlette's pattern stops at a line feed, and %0A under /api is ours to refuse too.
    mount.path_regex = re.compile(mount.path_regex.pattern, re.DOTALL)
    app.router.routes.append(mount)
