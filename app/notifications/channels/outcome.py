"""What came of handing something to a mail server or another service."""

from typing import Final, Literal, TypeAlias

# later: try again.  address: this address is refused for good.  host: nothing gets through
# before somebody mends the settings, and trying again costs nothing.  gone: there is no such
# address any more, and nobody is to blame.  notice: what was sent is refused, and nothing else.
Grade: TypeAlias = Literal["later", "address", "host", "gone", "notice"]

LONGEST_REPLY: Final = 300


class NotSentError(Exception):
    """The other side did not take what was sent.

    `said` is its answer, or what went wrong on the way.  `unknown` is true when
    the message was out and no answer came: it may have been taken.
    """

    def __init__(self, grade: Grade, said: str, *, unknown: bool = False) -> None:
        super().__init__(grade, said)
        self.grade = grade
        self.said = said[:LONGEST_REPLY]
        self.unknown = unknown
