"""Names of El Grande's parts: the glossary in code.  Values live in the edition."""

from typing import Final, Literal, TypeAlias

# What a card's special action does; the numbers are the card's own.
Action: TypeAlias = Literal[
    "move",
    "move_from",
    "move_all",
    "add",
    "move_all_or_add",
    "veto",
    "return_courts",
    "return_chosen",
    "return_one",
    "disc_return",
    "score_one",
    "score_valued",
    "score_castillo",
    "score_first",
    "score_most",
    "score_fewest",
    "board",
    "king_adjacent",
    "expel",
    "grande",
    "court",
    "recall",
    "score_picked",
    "king_anywhere",
]
# How a special action is written (section 15); `do` is the bare word.
SpecialKind: TypeAlias = Literal[
    "skip",
    "do",
    "move",
    "add",
    "return",
    "score",
    "board",
    "king",
    "expel",
    "grande",
    "court",
    "recall",
]
Board: TypeAlias = Literal["A", "B"]
AnswerKind: TypeAlias = Literal["pass", "disc", "return"]
PlacedBy: TypeAlias = Literal["turn", "plan", "rules"]

# Places that are no regions, as moves and events name them.
CAS: Final = "CAS"
COURT: Final = "COURT"
BOARDS: Final[tuple[Board, ...]] = ("A", "B")
STACKS: Final = range(1, 6)
KINGS_STACK: Final = 5

# (area, count), e.g. ("CVI", 2): two caballeros in Old Castile.
Count: TypeAlias = tuple[str, int]
Counts: TypeAlias = tuple[Count, ...]
