"""Addresses of the match page: what is open is part of them, so they work without a script."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from fastapi import Request

from app.rules.game import Seat
from app.web.boards.opened import Opened
from app.web.templating import path_for


@dataclass(frozen=True)
class MatchLinks:
    """Every address a match page leads to, for one seat and what it has open.

    `seat` is None where the address need not name it: one seat, or a spectator.
    `version` is where the match stands.
    Without slots, so that the addresses a board repeats are made once.
    """

    request: Request
    match_id: UUID
    seat: Seat | None
    opened: Opened
    regions: tuple[str, ...]
    playing: bool
    version: int = 1

    @property
    def page(self) -> str:
        """The match page itself, with the seat and nothing open."""
        return self._path("matches.show")

    @property
    def part(self) -> str:
        """The part of the page that is swapped; a script adds what is open."""
        return path_for(self.request, "matches.board", match_id=self.match_id)

    @property
    def query(self) -> str:
        """What is open now, to come back to it."""
        return self._query(self._open_now())

    @property
    def here(self) -> str:
        """The page as it is now."""
        return self._path("matches.show", self._open_now())

    @cached_property
    def region(self) -> Mapping[str, str]:
        """The address that opens each region, keeping the open action."""
        kept = {"open": self.opened.action} if self.opened.action else {}
        return {
            code: self._path("matches.show", {**kept, "region": code}) + "#region"
            for code in self.regions
        }

    def to(self, opens: Mapping[str, str]) -> str:
        """The address that opens `opens`, keeping the region that is looked at."""
        kept = {"region": self.opened.region} if self.opened.region and opens else {}
        return self._path("matches.show", {**opens, **kept})

    @property
    def draft(self) -> str:
        """Where changes of the draft are sent."""
        return self.noting({})

    def noting(self, keep: Mapping[str, str]) -> str:
        """Where changes of the draft are sent, with what is to stay open after them."""
        kept = {"region": self.opened.region} if self.opened.region else {}
        return self._path("matches.draft", {**keep, **kept})

    @property
    def standing(self) -> str:
        """Where a standing order is sent."""
        return self._path("matches.standing")

    def own(self, route: str, **parameters: Any) -> str:
        """A page that only this game has."""
        return path_for(self.request, route, match_id=self.match_id, **parameters) + self._query({})

    @property
    def commit(self) -> str:
        """Where turns and answers are sent."""
        return self._path("matches.commit")

    @property
    def history(self) -> str:
        """The latest step of the match; the others are a step away."""
        return self.own("matches.history", version=self.version)

    @property
    def results(self) -> str:
        """The result."""
        return path_for(self.request, "matches.results", match_id=self.match_id)

    @property
    def answered(self) -> str:
        """Where an answer leads: to all towers if it was the last one, else to the match."""
        return self._path("matches.answered")

    def seen(self, number: int) -> str:
        """The page with what a round revealed put aside."""
        return self._path("matches.show", {"seen": str(number)})

    def after_undo(self, fell: str) -> str:
        """The page as it is now, told which moves (in notation) fell out of the draft."""
        return self._path("matches.show", {**self._open_now(), **({"fell": fell} if fell else {})})

    @property
    def text(self) -> str:
        """The text board."""
        return self._path("matches.text")

    def text_open(self, opens: Mapping[str, str]) -> str:
        """The text board with something open."""
        return self._path("matches.text", opens) + "#now"

    def text_after(self, fell: str) -> str:
        """The text board, told which moves (in notation) fell out of the draft."""
        return self._path("matches.text", {"fell": fell} if fell else {})

    @property
    def talk(self) -> str:
        """The page with the talk open."""
        return self._path("matches.show", {**self._open_now(), "talk": "1"}) + "#talk"

    @property
    def say(self) -> str:
        """Where something said is sent."""
        return self._path("matches.say", self._open_now())

    @property
    def resign(self) -> str:
        """The page that asks once more; empty for those who do not play."""
        return self._path("matches.resign") if self.playing else ""

    def workshop(self, goal: str) -> str:
        """The workshop for a festival or a tile."""
        return self._path("matches.workshop", {"goal": goal})

    def for_seat(self, seat: Seat) -> str:
        """The page of another seat on this device."""
        return f"{path_for(self.request, 'matches.show', match_id=self.match_id)}?seat={seat}"

    def poll(self, since: str) -> str:
        """Where the page asks whether anything has happened after `since`."""
        return self._path("matches.board", {"since": since, **self._open_now()})

    def _open_now(self) -> dict[str, str]:
        opened = self.opened
        named = {
            "open": opened.action,
            "pick": str(opened.pick or ""),
            "region": opened.region,
            "talk": "1" if opened.talk else "",
        }
        return {name: value for name, value in named.items() if value}

    def _path(self, route: str, query: Mapping[str, str] | None = None) -> str:
        return path_for(self.request, route, match_id=self.match_id) + self._query(query or {})

    def _query(self, query: Mapping[str, str]) -> str:
        seat = {} if self.seat is None else {"seat": str(int(self.seat))}
        seen = {"seen": str(self.opened.seen)} if self.opened.seen else {}
        named = {**seat, **seen, **query}
        return f"?{urlencode(named)}" if named else ""


def seat_query(seat: int | None, *, seen: int = 0) -> str:
    """Return what an address needs to name one of several seats on a device.

    `seen` is the last round whose revelation need not be shown again, 0 for none.
    """
    named = {"seat": seat, "seen": seen or None}
    query = "&".join(f"{name}={value}" for name, value in named.items() if value is not None)
    return f"?{query}" if query else ""
