"""What the API takes and gives, validated strictly: no unknown field, no other type."""

from collections.abc import Iterable
from datetime import datetime
from typing import Annotated, Any, Literal, TypeAlias
from uuid import UUID

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from app.matches.deadlines import Deadline
from app.matches.pages import Draft, MatchCard, MatchPage, SeatInfo, StoryEvent
from app.matches.plain import plain, plain_event
from app.rules.game import Prompt, Seat


def _storable(value: str) -> str:
    """Refuse what PostgreSQL and UTF-8 cannot hold: NUL, half of a character."""
    if "\0" in value or (not value.isascii() and any("\ud800" <= c <= "\udfff" for c in value)):
        raise ValueError("not text")
    return value


Text: TypeAlias = Annotated[str, AfterValidator(_storable)]
Key: TypeAlias = Annotated[
    Text,
    Field(
        min_length=1,
        max_length=64,
        description="Any text of your own; a repeat with the same key changes nothing.",
    ),
]
Line: TypeAlias = Annotated[
    Text, Field(max_length=2000, description="Notation: `move GIR; recruit 7 4; train balance`.")
]
Number: TypeAlias = Annotated[int, Field(ge=0, le=2**31 - 1)]
SeatNumber: TypeAlias = Annotated[int, Field(ge=0, le=9)]


class Strict(BaseModel):
    """Parent of everything taken: exactly these fields, of exactly these types."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Shown(BaseModel):
    """Parent of everything given."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class TableWish(Strict):
    """A table to make; its host takes the first seat."""

    game: Text = Field(max_length=32, examples=["castell"])
    seats: int = Field(ge=1, le=5)
    key: Key
    options: dict[Text, bool | Text] = Field(default_factory=dict, max_length=20)
    visibility: Literal["private", "open"] = "private"
    seat_order: Literal["shuffled", "chosen"] = "shuffled"
    spectators: bool = False
    clock: dict[Text, bool | int | Text] | None = Field(
        None, max_length=20, examples=[{"kind": "turn", "days": 3, "zone": "Europe/Madrid"}]
    )


class JoinWish(Strict):
    """A seat to take: by the table's code or by the token of its invitation link."""

    code: Text | None = Field(None, max_length=64, examples=["PINYA-42"])
    invite: Text | None = Field(None, max_length=128)
    name: Text | None = Field(None, max_length=400)


class BotWish(Strict):
    """A bot to put into an empty seat."""

    position: SeatNumber
    policy: Text = Field("steady", max_length=32)


class BotMatchWish(Strict):
    """A match against bots, started at once."""

    game: Text = Field("castell", max_length=32)
    bots: int = Field(ge=1, le=4)
    policy: Text = Field("steady", max_length=32)
    key: Key


class DraftWish(Strict):
    """Moves to add to the draft, or the place of one to take back, or neither to clear it."""

    add: Line | None = None
    drop: Number | None = None
    revision: Number | None = Field(None, description="Refuse unless the draft still has it.")


class CommitWish(Strict):
    """A turn to end, or an answer. Without `line` the draft is committed."""

    expected_version: Number
    key: Key
    line: Line | None = None
    revision: Number | None = None


class ResignWish(Strict):
    """The wish to leave for good."""

    key: Key


class SeatQuery(BaseModel):
    """For whom to ask: needed only by a person with several seats."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    seat: SeatNumber | None = None


class SinceQuery(SeatQuery):
    """What is known already."""

    since: Number = 0


class PageQuery(BaseModel):
    """Which part of a list."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    page: int = Field(1, ge=1, le=10**6)


class NoQuery(BaseModel):
    """No question mark in the address."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class TableSeatShown(Shown):
    """One seat of a table."""

    position: int
    name: str | None
    kit: int | None
    bot: str | None
    mine: bool


class TableShown(Shown):
    """A table as its viewer may see it."""

    id: UUID
    game: str
    status: Literal["gathering", "started", "closed"]
    host: str
    seats: list[TableSeatShown]
    options: dict[str, Any]
    clock: dict[str, Any] | None
    code: str | None
    invite_url: str | None
    match_id: UUID | None


class MatchMade(Shown):
    """A match that has begun."""

    match_id: UUID


class SeatShown(Shown):
    """Who sits where in a match."""

    seat: int
    name: str
    kit: int
    bot: str | None
    resigned: bool

    @classmethod
    def of(cls, seats: Iterable[SeatInfo]) -> "list[SeatShown]":
        """Return the seats without the ids of those who sit there."""
        return [
            cls(seat=s.seat, name=s.name, kit=s.kit, bot=s.bot, resigned=s.resigned) for s in seats
        ]


class PromptShown(Shown):
    """A decision to take; answers to a simultaneous one stay secret until all are in."""

    key: str
    kind: str
    simultaneous: bool
    finish: str | None

    @classmethod
    def of(cls, prompt: Prompt | None) -> "PromptShown | None":
        """Return the prompt, if there is one."""
        if prompt is None:
            return None
        return cls(
            key=prompt.key,
            kind=prompt.kind,
            simultaneous=prompt.simultaneous,
            finish=prompt.finish,
        )


class DroppedShown(Shown):
    """A drafted move that can no longer be made."""

    line: str
    code: str
    rule: str
    details: dict[str, Any]


class DraftShown(Shown):
    """A seat's own draft."""

    lines: list[str]
    revision: int
    dropped: list[DroppedShown]

    @classmethod
    def of(cls, draft: Draft) -> "DraftShown":
        """Return the draft."""
        return cls(
            lines=list(draft.lines),
            revision=draft.revision,
            dropped=[
                DroppedShown(
                    line=gone.line,
                    code=gone.refusal.code,
                    rule=gone.refusal.rule,
                    details=dict(gone.refusal.details),
                )
                for gone in draft.dropped
            ],
        )


class EventShown(Shown):
    """Something that happened; `event.type` names it."""

    version: int
    seat: int | None
    at: datetime
    event: dict[str, Any]

    @classmethod
    def of(cls, events: Iterable[StoryEvent]) -> "list[EventShown]":
        """Return the events."""
        return [
            cls(version=e.version, seat=e.seat, at=e.at, event=plain_event(e.event)) for e in events
        ]


class EventsShown(Shown):
    """What happened after a version; ask again with `version` as `since`."""

    version: int
    status: Literal["running", "finished", "void"]
    events: list[EventShown]


class DeadlineShown(Shown):
    """Until when a seat has to answer; `due_at` null: its time does not run.

    `missed_at`: the time has run out, and the table waits all the same.
    """

    seat: int
    due_at: datetime | None
    missed_at: datetime | None

    @classmethod
    def of(cls, deadlines: Iterable[Deadline]) -> "list[DeadlineShown]":
        """Return the deadlines, seat by seat."""
        found = sorted(deadlines, key=lambda one: one.seat)
        return [cls(seat=d.seat, due_at=d.due_at, missed_at=d.missed_at) for d in found]


class CardShown(Shown):
    """One of my matches; `deadlines` are those of my seats."""

    id: UUID
    game: str
    version: int
    status: Literal["running", "finished", "void"]
    seats: list[SeatShown]
    mine: list[int]
    asked: list[int]
    my_turn: bool
    deadlines: list[DeadlineShown]
    updated_at: datetime

    @classmethod
    def of(cls, card: MatchCard, deadlines: Iterable[Deadline]) -> "CardShown":
        """Return one card; of `deadlines` those that concern it."""
        return cls(
            id=card.id,
            game=card.game,
            version=card.version,
            status=card.status,
            seats=SeatShown.of(card.seats),
            mine=list(card.mine),
            asked=sorted(card.asked),
            my_turn=card.my_turn,
            deadlines=DeadlineShown.of(d for d in deadlines if d.match_id == card.id),
            updated_at=card.updated_at,
        )


class OutcomeShown(Shown):
    """The result; `ranking` lists the seats place by place."""

    scores: dict[Seat, int]
    categories: dict[Seat, dict[str, int]]
    ranking: list[list[int]]
    reason: str


class MatchShown(Shown):
    """A match as the viewer may see it; `view` is the game's own, `drafted` with the draft.

    `deadlines` are those the viewer may know of, in a running match with a clock.
    """

    id: UUID
    game: str
    seat: int | None
    version: int
    latest: int
    status: Literal["running", "finished", "void"]
    seats: list[SeatShown]
    prompt: PromptShown | None
    asked: list[int]
    answered: list[int]
    answer: str | None
    deadlines: list[DeadlineShown]
    draft: DraftShown
    view: dict[str, Any]
    drafted: dict[str, Any] | None
    since: list[EventShown]
    outcome: OutcomeShown | None
    created_at: datetime
    finished_at: datetime | None
    commitment: str
    seed: str | None
    nonce: str | None

    @classmethod
    def of(cls, page: MatchPage, deadlines: Iterable[Deadline] = ()) -> "MatchShown":
        """Return the page as JSON values."""
        outcome = page.outcome
        return cls(
            id=page.id,
            game=page.game,
            seat=page.seat,
            version=page.version,
            latest=page.latest,
            status=page.status,
            seats=SeatShown.of(page.seats),
            prompt=PromptShown.of(page.prompt),
            asked=sorted(page.asked),
            answered=sorted(page.answered),
            answer=page.answer,
            deadlines=DeadlineShown.of(deadlines),
            draft=DraftShown.of(page.draft),
            view=plain(page.base_view),
            drafted=plain(page.view) if page.draft.lines else None,
            since=EventShown.of(page.since),
            outcome=None if outcome is None else OutcomeShown(**plain(outcome)),
            created_at=page.created_at,
            finished_at=page.finished_at,
            commitment=page.commitment,
            seed=page.seed,
            nonce=page.nonce,
        )


class LegalShown(Shown):
    """What the seat may do after its draft, a move a line; towers by one that serves.

    `options` is the game's own: each choice, or the refusal that forbids it.
    """

    version: int
    prompt: PromptShown | None
    draft: DraftShown
    moves: list[str]
    options: dict[str, Any] | None


class CommitShown(Shown):
    """The version that the commit made."""

    version: int


class MeShown(Shown):
    """For whom the token acts."""

    name: str
    account: bool
