"""What the values of an edition must agree on: contradictions are refused by key."""

from collections.abc import Mapping
from typing import Any

from app.rules.el_grande.components import BOARDS, STACKS
from app.rules.el_grande.edition import (
    LENGTHS,
    REGIONS,
    SCORINGS,
    SEAT_COUNTS,
    Edition,
    cards_by_stack,
)
from app.rules.el_grande.edition_reader import read_edition
from app.rules.values import contradiction


def edition_from_mapping(data: Mapping[str, Any]) -> Edition:
    """Return the edition `data` describes.

    Raises EditionError naming the `key` that is missing, unknown, of the wrong
    kind, out of range, not supported or contradicted by another value.
    """
    edition = read_edition(data)
    _check_board(edition)
    _check_values(edition)
    _check_rounds(edition)
    _check_supplies(edition)
    _check_cards(edition)
    return edition


def _check_board(edition: Edition) -> None:
    neighbours = {region.id: region.neighbours for region in edition.regions}
    if len(neighbours) != REGIONS:
        contradiction("regions", "not_nine", there=len(neighbours))
    for id_, others in neighbours.items():
        key = f"regions.{id_}.neighbours"
        if len(set(others)) < len(others):
            contradiction(key, "repeated")
        for other in others:
            if other == id_:
                contradiction(key, "own_neighbour")
            if other not in neighbours:
                contradiction(key, "unknown_region")
            if id_ not in neighbours[other]:
                contradiction(key, "not_mutual")
    reached = {edition.regions[0].id}
    while wider := {other for id_ in reached for other in neighbours[id_]} - reached:
        reached |= wider
    if len(reached) < len(neighbours):
        contradiction("regions", "not_connected")


def _check_values(edition: Edition) -> None:
    tables = {
        "scoring.castillo": edition.castillo,
        **{f"regions.{region.id}.values": region.values for region in edition.regions},
        **{f"boards.{name}": edition.board_values(name) for name in BOARDS},
    }
    for key, values in tables.items():
        if len(values) != max(edition.places):
            contradiction(key, "not_one_value_a_place", needed=max(edition.places))
        if values != tuple(sorted(values, reverse=True)):
            contradiction(key, "not_descending")


def _check_rounds(edition: Edition) -> None:
    scorings = edition.scorings
    if len(scorings) != SCORINGS or list(scorings) != sorted(set(scorings)):
        contradiction("rounds.scorings", "not_three_in_order")
    for length, rounds in zip(LENGTHS, edition.rounds, strict=True):
        key = f"rounds.played.{length}"
        if rounds != tuple(sorted(set(rounds))) or len(rounds) != length:
            contradiction(key, "rounds_out_of_order")
        if rounds[-1] != scorings[-1] or not set(scorings) <= set(rounds):
            contradiction(key, "scoring_not_played")


def _check_supplies(edition: Edition) -> None:
    if edition.at_home + edition.at_court > edition.caballeros:
        contradiction("start.caballeros", "too_few", needed=edition.at_home + edition.at_court)
    # In the last round a hand must still hold a value that nobody has played.
    needed = max(LENGTHS) + SEAT_COUNTS[-1] - 1
    if len(edition.powers) < needed:
        contradiction("power.caballeros", "too_few", there=len(edition.powers), needed=needed)
    if len(edition.placement) != len(STACKS):
        contradiction("stacks.placement", "not_one_value_a_stack", needed=len(STACKS))


def _check_cards(edition: Edition) -> None:
    *drawn, kings = cards_by_stack(edition, "off")
    for number, stack in enumerate(drawn, 1):
        if len(stack) < max(LENGTHS):
            contradiction("cards", "too_few", stack=number, there=len(stack), needed=max(LENGTHS))
    if len(kings) != 1:
        contradiction("cards", "not_one_kings_card", there=len(kings))
    for card in edition.cards:
        if card.action == "move" and not (card.any or card.own or card.opponents):
            contradiction(f"cards.{card.id}", "moves_nobody")
