"""How high the viewer and the rivals could build: the building assistants (rule 15)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from app.i18n import gettext, ngettext
from app.i18n.lists import ored
from app.matches.pages import MatchPage
from app.rules.castell.assist import unlocks
from app.rules.castell.components import Tower
from app.rules.castell.solver import tower_for
from app.rules.castell.towers import matching, width
from app.rules.castell.view import CastellView, CollaView
from app.web.boards.castell_steps import Building
from app.web.boards.castell_target import Target, my_colla
from app.web.boards.castell_tower import TowerDrawing, draw_tower
from app.web.boards.castell_words import anded, skill_name
from app.web.boards.seats import Who, who_is_who

# Nobody comes to own so many; asking what one more would do would take seconds.
MOST_ASKED: Final = 60


@dataclass(frozen=True, slots=True)
class Builder:
    """A seat at the festival: is its answer in, and what could it reach at most?"""

    who: Who
    is_me: bool
    is_in: bool
    most: int | None


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A tower the assistants know of; `query` takes it over."""

    tower: Tower
    drawing: TowerDrawing
    points: int
    words: str
    further: str
    query: str


def assistants_allowed(page: MatchPage) -> bool:
    """Whether the table allows the building assistants (rule 15)."""
    view: CastellView = page.view
    return view.assistants


def builders(page: MatchPage, target: Target) -> tuple[Builder, ...]:
    """Return the seats asked for the festival, the viewer first."""
    people = who_is_who(page.seats)
    asked = page.view.entrants.get(target.region, ()) if target.kind == "festival" else ()
    return tuple(
        Builder(
            who=people[seat],
            is_me=seat == page.seat,
            is_in=seat in page.answered,
            most=_most(page, target, page.view.collas[seat]) if assistants_allowed(page) else None,
        )
        for seat in sorted(asked, key=lambda seat: (seat != page.seat, seat))
    )


def suggestion(page: MatchPage, target: Target, building: Building) -> Suggestion | None:
    """Return the best tower for the festival, or one that serves the tile; None: there is none."""
    colla = my_colla(page)
    tower = tower_for(colla.castellers, colla.ranks, target.goal, width_limit=page.view.width_limit)
    if tower is None:
        return None
    return Suggestion(
        tower=tower,
        drawing=draw_tower(tower),
        points=target.worth(tower),
        words=_described(target, tower),
        further="" if target.tile else _further(page, target),
        query=building.become(tower, None).query(),
    )


def nothing_yet(page: MatchPage, target: Target) -> str:
    """Say that no tower serves the goal, and what one more of something would make possible."""
    if target.tile:
        head = gettext("Your colla cannot perform this tile yet.")
    else:
        head = gettext("Your colla cannot build a tower for this festival yet.")
    skills, sizes = _lifting(page, target)
    match bool(skills), bool(sizes):
        case True, True:
            return gettext(
                "%(head)s One more rank of %(skills)s would do, or one more casteller of size"
                " %(sizes)s.",
                head=head,
                skills=skills,
                sizes=sizes,
            )
        case True, False:
            return gettext(
                "%(head)s One more rank of %(skills)s would do.", head=head, skills=skills
            )
        case False, True:
            return gettext(
                "%(head)s One more casteller of size %(sizes)s would do.", head=head, sizes=sizes
            )
    return head


def score_note(
    page: MatchPage, target: Target, total: int, builders: Sequence[Builder], *, ready: bool
) -> str:
    """Say what a score is worth: against the seat's own best, and against what rivals reach."""
    best = my_colla(page).best_tower
    if total <= best:
        own = gettext("Your best so far is %(best)s.", best=best)
    elif ready:
        own = gettext("That beats your best so far, %(best)s.", best=best)
    else:
        own = gettext("Once legal it beats your best so far, %(best)s.", best=best)
    rivals = [builder.most for builder in builders if not builder.is_me]
    reach = max((most for most in rivals if most is not None), default=None)
    if reach is None:
        return own
    mine = _most(page, target, my_colla(page)) or 0
    if mine <= reach:
        return gettext("%(own)s The others reach %(reach)s at most.", own=own, reach=reach)
    return gettext(
        "%(own)s The others reach %(reach)s at most, so %(enough)s is enough to be first.",
        own=own,
        reach=reach,
        enough=reach + 1,
    )


def _described(target: Target, tower: Tower) -> str:
    levels = ngettext("%(n)s level", "%(n)s levels", len(tower))
    people = ngettext("%(n)s casteller", "%(n)s castellers", sum(map(width, tower)))
    if target.tile:
        return gettext("%(levels)s, %(people)s.", levels=levels, people=people)
    tokens = anded(
        gettext("%(count)s × size %(size)s", count=matching(tower, (size,)), size=size)
        for size in sorted(set(target.tokens))
    )
    return gettext(
        "%(levels)s, %(tokens)s, %(people)s. Nothing you own reaches %(more)s.",
        levels=levels,
        tokens=tokens,
        people=people,
        more=target.worth(tower) + 1,
    )


def _most(page: MatchPage, target: Target, colla: CollaView) -> int | None:
    tower = tower_for(colla.castellers, colla.ranks, target.goal, width_limit=page.view.width_limit)
    return None if tower is None else target.worth(tower)


def _further(page: MatchPage, target: Target) -> str:
    """Say which skills, one rank higher, and which castellers would lift the best tower."""
    skills, sizes = _lifting(page, target)
    match bool(skills), bool(sizes):
        case True, True:
            return gettext(
                "One more rank of %(skills)s would, or one more casteller of size %(sizes)s.",
                skills=skills,
                sizes=sizes,
            )
        case True, False:
            return gettext("One more rank of %(skills)s would.", skills=skills)
        case False, True:
            return gettext("One more casteller of size %(sizes)s would.", sizes=sizes)
    return gettext("No single rank or casteller more would change that.")


def _lifting(page: MatchPage, target: Target) -> tuple[str, str]:
    """Return the skills of which one more rank, and the sizes of which one more, gains."""
    colla = my_colla(page)
    if sum(colla.castellers) > MOST_ASKED:
        return "", ""
    more = unlocks(
        colla.castellers,
        colla.ranks,
        target.goal,
        max_rank=page.view.max_rank,
        width_limit=page.view.width_limit,
    )
    return ored(map(skill_name, more.skills)), ored(more.sizes)
