"""JSON in and out of the database, so that the rules need not know about either.

Events are stored as one object each: the fields of the event, and its class
name under `type`.  What an older rules version wrote is upcast while it is
read; nothing stored is ever rewritten.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias, get_args

import msgspec

from app.rules.game import Game, Prompt, Seat

Json: TypeAlias = dict[str, Any]


class CodecError(Exception):
    """A stored value is not one that any known rules version wrote."""


class StoredPrompt(msgspec.Struct, frozen=True):
    """A prompt in the head of a match; it `opened` with that version."""

    key: str
    kind: str
    opened: int
    simultaneous: bool = False
    finish: str | None = None
    secret: bool = False
    draft: tuple[str, ...] = ()

    @property
    def prompt(self) -> Prompt:
        """The prompt as the rules know it."""
        return Prompt(self.key, self.kind, self.simultaneous, self.finish, self.secret, self.draft)


Prompts: TypeAlias = dict[Seat, StoredPrompt]


class LoggedEvent(msgspec.Struct, frozen=True):
    """An event on its way into the log; `line` are the decided moves it begins."""

    seat: int | None
    payload: msgspec.Raw
    line: str | None = None


@dataclass(frozen=True, slots=True)
class Upcast:
    """How to turn what one rules version stored into what the next one stores."""

    state: Callable[[Json], Json]
    event: Callable[[Json], Json]


class _Tagged(msgspec.Struct):
    type: str


def _as_it_is(state: Any) -> Any:
    return state


@dataclass(frozen=True, slots=True)
class Codec:
    """A game together with what stores its values.

    `upcasts[n]` leads from rules version n to n + 1.  `settle` makes a state that
    was just read as quick to work with as one that was played.
    """

    game: Game[Any, Any, Any, Any]
    state_type: Any
    event_types: Mapping[str, Any]
    upcasts: Mapping[int, Upcast] = field(default_factory=dict)
    settle: Callable[[Any], Any] = _as_it_is

    @classmethod
    def of(
        cls,
        game: Game[Any, Any, Any, Any],
        state: Any,
        event: Any,
        *,
        upcasts: Mapping[int, Upcast] | None = None,
        settle: Callable[[Any], Any] = _as_it_is,
    ) -> "Codec":
        """Return the codec for `game`; `event` is the union of its event classes."""
        types = {kind.__name__: kind for kind in get_args(event)}
        return cls(game, state, types, upcasts or {}, settle)

    def dump_state(self, state: Any) -> str:
        """Return `state` as JSON text."""
        return msgspec.json.encode(state).decode()

    def load_state(self, text: str, rules_version: int) -> Any:
        """Return the state that `rules_version` stored as `text`."""
        if rules_version == self.game.rules_version:
            return self.settle(msgspec.json.decode(text, type=self.state_type))
        older = msgspec.json.decode(text)
        for upcast in self._upcasts(rules_version):
            older = upcast.state(older)
        return self.settle(msgspec.convert(older, self.state_type))

    def dump_event(self, event: Any) -> msgspec.Raw:
        """Return `event` as a JSON object that names its type."""
        body = msgspec.json.encode(event)
        tag = b'{"type":"' + type(event).__name__.encode() + b'"'
        return msgspec.Raw(tag + (b"}" if body == b"{}" else b"," + body[1:]))

    def logged(self, seat: Seat | None, event: Any, line: str | None = None) -> LoggedEvent:
        """Return `event` as the log keeps it."""
        return LoggedEvent(seat, self.dump_event(event), line)

    def load_event(self, text: str, rules_version: int) -> Any:
        """Return the event that `rules_version` stored as `text`."""
        if rules_version != self.game.rules_version:
            older = msgspec.json.decode(text)
            for upcast in self._upcasts(rules_version):
                older = upcast.event(older)
            text = msgspec.json.encode(older).decode()
        name = msgspec.json.decode(text, type=_Tagged).type
        if name not in self.event_types:
            raise CodecError(f"{self.game.key} has no event {name!r}")
        return msgspec.json.decode(text, type=self.event_types[name])

    def load_options(self, text: str) -> Json:
        """Return the options a match was set up with."""
        return msgspec.json.decode(text, type=Json)

    def _upcasts(self, rules_version: int) -> Sequence[Upcast]:
        steps = range(rules_version, self.game.rules_version)
        missing = [version for version in steps if version not in self.upcasts]
        if missing or not steps:
            raise CodecError(f"{self.game.key} cannot read rules version {rules_version}")
        return [self.upcasts[version] for version in steps]


def open_prompts(
    asked: Mapping[Seat, Prompt], version: int, before: Mapping[Seat, StoredPrompt]
) -> Prompts:
    """Return what to store for `asked` at `version`; a prompt that stays keeps its opening."""
    return {
        seat: before[seat]
        if seat in before and before[seat].key == prompt.key
        else StoredPrompt(
            key=prompt.key,
            kind=prompt.kind,
            opened=version,
            simultaneous=prompt.simultaneous,
            finish=prompt.finish,
            secret=prompt.secret,
            draft=prompt.draft,
        )
        for seat, prompt in asked.items()
    }


def dump(value: Any) -> str:
    """Return any stored value but a state or an event as JSON text."""
    return msgspec.json.encode(value).decode()


def load_prompts(text: str) -> Prompts:
    """Return the prompts stored in the head of a match."""
    return msgspec.json.decode(text, type=Prompts)
