"""Folding events into the state.  Events are trusted: `decide` has checked them."""

from collections.abc import Callable, Iterable
from typing import Any, Final, TypeVar

from app.rules.el_grande.components import BOARDS, COURT, Counts
from app.rules.el_grande.edition import SCORINGS, shared, tables
from app.rules.el_grande.events import (
    Added,
    Announced,
    Answered,
    AnswersOpened,
    AreaScored,
    BoardMoved,
    CardTaken,
    CastilloEmptied,
    Courted,
    DiscChosen,
    DiscsRevealed,
    Event,
    GrandeMoved,
    KingMoved,
    MatchEnded,
    Moved,
    Placed,
    Planned,
    PowerPlayed,
    Recalled,
    Refilled,
    Returned,
    RoundEnded,
    RoundStarted,
    ScoringBegan,
    SpecialDone,
    SpecialSkipped,
    Started,
    Took,
    TurnEnded,
    Vetoed,
)
from app.rules.el_grande.joining import joined_counts, joined_specials
from app.rules.el_grande.scoring import pays
from app.rules.el_grande.setup import first_stacks
from app.rules.el_grande.state import (
    AT_COURT,
    CASTILLO,
    NOWHERE,
    PROVINCE,
    RECALL,
    Filed,
    State,
)

Item = TypeVar("Item")


def evolve(state: State | None, event: Event) -> State:
    """Return the state after `event`; `state` itself stays as it is."""
    if state is None:
        if not isinstance(event, Started):
            raise TypeError(f"a match begins with Started, not {type(event).__name__}")
        return _begin(event)
    after = state.copy()
    _FOLDS[type(event)](after, event)
    return after


def _begin(event: Started) -> State:
    edition, seats = shared(event.edition), event.seats
    index = tables(edition).index
    homes = tuple(index[home] for home in event.homes)
    start = [0] * (PROVINCE + 1)
    start[AT_COURT] = edition.at_court
    start[PROVINCE] = edition.caballeros - edition.at_court - edition.at_home
    return State(
        edition=edition,
        seats=seats,
        length=event.length,
        veto=event.veto,
        castillo=event.castillo,
        phase="power",
        round=edition.played(event.length)[0],
        first=event.first,
        bids=(),
        order=(),
        turn=0,
        offer=(),
        taken=(),
        unseen=first_stacks(edition, event.veto),
        king=index[event.king],
        boards=(NOWHERE,) * len(BOARDS),
        grandes=homes,
        pieces=tuple((*start[:home], edition.at_home, *start[home + 1 :]) for home in homes),
        hands=(tuple(range(1, len(edition.powers) + 1)),) * seats,
        logs=((),) * seats,
        vetoes=(),
        tally=((0,) * (SCORINGS + 1),) * seats,
        took=NOWHERE,
        refilled=(),
        courted=0,
        card="",
        parts="",
        placed=(),
        special=None,
        sealed=False,
        awaits_disc=False,
        disc="",
        plan=None,
        vetoed=False,
        holders=(),
        questioned=(),
        filed=(),
    )


def _put(items: tuple[Item, ...], place: int, item: Item) -> tuple[Item, ...]:
    return (*items[:place], item, *items[place + 1 :])


def without(items: tuple[Item, ...], item: Item) -> tuple[Item, ...]:
    """Return `items` without one `item`."""
    place = items.index(item)
    return items[:place] + items[place + 1 :]


# Each fold below changes a private copy that nobody else has seen yet.


def _carry(state: State, seat: int, steps: Iterable[tuple[int, int, int]]) -> None:
    """Carry caballeros of one seat: (from, to, count)."""
    row = list(state.pieces[seat])
    for origin, target, count in steps:
        row[origin] -= count
        row[target] += count
    state.pieces = _put(state.pieces, seat, tuple(row))


def _place_of(state: State, name: str) -> int:
    return AT_COURT if name == COURT else tables(state.edition).index[name]


def _round_started(state: State, event: RoundStarted) -> None:
    edition = state.edition
    state.phase = "power"
    state.round = event.round
    state.first = event.first
    state.turn = 0
    state.bids = state.order = state.taken = ()
    kings = tuple(card.id for card in edition.cards if card.stack > len(state.unseen))
    state.offer = (*event.revealed, *kings)
    state.unseen = tuple(
        without(stack, card) for stack, card in zip(state.unseen, event.revealed, strict=True)
    )


def _power_played(state: State, event: PowerPlayed) -> None:
    seat = event.seat
    state.hands = _put(state.hands, seat, without(state.hands[seat], event.value))
    state.logs = _put(state.logs, seat, (*state.logs[seat], event.value))
    state.bids = bids = (*state.bids, (seat, event.value))
    if len(bids) == state.seats:
        state.order = tuple(who for who, _ in sorted(bids, key=lambda bid: -bid[1]))
        state.phase = "turn"


def _took(state: State, event: Took) -> None:
    state.took = event.count
    if event.count:
        _carry(state, event.seat, ((PROVINCE, AT_COURT, event.count),))


def _from_regions(state: State, seat: int, sources: Counts) -> None:
    index = tables(state.edition).index
    _carry(state, seat, [(index[area], AT_COURT, count) for area, count in sources])


def _refilled(state: State, event: Refilled) -> None:
    _from_regions(state, event.seat, event.sources)
    state.refilled = joined_counts(state.refilled, event.sources)


def _card_taken(state: State, event: CardTaken) -> None:
    state.card = event.card
    state.offer = without(state.offer, event.card)
    state.taken = (*state.taken, (event.seat, event.card))
    if state.card_taken().action == "veto":
        state.vetoes = (*state.vetoes, (event.seat, state.round))


def _begin_part(state: State, part: str) -> None:
    if part not in state.parts:
        state.parts += part


def _placed(state: State, event: Placed) -> None:
    _begin_part(state, "p")
    if event.to:
        _to_areas(state, event.seat, event.to)
        state.placed = joined_counts(state.placed, event.to) if state.placed else event.to


def _to_areas(state: State, seat: int, to: Counts) -> None:
    index = tables(state.edition).index
    _carry(state, seat, [(AT_COURT, index[area], count) for area, count in to])


def _special_skipped(state: State, event: SpecialSkipped) -> None:
    _begin_part(state, "s")


def _announced(state: State, event: Announced) -> None:
    _begin_part(state, "s")
    special = event.special
    state.special = special if state.special is None else joined_specials(state.special, special)
    state.sealed = event.sealed
    state.awaits_disc = event.awaits_disc


def _disc_chosen(state: State, event: DiscChosen) -> None:
    state.disc = event.region
    state.awaits_disc = False


def _planned(state: State, event: Planned) -> None:
    _begin_part(state, "p")
    state.plan = joined_counts(state.plan or (), event.to)


def _answers_opened(state: State, event: AnswersOpened) -> None:
    state.phase = "answers"
    state.holders = tuple(event.holders)
    state.questioned = tuple(event.questioned)


def _answered(state: State, event: Answered) -> None:
    filed = Filed(event.seat, event.answer, event.region, event.sources)
    state.filed = (*state.filed, filed)


def _over_with_answers(state: State) -> None:
    state.holders = state.questioned = ()
    state.filed = ()


def _vetoed(state: State, event: Vetoed) -> None:
    spent = next(veto for veto in state.vetoes if veto[0] == event.seat)
    state.vetoes = without(state.vetoes, spent)
    _over_with_answers(state)
    state.phase = "place"
    state.sealed = False
    state.vetoed = True
    if state.plan is not None:
        state.parts = "s"


def _discs_revealed(state: State, event: DiscsRevealed) -> None:
    pass  # What the discs bring about has events of its own.


def _moved(state: State, event: Moved) -> None:
    index = tables(state.edition).index
    for owner, origin, target, count in event.moves:
        _carry(state, owner, ((index[origin], index[target], count),))


def _added(state: State, event: Added) -> None:
    _to_areas(state, event.seat, event.to)


def _returned(state: State, event: Returned) -> None:
    for owner, area, count in event.returned:
        _carry(state, owner, ((_place_of(state, area), PROVINCE, count),))
        if owner in state.questioned:
            state.questioned = without(state.questioned, owner)
            state.filed = tuple(
                filed for filed in state.filed if filed.seat != owner or filed.answer != "return"
            )


def _king_moved(state: State, event: KingMoved) -> None:
    state.king = tables(state.edition).index[event.region]


def _board_moved(state: State, event: BoardMoved) -> None:
    region = tables(state.edition).index[event.region]
    state.boards = _put(state.boards, BOARDS.index(event.board), region)


def _grande_moved(state: State, event: GrandeMoved) -> None:
    region = tables(state.edition).index[event.region]
    state.grandes = _put(state.grandes, event.seat, region)


def _courted(state: State, event: Courted) -> None:
    if event.province:
        _carry(state, event.seat, ((PROVINCE, AT_COURT, event.province),))
    _from_regions(state, event.seat, event.sources)
    state.courted += event.province + sum(count for _, count in event.sources)


def _recalled(state: State, event: Recalled) -> None:
    seat, value = event.seat, event.value
    if value is None:
        raise TypeError("only whoever may know the value can fold a recall")
    state.hands = _put(state.hands, seat, tuple(sorted((*state.hands[seat], value))))
    state.logs = _put(state.logs, seat, (*state.logs[seat], RECALL))


def _special_done(state: State, event: SpecialDone) -> None:
    _over_with_answers(state)
    state.phase = "place"
    state.sealed = False


def _turn_ended(state: State, event: TurnEnded) -> None:
    state.turn += 1
    state.phase = "turn"
    state.took = NOWHERE
    state.refilled = state.placed = ()
    state.courted = 0
    state.card = state.parts = state.disc = ""
    state.special = state.plan = None
    state.sealed = state.awaits_disc = state.vetoed = False


def _round_ended(state: State, event: RoundEnded) -> None:
    state.offer = ()
    state.vetoes = tuple(veto for veto in state.vetoes if veto[1] == state.round)


def _scoring_began(state: State, event: ScoringBegan) -> None:
    state.phase = "disc"
    state.questioned = tuple(event.asked)


def _area_scored(state: State, event: AreaScored) -> None:
    if not pays(event):
        return
    column = SCORINGS
    if event.cause == "general":
        column = state.edition.scorings.index(state.round)
    gains = zip(event.points, event.king, event.home, strict=True)
    state.tally = tuple(
        _put(row, column, row[column] + sum(gain)) if any(gain) else row
        for row, gain in zip(state.tally, gains, strict=True)
    )


def _castillo_emptied(state: State, event: CastilloEmptied) -> None:
    _over_with_answers(state)
    for seat, area, count in event.moves:
        _carry(state, seat, ((CASTILLO, _place_of(state, area), count),))


def _match_ended(state: State, event: MatchEnded) -> None:
    state.phase = "over"


# Looked up by class: a `match` over thirty events would be a third of the cost.
_FOLDS: Final[dict[type, Callable[[State, Any], None]]] = {
    RoundStarted: _round_started,
    PowerPlayed: _power_played,
    Took: _took,
    Refilled: _refilled,
    CardTaken: _card_taken,
    Placed: _placed,
    SpecialSkipped: _special_skipped,
    Announced: _announced,
    DiscChosen: _disc_chosen,
    Planned: _planned,
    AnswersOpened: _answers_opened,
    Answered: _answered,
    Vetoed: _vetoed,
    DiscsRevealed: _discs_revealed,
    Moved: _moved,
    Added: _added,
    Returned: _returned,
    KingMoved: _king_moved,
    BoardMoved: _board_moved,
    GrandeMoved: _grande_moved,
    Courted: _courted,
    Recalled: _recalled,
    SpecialDone: _special_done,
    TurnEnded: _turn_ended,
    RoundEnded: _round_ended,
    ScoringBegan: _scoring_began,
    AreaScored: _area_scored,
    CastilloEmptied: _castillo_emptied,
    MatchEnded: _match_ended,
}
