"""The games that can be played, each with what stores it."""

from app.errors import InvalidError
from app.matches.codec import Codec
from app.rules.castell import CASTELL, Event, State
from app.rules.castell.edition import shared


def _share_edition(state: State) -> State:
    """Let equal editions be one: the rules look up their tables by it at every move."""
    state.edition = shared(state.edition)
    return state


CODECS: dict[str, Codec] = {
    CASTELL.key: Codec.of(CASTELL, State, Event, settle=_share_edition),
}


def codec_for(game: str) -> Codec:
    """Return the codec of `game`; raises InvalidError for a game we do not have."""
    if game not in CODECS:
        raise InvalidError("match.unknown_game", game=game)
    return CODECS[game]
