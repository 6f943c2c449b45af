"""`placa simulate-async`: a small run comes out clean, and what is wrong is found out."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from uuid import UUID

import psycopg
import pytest
import typer
from typer.testing import CliRunner

from app.cli.simulate_async import simulate_async
from app.cli.weeks import days
from app.cli.weeks.books import Arrival, Asked, Books, Late, Spent, Table, Told
from app.cli.weeks.chance import Chance
from app.cli.weeks.days import days_with_orders
from app.cli.weeks.minutes import DAY, Calendar, count
from app.cli.weeks.peer import Letter, read_letter
from app.cli.weeks.plan import Plan, Setting, Storm, make_plan
from app.cli.weeks.reckoning import findings, judge, wanted
from app.cli.weeks.run import FIGURES, simulate_weeks
from app.db.address import conninfo
from app.matches.games import codec_for
from app.rules.game import replay
from app.rules.rng import HmacRng
from tests.conftest import MakeDatabase

ALONE = typer.Typer()
ALONE.command()(simulate_async)

HOUR = 60
ONE, OTHER, THIRD = "0" * 36, "1" * 36, "2" * 36
ALSO = ("doubled", "early", "clock_short", "failures")


def run(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(ALONE, arguments)
    return result.exit_code, result.stdout, result.stderr


def test_two_weeks_with_everything_that_goes_wrong_harm_nobody(
    make_database: MakeDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = make_database("weeks")
    monkeypatch.setenv("DATABASE_URL", url)

    status, printed, told = run(
        "--weeks", "2", "--tables", "3", "--seats", "3", "--faults", "--explain", "--json"
    )
    report = json.loads(printed)

    assert status == 0, told
    assert [report[name] for name in (*FIGURES, *ALSO)] == [0] * 9, told
    assert (report["tables"], report["weeks"], report["virtual_days"]) == (3, 2, 14)
    assert 0 < report["days_with_orders"] < 100
    # Where nothing happens nothing can go wrong.
    for name in ("moves", "mails_sent", "mails_refused", "timeouts", "kills", "undo_asked"):
        assert report[name] > 0, name
    with psycopg.connect(conninfo(url)) as connection:
        here = "select (select count(*) from people) + (select count(*) from matches)"
        assert connection.execute(here).fetchone() == (0,)
        left = "select count(*) from pg_database where datname like 'placa_demo_%'"
        assert connection.execute(left).fetchone() == (0,)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_with_standing_orders_friends_who_look_once_a_day_need_three_days_of_five(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert days_with_orders(Chance(seed), 5) <= 60

    monkeypatch.setattr(days, "ORDERS", {})
    assert days_with_orders(Chance(seed), 5, matches=2) == 100


@pytest.mark.anyio
async def test_a_seed_is_the_same_weeks_again(make_database: MakeDatabase) -> None:
    def plan(seed: int) -> Plan:
        return make_plan(seed=seed, weeks=1, seats=2, tables=1, faults=True)

    first, _ = await simulate_weeks(plan(2), make_database("first"))
    again, _ = await simulate_weeks(plan(2), make_database("again"))
    other, _ = await simulate_weeks(plan(3), make_database("other"))
    times = {"seconds": 0, "cpu_seconds": 0}

    assert {**first, **times} == {**again, **times}
    assert {**first, **times} != {**other, **times, "seed": 2}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--weeks", "0"], "--weeks must be from 1 to 20, not 0"),
        (["--seats", "5"], "--seats must be from 2 to 4, not 5"),
        (["--tables", "0"], "--tables must be from 1 to 1000, not 0"),
        (["--seed", "-1"], "--seed must be from 0 to 2147483648, not -1"),
    ],
)
def test_bad_input_gets_one_clear_line(arguments: list[str], said: str) -> None:
    assert run(*arguments) == (2, "", f"placa: {said}\n")


# The books, doctored.

PLAN = make_plan(seed=1, weeks=1, seats=2, tables=2, faults=False)
CLOCK = {"kind": "turn", "days": 1, "zone": "UTC", "timeout": "default", "absence_days": 2}
ANNA = replace(PLAN.people[0], mode="coalesced", delay=10, quiet=None)


def plan(*, storms: tuple[Storm, ...] = ()) -> Plan:
    return replace(PLAN, people=(ANNA, *PLAN.people[1:]), storms=storms)


def table(clock: dict[str, object] | None = None, *, status: str = "finished") -> Table:
    """Return a match in which the first of two is asked first."""
    codec = codec_for("castell")
    setting = Setting(0, "castell", PLAN.tables[0].options, clock or CLOCK, (0, 1))
    made = Table(setting, UUID(int=1), codec, status=status)
    events = codec.game.setup(2, setting.options, HmacRng(b"books", "chance"))
    made.state = replay(codec.game, events)
    made.people = frozenset({0, 1})
    return made


def asked(opened: int, closed: int | None = None, *letters: int) -> Asked:
    arrivals = [Arrival(minute, f"<{minute}>", reminder=False) for minute in letters]
    one = Asked(0, "turn:1:1", secret=False, opened=opened, version=1, allotted=DAY)
    one.closed, one.letters = closed, arrivals
    return one


def found(
    made: Table,
    *,
    storms: tuple[Storm, ...] = (),
    change: Callable[[Books], None] = lambda _books: None,
    mishaps: tuple[int, ...] = (),
) -> list[str]:
    books = Books(PLAN.calendar, [made])
    change(books)
    wrong = findings(plan(storms=storms), books, {ANNA.address: mishaps})
    return [one.figure for one in wrong]


def test_a_decision_for_which_no_letter_came_is_lost() -> None:
    made = table()
    for closed, letters, wrong in (
        (9 * HOUR, (), ["lost"]),
        (9 * HOUR, (70,), []),
        # After it had waited too long.
        (9 * HOUR, (5 * HOUR,), ["lost"]),
        # Taken before anybody wanted to hear of it.
        (65, (), []),
    ):
        made.past = [asked(60, closed, *letters)]

        assert found(made) == wrong


def test_a_letter_is_not_missed_while_mail_does_not_work() -> None:
    made = table()
    made.past = [asked(60, 20 * HOUR)]
    storm = Storm((30, 10 * HOUR), "refuses")

    assert found(made) == ["lost"]
    assert found(made, storms=(Storm((30, 19 * HOUR), "refuses"),)) == []
    assert found(made, storms=(storm,)) == ["lost"]
    assert found(made, change=lambda books: books.outages.append((61, 19 * HOUR))) == []
    # Once it was refused, six hours and a little may pass before the next try.
    assert found(made, mishaps=(70, 7 * HOUR, 13 * HOUR, 15 * HOUR)) == []
    assert found(made, mishaps=(70,)) == ["lost"]


def test_a_move_that_was_acknowledged_and_is_not_in_the_log_is_lost() -> None:
    made = table()
    made.lines = [(2, 0, "end"), (4, 1, "festival MCV = decline")]
    made.told = [
        Told(0, 2, "turn:1:1", "end", filed=False),
        Told(1, 3, "festival:3", "festival MCV = decline", filed=True),
    ]
    assert found(made) == []

    made.told.append(Told(1, 3, "turn:1:2", "end", filed=False))
    assert found(made) == ["lost"]

    made.told[-1] = Told(0, 3, "festival:3", "festival MCV = decline", filed=True)
    assert found(made) == ["lost"]

    made.filed = frozenset({(0, "festival:3")})
    assert found(made) == []


def test_a_letter_to_somebody_who_is_not_asked_is_obsolete() -> None:
    made = table()
    letter = Letter(90, ANNA.address, "<a>", (str(made.id),))

    assert [one.figure for one in judge(made, ANNA, letter)] == ["obsolete_sent"]

    made.asked[0] = asked(60)
    assert judge(made, ANNA, letter) == []
    # The same letter again, since nobody knew whether it had arrived; then another one.
    assert judge(made, ANNA, letter) == []
    assert (
        judge(made, ANNA, replace(letter, message_id="<b>", reminders=frozenset({str(made.id)})))
        == []
    )
    again = judge(made, ANNA, replace(letter, message_id="<c>"))
    assert [one.figure for one in again] == ["doubled"]


def test_a_time_that_ran_out_in_an_outage_or_right_after_it_is_seen() -> None:
    made = table()
    due = 3 * DAY

    def away(books: Books) -> None:
        books.away.append((due - 2 * HOUR, due + 3 * HOUR))

    made.late = [Late(at=due + 5 * HOUR, due=due + 5 * HOUR, bare=due)]
    assert found(made, change=away) == []

    made.late = [Late(at=due + 3 * HOUR, due=due + 5 * HOUR, bare=due)]
    assert found(made, change=away) == ["timeouts_in_outage"]
    # Too early for another reason.
    assert found(made) == ["early"]


def test_a_deadline_beyond_the_terms_is_time_gained() -> None:
    made = table(status="running")
    made.asked[0] = asked(60)
    books = Books(PLAN.calendar, [made])
    begin = PLAN.calendar.start.timestamp()

    def compare(minute: int) -> tuple[bool, bool]:
        made.asked[0].gained = made.asked[0].short = 0
        books.compare(made, [[0, begin + minute * 60, False]], 60)
        return made.asked[0].gained > 0, made.asked[0].short > 0

    assert compare(DAY + HOUR) == (False, False)
    assert compare(DAY + 2 * HOUR) == (True, False)
    assert compare(DAY) == (False, True)

    # Of an absence only as much counts as the table allows, of an outage all.
    books.trips[0] = [(2 * HOUR, 5 * DAY)]
    assert compare(3 * DAY + HOUR) == (False, False)
    books.away.append((3 * DAY, 3 * DAY + 90))
    assert compare(3 * DAY + HOUR + 90) == (False, False)
    assert compare(4 * DAY) == (True, False)


def test_to_take_a_turn_back_and_play_it_again_gains_nothing() -> None:
    """Whoever took twenty hours has four left, and a bank forgets what was earned since."""
    turn = table(status="running")
    bank = table({**CLOCK, "kind": "bank", "bank_days": 2, "increment_hours": 6}, status="running")
    for made in (turn, bank):
        made.spent = [Spent(0, "turn:1:1", 2, 20 * HOUR, secret=False, earns=True)]
        made.rollbacks = [(1, 3)]
        (prompt,) = made.codec.game.prompts(made.state).values()
        made.spent[0] = replace(made.spent[0], key=prompt.key)
    books = Books(PLAN.calendar, [turn, bank])
    (prompt,) = turn.codec.game.prompts(turn.state).values()

    assert books.allotted(turn, 0, prompt) == 4 * HOUR
    assert books.allotted(bank, 0, prompt) == 28 * HOUR

    bank.rollbacks = []
    assert books.allotted(bank, 0, prompt) == 34 * HOUR


def test_a_match_with_a_clock_has_to_end() -> None:
    assert found(table(status="running")) == ["unfinished"]

    waiting = table({**CLOCK, "timeout": "wait"}, status="running")
    assert found(waiting) == ["unfinished"]

    waiting.asked[0] = asked(6 * DAY, None, 6 * DAY + 10)
    waiting.asked[0].missed = True
    assert found(waiting) == []


# The reckoning of minutes.


def test_a_night_is_as_long_as_the_wall_shows_it() -> None:
    """On 25 October 2026 Madrid has three o'clock twice: its night has eleven hours."""
    calendar = make_plan(seed=1, weeks=6, seats=2, tables=1, faults=False).calendar
    runs = calendar.running({"zone": "Europe/Madrid", "nights_off": "22:00-08:00"}, ())
    changed = calendar.minute(datetime(2026, 10, 25, tzinfo=UTC))

    # Summer time until 01:00: from 22:00 on its wall to 08:00 on the other.
    assert count(runs, changed - 4 * HOUR, changed + 7 * HOUR) == 0
    assert count(runs, changed - 4 * HOUR - 1, changed + 7 * HOUR + 1) == 2


def test_quiet_hours_and_the_daily_hour_are_read_from_the_wall() -> None:
    calendar = Calendar(PLAN.calendar.start, 10)
    quiet = replace(ANNA, zone="UTC", quiet=(22 * HOUR, 7 * HOUR))
    daily = replace(ANNA, zone="Asia/Kathmandu", mode="daily", daily_at=8 * HOUR)

    assert wanted(calendar, quiet, 21 * HOUR) == 21 * HOUR + 10
    assert wanted(calendar, quiet, 22 * HOUR) == DAY + 7 * HOUR
    assert wanted(calendar, daily, 0) == 2 * HOUR + 15
    assert wanted(calendar, daily, 3 * HOUR) == DAY + 2 * HOUR + 15


def test_only_a_letter_that_leads_to_a_board_asks_for_a_decision() -> None:
    told = (
        f"A turn was taken back: Castell\nWhat you were told to decide does not have to be\n"
        f"decided now.\nhttps://play.example/matches/{ONE}\n\n"
        f"Your turn: Castell\nhttps://play.example/matches/{OTHER}?seat=2\n\n"
        f"Still waiting: Your turn: Castell\nhttps://play.example/matches/{THIRD}\n\n"
        f"Anna asks to go on now.\nhttps://play.example/matches/{ONE}/time\n"
    )

    letter = read_letter(told, at=90, to=ANNA.address, message_id="<a>")

    assert letter.matches == (OTHER, THIRD)
    assert letter.reminders == {THIRD}
