"""The sentences of each game, by its key: refusals, stories and standing orders."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol

from app.i18n import (
    castell,
    castell_orders,
    castell_story,
    el_grande,
    el_grande_orders,
    el_grande_story,
)
from app.rules.game import Seat


class Story(Protocol):
    """Tells an event; see `story`."""

    def __call__(
        self, event: Any, names: Mapping[Seat, str], *, me: Seat | None, view: Any
    ) -> str | None: ...


@dataclass(frozen=True, slots=True)
class Sentences:
    """How one game puts things into words."""

    refusal: Callable[[str, Mapping[str, Any], str], str]
    story: Story
    decision: Callable[[str], str]
    order: Callable[[str], str]


SENTENCES: Final[Mapping[str, Sentences]] = {
    "castell": Sentences(
        castell.refusal, castell_story.story, castell_orders.decision, castell_orders.order
    ),
    "el_grande": Sentences(
        el_grande.refusal, el_grande_story.story, el_grande_orders.decision, el_grande_orders.order
    ),
}


def refusal(game: str, code: str, details: Mapping[str, Any], rule: str = "") -> str:
    """Return a refusal of the rules of `game` in the language being spoken."""
    return SENTENCES[game].refusal(code, details, rule)


def story(
    game: str,
    event: Any,
    names: Mapping[Seat, str],
    *,
    me: Seat | None = None,
    view: Any = None,
) -> str | None:
    """Return what `event` brought about, or None if there is nothing to tell.

    `names` holds a name for every seat; `me` is spoken to as *you*.  `view`, any
    position of the match, says more of what an event only names by its id.
    """
    return SENTENCES[game].story(event, names, me=me, view=view)


def decision(game: str, key: str) -> str:
    """Return what the decision called `key` is, for whom may leave a standing order for it."""
    return SENTENCES[game].decision(key)


def order(game: str, line: str) -> str:
    """Return what the standing order `line` does; raises NotationError for what is none."""
    return SENTENCES[game].order(line)
