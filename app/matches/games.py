"""The games that can be played, each with what stores it."""

from app.errors import InvalidError
from app.matches.codec import Codec
from app.rules.registry import LISTINGS

CODECS: dict[str, Codec] = {
    key: Codec.of(listed.game, listed.state, listed.event, settle=listed.settle)
    for key, listed in LISTINGS.items()
}


def codec_for(game: str) -> Codec:
    """Return the codec of `game`; raises InvalidError for a game we do not have."""
    if game not in CODECS:
        raise InvalidError("match.unknown_game", game=game)
    return CODECS[game]
