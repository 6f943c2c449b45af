"""The edition is data: it reads back, and what contradicts itself is refused by its key."""

from typing import Any

import pytest

from app.rules.el_grande import edition_from_mapping
from app.rules.el_grande.edition import ALL
from app.rules.el_grande.edition_reader import edition_to_mapping
from app.rules.el_grande.listing import LISTING
from app.rules.game import EditionError
from tests.rules.el_grande.stage import begin, values


def test_an_edition_reads_back_to_the_same_mapping() -> None:
    assert edition_to_mapping(edition_from_mapping(values())) == values()


def test_the_printed_values_are_these() -> None:
    edition = edition_from_mapping(values())

    assert {region.id: region.values for region in edition.regions} == {
        "CNU": (7, 4, 2), "CVI": (6, 4, 2), "GRA": (6, 3, 1), "ARA": (5, 4, 1), "VAL": (5, 3, 2),
        "PVA": (5, 3, 1), "SEV": (4, 3, 1), "CAT": (4, 2, 1), "GAL": (4, 2, 0),
    }  # fmt: skip
    assert edition.castillo == (5, 3, 1)
    assert edition.boards == ((8, 4, 0), (4, 0, 0))
    assert edition.powers == (6, 5, 5, 4, 4, 3, 3, 2, 2, 1, 1, 0, 0)


def test_fifteen_borders_join_the_regions() -> None:
    edition = edition_from_mapping(values())
    borders = {
        tuple(sorted((region.id, other)))
        for region in edition.regions
        for other in region.neighbours
    }

    assert len(borders) == 15
    neighbours = {region.id: region.neighbours for region in edition.regions}
    assert neighbours["GAL"] == ("CVI", "PVA")
    assert neighbours["CVI"] == ("ARA", "CNU", "GAL", "PVA")


def test_a_card_that_names_no_number_means_all() -> None:
    cards = {card.id: card for card in edition_from_mapping(values()).cards}

    assert (cards["2-02"].count, cards["2-03"].count) == (ALL, 3)
    assert sum(card.copies for card in cards.values()) == 45


CARD = {"stack": 1, "copies": 1, "action": "move"}


@pytest.mark.parametrize(
    ("changes", "code", "key"),
    [
        ({"name": 1}, "edition.wrong_type", "name"),
        ({"extra": 1}, "edition.unknown_key", "extra"),
        ({"regions.GAL.neighbours": ["CVI"]}, "edition.contradiction", "regions.PVA.neighbours"),
        ({"regions.GAL.neighbours": ["CVI", "PVA", "CVI"]}, "edition.contradiction",
         "regions.GAL.neighbours"),
        ({"regions.GAL.neighbours": ["CVI", "PVA", "GAL"]}, "edition.contradiction",
         "regions.GAL.neighbours"),
        ({"regions.GAL.neighbours": ["CVI", "PVA", "XXX"]}, "edition.contradiction",
         "regions.GAL.neighbours"),
        ({"regions.CAS": {"name": "x", "values": [1, 1, 1], "neighbours": []}},
         "edition.bad_id", "regions.CAS"),
        ({"regions.ABCD": {"name": "x", "values": [1, 1, 1], "neighbours": []}},
         "edition.bad_id", "regions.ABCD"),
        ({"regions.XXX": {"name": "x", "values": [1, 1, 1], "neighbours": []}},
         "edition.contradiction", "regions"),
        ({"regions.GAL.values": [4, 2]}, "edition.contradiction", "regions.GAL.values"),
        ({"regions.GAL.values": [2, 4, 0]}, "edition.contradiction", "regions.GAL.values"),
        ({"boards.A": [4, 8, 0]}, "edition.contradiction", "boards.A"),
        ({"scoring.castillo": [5]}, "edition.contradiction", "scoring.castillo"),
        ({"rounds.scorings": [3, 9]}, "edition.contradiction", "rounds.scorings"),
        ({"rounds.scorings": [3, 9, 6]}, "edition.contradiction", "rounds.scorings"),
        ({"rounds.played": {"9": [1, 2, 3], "6": [2, 3, 5, 6, 8, 9]}}, "edition.contradiction",
         "rounds.played.9"),
        ({"rounds.played": {"9": list(range(1, 10)), "6": [2, 3, 5, 7, 8, 9]}},
         "edition.contradiction", "rounds.played.6"),
        ({"start.caballeros": 8}, "edition.contradiction", "start.caballeros"),
        ({"power.caballeros": [6] * 12}, "edition.contradiction", "power.caballeros"),
        ({"stacks.placement": [1, 2]}, "edition.contradiction", "stacks.placement"),
        ({f"cards.{card}.copies": 1 for card in ("3-01", "3-02", "3-04")},
         "edition.contradiction", "cards"),
        ({"cards.5-02": {"stack": 5, "copies": 1, "action": "recall"}}, "edition.contradiction",
         "cards"),
        ({"cards.1-10": CARD}, "edition.contradiction", "cards.1-10"),
        ({"cards.2-10": CARD}, "edition.bad_id", "cards.2-10"),
        ({"cards.1-1": CARD}, "edition.bad_id", "cards.1-1"),
        ({"cards.1-10": CARD | {"action": "fly"}}, "edition.unsupported", "cards.1-10.action"),
        ({"cards.1-10": CARD | {"action": "add"}}, "edition.missing", "cards.1-10.count"),
        ({"cards.1-10": CARD | {"count": 1}}, "edition.unknown_key", "cards.1-10.count"),
    ],
)  # fmt: skip
def test_a_contradiction_is_refused_by_its_key(
    changes: dict[str, Any], code: str, key: str
) -> None:
    with pytest.raises(EditionError) as refused:
        edition_from_mapping(values(changes))

    assert (refused.value.code, refused.value.details["key"]) == (code, key)


def test_a_map_in_two_parts_is_refused() -> None:
    data = values()
    data["regions"]["SEV"]["neighbours"] = ["GRA"]
    data["regions"]["GRA"]["neighbours"] = ["SEV"]
    data["regions"]["CNU"]["neighbours"] = ["ARA", "CVI", "VAL"]
    data["regions"]["VAL"]["neighbours"] = ["ARA", "CAT", "CNU"]

    with pytest.raises(EditionError) as refused:
        edition_from_mapping(data)

    assert refused.value.details == {"key": "regions", "reason": "not_connected"}


def test_a_stored_state_shares_its_edition() -> None:
    state = begin(3)
    edition = edition_from_mapping(values())
    assert edition is not state.edition

    copy = state.copy()
    copy.edition = edition
    assert LISTING.settle(copy).edition is state.edition
    assert (LISTING.key, LISTING.seats) == ("el_grande", range(2, 6))
