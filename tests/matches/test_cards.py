"""A card of *my matches* shows the position as its owner may see it."""

import pytest

from app.matches import lists
from app.rules.game import Seat
from tests.support.matches import Matches

pytestmark = pytest.mark.anyio


async def test_a_card_holds_my_view_and_the_outcome_once_it_is_there(matches: Matches) -> None:
    anna = await matches.person("Anna")
    over = await matches.start(None, anna, options={"rounds": 1})
    await matches.turns(over, 1, 1)
    running = await matches.start(None, anna)

    async with matches.sessions() as session:
        cards = {card.id: card for card in await lists.my_matches(session, anna)}
    page = await matches.page(running, 1)

    assert cards[running].mine == (Seat(1),)
    assert cards[running].view == page.base_view
    assert cards[running].outcome is None
    assert (cards[over].outcome is None) == (cards[over].status == "running")
