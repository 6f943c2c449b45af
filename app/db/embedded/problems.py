"""What can go wrong with the embedded server, in words for its operator."""


class EmbeddedServerError(Exception):
    """The embedded server cannot run; the message says why and what to do."""


def another_major(data: str, have: str, want: str) -> EmbeddedServerError:
    """Return the error for a data folder that another major version wrote."""
    return EmbeddedServerError(
        f"The data in {data} belongs to PostgreSQL {have}; this program brings PostgreSQL {want},"
        f" which cannot read it. Nothing has been changed. To move the data:\n"
        f"  1. start with the old binaries:   PLACA_PG_BIN=/path/to/{have}/bin make play\n"
        f"  2. meanwhile write a dump:        pg_dump -Fc -h RUN -U postgres placa > placa.dump\n"
        f"     (RUN is the folder `run` beside the data; use the pg_dump of version {want})\n"
        f"  3. stop it, rename {data} to {data}-{have}, start again without PLACA_PG_BIN\n"
        f"  4. read the dump:                 pg_restore -h RUN -U postgres --clean --if-exists"
        f" -d placa placa.dump"
    )
