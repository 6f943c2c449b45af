"""`placa simulate`: random matches, counted, replayed and exported."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest
import typer
from typer.testing import CliRunner

from app.cli.simulate import simulate
from app.rules.castell import CASTELL, Castell, Event, Move, State, match_from_text
from app.rules.castell.events import MatchEnded
from app.rules.game import Rng, Seat, replay
from app.rules.registry import GAMES

ALONE = typer.Typer()
ALONE.command()(simulate)


def run(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(ALONE, arguments)
    return result.exit_code, result.stdout, result.stderr


@pytest.mark.parametrize("wheel", ["all_regions", "no_regions"])
def test_random_matches_are_played_and_replayed_without_a_fault(wheel: str) -> None:
    status, printed, _ = run(
        "castell", "--seats", "3", "--matches", "4", "--seed", "7", "--wheel", wheel, "--json"
    )
    report = json.loads(printed)

    assert status == 0
    assert (report["matches"], report["seats"], report["seed"]) == (4, 3, 7)
    assert [report[name] for name in ("errors", "stuck", "replay_mismatches")] == [0, 0, 0]
    assert report["actions"] > 200
    assert report["actions_per_second"] > 0
    assert set(report["mean_categories"]) == {
        "best_tower",
        "regions",
        "prizes",
        "size_tokens",
        "local",
    }


def test_the_same_seed_plays_the_same_matches(tmp_path: Path) -> None:
    texts = []
    for name in ("one", "other"):
        status, _, _ = run(
            "castell", "--matches", "2", "--seed", "3", "--export", str(tmp_path / name)
        )
        assert status == 0
        texts.append((tmp_path / name).read_text("utf-8"))

    assert texts[0] == texts[1]
    assert CASTELL.outcome(replay(CASTELL, match_from_text(texts[0]))) is not None


def test_the_figures_are_printed_for_people_too() -> None:
    status, printed, _ = run("castell", "--seats", "2", "--matches", "1")

    assert status == 0
    assert "replay_mismatches    0\n" in printed
    assert "mean_categories      best_tower" in printed


def test_one_value_of_the_edition_can_be_changed() -> None:
    status, printed, _ = run(
        "castell", "--matches", "1", "--option", "edition.rounds=10", "--option",
        "edition.towers.max_rank=1", "--option", "assistants=false", "--json",
    )  # fmt: skip

    assert status == 0
    assert json.loads(printed)["errors"] == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["go"], "there is no game 'go'; there is castell"),
        (["castell", "--seats", "5"], "option.unsupported key=seats value=5 allowed=[2, 3, 4]"),
        (["castell", "--matches", "0"], "--matches must be 1 or more, not 0"),
        (["castell", "--seed", "-1"], "--seed must be 0 or more, not -1"),
        (["castell", "--wheel", "round"], "option.unsupported key=wheel_side value=round"),
        (["castell", "--option", "colour"], "--option 'colour' is not key=value"),
        (["castell", "--option", "colour=red"], "option.unknown_key key=colour"),
        (["castell", "--option", "edition=castell-9"], "there is no edition 'castell-9'"),
        (["castell", "--option", "edition.towers.hue=3"], "there is no value edition.towers.hue"),
        (["castell", "--option", "edition.name.x.y=3"], "there is no value edition.name.x.y"),
        (["castell", "--option", "edition.rounds=0"], "edition.out_of_range key=rounds value=0"),
        (["castell", "--matches", "1", "--export", "/no/such/folder/x"], "cannot write /no/such"),
    ],
)
def test_bad_input_gets_one_clear_line(arguments: list[str], said: str) -> None:
    status, printed, complained = run(*arguments)

    assert status == 2
    assert printed == ""
    assert complained.startswith(f"placa: {said}")
    assert complained.count("\n") == 1


class Silent(Castell):
    """Asks a seat and leaves it nothing to answer."""

    def legal_moves(self, state: State, seat: Seat) -> Iterator[Move]:
        return iter(())


class Faulty(Castell):
    """Breaks down at the first move."""

    def decide(self, state: State, seat: Seat, move: Move, rng: Rng) -> tuple[Event, ...]:
        raise RuntimeError("out of order")


class Forgetful(Castell):
    """Folds the same events into another state each time."""

    folds = 0

    def evolve(self, state: State | None, event: Event) -> State:
        after = super().evolve(state, event)
        if isinstance(event, MatchEnded):
            self.folds += 1
            after.first = self.folds % after.seats
        return after


@pytest.mark.parametrize(
    ("game", "found"),
    [(Silent(), "stuck"), (Faulty(), "errors"), (Forgetful(), "replay_mismatches")],
)
def test_a_broken_game_is_found_out(
    game: Castell, found: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(cast("dict[str, Castell]", GAMES), "castell", game)

    status, printed, _ = run("castell", "--matches", "2", "--json")

    report = json.loads(printed)
    assert status == 1
    assert [report[name] for name in ("errors", "stuck", "replay_mismatches")] == [
        2 * (name == found) for name in ("errors", "stuck", "replay_mismatches")
    ]
    assert (report["first_error"] or "").endswith("RuntimeError('out of order')") == (
        found == "errors"
    )
