"""What a host sees of matches: who waits for whom, and whether all is sound.  No secrets."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from app.hosting.audit import deeds
from app.matches.history import read_match
from app.matches.proof import problems
from app.matches.standings import MatchStanding, standing_of, standings


@dataclass(frozen=True, slots=True)
class MatchLine:
    """One match as a host's list shows it."""

    match: MatchStanding

    def sentence(self) -> str:
        """Return it as one line of text."""
        match = self.match
        seats = ", ".join(
            f"{seat.seat} {seat.name}{_who(seat.bot, seat.person_id)}" for seat in match.seats
        )
        waits = ",".join(map(str, match.waiting)) or "-"
        moved = f"{match.updated_at:%Y-%m-%d %H:%M}"
        stands = f"{match.game} {match.status} v{match.version} {moved}"
        return f"{match.id} {stands} waits for {waits}: {seats}"


async def matches(
    session: AsyncSession, *, status: str | None = None, limit: int = 50
) -> tuple[MatchLine, ...]:
    """Return the matches that moved last, of `status` if it is given."""
    return tuple(MatchLine(found) for found in await standings(session, status=status, limit=limit))


async def match_report(session: AsyncSession, match_id: UUID) -> list[str]:
    """Return how a match stands, line by line; raises NotFoundError."""
    found = await standing_of(session, match_id)
    lines = [
        f"match {found.id}",
        f"game {found.game}, rules version {found.rules_version}",
        f"status {found.status}, version {found.version}, {found.events} events",
        f"begun {_moment(found.created_at)}, last moved {_moment(found.updated_at)}",
        f"commitment {found.commitment}",
    ]
    for seat in found.seats:
        asked = found.prompts.get(seat.seat)
        waits = f", asked {asked}" if seat.seat in found.waiting else ""
        lines.append(f"seat {seat.seat}: {seat.name}{_who(seat.bot, seat.person_id)}{waits}")
    stored = await read_match(session, match_id)
    lines += [
        f"version {one.version} took the match back to version {one.to_version}"
        for one in stored.rollbacks
    ]
    for deed in await deeds(session, subject=str(match_id)):
        lines.append(f"{_moment(deed.at)} {deed.actor}: {deed.action} {deed.details}")
    wrong = problems(stored)
    lines += [f"problem: {problem.code} {problem.detail}".rstrip() for problem in wrong]
    lines.append("the log proves the position" if not wrong else f"{len(wrong)} problems")
    return lines


def _who(bot: str | None, person_id: UUID | None) -> str:
    if bot is not None:
        return f" (bot {bot})"
    return f" ({person_id})" if person_id is not None else " (nobody)"


def _moment(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M:%S} UTC"
