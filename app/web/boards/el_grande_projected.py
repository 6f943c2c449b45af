"""An announced special action drawn as if it were done: where public pieces would stand."""

from dataclasses import replace

from app.rules.el_grande.components import CAS, COURT, Counts
from app.rules.el_grande.view import ElGrandeView
from app.rules.game import Seat


def projected(view: ElGrandeView) -> ElGrandeView:
    """Return `view` with what a sealed special action and a plan would do to caballeros."""
    turn = view.turn
    if turn is None or not turn.sealed or turn.vetoed:
        return view
    changes: list[tuple[Seat, str, int]] = []
    special = turn.special
    if special is not None:
        for owner, origin, target, count in special.moves:
            changes += [(owner, origin, -count), (owner, target, count)]
        if special.kind == "add":
            changes += _from_court(turn.seat, special.areas)
        for owner, area in special.owners:
            changes.append((owner, area, -1))
    changes += _from_court(turn.seat, turn.plan or ())
    for seat, area, count in changes:
        view = with_caballeros(view, seat, area, count)
    return view


def _from_court(seat: Seat, counts: Counts) -> list[tuple[Seat, str, int]]:
    return [
        change for area, count in counts for change in ((seat, area, count), (seat, COURT, -count))
    ]


def with_caballeros(view: ElGrandeView, seat: Seat, area: str, count: int) -> ElGrandeView:
    """Return `view` with so many more caballeros of `seat` in a region, Castillo or court."""
    if area in (CAS, COURT):
        player = view.players[seat]
        if area == COURT:
            player = replace(player, court=player.court + count)
        elif player.castillo is not None:
            player = replace(player, castillo=player.castillo + count)
        return replace(view, players=(*view.players[:seat], player, *view.players[seat + 1 :]))
    return replace(
        view,
        regions=tuple(
            replace(
                region,
                caballeros=tuple(
                    held + count if who == seat else held
                    for who, held in enumerate(region.caballeros)
                ),
            )
            if region.id == area
            else region
            for region in view.regions
        ),
    )
