"""HTML of a mail as lines of text, without what the mail's author did not write.

Mail clients mark what they quote, and most of what they sign: by `blockquote`, or
by classes and ids of their own.  Elements so marked are left out here; what is
left is read like any other text.
"""

import re
from collections import Counter
from html.parser import HTMLParser
from typing import Final

_VOID: Final = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"}
)
_BLOCKS: Final = frozenset(
    {"address", "article", "blockquote", "body", "center", "dd", "div", "dl", "dt", "footer"}
    | {"h1", "h2", "h3", "h4", "h5", "h6", "header", "li", "main", "ol", "p", "pre", "section"}
    | {"table", "td", "th", "tr", "ul"}
)
_BREAKS: Final = _BLOCKS | {"br", "hr"}
_SILENT: Final = frozenset({"head", "script", "style", "title", "template", "blockquote"})

# Quotes and signatures, by the class or the id their client gives them.
_DROPPED: Final = re.compile(
    r"gmail_attr|gmail_signature|moz-cite-prefix|moz-signature|moz-forward-container"
    r"|protonmail_quote|protonmail_signature_block(?!-user-empty)|yahoo_quoted|yahoo-signature"
    r"|ydp\w{0,40}yahoo_quoted|ms-outlook-mobile-signature|ms-outlook-mobile-reference-message"
    r"|Signature|AppleMailSignature|k9mail-signature|tutanota_quote|zmail_extra"
    r"|ymail_android_signature|aolmail_quote|wm_quote|SkyDrivePlaceholder"
)
# From here on everything is the mail that is answered.
_ENDS: Final = re.compile(
    r"divRplyFwdMsg|appendonsend|mail-editor-reference-message-container|replySplit|OLK_SRC_BODY"
)
_OUTLOOK_RULE: Final = re.compile(r"border-top:\s*solid\s+#(?:E1E1E1|B5C4DF)", re.IGNORECASE)
_SPACES: Final = re.compile(r"[ \t\r\n\f]+")

# What the library's parser cannot bear, or reads again from each beginning: what is no text,
# signs of a number that no letter has, and beginnings of tags that do not end.
_UNSEEN: Final = re.compile(r"<!--.*?(?:-->|\Z)|<[!?][^>]*(?:>|\Z)", re.DOTALL)
_NO_LETTER: Final = re.compile(r"&#[xX]?[0-9a-fA-F]{8,}")
_NO_TAG: Final = re.compile(r"<(?!/?[a-zA-Z][^<>]*>)")
_LONGEST_MARK: Final = 500


class _Reader(HTMLParser):
    """Collects the text outside the elements that are left out."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._open: list[tuple[str, bool]] = []
        self._names: Counter[str] = Counter()
        self._dropping = 0
        self._ended = False
        self._pre = 0
        self._text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag in _BREAKS:
            self._break(strong=tag == "br")
        marks = f"{given.get('class', '')[:_LONGEST_MARK]} {given.get('id', '')[:_LONGEST_MARK]}"
        if _ENDS.search(marks) or _OUTLOOK_RULE.search(given.get("style", "")):
            self._ended = True
        if tag in _VOID:
            return
        drop = tag in _SILENT or bool(_DROPPED.search(marks)) or _is_hidden(given)
        self._open.append((tag, drop))
        self._names[tag] += 1
        self._dropping += drop
        self._pre += tag == "pre"

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "br":
            self._break(strong=True)

    def handle_endtag(self, tag: str) -> None:
        # Closes what is open inside it too; an end without a beginning closes nothing.
        if not self._names[tag]:
            return
        while self._open:
            name, drop = self._open.pop()
            self._names[name] -= 1
            self._dropping -= drop
            self._pre -= name == "pre"
            if name == tag:
                break
        if tag in _BLOCKS:
            self._break(strong=False)

    def handle_data(self, data: str) -> None:
        if not self._dropping and not self._ended:
            self._text.append(data if self._pre else _SPACES.sub(" ", data))

    def _break(self, *, strong: bool) -> None:
        if self._dropping or self._ended:
            return
        if strong or (self._text and not self._text[-1].endswith("\n")):
            self._text.append("\n")

    @property
    def text(self) -> str:
        return "\n".join(line.strip(" ") for line in "".join(self._text).split("\n"))


def _is_hidden(given: dict[str, str]) -> bool:
    return "display:none" in given.get("style", "").replace(" ", "").lower()


def html_to_text(html: str) -> str:
    """Return what the author of an HTML mail wrote, a line a block or line break."""
    reader = _Reader()
    seen = _NO_LETTER.sub("", _UNSEEN.sub("", html))
    reader.feed(_NO_TAG.sub("&lt;", seen))
    reader.close()
    return reader.text
