"""What a board draws: every choice with its targets, or with the refusal that forbids it."""

from dataclasses import replace

import pytest

from app.rules.el_grande import EL_GRANDE, State
from app.rules.el_grande.options import KindOption, Options, Target
from tests.rules.el_grande.stage import GAL, A, B, C, holding, play, published, staged


def options(state: State, seat: int = 0) -> Options:
    return EL_GRANDE.options(state, (A, B, C)[seat])


def kind(state: State) -> KindOption:
    special = options(state).special
    assert special is not None
    return special.kinds[0]


def free(targets: tuple[Target, ...]) -> list[str]:
    return [target.area for target in targets if target.refused is None]


def why(targets: tuple[Target, ...]) -> dict[str, str]:
    return {target.area: target.refused.code for target in targets if target.refused}


def test_power_cards_come_with_their_caballeros_and_why_not() -> None:
    state = staged(phase="power", first=1, bids=((1, 4),), order=(), hands=((1, 4), (2,), (1, 4)))
    low, high = options(state, C).powers

    assert (low.value, low.caballeros, low.refused) == (1, 6, None)
    assert high.refused is not None
    assert high.refused.code == "power.blocked"
    assert options(state, A).powers[0].refused is not None


def test_the_beginning_of_a_turn_offers_the_court_and_the_cards() -> None:
    state = staged("ARA 9 CVI 9 GAL 1 CAS 1 COURT 9", took=-1, taken=((1, "1-01"),))
    state = replace(state, offer=("2-08", "3-08"))
    found = options(state)

    assert found.take is not None
    assert (found.take.refused, found.take.power, found.take.most) == (None, 2, 1)
    assert found.refill is not None
    assert (found.refill.refused, found.refill.room) == (None, 1)
    assert [(s.area, s.refused is None) for s in found.refill.sources] == [
        ("ARA", True), ("CVI", True), ("GAL", False),
    ]  # fmt: skip
    assert [(c.card, c.placement, c.taken_by) for c in found.cards] == [
        ("1-01", 1, B), ("2-08", 2, None), ("3-08", 3, None),
    ]  # fmt: skip
    assert found.cards[0].refused is not None
    assert (found.place, found.special) == (None, None)
    assert found.end is not None
    assert found.end.code == "card.first"


def test_a_full_province_needs_no_refill() -> None:
    refill = options(staged(took=-1)).refill

    assert refill is not None
    assert refill.refused is not None
    assert (refill.refused.code, refill.room) == ("refill.no_shortage", 0)


def test_placing_shows_room_and_targets() -> None:
    place = options(staged("COURT 2", card="3-08")).place

    assert place is not None
    assert (place.refused, place.left, place.court, place.king) == (None, 2, 2, "GAL")
    assert free(place.targets) == ["CVI", "PVA", "CAS"]
    assert why(place.targets)["GAL"] == "king.taboo"
    assert why(place.targets)["ARA"] == "place.not_adjacent"


def test_placing_reckons_with_an_announced_king() -> None:
    place = options(play(holding(staged(card="5-01"), B), A, "special king PVA")).place

    assert place is not None
    assert (place.king, free(place.targets)) == ("PVA", ["ARA", "CVI", "GAL", "CAS"])


def test_a_move_shows_who_can_go_and_where_to() -> None:
    state = play(staged("ARA 2 GAL 1", "SEV 1", card="1-05"), A, "special move p1 ARA>SEV 1")
    found = kind(state)
    own, locked, other, *_ = found.sources

    assert (found.kind, found.refused, found.most, found.done) == (
        "move", None, {"own": 2, "opponents": 2}, 1,
    )  # fmt: skip
    assert (own.seat, own.area, own.there, own.refused) == (A, "ARA", 1, None)
    assert own.targets == ("CAT", "CNU", "CVI", "GRA", "PVA", "SEV", "VAL", "CAS")
    assert (locked.area, locked.targets) == ("GAL", ())
    assert locked.refused is not None
    assert locked.refused.code == "king.taboo"
    assert (other.seat, other.area, other.there) == (B, "SEV", 1)


def test_an_own_move_says_why_opponents_stay() -> None:
    own, theirs, _ = kind(staged(card="1-02")).sources

    assert (own.seat, own.refused) == (A, None)
    assert theirs.refused is not None
    assert (theirs.seat, theirs.refused.code) == (B, "move.own_only")


@pytest.mark.parametrize(
    ("card", "name", "open_"),
    [
        ("1-08", "add", 9),
        ("2-08", "score", 10),
        ("4-02", "king", 2),
        ("5-01", "king", 8),
        ("4-03", "expel", 2),
        ("4-04", "grande", 7),
    ],
)
def test_an_area_is_chosen_among_all(card: str, name: str, open_: int) -> None:
    found = kind(staged(card=card))

    assert (found.kind, found.refused, len(found.targets)) == (name, None, 10)
    assert len(free(found.targets)) == open_
    assert found.most == ({"count": 2} if card == "1-08" else {})


def test_scoreboards_show_where_they_can_go() -> None:
    a, b = kind(staged(card="4-01", boards=(GAL, -1))).boards

    assert (a.board, a.origin, free(a.targets)) == ("A", "GAL", [])
    assert (b.board, b.origin, len(free(b.targets))) == ("B", None, 8)


def test_the_other_cards_show_their_choices() -> None:
    assert kind(staged(card="4-06", logs=((4, 9), (8,), (7,)))).values == (9,)
    assert [s.area for s in kind(staged(card="2-05")).sources] == ["SEV", "VAL"]
    court = kind(staged("ARA 9 CVI 10 COURT 10", card="4-05"))
    assert (court.refused, court.most) == (None, {"count": 2})
    assert [source.area for source in court.sources] == ["ARA", "CVI"]
    bare = kind(staged("COURT 1", "SEV 2", "VAL 2", card="2-02"))
    assert bare.refused is not None
    assert bare.refused.code == "special.no_effect"


def test_either_of_two_ways_closes_the_other() -> None:
    special = options(play(staged(card="1-09"), A, "special add VAL 1")).special

    assert special is not None
    moving, adding = special.kinds
    assert moving.refused is not None
    assert (moving.refused.code, moving.done) == ("special.already", 0)
    assert (adding.refused, adding.done) == (None, 1)
    assert special.skip is not None
    assert special.skip.code == "special.already"


def test_returned_caballeros_count_as_done() -> None:
    assert kind(play(staged(card="2-05"), A, "special return p2 SEV")).done == 1


def test_a_disc_shows_all_nine_regions() -> None:
    state = play(staged("ARA 2 VAL 1", card="2-07"), A, "special")
    discs = options(state).discs

    assert [d.region for d in discs if d.refused is None] == ["ARA", "VAL"]
    assert not any(disc.warning for disc in discs)
    assert options(state, B).discs == ()


def test_the_castillos_disc_warns_of_the_kings_region() -> None:
    state = staged("CAS 1", round=3, turn=2, taken=((0, "5-01"), (1, "1-01")))
    discs = options(play(state, C, "card 3-08; end")).discs

    assert all(disc.refused is None for disc in discs)
    assert [disc.region for disc in discs if disc.warning] == ["GAL"]


def test_a_list_shows_what_is_needed_and_from_where() -> None:
    state = play(staged("COURT 5", "ARA 2 SEV 2 COURT 2", card="2-04"), A, "special; end")
    returns = options(state, B).returns

    assert returns is not None
    assert (returns.needed, returns.sources) == (3, (("COURT", 2), ("ARA", 2), ("SEV", 2)))
    assert options(state, A).returns is None
    assert options(state, B).discs == ()


def test_a_holder_sees_that_it_may_veto() -> None:
    state = play(holding(staged(card="5-01"), B), A, "special king PVA; end")
    holder, other = options(state, B), options(state, C)

    assert (holder.veto, holder.passing) == (None, None)
    assert other.veto is not None
    assert other.veto.code == "veto.not_asked"
    assert other.passing is not None


def test_after_a_veto_only_placing_is_offered() -> None:
    state = play(holding(staged(card="5-01"), B), A, "special king PVA; end")
    found = options(play(state, B, "veto"))

    assert found.place is not None
    assert (found.special, found.cards, found.take) == (None, (), None)
    assert (found.place.king, found.end) == ("GAL", None)


@pytest.mark.parametrize("seats", [2, 5])
def test_every_seat_has_its_options_all_through_a_match(seats: int) -> None:
    for number, state in enumerate(published(seats, "options", length=6)):
        if number % 4 == 0 and state.phase != "over":
            for seat in range(seats):
                assert isinstance(EL_GRANDE.options(state, (A, B, C, C, C)[seat]), Options)
