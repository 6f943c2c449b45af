"""What the lobby hands to pages and programs: plain values, nothing hidden in them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, TypeAlias
from uuid import UUID

Status: TypeAlias = Literal["gathering", "started", "closed"]
Visibility: TypeAlias = Literal["private", "open"]
SeatOrder: TypeAlias = Literal["shuffled", "chosen"]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTable:
    """What a host wishes; `key` makes a second click harmless."""

    game: str
    seats: int
    key: str
    options: Mapping[str, Any]
    visibility: Visibility = "private"
    seat_order: SeatOrder = "shuffled"
    spectators: bool = False
    clock: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TableLine:
    """One line of a list of tables."""

    id: UUID
    game: str
    host: str
    seats: int
    taken: int
    names: tuple[str, ...]
    created_at: datetime
    options: Mapping[str, Any]
    clock: Mapping[str, Any] | None
    mine: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatLine:
    """One seat as the viewer sees it, and what they may do about it."""

    position: int
    name: str | None
    kit: int | None
    bot: str | None
    person_id: UUID | None
    mine: bool
    host: bool
    extra: bool
    confirmed: bool
    may_free: bool
    may_move_up: bool
    may_move_down: bool

    @property
    def empty(self) -> bool:
        """Whether nobody sits here."""
        return self.name is None

    @property
    def may_confirm(self) -> bool:
        """Whether the seat is kept for the viewer by a rematch."""
        return self.mine and not self.confirmed


@dataclass(frozen=True, slots=True, kw_only=True)
class TalkLine:
    """One thing said; a muted person's lines come without their text."""

    n: int
    name: str
    text: str
    at: datetime
    mine: bool
    person_id: UUID
    muted: bool
    kit: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TalkPage:
    """The talk of a table as one of its people reads it; `hosting` if they are its host."""

    table_id: UUID
    match_id: UUID | None
    hosting: bool
    lines: tuple[TalkLine, ...]
    count: int
    unread: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePage:
    """A table as one viewer sees it; links and code are for its people only."""

    id: UUID
    revision: int
    game: str
    status: Status
    host: str
    host_is_me: bool
    member: bool
    seats: tuple[SeatLine, ...]
    visibility: Visibility
    seat_order: SeatOrder
    spectators: bool
    options: Mapping[str, Any]
    clock: Mapping[str, Any] | None
    code: str | None
    invite_url: str | None
    watch_url: str | None
    may_add_player: bool
    bot_policies: tuple[str, ...]
    free_kits: tuple[int, ...]
    match_id: UUID | None
    rematch_of: UUID | None
    rematch_id: UUID | None
    expires_at: datetime
    talk: tuple[TalkLine, ...]
    talk_count: int
    unread: int

    @property
    def empty_seats(self) -> int:
        """How many seats wait for somebody."""
        return sum(seat.empty for seat in self.seats)

    @property
    def full(self) -> bool:
        """Whether every seat is taken, or kept for somebody."""
        return self.empty_seats == 0

    @property
    def why_not_start(self) -> str | None:
        """The error code that starting would meet now; None if it can start."""
        if not self.full:
            return "table.seats_empty"
        if not all(seat.confirmed for seat in self.seats):
            return "table.seats_unconfirmed"
        return None

    @property
    def may_start(self) -> bool:
        """Whether the viewer can start the match now."""
        return self.host_is_me and self.status == "gathering" and self.why_not_start is None


@dataclass(frozen=True, slots=True, kw_only=True)
class Invitation:
    """What a link or a code shows before it is taken.

    `vacant` is whose seat can be taken over in a match that has started, or empty.
    """

    table_id: UUID
    game: str
    host: str
    names: tuple[str, ...]
    seats: int
    options: Mapping[str, Any]
    clock: Mapping[str, Any] | None
    state: Literal["open", "full", "started", "vacant", "closed", "seated"]
    vacant: str
    match_id: UUID | None

    @property
    def taken(self) -> int:
        """How many seats are taken."""
        return len(self.names)


@dataclass(frozen=True, slots=True)
class TableState:
    """What a poll needs to know."""

    revision: int
    talk_count: int
    status: Status
    match_id: UUID | None
