"""What the values of an edition must agree on: contradictions are refused by key."""

from collections.abc import Mapping
from typing import Any

from app.rules.castell.components import SIZES
from app.rules.castell.edition import EVERYWHERE, SEAT_COUNTS, Edition
from app.rules.castell.edition_reader import read_edition
from app.rules.values import contradiction


def edition_from_mapping(data: Mapping[str, Any]) -> Edition:
    """Return the edition `data` describes.

    Raises EditionError naming the `key` that is missing, unknown, of the wrong
    kind, out of range, not supported or contradicted by another value.
    """
    edition = read_edition(data)
    _check_board(edition)
    _check_wheel(edition)
    _check_supplies(edition)
    _check_calendar(edition)
    _check_tiles(edition)
    _check_lists(edition)
    return edition


def _check_board(edition: Edition) -> None:
    neighbours = {region.id: region.neighbours for region in edition.regions}
    if not neighbours:
        contradiction("regions", "no_regions")
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
    if len(reached) < len(neighbours) or len(neighbours) == 1:
        contradiction("regions", "not_connected")


def _check_wheel(edition: Edition) -> None:
    expected = sorted([EVERYWHERE, *(region.id for region in edition.regions)])
    if sorted(edition.wheel_labels) != expected:
        contradiction("wheel.labels", "not_one_label_each")
    if len(edition.wheel_tiles) != len(edition.wheel_labels):
        contradiction(
            "wheel.tiles",
            "not_one_tile_a_place",
            tiles=len(edition.wheel_tiles),
            places=len(edition.wheel_labels),
        )


def _check_supplies(edition: Edition) -> None:
    castellers = edition.castellers_per_size * len(SIZES)
    for seats, each in zip(SEAT_COUNTS, edition.refill_to, strict=True):
        needed = each * len(edition.regions) + seats * edition.castellers_at_start
        if needed > castellers:
            contradiction(
                "components.castellers_per_size", "too_few", needed=needed, there=castellers
            )
    needed = edition.tiles_per_region * len(edition.regions)
    if needed > len(edition.tiles):
        contradiction(
            "performances.tiles_per_region", "too_few", needed=needed, there=len(edition.tiles)
        )


def _check_calendar(edition: Edition) -> None:
    rounds = [plan.round for plan in edition.calendar]
    if rounds != sorted(set(rounds)) or not set(rounds) <= set(range(1, edition.rounds + 1)):
        contradiction("festivals.calendar", "rounds_out_of_order")
    if list(edition.refill_rounds) != sorted(
        set(edition.refill_rounds) & set(range(2, edition.rounds + 1))
    ):
        contradiction("refill.rounds", "rounds_out_of_order")
    per_size = edition.size_tokens_per_size
    for column in range(len(SEAT_COUNTS)):
        for back in ("I", "II"):
            held = sum(p.festivals[column] for p in edition.calendar if p.back == back)
            if held > len(edition.regions):
                contradiction(
                    "festivals.calendar", "too_few", needed=held, there=len(edition.regions)
                )
        tokens = sum(p.festivals[column] * edition.tokens_of(p.back) for p in edition.calendar)
        # The last festival must still find as many different sizes as it shows.
        spare = (max(edition.size_tokens) - 1) * max(per_size - 1, 0)
        if tokens and tokens + spare > per_size * len(SIZES):
            contradiction(
                "components.size_tokens_per_size",
                "too_few",
                needed=tokens + spare,
                there=per_size * len(SIZES),
            )


def _check_tiles(edition: Edition) -> None:
    ids = [tile.id for tile in edition.tiles]
    for tile in edition.tiles:
        if ids.count(tile.id) > 1:
            contradiction(f"performances.exhibitions.{tile.id}", "repeated")
        if tile.widths != tuple(sorted(tile.widths, reverse=True)):
            contradiction(f"performances.shapes.{tile.id}.widths", "wider_than_below")
        if not tile.widths and not tile.skills:
            contradiction(f"performances.{tile.id}", "empty")


def _check_lists(edition: Edition) -> None:
    chart = edition.prize_chart
    if len(chart) != SEAT_COUNTS[-1]:
        contradiction("festivals.prize_chart", "not_one_row_each", rows=len(chart))
    for participants, row in enumerate(chart, 1):
        if len(row) > participants:
            contradiction(
                "festivals.prize_chart", "more_prizes_than_participants", row=participants
            )
    if edition.size_token_tie[-1:] != ("nobody",):
        contradiction("festivals.size_token_tie", "last_must_be_nobody")
    if edition.tie_break[-1:] != ("shared",):
        contradiction("scoring.tie_break", "last_must_be_shared")
    if len(edition.region_points) != len(edition.regions) + 1:
        contradiction(
            "scoring.regions",
            "not_one_value_a_count",
            values=len(edition.region_points),
            needed=len(edition.regions) + 1,
        )
