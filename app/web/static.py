"""Static files: fingerprinted names, immutable for ever, compressed once at the start.

Everything under `app/static` is read into memory.  A file's public name holds a
digest of its bytes (`css/base.4f1c2a9b03.css`), so a browser may keep it for a
year and a new release is seen at once.  References inside style sheets
(`url("../fonts/…")`), between modules (`from "./app.js"`) and in the manifest are rewritten
to the public names, the target's digest thus being part of the referrer's.
Comments and indentation of style sheets and scripts stay here.
"""

import gzip
import mimetypes
import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from app.errors import NotFoundError

DIRECTORY: Final = Path(__file__).parent.parent / "static"
_FOREVER: Final = "public, max-age=31536000, immutable"
_REFERENCES: Final = {
    ".css": re.compile(r"""(?P<before>url\(["']?)(?P<name>\.{1,2}/[^"')#?]+)"""),
    ".webmanifest": re.compile(r"""(?P<before>"src": ")(?P<name>\./[^"]+)"""),
    ".js": re.compile(r"""(?P<before>\b(?:from|import)\s*\(?\s*["'])(?P<name>\.{1,2}/[^"']+)"""),
}
# Whole lines alone, so that nothing need be known of what else a file may hold.
_OURS_ALONE: Final = {
    ".css": re.compile(r"^[ \t]*(?:/\*(?:[^*]|\*(?!/))*\*/[ \t]*\n)?", re.MULTILINE),
    ".js": re.compile(r"^[ \t]*(?://.*\n)?", re.MULTILINE),
}
_COMPRESSIBLE: Final = ("text/", "image/svg", "application/json")
_TYPES: Final = {
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}


@dataclass(frozen=True, slots=True)
class StaticFile:
    """One file as it is sent: `zipped` is None where compressing gains nothing."""

    public_name: str
    media_type: str
    content: bytes
    zipped: bytes | None


class StaticFiles:
    """All static files of a directory, and the ASGI application that sends them."""

    def __init__(self, directory: Path = DIRECTORY) -> None:
        """Read `directory`; raises ValueError on a reference to a file that is not there."""
        self._directory = directory
        self._files: dict[str, StaticFile] = {}
        for path in sorted(directory.rglob("*")):
            if path.is_file():
                self._load(path.relative_to(directory).as_posix(), within=())
        self._public: Mapping[str, StaticFile] = {
            file.public_name: file for file in self._files.values()
        }

    def __getitem__(self, name: str) -> StaticFile:
        """Return the file called `name` on disk; raises KeyError."""
        return self._files[name]

    def __contains__(self, name: str) -> bool:
        return name in self._files

    def _load(self, name: str, *, within: tuple[str, ...]) -> StaticFile:
        if name in self._files:
            return self._files[name]
        path = self._directory / name
        if name in within or not path.is_file():
            trail = " -> ".join((*within, name))
            raise ValueError(f"static reference goes in a circle or nowhere: {trail}")

        content = path.read_bytes()
        pattern = _REFERENCES.get(path.suffix)
        if pattern is not None and not name.startswith("vendor/"):
            folder = posixpath.dirname(name)

            def public(match: re.Match[str]) -> str:
                target = posixpath.normpath(posixpath.join(folder, match["name"]))
                found = self._load(target, within=(*within, name))
                return match["before"] + posixpath.join(
                    posixpath.dirname(match["name"]), posixpath.basename(found.public_name)
                )

            text = content.decode()
            if path.suffix in _OURS_ALONE:
                text = _OURS_ALONE[path.suffix].sub("", text)
            content = pattern.sub(public, text).encode()

        self._files[name] = _file(name, content)
        return self._files[name]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        file = self._public.get(scope["path"].removeprefix(scope.get("root_path", "")).lstrip("/"))
        if file is None:
            raise NotFoundError
        if scope["method"] not in {"GET", "HEAD"}:
            await Response(status_code=405, headers={"Allow": "GET, HEAD"})(scope, receive, send)
            return
        headers = {"Cache-Control": _FOREVER}
        body = file.content
        if file.zipped is not None:
            headers["Vary"] = "Accept-Encoding"
            if "gzip" in Headers(scope=scope).get("Accept-Encoding", ""):
                headers["Content-Encoding"] = "gzip"
                body = file.zipped
        response = Response(body, headers=headers, media_type=file.media_type)
        await response(scope, receive, send)


def _file(name: str, content: bytes) -> StaticFile:
    stem, suffix = posixpath.splitext(name)
    media_type = _TYPES.get(suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    zipped = None
    if media_type.startswith(_COMPRESSIBLE):
        packed = gzip.compress(content, compresslevel=9, mtime=0)
        zipped = packed if len(packed) < len(content) else None
    return StaticFile(
        public_name=f"{stem}.{sha256(content).hexdigest()[:10]}{suffix}",
        media_type=media_type,
        content=content,
        zipped=zipped,
    )


@cache
def static_files() -> StaticFiles:
    """Return the application's own static files, read once in each process."""
    return StaticFiles()
