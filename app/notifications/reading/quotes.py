"""The lines somebody wrote themselves, out of a body that also holds what they answer.

Quoted lines begin with `>`; most clients put a line before them that says who wrote
when, some put that line and no `>`, some a block of headers.  Which words those
lines use depends on client and language, so they are known by their shape: a date
or a time and an address, up to a colon.  No move looks like that.
"""

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

# Put above what a mail of ours holds.  What stands below it was not written by who answers.
CUT: Final = "-=-=- placa -=-=-"

MOST_LINES: Final = 2_000
LONGEST_LINE: Final = 2_500

_CUT: Final = re.compile(r"-=-=- ?placa ?-=-=-")
_QUOTED: Final = re.compile(r"\s{0,3}(?:>|&gt;)")
_INVISIBLE: Final = re.compile(
    r"[\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\u00ad\x00-\x08\x0b-\x1f]"
)
_SIGNATURE: Final = frozenset({"--", "\u2014", "\u2013\u2013", "\u2014\u2014"})

_TIME: Final = re.compile(r"\b\d{1,2}\s?[:.h]\s?\d{2}\b|\b20\d\d\b")
_ADDRESS: Final = re.compile(r"\S@\S")
_WROTE: Final = re.compile(
    r"\b(?:wrote|schrieb|a écrit|escribió|va escriure|ha escrit|ha scritto|escreveu|schreef|skrev"
    r"|napisał(?:a|\(a\))?|kirjoitti|написал|пише|írta|a scris|scrisse|napsal(?:a|\(a\))?)\b",
    re.IGNORECASE,
)
_LONGEST_ATTRIBUTION: Final = 4
_LONGEST_OF_IT: Final = 400
# Clients break lines near this column; a line that ends long before it was ended by a person.
_BREAKS_AT: Final = 64

_FROM: Final = re.compile(
    r"\*?\s?(?:From|De|Von|Da|Van|Fra|Från|Od|Lähettäjä|От|Feladó|De la)\s?:\s?\*?\s?\S",
    re.IGNORECASE,
)
_HEADER: Final = re.compile(
    r"\*?\s?(?:Sent|Date|To|Cc|Subject|Enviat|Enviat el|Data|Per a|Per|A|Assumpte|Tema|Enviado"
    r"|Enviado el|Enviada|Fecha|Para|Asunto|Gesendet|Datum|An|Betreff|Envoyé|À|Objet|Inviato"
    r"|Oggetto|Verzonden|Aan|Onderwerp|Assunto|Skickat|Till|Ämne|Sendt|Til|Emne|Wysłano|Do|Temat)"
    r"\s?:\s?\*?",
    re.IGNORECASE,
)
_DIVIDER: Final = re.compile(
    r"[-_*]{2,}\s?(?:Original Message|Original-Nachricht|Ursprüngliche Nachricht|Mensaje original"
    r"|Missatge original|Message d['’]origine|Message original|Messaggio originale"
    r"|Mensagem original|Oorspronkelijk bericht|Ursprungligt meddelande|Oprindelig meddelelse"
    r"|Wiadomość oryginalna)\s?[-_*]{2,}",
    re.IGNORECASE,
)
_RULE: Final = re.compile(r"_{10,}|-{10,}|={10,}")

_BY_DEVICE: Final = re.compile(
    r"(?:sent (?:from|with|via)|get outlook|enviat (?:des|amb|mitjançant)|enviado (?:desde|con|a)"
    r"|obtén outlook|obtener outlook|descarrega|baixeu-vos|obteniu|gesendet (?:mit|von)"
    r"|von mein\w* .{1,40} gesendet|diese nachricht wurde von mein|holen sie sich outlook"
    r"|outlook für|envoyé (?:de|depuis|avec|à partir)|obtenez outlook|télécharge[rz] outlook"
    r"|inviato da|inviata da|ottieni outlook|scarica outlook|enviad[oa] do|obter o outlook"
    r"|verzonden (?:vanaf|met)|skickat från|sendt fra|wysłan[eo] z|lähetetty)",
    re.IGNORECASE,
)


def clean_lines(text: str) -> list[str]:
    """Return the lines of a body, without what cannot be seen."""
    # Only these end a line: Python's splitlines knows more, and so would who forges.
    broken = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")[:MOST_LINES]
    shown = (unicodedata.normalize("NFC", line[:LONGEST_LINE]) for line in broken)
    return [_INVISIBLE.sub("", line).replace("\u00a0", " ").replace("\t", " ") for line in shown]


def own_lines(text: str) -> tuple[str, ...]:
    """Return what was written by who sent the mail: no quote, no signature."""
    lines = clean_lines(text)
    lines = lines[: _end(lines)]
    kept: list[str] = []
    for number, line in enumerate(lines):
        if not _QUOTED.match(line):
            kept.append(line)
        elif number and not _QUOTED.match(lines[number - 1]):
            _drop_attribution(kept)
    return tuple(_without_signature(kept))


def _end(lines: Sequence[str]) -> int:
    """Return the number of the first line of an answered mail that is not marked by `>`."""
    for number, line in enumerate(lines):
        if _QUOTED.match(line):
            continue
        shown = line.strip()
        if _CUT.search(shown):
            return _before_attribution(lines, number)
        if _DIVIDER.match(shown) or _is_header_block(lines, number):
            return _before_rule(lines, number)
        if _closes_attribution(shown) and not _is_quoted_next(lines, number):
            span = _attribution(lines[: number + 1])
            if span:
                return number + 1 - span
    return len(lines)


def _is_header_block(lines: Sequence[str], number: int) -> bool:
    if not _is_header(lines[number]):
        return False
    block = [line.strip() for line in lines[number : number + 7]]
    return any(map(_FROM.match, block)) and sum(map(_is_header, block)) >= 3


def _is_header(line: str) -> bool:
    shown = line.strip()
    return bool(_FROM.match(shown) or _HEADER.match(shown))


def _before_rule(lines: Sequence[str], number: int) -> int:
    before = number
    while before and (not lines[before - 1].strip() or _RULE.fullmatch(lines[before - 1].strip())):
        before -= 1
    return before


def _before_attribution(lines: Sequence[str], number: int) -> int:
    """Return where the line that introduces the quote begins, if there is one above `number`."""
    kept = list(lines[:number])
    _drop_attribution(kept)
    return len(kept)


def _closes_attribution(line: str) -> bool:
    return line.endswith(":") and not _HEADER.fullmatch(line)


def _is_quoted_next(lines: Sequence[str], number: int) -> bool:
    following = next((line for line in lines[number + 1 : number + 4] if line.strip()), "")
    return bool(_QUOTED.match(following))


def _drop_attribution(kept: list[str]) -> None:
    """Take the line that introduces a quote, however it was broken, off the end of `kept`."""
    end = len(kept)
    while end and not kept[end - 1].strip():
        end -= 1
    span = _attribution(kept[:end])
    if span:
        del kept[end - span :]


def _attribution(lines: Sequence[str]) -> int:
    """Return how many of the last `lines` say who wrote when; 0 if they do not."""
    span = 0
    joined = ""
    for line in reversed(lines[-_LONGEST_ATTRIBUTION:]):
        shown = line.strip()
        if not shown or len(shown) > _LONGEST_OF_IT or (span and not _was_broken(shown, joined)):
            break
        joined = f"{shown} {joined}".strip()
        span += 1
    named = _ADDRESS.search(joined) or _WROTE.search(joined)
    return span if named and _TIME.search(joined) and _closes_attribution(joined) else 0


def _was_broken(line: str, rest: str) -> bool:
    """Whether a client may have broken `line` off before `rest`: it would have been too long."""
    return len(line) + 1 + len(rest.split(" ", 1)[0]) > _BREAKS_AT


def _without_signature(lines: Sequence[str]) -> list[str]:
    for number, line in enumerate(lines):
        if line.strip() in _SIGNATURE:
            return _without_devices(lines[:number])
    return _without_devices(lines)


def _without_devices(lines: Sequence[str]) -> list[str]:
    """Leave out what phones and programs write below a mail about themselves."""
    return [line for line in lines if not _BY_DEVICE.match(line.strip())]
