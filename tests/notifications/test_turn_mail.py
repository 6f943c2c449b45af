"""The turn mail, at every decision of whole matches, in both languages."""

from datetime import datetime
from html.parser import HTMLParser
from uuid import UUID

import pytest

from app.accounts.values import Person
from app.i18n import use_locale
from app.notifications.choices import choices
from app.notifications.outbox import Notice
from app.notifications.sending import Composed, Occasion
from app.rules.game import Seat
from app.rules.rng import HmacRng
from app.web.letters.blocks import Block, as_text, sections
from app.web.letters.compose import compose
from app.web.letters.turn import MOST_CHOICES
from tests.support.matches import Matches
from tests.support.people import NOON
from tests.support.post import Post

pytestmark = pytest.mark.anyio

BASE = "https://plaza.test"
LONGEST = 20_000
STEPS = 300


def occasion_of(match_id: UUID, seat: int, *, now: datetime = NOON) -> Occasion:
    lead = Notice(
        id=match_id,
        event="turn",
        about=match_id,
        actor=None,
        seat=seat,
        prompt="",
        version=1,
        created_at=now,
        due_at=now,
        attempts=0,
    )
    person = Person(match_id, "Anna", "guest")
    return Occasion(
        person=person, notices=(lead,), now=now, base=BASE, stop=f"{BASE}/stop", reply_to=None
    )


async def written(matches: Matches, match_id: UUID, seat: int) -> Composed:
    async with matches.sessions.begin() as session:
        return await compose(session, occasion_of(match_id, seat))


class Words(HTMLParser):
    """The words of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self.feed(html)

    def handle_data(self, data: str) -> None:
        self.words.extend(data.split())


@pytest.mark.parametrize("game", ["castell", "el_grande"])
async def test_at_every_decision_it_says_all_there_is_to_know(post: Post, game: str) -> None:
    matches, rng = post.matches, HmacRng(b"mails", game)
    match_id = await matches.start(None, None, game=game)
    longest = 0
    for step in range(STEPS):
        page = await matches.page(match_id)
        if page.status != "running":
            break
        # Of secret prompts a spectator learns nothing: somebody is asked all the same.
        pages = [await matches.page(match_id, number) for number in (0, 1)]
        seat = next(number for number in (0, 1) if pages[number].prompt is not None)
        page = pages[seat]
        offered = choices(page)
        with use_locale("ca" if step % 2 else "en"):
            letter = await written(matches, match_id, seat)
        longest = max(longest, len(letter.text))

        assert f"{BASE}/matches/{match_id}" in letter.text
        assert offered
        words = " ".join(Words(letter.html).words)
        for choice in offered[:MOST_CHOICES]:
            assert f"{choice.number}. " in letter.text
            assert " ".join(choice.line.split()) in words or len(choice.line) > 72
        assert max(map(len, letter.text.splitlines())) < 200
        assert "\r" not in letter.subject + letter.text

        line = offered[rng.below(len(offered))].line
        prompt = page.prompt
        assert prompt is not None
        if prompt.finish is None:
            await matches.commit(match_id, seat, page.version, line, key=str(step))
        elif line == prompt.finish:
            await matches.commit(match_id, seat, page.version, key=str(step))
        else:
            await matches.add(match_id, seat, line)

    assert 1_000 < longest < LONGEST


async def test_it_begins_with_what_happened_and_what_to_decide(post: Post) -> None:
    matches = post.matches
    match_id = await matches.start(None, None, game="castell")
    (seat,) = (await matches.page(match_id)).asked
    await matches.commit(match_id, seat, 1, "move BCN")
    letter = await written(matches, match_id, 1 - seat)
    parts = [line for line in letter.text.splitlines() if line.isupper()]

    assert letter.subject.startswith("Your turn: Castell with Seat")
    assert parts[:3] == ["YOUR TURN (ROUND 1 OF 10)", "SINCE YOUR LAST TURN", "TO DECIDE"]
    assert "Barcelona" in letter.text.partition("TO DECIDE")[0]


async def test_what_is_noted_on_the_page_is_told_and_the_choices_go_on(post: Post) -> None:
    matches = post.matches
    match_id = await matches.start(None, None, game="castell")
    (seat,) = (await matches.page(match_id)).asked
    await matches.add(match_id, seat, "move BCN")
    letter = await written(matches, match_id, seat)

    assert "Noted so far: move to Barcelona" in letter.text
    assert "1. move to" not in letter.text


async def test_names_stay_text(post: Post) -> None:
    matches = post.matches
    match_id = await matches.start(None, None, game="castell")
    evil = "<b>Eve</b> {{ 7*7 }} ${7*7}"
    await matches.run("update match_seats set name = :name where seat = 1", name=evil)
    letter = await written(matches, match_id, 0)

    assert evil in letter.text.replace("\n", " ").replace("  ", " ")
    assert "<b>" not in letter.html
    assert "&lt;b&gt;Eve&lt;/b&gt; {{ 7*7 }}" in letter.html


def test_what_is_for_clicking_is_left_out() -> None:
    page = """<nav><p>away</p></nav><section id="a"><h2> Title </h2><p>one <b>two</b></p>
      <form><p>not this</p><ul><li>nor this</li></ul></form><table><tr><td>x</td></tr></table>
      <h3>Inner</h3><ul><li>three &amp; <a href="/x">four</a></li></ul></section><p>outside</p>"""

    assert sections(page)["a"].title == "Title"
    assert sections(page)["a"].blocks == (
        Block("paragraph", "one two"),
        Block("heading", "Inner"),
        Block("item", "three & four"),
    )


def test_lines_are_as_long_as_a_letter_is_wide() -> None:
    text = as_text([Block("item", "word " * 40), Block("paragraph", "x" * 100)])

    assert all(len(line) <= 72 or " " not in line for line in text.splitlines())
    assert text.startswith("* word")


async def test_both_seats_of_one_person_are_told_in_one(post: Post) -> None:
    anna = await post.person("Anna")
    match_id = await post.matches.start(anna, anna, game="castell")
    (seat,) = (await post.matches.page(match_id)).asked
    letter = await written(post.matches, match_id, Seat(seat))

    assert letter.subject.startswith("Your turn")
