"""What people hold: everybody in the order of play, the viewer's caballeros and power cards."""

from collections.abc import Mapping
from dataclasses import dataclass

from app.i18n import gettext
from app.rules.el_grande.view import ElGrandeView, SeatView
from app.rules.game import Seat
from app.web.boards.el_grande_words import area_name
from app.web.boards.seats import Who


@dataclass(frozen=True, slots=True)
class SeatPanel:
    """One seat at a glance; `power` is this round's card, 0 while it is not played.

    `state` is played, now, next or empty; `gain` what the regions would give now.
    """

    who: Who
    me: bool
    power: int
    state: str
    score: int
    gain: int
    court: int
    province: int
    castillo: int | None
    home: str
    home_id: str
    pile: int
    highest: int
    recalled: int
    vetoes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PowerCard:
    """A power card in hand: what it brings, and why it cannot be played now.

    `opens` picks it; empty when there is nothing to choose.
    """

    value: int
    caballeros: int
    why: str
    opens: Mapping[str, str]
    picked: bool


@dataclass(frozen=True, slots=True)
class Mine:
    """The viewer's own caballeros and power cards.

    `power` is the card of this round (0: none yet) and `brought` what came with
    it; `to_court` of the court are drafted in, `from_court` drafted away.
    """

    who: Who
    province: int
    court: int
    to_court: int
    from_court: int
    power: int
    brought: int
    taken: bool
    hand: tuple[PowerCard, ...]
    played: tuple[int, ...]
    recalled: int
    pile: int
    home: str


def draw_seats(
    view: ElGrandeView,
    seats: Mapping[Seat, Who],
    gains: Mapping[Seat, int],
    *,
    broken_off: bool = False,
) -> tuple[SeatPanel, ...]:
    """Return everybody: in the order of turns once it is known, else of bidding.

    In a match that is `broken_off` nobody is to move.
    """
    powers = dict(view.bids)
    clockwise = [Seat((view.first + n) % view.seats) for n in range(view.seats)]
    later = [seat for seat in clockwise if seat not in powers]
    order = list(view.order) if not later and view.order else [*powers, *later]
    now = None if broken_off else _whose(view)
    return tuple(
        _seat_panel(view, view.players[seat], seats[seat], powers.get(seat, 0),
                    _state(view, order, seat, now), gains.get(seat, 0))
        for seat in order
    )  # fmt: skip


def _whose(view: ElGrandeView) -> Seat | None:
    if view.turn is not None:
        return view.turn.seat
    return view.asked[0] if view.phase == "power" and view.asked else None


def _state(view: ElGrandeView, order: list[Seat], seat: Seat, now: Seat | None) -> str:
    if now is None or now not in order:
        return ""
    place, here = order.index(seat), order.index(now)
    if place == here:
        return "now"
    if view.phase == "power":
        return "next" if place == here + 1 else ""
    return "played" if place < here else "next" if place == here + 1 else ""


def _seat_panel(  # noqa: PLR0917 - one fact an argument
    view: ElGrandeView, player: SeatView, who: Who, power: int, state: str, gain: int
) -> SeatPanel:
    return SeatPanel(
        who=who,
        me=player.seat == view.seat,
        power=power,
        state=state,
        score=player.score,
        gain=gain,
        court=player.court,
        province=player.province,
        castillo=player.castillo,
        home=area_name(view, player.home),
        home_id=player.home,
        pile=player.pile,
        highest=player.highest,
        recalled=player.log.count(0),
        vetoes=player.vetoes,
    )


def draw_mine(
    view: ElGrandeView,
    base: ElGrandeView,
    seats: Mapping[Seat, Who],
    whys: Mapping[int, str],
    *,
    asked: bool,
    picked: int,
) -> Mine | None:
    """Return what the viewer holds; None for those who only watch.

    `whys` are the power cards that may not be played, with the reason.
    """
    if view.seat is None:
        return None
    player, before = view.players[view.seat], base.players[view.seat]
    power = dict(view.bids).get(view.seat, 0)
    change = player.court - before.court
    turn = view.turn if view.turn is not None and view.turn.seat == view.seat else None
    return Mine(
        who=seats[view.seat],
        province=player.province,
        court=player.court,
        to_court=max(change, 0),
        from_court=max(-change, 0),
        power=power,
        brought=_brought(view, power, turn.took if turn else None),
        taken=turn is not None and turn.took is not None,
        hand=tuple(
            PowerCard(
                value=value,
                caballeros=view.values.powers[value - 1],
                why=whys.get(value, ""),
                opens={"open": f"power-{value}"} if asked and value not in whys else {},
                picked=value == picked,
            )
            for value in sorted(player.hand or ())
        ),
        played=tuple(value for value in player.log if value),
        recalled=player.log.count(0),
        pile=player.pile,
        home=area_name(view, player.home),
    )


def _brought(view: ElGrandeView, power: int, took: int | None) -> int:
    if took is not None:
        return took
    return view.values.powers[power - 1] if power else 0


def state_names() -> Mapping[str, str]:
    """Return what the state of a seat is called."""
    return {
        "": "",
        "played": gettext("played"),
        "now": gettext("now"),
        "next": gettext("next"),
    }
