from typing import Any

import msgspec
import pytest

from app.errors import InvalidError
from app.matches.codec import Codec, CodecError, Upcast, open_prompts
from app.matches.editions import edition, with_edition
from app.matches.games import codec_for
from app.rules.castell.edition import shared
from app.rules.game import Prompt, Seat, replay
from app.rules.rng import HmacRng
from tests.support import pinya

RNG = HmacRng(b"seed", "codec")
BEGUN = pinya.Begun(2, 3, 7, toss=False)


def renamed(event: dict[str, Any]) -> dict[str, Any]:
    """Rules version 1 called a taken number an amount."""
    if event["type"] == "Taken":
        event["number"] = event.pop("amount")
    return event


def counted_from_one(state: dict[str, Any]) -> dict[str, Any]:
    """Rules version 1 counted rounds from zero."""
    return {**state, "round": state["round"] + 1}


CODEC = Codec.of(
    pinya.PINYA,
    pinya.State,
    pinya.Event,
    upcasts={1: Upcast(state=counted_from_one, event=renamed)},
)


@pytest.mark.parametrize(
    "event",
    [BEGUN, pinya.TurnOver(), pinya.Taken(Seat(1), 3), pinya.Revealed((1, 2), 3)],
)
def test_an_event_comes_back_as_it_went(event: pinya.Event) -> None:
    stored = bytes(CODEC.dump_event(event)).decode()

    assert CODEC.load_event(stored, 2) == event


def test_an_event_is_stored_under_its_name() -> None:
    stored = [msgspec.json.decode(CODEC.dump_event(event)) for event in (pinya.TurnOver(), BEGUN)]

    assert stored == [
        {"type": "TurnOver"},
        {"type": "Begun", "seats": 2, "rounds": 3, "lucky": 7, "toss": False, "hush": False},
    ]


def test_a_state_comes_back_as_it_went() -> None:
    events: list[pinya.Event] = [BEGUN, pinya.Taken(Seat(0), 3)]
    state = replay(pinya.PINYA, events)

    assert CODEC.load_state(CODEC.dump_state(state), 2) == state


def test_what_older_rules_stored_is_upcast() -> None:
    event = CODEC.load_event('{"type":"Taken","seat":0,"amount":3}', 1)
    state = CODEC.load_state('{"seats":1,"rounds":1,"lucky":5,"round":0}', 1)

    assert event == pinya.Taken(Seat(0), 3)
    assert state.round == 1


@pytest.mark.parametrize("version", [0, 3])
def test_what_unknown_rules_stored_is_refused(version: int) -> None:
    with pytest.raises(CodecError):
        CODEC.load_event('{"type":"TurnOver"}', version)


def test_an_unknown_event_is_refused() -> None:
    with pytest.raises(CodecError):
        CODEC.load_event('{"type":"State"}', 2)


def test_a_prompt_that_stays_open_keeps_its_opening() -> None:
    turn, other = Prompt("a", "turn"), Prompt("b", "turn")

    first = open_prompts({Seat(0): turn, Seat(1): turn}, 3, {})
    second = open_prompts({Seat(0): turn, Seat(1): other, Seat(2): turn}, 4, first)

    assert {seat: prompt.opened for seat, prompt in second.items()} == {0: 3, 1: 4, 2: 4}
    assert second[Seat(1)].prompt == other


def test_castells_state_comes_back_with_the_edition_it_shares() -> None:
    codec = codec_for("castell")
    state = replay(codec.game, codec.game.setup(4, with_edition("castell", {}), RNG))

    back = codec.load_state(codec.dump_state(state), codec.game.rules_version)

    assert back == state
    assert back.edition is shared(state.edition)


def test_every_event_of_castell_can_be_stored() -> None:
    codec = codec_for("castell")
    begun, *_ = codec.game.setup(2, with_edition("castell", {}), RNG)

    assert codec.load_event(bytes(codec.dump_event(begun)).decode(), 1) == begun


def test_a_game_we_do_not_have_has_no_codec() -> None:
    with pytest.raises(InvalidError):
        codec_for("chess")


def test_an_edition_given_as_values_is_left_alone() -> None:
    options = {"edition": edition("castell"), "assistants": False}

    assert with_edition("castell", options) == options


def test_a_game_without_editions_gets_none() -> None:
    assert with_edition("pinya", {"rounds": 1}) == {"rounds": 1}


def test_an_unknown_edition_has_no_values() -> None:
    with pytest.raises(KeyError):
        edition("castell", "castell-0")
