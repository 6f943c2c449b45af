"""Follow every link of a running server, and note where each page, style and script points."""

import re
from collections import deque
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Final
from urllib.parse import urljoin, urlsplit

import httpx

_IN_CSS: Final = re.compile(r"""(?:url\(|@import\s)\s*["']?([^"')\s]+)""")
_IN_SCRIPT: Final = re.compile(r"""["'`]((?:https?:/)?/[^"'`\s$<>]+)["'`]""")
# Elements that a browser fetches for a page, without anybody's doing.
_FETCHED: Final = {"script", "img", "link", "iframe", "source", "use", "image", "object", "embed"}
# Attributes with what only a form or a script sends itself to.
_POSTING: Final = {"action", "formaction", "hx-post", "data-zone-unknown"}
# Names of vocabularies, which nobody fetches.
_NAMESPACES: Final = "http://www.w3.org/"


@dataclass(slots=True)
class Crawl:
    """What was seen: each address with its status, all addresses named, and those fetched."""

    statuses: dict[str, int] = field(default_factory=dict)
    named: set[str] = field(default_factory=set)
    fetched: set[str] = field(default_factory=set)

    def outside(self, base: str) -> set[str]:
        """Return the addresses on the server of `base` that are not below it."""
        host = urlsplit(base).netloc
        return {
            address
            for address in self.named | self.fetched
            if urlsplit(address).netloc == host
            and not re.match(rf"{re.escape(base)}(?:[/?#]|$)", address)
        }

    def foreign(self, base: str) -> set[str]:
        """Return what a browser would ask other servers for."""
        host = urlsplit(base).netloc
        return {one for one in self.fetched if urlsplit(one).netloc not in {host, ""}}


def crawl(client: httpx.Client, base: str, *, most: int) -> Crawl:
    """Ask for `base` and each path below it that is named anywhere, at most `most` of them."""
    seen = Crawl()
    waiting = deque([f"{base}/"])
    known = {f"{base}/"}
    while waiting and len(seen.statuses) < most:
        address = waiting.popleft()
        answer = client.get(address, follow_redirects=False)
        seen.statuses[address] = answer.status_code
        page = _read(answer)
        named, posted, fetched = (
            {urljoin(address, one) for one in found}
            for found in (page.named, page.posted, page.fetched)
        )
        seen.named |= named
        seen.fetched |= fetched
        for one in sorted((named - posted) | fetched):
            path = re.split("[?#]", one)[0]
            if path.startswith(f"{base}/") and path not in known:
                known.add(path)
                waiting.append(one.split("#")[0])
    return seen


def _read(answer: httpx.Response) -> "_Page":
    """Return what an answer names."""
    page = _Page()
    page.named |= {answer.headers["Location"]} if "Location" in answer.headers else set()
    match answer.headers.get("Content-Type", "").split(";")[0]:
        case "text/html":
            page.feed(answer.text)
        case "text/css":
            page.fetched |= set(_IN_CSS.findall(answer.text))
        case "text/javascript":
            found = {one for one in _IN_SCRIPT.findall(answer.text) if one.strip("/")}
            page.fetched |= {one for one in found if not one.startswith(_NAMESPACES)}
    return page


class _Page(HTMLParser):
    """Collects the addresses of a page."""

    def __init__(self) -> None:
        super().__init__()
        # Of what is named, where forms lead; and what is fetched unasked.
        self.named: set[str] = set()
        self.posted: set[str] = set()
        self.fetched: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "style":
                self.fetched |= set(_IN_CSS.findall(value or ""))
            elif value and re.match(r"/|https?://", value):
                (self.fetched if tag in _FETCHED else self.named).add(value)
                if name in _POSTING:
                    self.posted.add(value)

    def handle_data(self, data: str) -> None:
        if self.lasttag == "style":
            self.fetched |= set(_IN_CSS.findall(data))
