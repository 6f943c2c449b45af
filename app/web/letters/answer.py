"""The words in which a mail that came in is answered."""

from collections.abc import Sequence
from typing import Final

from app.matches.pages import MatchPage
from app.notifications.replies.answers import Words
from app.web.letters.blocks import as_text
from app.web.letters.turn import said, turn_news


def _say(page: MatchPage, lines: Sequence[str]) -> Sequence[str]:
    return [said(page, line) for line in lines]


def _position(page: MatchPage) -> str:
    news = turn_news(page, None, page.created_at)
    parts = [f"{part.title.upper()}\n{as_text(part.blocks)}" for part in news.position]
    return "\n\n".join([f"{news.title} ({news.where})", *parts])


WORDS: Final = Words(_say, _position)
