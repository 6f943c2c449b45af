"""Every refusal El Grande's rules can give, every event and every card has its words."""

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.i18n import el_grande, el_grande_story, sentences
from app.i18n.editions import EDITIONS
from app.i18n.el_grande_cards import card_words
from app.i18n.el_grande_words import REGIONS, area_name
from app.rules import el_grande as rules
from app.rules.el_grande.events import (
    EVENT_TYPES,
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
from app.rules.el_grande.moves import Special
from app.rules.game import IllegalMoveError, NotationError, Seat
from tests.rules.el_grande.stage import A, B, C, begin, holding, refusal, staged

PACKAGE = Path(rules.__file__).parent
SHARED = [PACKAGE.parent / name for name in ("dotted.py", "values.py")]
NAMES = {A: "Jordi", B: "Núria", C: "Pau"}
VIEW = rules.EL_GRANDE.view(begin(3), A)
REFUSERS = ("IllegalMoveError", "NotationError", "EditionError")
PREFIXES = {
    "notation.py": "notation.",
    "record.py": "notation.",
    "position_checks.py": "position.",
}


def codes() -> Iterator[str]:
    """Walk the source of the rules for every code of a refusal."""
    for path in [*PACKAGE.glob("*.py"), *SHARED]:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            first = node.args[0]
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                if name in REFUSERS:
                    yield first.value
                elif name == "_refuse":
                    yield f"{PREFIXES[path.name]}{first.value}"


def test_every_code_has_its_sentence_and_no_sentence_is_left_over() -> None:
    found = set(codes())

    assert len(found) > 80
    assert found <= el_grande._SENTENCES.keys()
    assert el_grande._SENTENCES.keys() - found <= EDITIONS.keys()


def test_an_unknown_code_is_still_a_sentence() -> None:
    assert sentences.refusal("el_grande", "king.on_fire", {}) == (
        "The rules do not allow that (king.on_fire)."
    )


def test_the_names_of_the_regions_are_the_editions() -> None:
    path = PACKAGE / "editions" / "el-grande-1.toml"
    regions = tomllib.loads(path.read_text("utf-8"))["regions"]

    assert {key: region["name"] for key, region in regions.items()} == REGIONS
    assert [area_name(area) for area in ("GAL", "CAS", "COURT", "XXX")] == [
        "Galicia", "the Castillo", "the court", "XXX",
    ]  # fmt: skip


def told(error: IllegalMoveError | NotationError) -> str:
    return sentences.refusal("el_grande", error.code, error.details, error.rule)


@pytest.mark.parametrize(
    ("card", "line", "sentence"),
    [
        ("5-01", "place ARA 1",
         ("Aragón does not border on Galicia, where the King stands. You can place in"
          " Castilla la Vieja and País Vasco and in the Castillo.")),
        ("5-01", "place GAL 1",
         "The King stands in Galicia: nothing enters, leaves or moves there."),
        ("5-01", "place CVI 6", "This card places 5 caballeros at most, not 6."),
        ("5-01", "place CVI 5; place CVI 1", "This card places 5 caballeros at most, not 6."),
        ("5-01", "card 3-08", "You have taken your action card of this round."),
        ("5-01", "special king GAL", "The King stands in Galicia already."),
        ("4-02", "special king SEV",
         ("Sevilla does not border on Galicia. From there the King can go to"
          " Castilla la Vieja and País Vasco.")),
        ("1-01", "special move p1 ARA>SEV 3",
         "Only 2 caballeros of that colour stood in Aragón; you want 3."),
        ("1-03", "special move p1 ARA>SEV 2, p2 SEV>ARA 2",
         "The card moves 3 caballeros at most, not 4."),
        ("1-05", "special move p1 ARA>SEV 3",
         "The card moves 2 caballeros of your own at most, not 3."),
        ("1-04", "special move p2 SEV>ARA 4",
         "The card moves 3 caballeros of opponents at most, not 4."),
        ("1-06", "special move p1 ARA>SEV 1, p2 SEV>ARA 1",
         "All have to come out of one region, not out of Aragón and Sevilla."),
        ("1-07", "special move p1 ARA>SEV 1; end",
         "All your caballeros have to leave Aragón: 1 is still there."),
        ("2-05", "special return p2 SEV; end",
         "One caballero of every opponent has to go: 1 opponent is missing."),
        ("2-05", "special return p2 ARA", "That opponent has nobody in Aragón."),
        ("1-08", "special add VAL 3", "This card adds 2 caballeros at most, not 3."),
        ("4-05", "special court ARA 1", "The province is not short: nobody comes from regions."),
        ("4-06", "special recall 3", "The power card 3 does not lie in your pile."),
        ("3-08", "special score XXX", "There is no area XXX."),
        ("4-04", "special grande ARA", "Your Grande stands in Aragón already."),
        ("4-03", "special expel ARA", "No opponent has caballeros in Aragón."),
    ],
)  # fmt: skip
def test_a_refusal_names_its_numbers(card: str, line: str, sentence: str) -> None:
    assert told(refusal(staged(card=card), A, line)) == sentence


@pytest.mark.parametrize(
    ("code", "details", "sentence"),
    [
        ("refill.too_many", {"count": 2, "shortage": 1},
         "1 caballero is lacking; you want 2 from regions."),
        ("area.unknown", {"area": ""}, "Choose an area."),
        ("disc.unknown_region", {"region": ""}, "Choose a region."),
        ("disc.unknown_region", {"region": "CAS"}, "The disc shows no region CAS."),
        ("disc.not_allowed", {"region": "SEV", "card": "2-07", "allowed": ["ARA", "VAL"]},
         "For this card the disc cannot be set to Sevilla, but to Aragón or Valencia."),
        ("power.blocked", {"value": 4, "seat": 1},
         "Power card 4 has been played this round: choose another."),
        ("card.not_on_offer", {"card": "1-02", "offer": ["1-01", "5-01"]},
         "Card 1-02 is not on offer. There is 1-01 and 5-01."),
        ("return.wrong_count", {"needed": 3, "count": 1},
         "You have to return 3 caballeros, not 1."),
        ("return.too_many", {"area": "COURT", "there": 1, "count": 2},
         "You have 1 caballero in the court, not 2."),
        ("take.too_many", {"most": 1, "count": 2},
         "1 caballero at most can come from the province, not 2."),
        ("place.court_short", {"court": 0, "count": 2},
         "Your court has only 0 caballeros left, not 2."),
        ("position.cards", {"card": "1-01", "there": 2, "needed": 1},
         "Card 1-01 is in the position 2 times; there are 1."),
    ],
)  # fmt: skip
def test_a_refusal_says_what_is_meant(code: str, details: dict[str, Any], sentence: str) -> None:
    assert sentences.refusal("el_grande", code, details) == sentence


@pytest.mark.parametrize("code", sorted(el_grande._SENTENCES))
def test_every_sentence_can_be_said(code: str) -> None:
    details = {
        "adjacent": ["GAL"], "allowed": ["GAL"], "area": "GAL", "card": "1-01", "count": 2,
        "court": 1, "king": "GAL", "left": 1, "limit": 1, "most": 1, "needed": 1, "offer": ["1-01"],
        "phase": "turn", "reason": "x", "region": "GAL", "regions": ["GAL"], "seat": 1,
        "seats": [1], "shortage": 1, "there": 1, "value": 1, "wanted": 2, "whose": "own",
        "expected": "x", "key": "x", "line": 3, "text": "x",
    }  # fmt: skip
    said = sentences.refusal("el_grande", code, details)

    assert said.endswith((".", ".”"))
    assert "%(" not in said


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("jump", "Action 1: “jump” is no action."),
        ("power x", "Action 1: “power x” names no number; write it like power 7."),
        ("card 3-01; place CVI",
         "Action 2: “place CVI” is no list; write it like place CVI 1, CAS 2."),
    ],
)  # fmt: skip
def test_text_that_is_no_move_is_explained(text: str, sentence: str) -> None:
    with pytest.raises(NotationError) as caught:
        rules.EL_GRANDE.parse(text)

    assert told(caught.value) == sentence


@pytest.mark.parametrize("card", VIEW.values.cards, ids=lambda card: card.id)
def test_every_card_has_a_title_and_a_sentence(card: Any) -> None:
    title, text = card_words(card)

    assert 0 < len(title) <= 40
    assert text.endswith(".")
    assert "%(" not in title + text


def test_cards_say_whose_caballeros_they_touch() -> None:
    words = {card.id: card_words(card)[1] for card in VIEW.values.cards}

    assert words["1-01"].startswith("Move up to 4 caballeros of any colour")
    assert words["1-02"].startswith("Move up to 4 of your own caballeros")
    assert words["1-04"].startswith("Move up to 3 of your opponents’ caballeros")
    assert words["2-02"].startswith("Every opponent returns all")
    assert words["2-06"].startswith("Every player, you too,")


SHIFTS = ((A, "ARA", "CAT", 2), (B, "SEV", "CAS", 1))
NOBODY = (0, 0, 0)
EVENTS: list[tuple[Any, str | None, str | None]] = [
    (Started(VIEW.values, 3, 9, "simple", "hidden", "GAL", ("ARA", "SEV", "VAL"), A),
     "The match begins; Jordi goes first.", "The match begins; you go first."),
    (RoundStarted(2, A, ()), "Round 2 begins; Jordi goes first.", "Round 2 begins; you go first."),
    (PowerPlayed(A, 1, 7), "Jordi plays power card 7.", "You play power card 7."),
    (Took(A, 3, 3), "Jordi brings 3 caballeros from the province to the court.",
     "You bring 3 caballeros from the province to the court."),
    (Took(A, 0, 0), None, None),
    (Refilled(A, (("ARA", 1), ("SEV", 2))),
     "The province of Jordi is empty: 1 from Aragón and 2 from Sevilla come to the court.",
     "Your province is empty: you bring 1 from Aragón and 2 from Sevilla to the court."),
    (CardTaken(A, "1-02"), "Jordi takes the card “1-02”.", "You take the card “Move 4 own”."),
    (Placed(A, (("GAL", 2), ("CAS", 1))), "Jordi places 2 in Galicia and 1 in the Castillo.",
     "You place 2 in Galicia and 1 in the Castillo."),
    (Placed(A, ()), None, None),
    (SpecialSkipped(A, "1-02"), "Jordi leaves out the special action.",
     "You leave out the special action."),
    (Announced(A, "1-02", Special("move", moves=SHIFTS), sealed=False, awaits_disc=False),
     None, None),
    (Announced(A, "1-01", Special("move", moves=SHIFTS), sealed=True, awaits_disc=False),
     ("Jordi announces the special action of “1-01”. To move: 2 of Jordi from Aragón to Cataluña"
      " and 1 of Núria from Sevilla to the Castillo."),
     ("You announce the special action of “Move 4 of any colour”. To move: 2 of you from Aragón"
      " to Cataluña and 1 of Núria from Sevilla to the Castillo.")),
    (Announced(A, "4-02", Special("king", area="PVA"), sealed=True, awaits_disc=False),
     "Jordi announces the special action of “4-02”. Chosen: País Vasco.",
     "You announce the special action of “Move the King next door”. Chosen: País Vasco."),
    (Announced(A, "1-08", Special("add", areas=(("VAL", 2),)), sealed=True, awaits_disc=False),
     "Jordi announces the special action of “1-08”. To place: 2 in Valencia.",
     "You announce the special action of “Place 2 more”. To place: 2 in Valencia."),
    (Announced(A, "2-05", Special("return", owners=((B, "SEV"),)), sealed=True, awaits_disc=False),
     "Jordi announces the special action of “2-05”. To return one of: Núria in Sevilla.",
     ("You announce the special action of “Return one of each”. To return one of:"
      " Núria in Sevilla.")),
    (Announced(A, "4-05", Special("court", areas=(("VAL", 2),)), sealed=True, awaits_disc=False),
     "Jordi announces the special action of “4-05”. From regions: 2 from Valencia.",
     "You announce the special action of “Fill your court”. From regions: 2 from Valencia."),
    (Announced(A, "2-07", Special("do"), sealed=True, awaits_disc=True),
     "Jordi announces the special action of “2-07”.",
     "You announce the special action of “Everyone empties a region”."),
    (DiscChosen(A, "SEV"), "Jordi has set the disc to Sevilla.", "You set your disc to Sevilla."),
    (Planned(A, (("GAL", 2),)), "Jordi plans to place 2 in Galicia.",
     "You plan to place 2 in Galicia."),
    (Planned(A, ()), None, None),
    (AnswersOpened(A, "2-07", (C,), (B, C)),
     "A Veto could come from: Pau. It concerns: Núria and Pau.",
     "A Veto could come from: Pau. It concerns: Núria and Pau."),
    (AnswersOpened(B, "2-07", (), (A, C)), "It concerns: Jordi and Pau.",
     "It concerns: you and Pau."),
    (Answered(A, "pass"), "Jordi lets it happen.", "You let it happen."),
    (Answered(A, "disc", "SEV"), "Jordi has set the disc to Sevilla.",
     "You set your disc to Sevilla."),
    (Answered(A, "return", "", (("COURT", 2),)), "Jordi chooses to return 2 from the court.",
     "You choose to return 2 from the court."),
    (Vetoed(A, "1-02"), "Jordi vetoes “1-02”: its special action does not happen.",
     "You veto “Move 4 own”: its special action does not happen."),
    (DiscsRevealed("2-07", ((A, "ARA"), (B, "SEV"))),
     "The discs show: Jordi: Aragón, Núria: Sevilla.",
     "The discs show: you: Aragón, Núria: Sevilla."),
    (Moved(A, SHIFTS[1:]), "Jordi moves 1 of Núria from Sevilla to the Castillo.",
     "You move 1 of Núria from Sevilla to the Castillo."),
    (Added(A, (("VAL", 2),)), "Jordi places in addition: 2 in Valencia.",
     "You place in addition: 2 in Valencia."),
    (Returned(B, ((A, "COURT", 2), (A, "ARA", 1), (C, "VAL", 3))),
     ("Back to the province: Jordi: 2 from the court and 1 from Aragón;"
      " Pau: 3 from Valencia."),
     ("Back to the province: you: 2 from the court and 1 from Aragón;"
      " Pau: 3 from Valencia.")),
    (KingMoved(A, "GAL", "PVA"), "Jordi moves the King to País Vasco.",
     "You move the King to País Vasco."),
    (BoardMoved(A, "B", None, "PVA"), "Jordi puts mobile scoreboard B on País Vasco.",
     "You put mobile scoreboard B on País Vasco."),
    (GrandeMoved(A, "ARA", "PVA"), "Jordi moves the Grande to País Vasco.",
     "You move your Grande to País Vasco."),
    (Courted(A, 1, (("ARA", 1),)),
     "Jordi brings to the court: 1 from the province and 1 from Aragón.",
     "You bring to the court: 1 from the province and 1 from Aragón."),
    (Courted(A, 0, (("ARA", 2),)), "Jordi brings to the court: 2 from Aragón.",
     "You bring to the court: 2 from Aragón."),
    (Courted(A, 2, ()), "Jordi brings to the court: 2 from the province.",
     "You bring to the court: 2 from the province."),
    (Recalled(A, None), "Jordi takes a power card back into the hand.",
     "Jordi takes a power card back into the hand."),
    (Recalled(A, 7), "Jordi takes power card 7 back into the hand.",
     "You take power card 7 back into your hand."),
    (SpecialDone(A, "1-02"), None, None),
    (TurnEnded(A, 1), None, None),
    (RoundEnded(1, (), ()), None, None),
    (RoundEnded(1, (), (A, B)), "An unused Veto is over: Jordi and Núria.",
     "An unused Veto is over: you and Núria."),
    (ScoringBegan(3, (A,)), "The general scoring of round 3 begins.",
     "The general scoring of round 3 begins."),
    (AreaScored("GAL", "general", (3, 2, 0), (4, 2), (4, 2, 0), (2, 0, 0), NOBODY),
     "Scored: Galicia. Points: Jordi 6 and Núria 2.",
     "Scored: Galicia. Points: you 6 and Núria 2."),
    (AreaScored("CAS", "3-04", NOBODY, (5, 3), NOBODY, NOBODY, NOBODY),
     "Scored: the Castillo. Nobody gets anything.", "Scored: the Castillo. Nobody gets anything."),
    (CastilloEmptied(3, ((A, "ARA", 2), (B, "COURT", 1))),
     "Out of the Castillo: 2 of Jordi go to Aragón; 1 of Núria go back to the court.",
     "Out of the Castillo: 2 of you go to Aragón; 1 of Núria go back to the court."),
    (CastilloEmptied(3, ()), None, None),
    (MatchEnded((80, 95, 95)), "The match is over. The most points: Núria and Pau with 95.",
     "The match is over. The most points: Núria and Pau with 95."),
]  # fmt: skip


@pytest.mark.parametrize(
    ("event", "heard", "heard_by_jordi"), EVENTS, ids=lambda value: type(value).__name__
)
def test_an_event_is_told(event: Any, heard: str | None, heard_by_jordi: str | None) -> None:
    assert sentences.story("el_grande", event, NAMES) == heard
    assert sentences.story("el_grande", event, NAMES, me=A, view=VIEW) == heard_by_jordi


def test_every_kind_of_event_has_been_told() -> None:
    assert {type(event) for event, _, _ in EVENTS} == set(EVENT_TYPES)
    assert set(EVENT_TYPES) - el_grande_story._STORIES.keys() == {SpecialDone, TurnEnded}


def test_a_veto_that_is_out_of_place_is_explained() -> None:
    state = holding(staged(card="5-01"), Seat(1))

    assert told(refusal(state, A, "special king GAL")) == "The King stands in Galicia already."
