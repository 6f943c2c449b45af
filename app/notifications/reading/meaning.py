"""What somebody's lines say: the number of a choice, lines of notation, `commit`.

Everything that is not plainly one of these, or plainly a greeting or a name, makes
the whole mail unclear, and then nothing of it is played.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

MOST_LINES: Final = 60
LONGEST_CHOICE: Final = 999

_NUMBER: Final = re.compile(
    r"(?:(?:option|choice|number|no\.?|nr\.?|nº|n\.º|n°|núm\.?|opció|opción|opzione|opção|nummer"
    r"|número|numéro|numero|choix|scelta|tria|trio|auswahl|wahl|zug)\s?)?"
    r"[#(\"“”'«]?\s?([0-9]{1,3})\s?[)\"“”'».:]?",
    re.IGNORECASE,
)
# A choice copied whole, number and line.
_COPIED: Final = re.compile(r"\[?([0-9]{1,3})\]?\s?[.):]\s+(\S.*)")
_BRACKETED: Final = re.compile(r"[^\[\]]+\[([^\[\]]+)\]")
_POLITE: Final = re.compile(
    r"(?<![\s,])[\s,]+(?:please|pls|thanks|thank you|thx|si us plau|sisplau|gràcies|por favor"
    r"|gracias|bitte|danke|s['’]il (?:te|vous) pla[iî]t|stp|svp|merci|per favore|grazie|obrigad[oa]"
    r"|alsjeblieft)$",
    re.IGNORECASE,
)
_COMMIT: Final = re.compile(r"(?:commit|confirm|confirma|confirmo|confirmar)", re.IGNORECASE)
_THEN_COMMIT: Final = re.compile(r"\s*[;,]\s*commit[.!]?$", re.IGNORECASE)

_GREETING: Final = re.compile(
    r"(?:hi|hello|hey|hola|bones|bon dia|bona (?:tarda|nit)|buenos días"
    r"|buenas(?: (?:tardes|noches))?|hallo|guten (?:tag|morgen|abend)|moin|servus"
    r"|salut|bonjour|bonsoir|coucou|ciao|buongiorno|buonasera|salve|olá|hoi|hej"
    r"|good (?:morning|evening|afternoon))"
    r"(?:\s+(?:all|everyone|everybody|there|plaça|placa|a tots|a tothom|zusammen|à tous"
    r"|tout le monde|a tutti|todos|a todos))?",
    re.IGNORECASE,
)
_CLOSING: Final = re.compile(
    r"(?:thanks|thank you|many thanks|thx|cheers|best|best regards|kind regards|regards|greetings"
    r"|bye|see you|love|yours"
    r"|gràcies|moltes gràcies|merci|salut|salutacions|records|una abraçada|abraçada|abraçades|adeu"
    r"|adéu|fins aviat|petons"
    r"|gracias|muchas gracias|saludos|un saludo|un abrazo|abrazos|hasta luego|besos"
    r"|danke|vielen dank|grüße|gruß|viele grüße|liebe grüße|lg|vg|mfg|mit freundlichen grüßen"
    r"|beste grüße|schöne grüße|tschüss"
    r"|merci beaucoup|cordialement|bien cordialement|amicalement|bises|bisous|à bientôt|à plus"
    r"|grazie|grazie mille|saluti|cordiali saluti|un saluto|un abbraccio|ciao|a presto|baci"
    r"|obrigado|obrigada|abraço|groeten|groetjes)",
    re.IGNORECASE,
)
# Looked for where such a run begins, or it would be looked for at each of its letters.
_ENDS: Final = re.compile(r"(?<![\s.,;:!)(\-\u2013\u2014…])[\s.,;:!)(\-\u2013\u2014…]+$")
_WORD: Final = re.compile(r"[^\W\d_]", re.UNICODE)
_SMILEY: Final = re.compile(r"[\s]*[:;8=][-'^]?[)(DPpOo/|]+$")

# A business card below a name: a line of it is an address, a telephone, or words in capitals.
_CARD: Final = re.compile(r"@|https?://|www\.|\+?\d(?:[\s().-]?\d){6,}")
_LONGEST_CARD: Final = 6
_LONGEST_CLOSING: Final = 8
# Over how many lines a client may have broken one of ours.
_LONGEST_MOVE: Final = 3
_SHORT_NUMBER: Final = re.compile(r"(?<![\w.+-])\d{1,3}(?![\w-])")


@dataclass(frozen=True, slots=True)
class Said:
    """What a mail asks for: one choice by its number, or lines, and perhaps to commit.

    `number` stands for a choice of the mail that was answered; `copied` is its line
    where it was copied beside the number, and has to be the same.
    """

    number: int | None = None
    copied: str | None = None
    lines: tuple[str, ...] = ()
    commit: bool = False


@dataclass(frozen=True, slots=True)
class Unclear:
    """The first line that could not be read for certain; empty if there was none to read."""

    line: str = ""


def understand(
    lines: Sequence[str], *, is_move: Callable[[str], bool], names: Sequence[str] = ()
) -> Said | Unclear:
    """Return what `lines` say.

    `is_move` tells a line of the game's notation from anything else; `names` are
    those under which who wrote them is known.
    """
    said = _Reading(is_move, frozenset(_forms(names)))
    return said.read([_tidy(line) for line in lines])


def _tidy(line: str) -> str:
    shown = " ".join(line.split())
    if len(shown) > 2 and shown[0] == shown[-1] and shown[0] in "*_`":
        shown = shown.strip("*_`").strip()
    return shown.replace("×", "x").replace("\u2011", "-").replace("\u2010", "-")


def _forms(names: Sequence[str]) -> list[str]:
    """Return the words people sign with: those of their names, or an initial."""
    forms: list[str] = []
    for name in names:
        whole = name.strip().strip("'\"").lower()
        words = [word.strip(",.") for word in whole.split()]
        forms += [word for word in words if any(map(str.isalpha, word))]
        forms += [word[0] for word in words[:1] if word]
    return forms


class _Reading:
    """Goes through the lines once: greeting, moves, closing."""

    def __init__(self, is_move: Callable[[str], bool], names: frozenset[str]) -> None:
        self._is_move = is_move
        self._names = names
        self._number: int | None = None
        self._copied: str | None = None
        self._moves: list[str] = []
        self._commit = False

    def read(self, lines: list[str]) -> Said | Unclear:
        number = 0
        while number < len(lines):
            line = lines[number]
            if not line:
                number += 1
                continue
            if self._started and self._is_closing(line) and not self._is_order(line):
                return self._closed(lines[number:])
            if not self._started and self._is_greeting(line):
                number += 1
                continue
            taken = self._take(lines, number)
            if not taken:
                return Unclear(line)
            number += taken
        return self._said()

    @property
    def _started(self) -> bool:
        return self._number is not None or bool(self._moves) or self._commit

    def _said(self) -> Said | Unclear:
        if not self._started or len(self._moves) > MOST_LINES:
            return Unclear()
        return Said(self._number, self._copied, tuple(self._moves), self._commit)

    def _take(self, lines: list[str], number: int) -> int:
        """Take the order that begins with line `number`; return how many lines it had."""
        line = lines[number]
        if self._commit:
            return 0
        if _COMMIT.fullmatch(_ENDS.sub("", line)):
            self._commit = True
            return 1
        then = _THEN_COMMIT.search(line)
        if then is None:
            return self._take_move(lines[number : number + _LONGEST_MOVE])
        taken = self._take_move([line[: then.start()]])
        self._commit = bool(taken)
        return taken

    def _take_move(self, lines: list[str]) -> int:
        """Take the number or the move that begins `lines`; return how many lines it had."""
        if self._number is not None:
            # The choices were those of one moment: what may follow one of them is not known.
            return 0
        if not self._moves and self._take_number(lines[0]):
            return 1
        for length in range(1, len(lines) + 1):
            move = " ".join(filter(None, lines[:length]))
            for form in (move, move.rstrip(". "), move.lstrip("-*•· ")):
                if self._is_move(form):
                    self._moves.append(form)
                    return length
        return 0

    def _take_number(self, line: str) -> bool:
        shown = _SMILEY.sub("", line)
        shown = _POLITE.sub("", shown.rstrip("!. "))
        found = _NUMBER.fullmatch(shown.rstrip("!").strip())
        if found is not None:
            self._number = int(found[1])
            return True
        copied = _COPIED.fullmatch(line)
        if copied is not None:
            bracketed = _BRACKETED.fullmatch(copied[2])
            move = bracketed[1] if bracketed is not None else copied[2]
            if self._is_move(move):
                self._number, self._copied = int(copied[1]), move
                return True
        return False

    def _is_order(self, line: str) -> bool:
        return bool(_COMMIT.fullmatch(_ENDS.sub("", line))) or self._is_move(line)

    def _is_greeting(self, line: str) -> bool:
        return bool(_GREETING.fullmatch(_bare(line)))

    def _is_closing(self, line: str) -> bool:
        words = _bare(line).split()
        if self._is_polite(words) or _is_picture(line):
            return True
        # “Thanks, Anna” is two of them.
        halves = ((words[:cut], words[cut:]) for cut in range(1, min(len(words), _LONGEST_CLOSING)))
        return any(self._is_polite(one) and self._is_polite(other) for one, other in halves)

    def _is_polite(self, words: Sequence[str]) -> bool:
        return bool(_CLOSING.fullmatch(" ".join(words))) or self._is_name_of(words)

    def _is_name(self, line: str) -> bool:
        return self._is_name_of(_bare(line).split())

    def _is_name_of(self, words: Sequence[str]) -> bool:
        return bool(words) and all(word in self._names for word in words)

    def _closed(self, lines: list[str]) -> Said | Unclear:
        """Return what was said if nothing but a closing is left."""
        card: list[str] | None = None
        for line in lines:
            if card is not None and line:
                card.append(line)
                if len(card) > _LONGEST_CARD or not self._is_card(line):
                    return Unclear(line)
            elif not line:
                card = None
            elif self._is_order(line) or not self._is_closing(line):
                return Unclear(line)
            elif self._is_name(line):
                card = []
        return self._said()

    def _is_card(self, line: str) -> bool:
        if self._is_move(line) or _NUMBER.fullmatch(line) or "?" in line:
            return False
        if _CARD.search(line):
            return True
        words = [word for word in line.split() if len(word) > 3 and _WORD.match(word)]
        capital = all(word[0].isupper() for word in words)
        return bool(words) and capital and not _SHORT_NUMBER.search(line)


def _bare(line: str) -> str:
    """Return a line without how it ends, in small letters."""
    shown = _SMILEY.sub("", line).replace(",", " ")
    shown = "".join(letter for letter in shown if not _is_symbol(letter))
    return " ".join(_ENDS.sub("", shown).lower().split()).lstrip("-\u2013\u2014 ")


def _is_picture(line: str) -> bool:
    """Whether a line is nothing but a smiley, a heart or the like."""
    return not any(letter.isalnum() for letter in line) and "?" not in line


def _is_symbol(letter: str) -> bool:
    return ord(letter) > 0x2100 and not letter.isalpha()
