"""The five figures, reckoned from what the other mail server took and what the log says."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.cli.weeks.books import RUNNING, Arrival, Asked, Books, Table, Told
from app.cli.weeks.minutes import DAY, Calendar, Minute, Spell
from app.cli.weeks.peer import Letter
from app.cli.weeks.plan import Persona, Plan

# What a letter may take beyond the delay its reader wants: the worker's sweeps, and jobs
# that were done twice because a worker died.
SLACK = 30
# Whoever could not be reached is tried again after six hours at the latest.
LONGEST_PAUSE = 6 * 60


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that should not be: which figure it counts for, and what is known of it."""

    figure: str
    about: str


def findings(plan: Plan, books: Books, mishaps: Mapping[str, Sequence[Minute]]) -> list[Finding]:
    """Return everything that is wrong with the books of a run that has ended."""
    works = working(plan, books.outages)
    found = []
    for table in books.tables:
        name = f"table {table.setting.number} ({table.setting.game})"
        for one in (*table.past, *table.asked.values()):
            persona = plan.people[table.setting.people[one.seat]]
            if _without_letter(plan, persona, one, works, mishaps.get(persona.address, ())):
                found.append(Finding("lost", f"{name}: no letter for {one}"))
            if one.gained > 0:
                found.append(Finding("clock_gained", f"{name}: {one}"))
            if one.short > 0:
                found.append(Finding("clock_short", f"{name}: {one}"))
        found += [
            Finding("lost", f"{name}: {told} is not in the log")
            for told in table.told
            if not _in_log(table, told)
        ]
        for late in table.late:
            if late.at < late.due:
                inside = any(begins <= late.bare <= ends for begins, ends in books.away)
                figure = "timeouts_in_outage" if inside else "early"
                found.append(Finding(figure, f"{name}: {late}"))
        if must_be_over(table) and table.status == RUNNING:
            found.append(Finding("unfinished", f"{name}: version {table.version}"))
    return found


def judge(table: Table, persona: Persona, letter: Letter) -> list[Finding]:
    """Put a letter that has just arrived down to the decision it asks for; return what is wrong.

    The books have to be those of the moment at which it arrives.
    """
    name = f"table {table.setting.number}, minute {letter.minute}"
    one = table.asked.get(table.setting.people.index(persona.number))
    if one is None:
        return [Finding("obsolete_sent", f"{name}: {persona.name} is not asked")]
    told = {arrival.message_id for arrival in one.letters if not arrival.reminder}
    reminder = str(table.id) in letter.reminders
    one.letters.append(Arrival(letter.minute, letter.message_id, reminder))
    if not reminder and told - {letter.message_id}:
        return [Finding("doubled", f"{name}: {one}")]
    return []


def working(plan: Plan, outages: Sequence[Spell]) -> bytearray:
    """Return a one for every minute in which letters go out and are taken."""
    works = bytearray(b"\1") * plan.end
    for begins, ends in (*outages, *(storm.spell for storm in plan.storms)):
        last = min(ends + 1, plan.end)
        if begins < last:
            works[begins:last] = bytes(last - begins)
    return works


def must_be_over(table: Table) -> bool:
    """Tell whether a match has to be over once the weeks are.

    A table that has chosen to wait waits for whoever does not come back.
    """
    clock = table.setting.clock
    if clock is None:
        return False
    return clock["timeout"] != "wait" or not any(one.missed for one in table.asked.values())


def wanted(calendar: Calendar, persona: Persona, opened: Minute) -> Minute:
    """Return when somebody wants to hear of what happened at a minute."""
    if persona.mode == "daily":
        # So short before the hour it may be of the next day.
        minute = opened + SLACK
        while calendar.of_day(persona.zone, minute) != persona.daily_at:
            minute += 1
        return minute
    return _awake(calendar, persona, opened + (persona.delay if persona.mode == "coalesced" else 0))


def _awake(calendar: Calendar, persona: Persona, minute: Minute) -> Minute:
    """Return the first minute from `minute` on at which mail keeps nobody awake."""
    while persona.quiet is not None and _quiet(
        calendar.of_day(persona.zone, minute), persona.quiet
    ):
        minute += 1
    return minute


def latest(works: bytearray, mishaps: Sequence[Minute], opened: Minute, due: Minute) -> Minute:
    """Return by when a letter that is wanted at `due` must have come, the mail being as it was."""
    limit = due + SLACK
    bad = [minute for minute in mishaps if opened <= minute]
    if works.find(0, opened, limit) < 0 and not any(minute <= limit for minute in bad):
        return limit
    # Since the last time that something went wrong, long enough for another try.
    here = due
    while here < len(works):
        until = here + LONGEST_PAUSE + SLACK
        wrong = [works.rfind(0, here, until), *(m for m in bad if here <= m < until)]
        if max(wrong) < 0:
            return until
        here = max(wrong) + 1
    return here


def _without_letter(
    plan: Plan, persona: Persona, one: Asked, works: bytearray, mishaps: Sequence[Minute]
) -> bool:
    closed = plan.end if one.closed is None else one.closed
    due = wanted(plan.calendar, persona, one.opened)
    if due >= closed:
        return False
    limit = latest(works, mishaps, one.opened, due)
    if limit > due + SLACK:
        # What could not be sent in time waits for the next day's letter, or for the morning.
        morning = _awake(plan.calendar, persona, limit - SLACK) + SLACK
        limit = limit + DAY if persona.mode == "daily" else max(limit, morning)
    return limit < closed and not any(letter.minute <= limit for letter in one.letters)


def _in_log(table: Table, told: Told) -> bool:
    if not told.filed:
        return any((version, seat) == (told.version, told.seat) for version, seat, _ in table.lines)
    game = table.codec.game
    line = game.format(game.parse(told.line))
    return (
        (told.seat, told.key) in table.filed
        or any(
            version >= told.version and seat == told.seat and said == line
            for version, seat, said in table.lines
        )
        or any(version > told.version for _, version in table.rollbacks)
        or table.status == "void"
    )


def _quiet(of_day: int, quiet: Spell) -> bool:
    begins, ends = quiet
    return begins <= of_day < ends if begins < ends else of_day >= begins or of_day < ends
