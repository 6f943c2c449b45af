"""What a viewer sees of a state and of an event."""

from dataclasses import replace
from functools import lru_cache

from app.rules.el_grande.components import BOARDS, Board
from app.rules.el_grande.edition import REGIONS, Edition, tables
from app.rules.el_grande.events import (
    Announced,
    Answered,
    DiscChosen,
    Event,
    Planned,
    Recalled,
)
from app.rules.el_grande.legal import is_free
from app.rules.el_grande.moves import Special
from app.rules.el_grande.scoring import CATEGORIES
from app.rules.el_grande.state import AT_COURT, CASTILLO, NOWHERE, PROVINCE, State
from app.rules.el_grande.view import ElGrandeView, OwnAnswer, RegionView, SeatView, TurnView
from app.rules.game import Seat


def view(state: State, seat: Seat | None) -> ElGrandeView:
    """Return what `seat` (None: a spectator) may know, built by copying in."""
    edition = state.edition
    ids = tables(edition).ids
    return ElGrandeView(
        seat=seat,
        seats=state.seats,
        edition=edition.name,
        length=state.length,
        veto=state.veto,
        castillo=state.castillo,
        phase=state.phase,
        round=state.round,
        rounds=edition.played(state.length),
        scorings=edition.scorings,
        first=Seat(state.first),
        bids=tuple((Seat(who), value) for who, value in state.bids),
        order=_seats(state.order),
        turn_number=state.turn,
        asked=_asked(state),
        holders=_seats(state.holders),
        questioned=_seats(state.questioned),
        own=_own_answers(state, seat),
        turn=_turn(state, seat),
        king=ids[state.king],
        boards=_boards(state),
        regions=_regions(state),
        castillo_total=sum(row[CASTILLO] for row in state.pieces),
        players=tuple(_player(state, Seat(who), seat) for who in range(state.seats)),
        offer=state.offer,
        taken=tuple((Seat(who), card) for who, card in state.taken),
        unseen=state.unseen,
        values=edition,
    )


def _seats(seats: tuple[int, ...]) -> tuple[Seat, ...]:
    return tuple(map(Seat, seats))


def _asked(state: State) -> tuple[Seat, ...]:
    """Return who is asked, by public facts alone: not who has answered already."""
    if state.phase in ("answers", "disc"):
        choosing = [seat for seat in state.questioned if is_free(state, seat)]
        return _seats(tuple(sorted({*state.holders, *choosing})))
    current = state.current()
    return () if current is None else (Seat(current),)


def _own_answers(state: State, seat: Seat | None) -> tuple[OwnAnswer, ...]:
    return tuple(
        OwnAnswer(filed.answer, filed.region, filed.sources)
        for filed in state.filed
        if filed.seat == seat
    )


def _turn(state: State, viewer: Seat | None) -> TurnView | None:
    if state.phase == "power" or state.current() is None:
        return None
    seat = state.seat()
    own = seat == viewer
    return TurnView(
        seat=seat,
        power=state.edition.powers[state.power_of(seat) - 1],
        took=None if state.took == NOWHERE else state.took,
        refilled=state.refilled,
        courted=state.courted,
        card=state.card or None,
        # That a plan has been filed is nobody else's business.
        parts=state.parts if own or not state.sealed else state.parts.rstrip("p"),
        placed=state.placed,
        special=state.special if own else _without_value(state.special),
        sealed=state.sealed,
        awaits_disc=state.awaits_disc and own,
        disc=state.disc or None if own else None,
        plan=state.plan if own else None,
        vetoed=state.vetoed,
    )


def _without_value(special: Special | None) -> Special | None:
    if special is None or special.value is None:
        return special
    return replace(special, value=None)


def _boards(state: State) -> dict[Board, str | None]:
    ids = tables(state.edition).ids
    return {
        board: None if here == NOWHERE else ids[here]
        for board, here in zip(BOARDS, state.boards, strict=True)
    }


def _regions(state: State) -> tuple[RegionView, ...]:
    columns = zip(*state.pieces, strict=True)
    there = (state.king, state.boards, state.grandes)
    return tuple(
        _region(state.edition, area, there, caballeros)
        for area, caballeros in zip(range(REGIONS), columns, strict=False)
    )


# Most of a view is as it was in the view before: such parts are kept.


@lru_cache(maxsize=8192)
def _region(
    edition: Edition,
    area: int,
    there: tuple[int, tuple[int, ...], tuple[int, ...]],
    caballeros: tuple[int, ...],
) -> RegionView:
    king, boards, grandes = there
    region = edition.regions[area]
    board = BOARDS[boards.index(area)] if area in boards else None
    return RegionView(
        id=region.id,
        name=region.name,
        neighbours=region.neighbours,
        printed=region.values,
        values=edition.board_values(board) if board else region.values,
        board=board,
        caballeros=caballeros,
        grandes=tuple(Seat(seat) for seat, home in enumerate(grandes) if home == area),
        king=area == king,
        open=area in tables(edition).neighbours[king],
    )


def _player(state: State, seat: Seat, viewer: Seat | None) -> SeatView:
    row, hand = state.pieces[seat], state.hands[seat]
    powers = len(state.edition.powers)
    own = seat == viewer
    return SeatView(
        seat=seat,
        province=row[PROVINCE],
        court=row[AT_COURT],
        castillo=row[CASTILLO] if own or state.castillo == "open" else None,
        home=tables(state.edition).ids[state.grandes[seat]],
        score=state.score(seat),
        categories=dict(zip(CATEGORIES, state.tally[seat], strict=True)),
        log=state.logs[seat],
        pile=powers - len(hand),
        highest=_highest(powers, hand),
        hand=hand if own else None,
        vetoes=tuple(taken for who, taken in state.vetoes if who == seat),
    )


@lru_cache(maxsize=8192)
def _highest(powers: int, hand: tuple[int, ...]) -> int:
    """Return the highest power card that is not in the hand, 0 if all are."""
    return next((value for value in range(powers, 0, -1) if value not in hand), 0)


def event_view(event: Event, seat: Seat | None) -> Event | None:
    """Return `event` as `seat` may see it while the match runs, None if not at all."""
    if isinstance(event, DiscChosen | Planned | Answered):
        return event if event.seat == seat else None
    if isinstance(event, Recalled):
        return event if event.seat == seat else Recalled(event.seat, None)
    if isinstance(event, Announced) and event.special.value is not None and event.seat != seat:
        return replace(event, special=replace(event.special, value=None))
    return event
