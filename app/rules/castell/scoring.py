"""Final scoring (rule 9): five categories, ranking and what settled first place."""

from app.rules.castell.edition import tables
from app.rules.castell.state import NOTHING, State
from app.rules.game import Outcome, Seat

CATEGORIES = ("best_tower", "regions", "prizes", "size_tokens", "local")


def regions_earned(state: State, seat: int) -> int:
    """Return in how many regions a seat has earned anything."""
    return sum(holding != NOTHING for holding in state.earned[seat])


def categories(state: State, seat: int) -> dict[str, int]:
    """Return what each category would pay a seat if the match ended now."""
    edition = state.edition
    tiles = tables(edition).tiles
    prizes = local = 0
    sizes: list[int] = []
    for won, size_tokens, shows, tokens in state.earned[seat]:
        prizes += sum(edition.points_of(prize) for prize in won)
        sizes += size_tokens
        local += sum(tiles[tile].points for tile in shows) + edition.collected_token * len(tokens)
    first = len(set(sizes))
    return {
        "best_tower": state.best[seat],
        "regions": edition.region_points[regions_earned(state, seat)],
        "prizes": prizes,
        "size_tokens": edition.size_token_first * first
        + edition.size_token_further * (len(sizes) - first),
        "local": local,
    }


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
