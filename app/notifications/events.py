"""What people are told of, and who of them: one table."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal, TypeAlias
from uuid import UUID

# turn: a decision is theirs.  reminder: it still is, and time runs out.  withdrawn: it is not
# any more, for a turn was taken back.  pause, resume, undo, void: somebody asks whether they
# agree.  started, over: the match.  joined: somebody sat down at a table.  test, code: they
# asked for it.
Event: TypeAlias = Literal[
    "turn",
    "reminder",
    "void",
    "undo",
    "pause",
    "resume",
    "withdrawn",
    "started",
    "over",
    "joined",
    "test",
    "code",
]
# asked: whose decision or consent it is.  told: who was told otherwise before.  others:
# everybody in the match but who brought it about.  host: who looks after the table, unless
# that is who brought it about.  self: who wants it.
Role: TypeAlias = Literal["asked", "told", "others", "host", "self"]

# In the order of their weight: of several things about one match a letter is about the first.
RECIPIENTS: Final[Mapping[Event, Role]] = MappingProxyType(
    {
        "turn": "asked",
        "reminder": "asked",
        "void": "asked",
        "undo": "asked",
        "pause": "asked",
        "resume": "asked",
        "withdrawn": "told",
        "over": "others",
        "started": "others",
        "joined": "host",
        "test": "self",
        "code": "self",
    }
)

DECISIONS: Final[frozenset[Event]] = frozenset({"turn", "reminder"})
# What waits for consent, by the names that the match gives to it.
CONSENTS: Final[frozenset[Event]] = frozenset({"void", "undo", "pause", "resume"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Cast:
    """The people around an event; `actor` brought it about."""

    asked: frozenset[UUID] = frozenset()
    told: frozenset[UUID] = frozenset()
    seated: frozenset[UUID] = frozenset()
    host: UUID | None = None
    actor: UUID | None = None


def recipients(event: Event, cast: Cast) -> frozenset[UUID]:
    """Return who is told of `event`."""
    match RECIPIENTS[event]:
        case "asked":
            # Also who asked themselves: to go twice in a row is no reason to miss it.
            return cast.asked
        case "told":
            return cast.told
        case "others":
            return cast.seated - {cast.actor}
        case "host":
            return frozenset({cast.host} if cast.host is not None else ()) - {cast.actor}
        case "self":
            return frozenset({cast.actor} if cast.actor is not None else ())
