"""Final scoring (rule 9): five categories, ranking and what settled first place."""

from functools import lru_cache

from app.rules.castell.edition import Edition, tables
from app.rules.castell.state import NOTHING, Holding, State
from app.rules.game import Outcome, Seat

CATEGORIES = ("best_tower", "regions", "prizes", "size_tokens", "local")


def regions_earned(state: State, seat: int) -> int:
    """Return in how many regions a seat has earned anything."""
    return _regions(state.earned[seat])


def _regions(board: tuple[Holding, ...]) -> int:
    return len(board) - board.count(NOTHING)


def categories(state: State, seat: int) -> dict[str, int]:
    """Return what each category would pay a seat if the match ended now."""
    board = _board_points(state.edition, state.earned[seat])
    return dict(zip(CATEGORIES, (state.best[seat], *board), strict=True))


@lru_cache(maxsize=4096)
def _board_points(edition: Edition, board: tuple[Holding, ...]) -> tuple[int, int, int, int]:
    """Return what regions, prizes, size tokens and local performances pay."""
    tiles = tables(edition).tiles
    prizes = local = 0
    sizes: list[int] = []
    for won, size_tokens, shows, tokens in board:
        prizes += sum(edition.points_of(prize) for prize in won)
        sizes += size_tokens
        local += sum(tiles[tile].points for tile in shows) + edition.collected_token * len(tokens)
    first = len(set(sizes))
    further = len(sizes) - first
    return (
        edition.region_points[_regions(board)],
        prizes,
        edition.size_token_first * first + edition.size_token_further * further,
        local,
    )


def reckon(state: State) -> Outcome:
    """Return the result the match would have if it ended now."""
    seats = [Seat(number) for number in range(state.seats)]
    split = {seat: categories(state, seat) for seat in seats}
    scores = {seat: sum(split[seat].values()) for seat in seats}
    measures = {
        "best_tower": dict(zip(seats, state.best, strict=True)),
        "regions": {seat: regions_earned(state, seat) for seat in seats},
    }
    ties = [name for name in state.edition.tie_break if name != "shared"]
    standing = {seat: (scores[seat], *(measures[name][seat] for name in ties)) for seat in seats}
    ranking = tuple(
        tuple(seat for seat in seats if standing[seat] == mark)
        for mark in sorted(set(standing.values()), reverse=True)
    )
    return Outcome(scores, split, ranking, _reason(list(standing.values()), ["score", *ties]))


def _reason(standing: list[tuple[int, ...]], names: list[str]) -> str:
    """Return the first measure that leaves one seat alone in front, else `shared`."""
    for place, name in enumerate(names):
        top = max(mark[place] for mark in standing)
        standing = [mark for mark in standing if mark[place] == top]
        if len(standing) == 1:
            return name
    return "shared"
