"""The words in which a mail that came in is answered, and the picture."""

from collections.abc import Sequence
from typing import Final

from app.i18n import current_locale
from app.matches.pages import MatchPage
from app.notifications.replies.answers import Answer, Worded, Words
from app.web.letters.blocks import as_text
from app.web.letters.pictured import pictured
from app.web.letters.turn import TurnNews, said, turn_news
from app.web.templating import environment


def _say(page: MatchPage, lines: Sequence[str]) -> Sequence[str]:
    return [said(page, line) for line in lines]


async def _worded(answer: Answer, subject: str, told: Sequence[str]) -> Worded:
    page = answer.page
    news = turn_news(page, None, page.created_at)
    drawn = await pictured(page, news.where) if answer.pictures else None
    html = (
        environment()
        .get_template("letters/answer.html")
        .render(
            subject=subject,
            told=[paragraph.split("\n") for paragraph in told],
            news=news,
            link=answer.url,
            base=answer.base,
            pictured=drawn,
            language=current_locale(),
        )
    )
    links = [] if answer.url is None else [answer.url]
    text = "\n\n".join([*told, *links, _position(news)]) + "\n"
    return Worded(text, html, () if drawn is None else (drawn.picture,))


def _position(news: TurnNews) -> str:
    parts = [f"{part.title.upper()}\n{as_text(part.blocks)}" for part in news.position]
    return "\n\n".join([f"{news.title} ({news.where})", *parts])


WORDS: Final = Words(_say, _worded)
