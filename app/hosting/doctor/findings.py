"""What the doctor says: one line for each thing looked at, and the fix where one is needed."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

Grade: TypeAlias = Literal["ok", "warning", "fault"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at.  `code` is stable; `fix` is empty when all is well."""

    code: str
    grade: Grade
    says: str
    fix: str = ""

    def line(self) -> str:
        """Return it as one line of text."""
        marks = {"ok": "ok     ", "warning": "WARNING", "fault": "FAULT  "}
        end = f" -> {self.fix}" if self.fix else ""
        return f"{marks[self.grade]} {self.code}: {self.says}{end}"


def ok(code: str, says: str) -> Finding:
    """Return that all is well."""
    return Finding(code, "ok", says)


def warning(code: str, says: str, fix: str) -> Finding:
    """Return what works today and may not tomorrow."""
    return Finding(code, "warning", says, fix)


def fault(code: str, says: str, fix: str) -> Finding:
    """Return what has to be mended."""
    return Finding(code, "fault", says, fix)
