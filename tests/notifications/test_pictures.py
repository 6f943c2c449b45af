"""Pictures in mails: they come with the letter, and only to those who want them."""

import io
import re
from datetime import timedelta
from email.message import EmailMessage

import pytest
from PIL import Image

from app.notifications.letters import Letter, Picture, Sender, message
from app.notifications.timing import NoticeWishes
from app.web.letters.compose import MOST_PICTURES
from tests.support.people import NOON
from tests.support.post import Post

pytestmark = pytest.mark.anyio

DAY = timedelta(days=1)
# What a letter may weigh: the picture as mail carries it, and the words twice.
HEAVIEST = 250_000
PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + (1200).to_bytes(4, "big") + (900).to_bytes(4, "big")


async def turn_mail(post: Post, *, pictures: bool = True, game: str = "castell") -> EmailMessage:
    anna = await post.person("Anna", pictures=pictures)
    berta = await post.person("Berta", pictures=pictures)
    await post.matches.start(anna, berta, game=game)
    await post.work()
    return post.box.letters[0]


def pictures(letter: EmailMessage) -> list[EmailMessage]:
    return [part for part in letter.walk() if part.get_content_type() == "image/png"]


def html_of(letter: EmailMessage) -> str:
    body = letter.get_body(("html",))
    assert body is not None
    return str(body.get_content())


@pytest.mark.parametrize("game", ["castell", "el_grande"])
async def test_the_position_comes_with_the_letter(post: Post, game: str) -> None:
    letter = await turn_mail(post, game=game)
    alternative = [part.get_content_type() for part in letter.iter_parts()]
    related = list(letter.iter_parts())[1]
    html, picture = related.iter_parts()

    assert letter.get_content_type() == "multipart/alternative"
    assert alternative == ["text/plain", "multipart/related"]
    assert html.get_content_type() == "text/html"
    assert picture["Content-ID"].strip("<>") in re.findall(r'src="cid:([^"]+)"', html_of(letter))
    assert picture.get_content_disposition() == "inline"
    assert Image.open(io.BytesIO(picture.get_content())).width == 1200
    assert len(letter.as_bytes()) < HEAVIEST
    assert not letter.defects
    assert not picture.defects


async def test_nothing_is_fetched_from_afar(post: Post) -> None:
    html = html_of(await turn_mail(post))

    assert re.findall(r'(?:src|background|url)[=(]"?(\w+):', html) == ["cid"]


async def test_where_no_picture_is_shown_words_stand(post: Post) -> None:
    html = html_of(await turn_mail(post))

    assert 'alt="Map of Catalonia, round 1 of 10. What it shows stands below in words."' in html
    assert "Map © IGN, CC-BY 4.0" in html


async def test_who_wants_none_gets_none(post: Post) -> None:
    letter = await turn_mail(post, pictures=False)

    assert pictures(letter) == []
    assert "<img" not in html_of(letter)


async def test_each_reader_has_their_wish(post: Post) -> None:
    anna = await post.person("Anna", pictures=True)
    berta = await post.person("Berta")
    for people in ((anna, berta), (berta, anna)):
        await post.matches.start(*people, game="el_grande")
    await post.work()
    shown = {name: post.to(name) for name in ("Anna", "Berta")}

    assert all(pictures(letter) for letter in shown["Anna"])
    assert not any(pictures(letter) for letter in shown["Berta"])


async def test_a_letter_about_many_matches_shows_the_first_of_them(post: Post) -> None:
    daily = NoticeWishes("daily", daily_at=NOON.hour * 60)
    anna = await post.person("Anna", wishes=daily, pictures=True)
    for _ in range(MOST_PICTURES + 1):
        await post.matches.start(anna, anna, game="castell")
    await post.work()
    await post.work(after=DAY)
    letter = post.to("Anna")[-1]

    assert html_of(letter).count("<img") == MOST_PICTURES


async def test_a_position_that_cannot_be_drawn_holds_no_letter_up(
    post: Post, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    anna = await post.person("Anna", pictures=True)
    match_id = await post.matches.start(anna, anna, game="el_grande")
    # No drawing can be made of a name that holds what XML does not.
    await post.matches.run(
        "update match_seats set name = E'\\x01' where match_id = :id", id=match_id
    )
    await post.work()
    (letter,) = post.to("Anna")

    assert pictures(letter) == []
    assert "To decide" in html_of(letter)
    assert set(await post.statuses()) == {"sent"}
    assert "picture.not_drawn" in "".join([caplog.text, *capsys.readouterr()])


def test_the_same_picture_is_the_same_message() -> None:
    def made(content: bytes) -> bytes:
        letter = Letter(
            to="anna@example.org",
            subject="Your turn",
            text="words",
            html=f'<img src="cid:{Picture(content).id}">',
            pictures=(Picture(content),),
            message_id="<1@plaza.test>",
            at=NOON,
        )
        return message(letter, Sender("Plaça", "play@plaza.test")).as_bytes()

    assert made(PNG) == made(PNG) != made(PNG + b"more")
    assert Picture(PNG).size == (1200, 900)
