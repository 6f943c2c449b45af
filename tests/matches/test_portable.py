"""A match as a sealed file: complete, checked line by line, and back again."""

import pytest

from app.errors import ConflictError, InvalidError
from app.matches import rescue
from app.matches.importing import import_match
from app.matches.portable import PortableMatch, portable_text, read_portable
from app.matches.sealed import SealError, seal, unseal
from tests.support.matches import LATER, Matches

pytestmark = pytest.mark.anyio


async def a_match(matches: Matches, *, over: bool = True) -> object:
    """Play a match with a draw, turns taken back, and an end."""
    match_id = await matches.start(None, "steady", options={"rounds": 1})
    await matches.commit(match_id, 0, 1, "take 3; leap; peek")
    async with matches.sessions.begin() as session:
        await rescue.roll_back(session, match_id=match_id, to_version=1, now=LATER)
    await matches.commit(match_id, 0, 3, "take 3; peek", key="b")
    await matches.commit(match_id, 1, 4, "peek", key="c")
    await matches.commit(match_id, 0, 5, "guess 1", key="g")
    if over:
        await matches.commit(match_id, 1, 6, "guess 2", key="h")
    return match_id


async def exported(matches: Matches, match_id: object, *, with_secrets: bool = False) -> str:
    async with matches.sessions.begin() as session:
        return await portable_text(
            session,
            match_id=match_id,  # type: ignore[arg-type]  # what a_match gave
            with_secrets=with_secrets,
        )


async def test_what_is_exported_is_sound_and_says_so_without_a_database(matches: Matches) -> None:
    text = await exported(matches, await a_match(matches))

    found = read_portable(text.encode())

    assert found.problems() == []
    assert len(found.match.rollbacks) == 1
    assert [seat.bot for seat in found.seats] == [None, "steady"]


async def test_a_file_that_comes_back_is_exported_as_the_same_bytes(matches: Matches) -> None:
    for over in (True, False):
        match_id = await a_match(matches, over=over)
        text = await exported(matches, match_id, with_secrets=not over)
        await matches.run("truncate matches cascade")

        async with matches.sessions.begin() as session:
            assert await import_match(session, read_portable(text.encode()), now=LATER) == match_id

        assert await exported(matches, match_id, with_secrets=not over) == text
        assert await matches.problems() == []
        if not over:
            page = await matches.page(match_id, 1)  # type: ignore[arg-type]  # as above
            assert page.answered == {0}
            assert await matches.commit(match_id, 1, page.version, "guess 2", key="h") == 7  # type: ignore[arg-type]  # as above


async def test_a_running_match_keeps_its_secrets(matches: Matches) -> None:
    match_id = await a_match(matches, over=False)

    with pytest.raises(ConflictError, match=r"match.running"):
        await exported(matches, match_id)


async def test_any_changed_byte_is_found_in_its_line(matches: Matches) -> None:
    whole = (await exported(matches, await a_match(matches))).encode()
    line = 1

    for at, byte in enumerate(whole):
        for changed in (byte ^ 1, byte ^ 0x20, byte ^ 0x80):
            damaged = whole[:at] + bytes([changed]) + whole[at + 1 :]
            with pytest.raises(SealError) as refusal:
                read_portable(damaged)
            assert refusal.value.line == line, (at, byte, changed)
        line += byte == 10


async def test_a_file_that_was_cut_or_added_to_is_refused(matches: Matches) -> None:
    whole = (await exported(matches, await a_match(matches))).encode()

    for end in range(len(whole)):
        with pytest.raises(SealError):
            read_portable(whole[:end])
    for more in (b"\n", b"x", whole):
        with pytest.raises(SealError):
            read_portable(whole + more)
    rows = whole.split(b"\n")
    for n in range(len(rows) - 2):
        swapped = [*rows[:n], rows[n + 1], rows[n], *rows[n + 2 :]]
        with pytest.raises(SealError) as refusal:
            read_portable(b"\n".join(swapped))
        assert refusal.value.line == n + 1


async def test_a_lie_that_is_sealed_again_does_not_prove(matches: Matches) -> None:
    text = await exported(matches, await a_match(matches))
    lines = list(unseal(text.encode()))
    lies = {
        "log.decided": ("Peeked", '"number": ', '"number": 9'),
        "seed.commitment": ('match {"id"', '"seed":"', '"seed":"ff'),
        "head.status": ('match {"id"', '"finished"', '"void"'),
    }

    for code, (where, old, new) in lies.items():
        told = [line.replace(old, new, 1) if where in line else line for line in lines]
        found: PortableMatch = read_portable(seal(told).encode())
        assert told != lines
        assert code in {problem.code for problem in found.problems()}
        async with matches.sessions.begin() as session:
            with pytest.raises(InvalidError, match=r"match.unsound"):
                await import_match(session, found, now=LATER)


async def test_a_match_that_is_here_already_stays_as_it_is(matches: Matches) -> None:
    text = await exported(matches, await a_match(matches))

    async with matches.sessions.begin() as session:
        with pytest.raises(ConflictError, match=r"match.exists"):
            await import_match(session, read_portable(text.encode()), now=LATER)


@pytest.mark.parametrize(
    ("lines", "line"),
    [
        ([], 1),
        (["something else"], 1),
        (["placa match 1"], 2),
        (["placa match 1", "match {}"], 2),
        (["placa match 1", "options []"], 2),
        (["placa match 1", "options {}", "dance {}"], 3),
        (["placa match 1", "options {}", "options {}"], 3),
    ],
)
def test_a_sealed_text_that_is_no_match_is_refused(lines: list[str], line: int) -> None:
    with pytest.raises(SealError) as refusal:
        read_portable(seal(lines).encode())

    assert refusal.value.line == line


@pytest.mark.parametrize("data", [b"", b"\n", b"\xff\xfe", b"placa match 1\n", bytes(40)])
def test_what_was_never_sealed_is_refused(data: bytes) -> None:
    with pytest.raises(SealError):
        unseal(data)
