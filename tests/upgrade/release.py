"""What is kept of a release: a backup with many running matches, and what was true of them.

releases/0.1.0.backup.xz    the backup, its pieces unpacked and packed together
releases/0.1.0.json.xz      for each match: its position and its legal moves, as hashes
"""

import hashlib
import io
import json
import lzma
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias
from uuid import UUID

import msgspec
from sqlalchemy.ext.asyncio import AsyncSession

from app.hosting.backup.container import Header, Reader, TableStart, Writer
from app.matches.games import codec_for
from app.matches.history import read_match, state_at
from app.rules.game import Seat

FOLDER = Path(__file__).parent / "releases"

# Every kind of decision there is; each is open in some match of a release.
KINDS = {
    "castell": {"turn", "festival"},
    "el_grande": {"power", "turn", "place", "disc", "answers"},
}

Record: TypeAlias = dict[str, Any]
"""What was true of one match: game, rules, version, kinds, state, legal."""


@dataclass(frozen=True, slots=True)
class Release:
    """The two files of one version."""

    name: str

    @property
    def backup(self) -> Path:
        """The backup, packed tighter than backups are."""
        return FOLDER / f"{self.name}.backup.xz"

    @property
    def records(self) -> Path:
        """What was true of its matches."""
        return FOLDER / f"{self.name}.json.xz"

    def write(self, backup: bytes, records: dict[str, Record]) -> None:
        """Keep both; never in place of what is kept already."""
        with self.backup.open("xb") as file:
            file.write(lzma.compress(_unpacked(backup), preset=9))
        text = json.dumps(records, sort_keys=True, indent=0)
        with self.records.open("xb") as file:
            file.write(lzma.compress(text.encode(), preset=9))

    def read_backup(self) -> io.BytesIO:
        """Return the backup as `placa backup` wrote it."""
        return io.BytesIO(_packed(lzma.decompress(self.backup.read_bytes())))

    def read_records(self) -> dict[str, Record]:
        """Return what was true of each match, by its id."""
        records: dict[str, Record] = json.loads(lzma.decompress(self.records.read_bytes()))
        return records


def releases() -> list[Release]:
    """Return every release that is kept, oldest first."""
    names = [path.name.removesuffix(".json.xz") for path in FOLDER.glob("*.json.xz")]
    return [Release(name) for name in sorted(names, key=lambda name: name.split("."))]


def _unpacked(backup: bytes) -> bytes:
    reader = Reader(io.BytesIO(backup))
    lines = [msgspec.json.encode(reader.header)]
    for table, pieces in reader.tables():
        rows = b"".join(pieces)
        lines += [msgspec.json.encode([table.name, table.columns, len(rows)]), rows]
    return b"\n".join(lines)


def _packed(content: bytes) -> bytes:
    file, out = io.BytesIO(content), io.BytesIO()
    writer, counts = Writer(out, Header(**json.loads(file.readline()))), {}
    while line := file.readline():
        name, columns, size = json.loads(line)
        writer.table(TableStart(name, tuple(columns)))
        rows = file.read(size)
        writer.rows(rows)
        counts[name] = rows.count(b"\n")
        file.read(1)
    writer.end(counts)
    return out.getvalue()


async def record(session: AsyncSession, match_id: UUID) -> Record:
    """Return what is true of a running match: where it stands, who may do what."""
    match = await read_match(session, match_id)
    codec = codec_for(match.game)
    game = codec.game
    state = await state_at(session, match_id, codec, match.version)
    prompts = game.prompts(state)
    return {
        "game": match.game,
        "rules": game.rules_version,
        "version": match.version,
        "kinds": {str(seat): prompts[seat].kind for seat in sorted(prompts)},
        "state": _hash(msgspec.json.encode(state, order="sorted")),
        "legal": {str(seat): _legal(game, state, seat) for seat in sorted(prompts)},
    }


def _legal(game: Any, state: Any, seat: Seat) -> str:
    lines = sorted(game.format((move,)) for move in game.legal_moves(state, seat))
    return f"{len(lines)} {_hash(chr(10).join(lines).encode())}"


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:24]
