"""The sentences of each game, by its key: refusals and stories."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from app.i18n import castell, castell_story
from app.rules.game import Seat


@dataclass(frozen=True, slots=True)
class Sentences:
    """How one game puts things into words."""

    refusal: Callable[[str, Mapping[str, Any], str], str]
    story: Callable[[Any, Mapping[Seat, str]], str | None]


SENTENCES: Final[Mapping[str, Sentences]] = {
    "castell": Sentences(castell.refusal, castell_story.story),
}


def refusal(game: str, code: str, details: Mapping[str, Any], rule: str = "") -> str:
    """Return a refusal of the rules of `game` in the language being spoken."""
    return SENTENCES[game].refusal(code, details, rule)


def story(game: str, event: Any, names: Mapping[Seat, str]) -> str | None:
    """Return what `event` brought about, or None if there is nothing to tell.

    `names` holds a name for every seat.
    """
    return SENTENCES[game].story(event, names)
