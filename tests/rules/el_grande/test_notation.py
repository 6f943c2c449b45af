"""Section 15: every entry is read back as it was printed."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.rules.el_grande import EL_GRANDE
from app.rules.el_grande.entries import Deal, Line, Reveal, format_entry, parse_entry
from app.rules.el_grande.joining import joined
from app.rules.el_grande.moves import Place, Refill, Special, TakeCard
from app.rules.game import NotationError
from tests.rules.el_grande.stage import A, B, C

LINES = [
    "power 7",
    "take 2; card 3-01; place CVI 1, CAS 2; special",
    "refill ARA 1, CVI 2; card 1-01; special skip; place 0",
    "card 1-01; special move p1 ARA>CAS 1, p2 ARA>CAT 2; place CVI 1",
    "card 1-08; special add ARA 1, VAL 1; place 0",
    "card 2-05; place 0; special return p2 ARA, p3 SEV",
    "card 3-08; special score CAS; place 0",
    "card 4-01; special board B GAL; place 0",
    "card 4-02; special king PVA",
    "card 4-03; place 0; special expel SEV",
    "card 4-04; special grande VAL; place CAS 1",
    "card 4-05; special court; place 0",
    "card 4-05; special court CVI 1; place 0",
    "card 4-06; special recall 13; place 0",
    "card 4-06; special recall ?; place 0",
    "card 4-07; place 0; special; disc GAL",
    "card 2-01; place CVI 2",
    "place CVI 1; end",
    "disc SEV",
    "return COURT 2, ARA 1",
    "veto",
    "pass",
    "end",
]


@pytest.mark.parametrize("line", LINES)
def test_what_is_printed_is_read_back(line: str) -> None:
    assert EL_GRANDE.format(EL_GRANDE.parse(line)) == line


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("  POWER7", "power 7"),
        ("Place cas 2 ,cvi1", "place CVI 1, CAS 2"),
        ("return VAL 1,court2", "return COURT 2, VAL 1"),
        (
            "SPECIAL  MOVE  P2  ara > cas  1 , p 1 ARA>CAT 2",
            "special move p1 ARA>CAT 2, p2 ARA>CAS 1",
        ),
        ("special return p3 ARA, p2 SEV", "special return p2 SEV, p3 ARA"),
        ("card 3 - 01;special", "card 3-01; special"),
        ("special board a GAL", "special board A GAL"),
    ],
)
def test_case_does_not_matter_spaces_are_free_and_lists_get_their_order(
    text: str, line: str
) -> None:
    assert EL_GRANDE.format(EL_GRANDE.parse(text)) == line


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "empty"),
        ("  ", "empty"),
        ("x" * 2001, "too_long"),
        ("jump", "unknown_action"),
        ("7", "unknown_action"),
        ("veto 3-01", "unknown_action"),
        ("power", "bad_number"),
        ("power 123", "bad_number"),
        ("power ٣", "bad_number"),
        ("card", "bad_card"),
        ("card 6-01", "bad_card"),
        ("place", "bad_list"),
        ("place CVI", "bad_list"),
        ("place CVI 0", "bad_list"),
        ("place CVI 1 PVA 1", "bad_list"),
        ("place CVI 1, CVI 1", "repeated"),
        ("disc", "bad_area"),
        ("disc SEVI", "bad_area"),
        ("special fly", "bad_special"),
        ("special skip it", "bad_special"),
        ("special move", "bad_moves"),
        ("special move ARA>CAT 1", "bad_moves"),
        ("special move p1 ARA>CAT 1, p1 ARA>CAT 1", "repeated"),
        ("special return p2", "bad_owners"),
        ("special return p2 ARA, p2 SEV", "repeated"),
        ("special board C GAL", "bad_board"),
        ("special recall x", "bad_number"),
        ("special score", "bad_area"),
    ],
)
def test_what_is_no_move_is_refused(text: str, code: str) -> None:
    with pytest.raises(NotationError) as refused:
        EL_GRANDE.parse(text)

    assert refused.value.code == f"notation.{code}"


def test_a_refusal_names_the_part_and_its_text() -> None:
    with pytest.raises(NotationError) as refused:
        EL_GRANDE.parse("card 3-01; ; end")
    assert (refused.value.code, refused.value.details["action"]) == ("notation.no_action", 2)

    with pytest.raises(NotationError) as refused:
        EL_GRANDE.parse("card 3-01; jump")
    assert refused.value.details == {"text": "jump", "action": 2}


@pytest.mark.parametrize(
    ("entry", "text"),
    [
        (
            Deal("GAL", ("ARA", "SEV", "VAL"), B),
            "deal king GAL; home p1 ARA, p2 SEV, p3 VAL; first p2",
        ),
        (Reveal(("1-01", "2-02", "3-03", "4-04")), "reveal 1-01 2-02 3-03 4-04"),
        (Line(C, EL_GRANDE.parse("power 3")), "p3: power 3"),
        (Line(A, EL_GRANDE.parse("card 5-01; place 0")), "p1: card 5-01; place 0"),
    ],
)
def test_an_entry_is_read_back(entry: Deal | Reveal | Line, text: str) -> None:
    assert format_entry(entry) == text
    assert parse_entry(text) == entry
    assert parse_entry(text.upper().replace(" ", "  ")) == entry


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("hello", "bad_entry"),
        ("p0: pass", "bad_seat_name"),
        ("p12: pass", "bad_seat_name"),
        ("p1: jump", "unknown_action"),
        ("reveal 1-01 x", "bad_card"),
        ("deal king GAL; home p2 ARA, p3 SEV; first p1", "bad_entry"),
        ("deal king GAL; home ARA; first p1", "bad_owners"),
        ("deal king GALICIA; home p1 ARA; first p1", "bad_area"),
        ("deal king GAL; home p1 ARA; first p0", "bad_seat_name"),
    ],
)
def test_what_is_no_entry_is_refused(text: str, code: str) -> None:
    with pytest.raises(NotationError) as refused:
        parse_entry(text)

    assert refused.value.code == f"notation.{code}"


AREAS = st.sampled_from(["ARA", "CAT", "GAL", "VAL", "CAS"])


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(AREAS, st.integers(1, 9)), max_size=6))
def test_lists_in_steps_join_to_one_in_order(steps: list[tuple[str, int]]) -> None:
    move = joined([Place((step,)) for step in steps] or [Place(())])

    assert len(move) == 1
    assert EL_GRANDE.parse(EL_GRANDE.format(move)) == move


def test_steps_of_one_part_are_joined_and_parts_are_not() -> None:
    text = (
        "refill VAL 1; refill ARA 1; card 1-01; special move p2 ARA>CAT 1;"
        " special move p1 ARA>CAT 1; place CVI 1; place CAS 1; place CVI 1; end"
    )

    assert EL_GRANDE.format(EL_GRANDE.joined(EL_GRANDE.parse(text))) == (
        "refill ARA 1, VAL 1; card 1-01; special move p1 ARA>CAT 1, p2 ARA>CAT 1;"
        " place CVI 2, CAS 1; end"
    )


@pytest.mark.parametrize(
    "text",
    [
        "special king GAL; special king PVA",
        "special add ARA 1; special move p1 ARA>CAT 1",
        "end; end",
    ],
)
def test_what_is_no_step_of_the_same_stays_apart(text: str) -> None:
    assert EL_GRANDE.format(EL_GRANDE.joined(EL_GRANDE.parse(text))) == text


def test_owners_and_court_lists_join_too() -> None:
    text = "special return p3 ARA; special return p2 SEV"
    assert EL_GRANDE.format(EL_GRANDE.joined(EL_GRANDE.parse(text))) == (
        "special return p2 SEV, p3 ARA"
    )
    text = "special court; special court VAL 1; special court ARA 1"
    assert EL_GRANDE.format(EL_GRANDE.joined(EL_GRANDE.parse(text))) == "special court ARA 1, VAL 1"


def test_moves_are_values() -> None:
    assert TakeCard("1-01") == EL_GRANDE.parse("card 1-01")[0]
    assert Refill((("ARA", 1),)) == EL_GRANDE.parse("refill ara 1")[0]
    assert Special("do") == EL_GRANDE.parse("special")[0]
