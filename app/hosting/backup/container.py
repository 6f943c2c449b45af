"""The file a backup is: frames, each sealed by a hash of everything before it.

    PLACA BACKUP 1\\n
    frame = kind (1 byte) · length (4 bytes) · content · seal (16 bytes)

`H` is the header and `E` the end, both JSON; `T` begins a table (JSON) and `D`
holds a piece of its rows, compressed.  A flipped bit breaks the seal of its
frame, a cut file lacks its end; whoever reads finds out before using anything.
"""

import hashlib
import json
import zlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import IO, Any, Final

FORMAT: Final = 1
MAGIC: Final = b"PLACA BACKUP "
SEAL_BYTES: Final = 16
# Larger frames are never written, so a longer one is damage and is not read into memory.
LONGEST_FRAME: Final = 8 * 1024 * 1024
PIECE_BYTES: Final = 256 * 1024
LEVEL: Final = 6


class BackupError(Exception):
    """A backup cannot be made, read or restored; the message says why and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """What a backup says of itself before its tables."""

    version: str
    revision: str
    taken_at: str
    server: str
    secret: str


@dataclass(frozen=True, slots=True)
class TableStart:
    """The rows of table `name` follow, in PostgreSQL's text form, with these columns."""

    name: str
    columns: tuple[str, ...]


class Writer:
    """Writes a backup to `out`, frame by frame."""

    def __init__(self, out: IO[bytes], header: Header) -> None:
        self._out = out
        self._seal = b""
        self._piece = bytearray()
        out.write(MAGIC + str(FORMAT).encode() + b"\n")
        self._frame(b"H", json.dumps(asdict(header)).encode())

    def table(self, table: TableStart) -> None:
        """Begin a table."""
        self._flush()
        self._frame(b"T", json.dumps(asdict(table)).encode())

    def rows(self, data: bytes) -> None:
        """Add to the rows of the table begun last."""
        self._piece += data
        if len(self._piece) >= PIECE_BYTES:
            self._flush()

    def end(self, counts: dict[str, int]) -> None:
        """Write the end: how many rows each table has.  Without it the file is worthless."""
        self._flush()
        self._frame(b"E", json.dumps(counts).encode())
        self._out.flush()

    def _flush(self) -> None:
        while self._piece:
            piece = bytes(self._piece[: LONGEST_FRAME // 2])
            del self._piece[: len(piece)]
            self._frame(b"D", zlib.compress(piece, LEVEL))

    def _frame(self, kind: bytes, content: bytes) -> None:
        body = kind + len(content).to_bytes(4, "big") + content
        self._seal = _seal(self._seal, body)
        self._out.write(body + self._seal)


class Reader:
    """Reads a backup from `file` and believes no frame whose seal is broken.

    Raises BackupError, at once for what is no backup or of a later format.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._seal = b""
        self.counts: dict[str, int] = {}
        self._read_magic()
        kind, content = self._frame()
        if kind != b"H":
            raise BackupError("damaged: it does not begin with a header")
        self.header = Header(**_json(content))

    def tables(self) -> Iterator[tuple[TableStart, Iterator[bytes]]]:
        """Yield each table with its rows in pieces, which must be used up before the next."""
        kind, content = self._frame()
        while kind == b"T":
            fields = _json(content)
            table = TableStart(str(fields["name"]), tuple(map(str, fields["columns"])))
            rest: list[tuple[bytes, bytes]] = []
            yield table, self._pieces(rest)
            ((kind, content),) = rest
        if kind != b"E":
            raise BackupError("damaged: rows without a table")
        self.counts = {str(name): int(count) for name, count in _json(content).items()}
        if self._file.read(1):
            raise BackupError("damaged: something follows its end")

    def _pieces(self, rest: list[tuple[bytes, bytes]]) -> Iterator[bytes]:
        while True:
            kind, content = self._frame()
            if kind != b"D":
                rest.append((kind, content))
                return
            try:
                yield zlib.decompress(content)
            except zlib.error as error:
                raise BackupError(f"damaged: {error}") from error

    def _read_magic(self) -> None:
        line = self._file.readline(len(MAGIC) + 12)
        number = line.removeprefix(MAGIC).strip()
        if not line.startswith(MAGIC) or not number.isdigit() or not line.endswith(b"\n"):
            raise BackupError("not a backup of Plaça")
        if int(number) != FORMAT:
            raise BackupError(
                f"made by a newer Plaça (format {int(number)}; this one reads {FORMAT}):"
                " install that version and try again"
            )

    def _frame(self) -> tuple[bytes, bytes]:
        head = self._exactly(5)
        length = int.from_bytes(head[1:], "big")
        if length > LONGEST_FRAME:
            raise BackupError(f"damaged before byte {self._place()}")
        content = self._exactly(length)
        self._seal = _seal(self._seal, head + content)
        if self._exactly(SEAL_BYTES) != self._seal:
            raise BackupError(f"damaged before byte {self._place()}")
        return head[:1], content

    def _exactly(self, size: int) -> bytes:
        found = self._file.read(size)
        if len(found) != size:
            raise BackupError("cut short: its end is missing")
        return found

    def _place(self) -> str:
        return str(self._file.tell()) if self._file.seekable() else "?"


def _seal(before: bytes, body: bytes) -> bytes:
    return hashlib.sha256(before + body).digest()[:SEAL_BYTES]


def _json(content: bytes) -> dict[str, Any]:
    # A broken seal was found before; what is no JSON now was written so.
    found: dict[str, Any] = json.loads(content)
    return found


def check(file: IO[bytes]) -> tuple[Header, dict[str, int]]:
    """Read the whole of a backup and return its header and its counts; raises BackupError."""
    reader = Reader(file)
    found: dict[str, int] = {}
    for table, pieces in reader.tables():
        # In PostgreSQL's text form a row is a line, and a line break within a value is escaped.
        found[table.name] = sum(piece.count(b"\n") for piece in pieces)
    if found != reader.counts:
        raise BackupError("damaged: it does not hold as many rows as it says")
    return reader.header, found


def first_line(error: Exception) -> str:
    """Return what an error of the database says in one line."""
    return str(error).strip().split("\n")[0]
