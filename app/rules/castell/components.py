"""Names of Castell's parts: the glossary in code.  Values live in the edition."""

from typing import Final, Literal, TypeAlias

Skill: TypeAlias = Literal["balance", "base", "mix", "strength", "width"]
WheelSkill: TypeAlias = Literal["balance", "base", "mix", "strength", "width", "special"]
Prize: TypeAlias = Literal["trophy", "medal", "ribbon"]

SKILLS: Final[tuple[Skill, ...]] = ("balance", "base", "mix", "strength", "width")
PRIZES: Final[tuple[Prize, ...]] = ("trophy", "medal", "ribbon")
SIZES: Final[range] = range(1, 11)

# (count, size), e.g. (3, 9): three castellers of size nine.
Group: TypeAlias = tuple[int, int]
# One size, or two in a mixed level, the larger first.
Level: TypeAlias = tuple[Group, ...]
# Bottom level first.
Tower: TypeAlias = tuple[Level, ...]
