"""The whole way from the bytes of a mail to what its author wrote."""

from collections.abc import Callable
from dataclasses import dataclass

from app.notifications.reading.incoming import Incoming, parse_mail
from app.notifications.reading.kinds import Kind, kind_of
from app.notifications.reading.meaning import Said, Unclear, understand
from app.notifications.reading.quotes import own_lines


@dataclass(frozen=True, slots=True)
class Read:
    """A mail, of which kind it is, and the lines its author wrote."""

    mail: Incoming
    kind: Kind
    lines: tuple[str, ...]

    def understood(
        self, *, is_move: Callable[[str], bool], names: tuple[str, ...] = ()
    ) -> Said | Unclear:
        """Return what the lines say; `names` are those of the author besides the one in From."""
        known = (self.mail.sender_name, self.mail.sender.split("@")[0], *names)
        return understand(self.lines, is_move=is_move, names=known)


def read_mail(raw: bytes) -> Read:
    """Read a mail; nothing it holds makes this raise."""
    mail = parse_mail(raw)
    return Read(mail, kind_of(mail), own_lines(mail.text))
