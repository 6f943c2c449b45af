"""`docs/performance.md`, written from a run."""

from app.cli.bench.figures import Run, rows

_HEAD = """# Performance

Written by `placa bench --write docs/performance.md`; do not edit by hand.
`make bench` measures the same and writes nothing.

Every figure that can be is a ratio of two things measured in turn in one run, the median of
five rounds: absolute times mean little on shared machines. The time of a request is the
server's own processor time; where a note says *wall*, it is time on the wall.
"""

_HOW = """
## How it is measured

* A web process as `placa play` starts it, with a PostgreSQL of its own on the same machine
  (default settings, `fsync` on), asked over kept-alive connections by one client.
* A1, A2, A6: an empty route, a poll through the ORM (session, seats and match, three
  statements) and an empty page run in a second uvicorn, in turn with ours.
* A3: one client and one connection on both sides, in a match without bots. pgbench runs the
  statements of a commit (claim, lock, read beside, advance with its `NOTIFY`) as one
  transaction with the match's real state, and nothing else; ours also looks up the token,
  reads, decides, encodes and speaks HTTP.
* A4, A5: a match of Castell ends after some 300 events, so 2,000 copies of a row are put into
  the log; otherwise the two matches are twins of one seed and play the same turns.
* A7: nothing but one commit is going on; the opponent's page polls at different phases.
* A8: each page has a connection and a clock of its own; an answer's time counts from when its
  poll was due. The client runs on the same machine.
* A9: memory is the proportional set size, some seconds after the start.
* B: one process, pure Python, no database, processor time; B3 to B7 are of Castell. B8 is of
  a bot stronger than `steady`, which does not exist yet.
"""


def as_page(run: Run) -> str:
    """Return the whole page."""
    lines = [
        _HEAD,
        f"Measured on {run.date}: {run.machine}.",
        *(["", "**A quick run: these figures mean nothing.**"] if run.quick else []),
        "",
        "| id | what | against | result | mark | | note |",
        "|---|---|---|---|---|---|---|",
        *(f"| {' | '.join(row)} |" for row in rows(run)),
        _HOW,
    ]
    return "\n".join(lines).rstrip() + "\n"
