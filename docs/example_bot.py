"""A small bot that plays Castell over HTTP.  Standard library only.

    PLACA_TOKEN=… python docs/example_bot.py --url http://127.0.0.1:8000 --new 1
    PLACA_TOKEN=… python docs/example_bot.py --url http://127.0.0.1:8000 --match ID

`--new N` starts a match against N bots of the server; `--match` plays on in one
you sit in.  Make the token on the account page.  The bot drafts legal moves at
random, prefers to recruit and to train, and hands in the best festival tower
that the server suggests.
"""

import argparse
import json
import os
import random
import sys
import time
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen
from uuid import uuid4

ORDER = ("recruit", "train", "special perform", "move", "special")


class RefusedError(Exception):
    """The server said no; `code` says why."""

    def __init__(self, problem: dict[str, Any]) -> None:
        super().__init__(f"{problem['code']}: {problem['detail']}")
        self.code = str(problem["code"])


class Server:
    """The JSON API, with one person's token."""

    def __init__(self, url: str, token: str) -> None:
        self._url = url.rstrip("/") + "/api"
        self._token = token

    def get(self, path: str, **query: Any) -> Any:
        """Read something."""
        return self._ask("GET", f"{path}?{urlencode(query)}" if query else path)

    def post(self, path: str, **body: Any) -> Any:
        """Change something."""
        return self._ask("POST", path, json.dumps(body).encode())

    def _ask(self, method: str, path: str, body: bytes | None = None) -> Any:
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        # The address is the user's own choice.
        request = Request(self._url + path, body, headers, method=method)  # noqa: S310 - see above
        for pause in (1, 2, 4, 8, None):
            try:
                with urlopen(request, timeout=30) as answer:  # noqa: S310 - see above
                    return json.load(answer)
            except HTTPError as error:
                # 503: the same request, with the same key, may be sent again.
                if error.code == 503 and pause is not None:
                    time.sleep(pause)
                    continue
                raise RefusedError(json.load(error)) from error
        raise AssertionError("the last pause is None")


def play(server: Server, match_id: str, choose: random.Random) -> dict[str, Any]:
    """Play until the match is over; return how it ended."""
    while True:
        match: dict[str, Any] = server.get(f"/matches/{match_id}")
        if match["status"] != "running":
            return match
        if match["seat"] not in match["asked"]:
            time.sleep(0.2)
            continue
        try:
            move(server, match, choose)
        except RefusedError as refused:
            # Somebody was faster: look again.
            if refused.code not in {"stale_match", "match.not_asked", "match.finished"}:
                raise


def move(server: Server, match: dict[str, Any], choose: random.Random) -> None:
    """Draft a turn and end it, or answer a festival."""
    path, line = f"/matches/{match['id']}", None
    if match["prompt"]["simultaneous"]:
        line = festival(server.get(f"{path}/legal"), choose)
    else:
        for _ in range(8):
            legal = server.get(f"{path}/legal")["moves"]
            wanted = [m for start in ORDER for m in legal if m.startswith(start)]
            if not wanted:
                break
            kind = next(start for start in ORDER if wanted[0].startswith(start))
            same = [m for m in wanted if m.startswith(kind)]
            server.post(f"{path}/draft", add=choose.choice(same))
    body: dict[str, Any] = {"expected_version": match["version"], "key": uuid4().hex}
    server.post(f"{path}/commit", **body, line=line)


def festival(legal: dict[str, Any], choose: random.Random) -> str:
    """Return the best tower the server suggests, or any legal answer."""
    goal = (legal["options"] or {}).get("festival")
    if goal and goal["best"]:
        levels = ("+".join(f"{n}x{s}" for n, s in level) for level in goal["best"]["tower"])
        return f"festival {goal['region']} = {'/'.join(levels)}"
    return str(choose.choice(legal["moves"]))


def main() -> None:
    """Play one match and print the result."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--url", default="http://127.0.0.1:8000")
    parser.add_argument("--match", help="the match to play on in")
    parser.add_argument("--new", type=int, default=1, help="start a match against so many bots")
    parser.add_argument("--seed", type=int, default=None, help="make the same choices again")
    options = parser.parse_args()
    token = os.environ.get("PLACA_TOKEN")
    if not token:
        sys.exit("set PLACA_TOKEN to an API token of yours")

    server = Server(options.url, token)
    match_id = options.match
    if match_id is None:
        match_id = server.post("/matches", bots=options.new, key=uuid4().hex)["match_id"]
    match = play(server, match_id, random.Random(options.seed))  # noqa: S311 - a game, not a secret
    if match["outcome"] is None:
        sys.exit("the match was given up")
    names = {str(seat["seat"]): seat["name"] for seat in match["seats"]}
    for seat, score in match["outcome"]["scores"].items():
        print(f"{names[seat]}: {score}")


if __name__ == "__main__":
    main()
