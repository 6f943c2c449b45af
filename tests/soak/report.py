"""The figures of a soak, as they stand in docs/reliability.md."""

from tests.soak.ledger import Count, Ledger, Run
from tests.soak.parts import PARTS, ROOT, Part

PAGE = ROOT / "docs" / "reliability.md"
BEGIN, END = "<!-- soak: begin -->", "<!-- soak: end -->"


def write(ledger: Ledger, run: Run, bad: list[str], cut: list[str]) -> None:
    """Put the figures into the page, in place of the last ones."""
    page = PAGE.read_text(encoding="utf-8")
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text(
        f"{before}{BEGIN}\n{told(ledger, run, bad, cut)}\n{END}{after}", encoding="utf-8"
    )


def told(ledger: Ledger, run: Run, bad: list[str], cut: list[str]) -> str:
    """Return the report: the last run beside all of its version, then the other versions."""
    runs = ledger.of(run.version)
    days = f"from {runs[0].committed} to {runs[-1].committed}"
    heads = ("N, last run", "N, all runs", "failed batches, all runs", "cut short, last run")
    lines = [
        " ".join(
            [
                f"Last run: {run.began[:10]}, {run.minutes:g} minutes; {run.machine};",
                f"commit {run.commit} of {run.committed}. All runs: {len(runs)} of version",
                f"{run.version}, of commits {days}.",
            ]
        ),
        "",
        f"| what | {' | '.join(heads)} | minutes | what held |",
        "|---|---:|---:|---:|---:|---:|---|",
        *(_line(part, run, ledger.total(run.version, part.name)) for part in PARTS),
    ]
    slowest = [
        f"* {part.name}: {part.worst.format(*(f'{one:.2f}' for one in total.worst))}."
        for part in PARTS
        if (total := ledger.total(run.version, part.name)).worst
    ]
    for head, what in (
        ("At the longest, in all runs:", slowest),
        ("Failed, to be looked at and run again:", [f"* {one}" for one in bad]),
        (
            "Cut short because time was up, no failures, and counted for nothing:",
            [f"* {one}" for one in cut],
        ),
    ):
        if what:
            lines += ["", head, "", *what]
    others = [version for version in ledger.versions() if version != run.version]
    if others:
        lines += ["", "Other versions, which prove nothing of this one:", ""]
        lines += [f"* {_other(ledger, version)}" for version in others]
    return "\n".join(lines)


def _line(part: Part, run: Run, total: Count) -> str:
    last = run.parts.get(part.name, Count())
    return (
        f"| {part.name} | {last.done:,} | {total.done:,} | {total.failed} | {last.cut}"
        f" | {last.seconds / 60:.1f} | {part.what} |"
    )


def _other(ledger: Ledger, version: str) -> str:
    runs = ledger.of(version)
    counts = [(part.name, ledger.total(version, part.name)) for part in PARTS]
    found = ", ".join(f"{total.done:,} {name}" for name, total in counts if total.done)
    failed = sum(total.failed for _, total in counts)
    return (
        f"{version}, {len(runs)} runs until {runs[-1].committed}: {found}; {failed} batches failed"
    )
