"""Every refusal of Castell's rules as one friendly sentence, with what would repair it."""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from app.i18n import gettext as _
from app.i18n import ngettext
from app.i18n.castell_notation import NOTATION
from app.i18n.castell_words import place, skill_name
from app.i18n.editions import EDITIONS
from app.i18n.lists import listed, ored

Details: TypeAlias = Mapping[str, Any]
Sentence: TypeAlias = Callable[[Details], str]


def refusal(code: str, details: Details, rule: str = "") -> str:
    """Return the refusal `code` of rule `rule` in the language being spoken.

    A second sentence says what would repair it, where that is known.
    """
    sentence = _SENTENCES.get(code)
    if sentence is None:
        return _("The rules do not allow that (%(code)s).", code=code)
    repair = _repair(code, details)
    return f"{sentence(details)} {repair}".rstrip()


def _repair(code: str, details: Details) -> str:
    fix = details.get("fix")
    if code == "tower.not_owned" or fix is None:
        return ""
    if fix in ("balance", "base", "mix", "strength", "width") and code != "tower.wrong_shape":
        return _("One more rank of %(skill)s would do.", skill=skill_name(fix))
    repair = _REPAIRS.get(f"{code}:{fix}")
    return repair(details) if repair else ""


def _at_most(count: int) -> str:
    return ngettext(
        "At most %(n)s casteller may stand there.",
        "At most %(n)s castellers may stand there.",
        count,
    )


def _not_buildable(details: Details) -> str:
    told = _("Your colla cannot build tile %(tile)s yet.", tile=details["tile"])
    if details["skills"]:
        skills = ored(map(skill_name, details["skills"]))
        return f"{told} " + _("One more rank of %(skills)s would do.", skills=skills)
    if details["sizes"]:
        sizes = ored(details["sizes"])
        return f"{told} " + _("One more casteller of size %(sizes)s would do.", sizes=sizes)
    return told


_REPAIRS: Final[Mapping[str, Sentence]] = {
    "tower.wider_than_below:fewer": lambda d: _at_most(d["below"] - 1),
    "tower.not_narrower:fewer": lambda d: _at_most(d["below"] - 1),
    "tower.too_wide:fewer": lambda d: _at_most(d["limit"]),
    "tower.not_descending:smaller": lambda d: _(
        "Use a size smaller than %(below)s.", below=d["below"]
    ),
    "tower.rank_too_low:smaller": lambda d: _(
        "Use a size smaller than %(size)s.", size=d["sizes"][0]
    ),
    "tower.rank_too_low:one_size": lambda _d: _("Use one size only."),
    "tower.sizes_apart:one_size": lambda _d: _("Use one size only."),
    "tower.too_many_sizes:one_size": lambda _d: _("Use one size only."),
}

_SENTENCES: Final[Mapping[str, Sentence]] = {
    **NOTATION,
    **EDITIONS,
    # The match and the turn
    "match.over": lambda _d: _("The match is over."),
    "turn.not_running": lambda _d: _("All turns of this round are over; the festivals are on."),
    "turn.not_yours": lambda _d: _("It is not your turn."),
    "standing.passed": lambda _d: _("That decision is not to come any more."),
    "turn.pawn_not_placed": lambda _d: _("Place your pawn in a region first."),
    "move.already": lambda _d: _("You have already moved this turn."),
    "recruit.already": lambda _d: _("You have already recruited this turn."),
    "train.already": lambda _d: _("You have already trained this turn."),
    "special.already": lambda _d: _("You have already spent a special action token this turn."),
    "special.no_token": lambda _d: _("You have no special action token left."),
    # Move
    "move.unknown_region": lambda d: _("There is no region %(region)s.", region=d["region"]),
    "move.not_adjacent": lambda d: _(
        "%(region)s does not border on %(here)s. From there you can go to %(adjacent)s.",
        region=place(d["region"]),
        here=place(d["here"]),
        adjacent=listed(map(place, d["adjacent"])),
    ),
    # Recruit
    "recruit.nobody": lambda _d: _("Choose somebody to recruit."),
    "recruit.too_many": lambda d: ngettext(
        "You may recruit %(n)s casteller here, not %(count)s.",
        "You may recruit %(n)s castellers here, not %(count)s.",
        d["limit"],
        count=d["count"],
    ),
    "recruit.not_there": lambda d: (
        ngettext(
            "Only %(n)s casteller of size %(size)s waits in %(region)s.",
            "Only %(n)s castellers of size %(size)s wait in %(region)s.",
            d["there"],
            size=d["size"],
            region=place(d["region"]),
        )
        if d["there"]
        else _(
            "No casteller of size %(size)s waits in %(region)s.",
            size=d["size"],
            region=place(d["region"]),
        )
    ),
    # Train
    "train.unknown_skill": lambda d: _("There is no skill %(skill)s.", skill=d["skill"]),
    "train.not_on_offer": lambda d: _(
        "%(skill)s cannot be trained in %(region)s this round. On offer there: %(offered)s.",
        skill=skill_name(d["skill"]),
        region=place(d["region"]),
        offered=listed(map(skill_name, d["offered"])),
    ),
    "train.rank_full": lambda d: _(
        "Your %(skill)s is at rank %(rank)s, the highest there is.",
        skill=skill_name(d["skill"]),
        rank=d["rank"],
    ),
    # Local performances
    "perform.unknown_tile": lambda d: _(
        "There is no performance tile %(tile)s.", tile=d["tile"]
    ),
    "perform.not_buildable": _not_buildable,
    "perform.tile_not_here": lambda d: _(
        "Tile %(tile)s does not lie in %(region)s.", tile=d["tile"], region=place(d["region"])
    ),
    # Festivals
    "festival.not_running": lambda _d: _("The festivals begin when all have had their turn."),
    "festival.not_asked": lambda _d: _("You do not take part in a festival this round."),
    "festival.answered": lambda _d: _("Your tower for this festival is already in."),
    "festival.other_region": lambda d: _(
        "Your pawn does not stand in %(region)s, so its festival is not for you.",
        region=place(d["region"]),
    ),
    # Towers
    "tower.empty": lambda _d: _("Nobody stands in this tower yet."),
    "tower.bad_level": lambda d: _("Level %(level)s is not a level.", level=d["level"]),
    "tower.not_owned": lambda d: ngettext(
        "Level %(level)s needs a %(size)s too many: you own %(n)s, the tower takes %(used)s.",
        "Level %(level)s needs a %(size)s too many: you own %(n)s, the tower takes %(used)s.",
        d["owned"],
        level=d["level"],
        size=d["size"],
        used=d["used"],
    ),
    "tower.wider_than_below": lambda d: _(
        "Level %(level)s is wider than the level below (%(count)s on %(below)s).",
        level=d["level"],
        count=d["count"],
        below=d["below"],
    ),
    "tower.not_narrower": lambda d: _(
        "Level %(level)s is as wide as the level below (%(count)s on %(below)s);"
        " that takes Balance %(needed)s and yours is %(rank)s.",
        level=d["level"],
        count=d["count"],
        below=d["below"],
        needed=d["needed"],
        rank=d["rank"],
    ),
    "tower.too_wide": lambda d: _(
        "Level %(level)s holds %(count)s castellers; your limit is %(limit)s.",
        level=d["level"],
        count=d["count"],
        limit=d["limit"],
    ),
    "tower.not_descending": lambda d: _(
        "Level %(level)s has size %(size)s on top of size %(below)s: sizes go down from"
        " level to level.",
        level=d["level"],
        size=d["size"],
        below=d["below"],
    ),
    "tower.rank_too_low": lambda d: (
        _(
            "Level %(level)s mixes sizes %(sizes)s; that takes Mix %(needed)s and yours is"
            " %(rank)s.",
            level=d["level"],
            sizes=listed(d["sizes"]),
            needed=d["needed"],
            rank=d["rank"],
        )
        if d["skill"] == "mix"
        else _(
            "Level %(level)s stands on its own size %(size)s; that takes Strength %(needed)s"
            " and yours is %(rank)s.",
            level=d["level"],
            size=d["sizes"][0],
            needed=d["needed"],
            rank=d["rank"],
        )
    ),
    "tower.sizes_apart": lambda d: _(
        "Level %(level)s mixes sizes %(sizes)s; even with Mix they may differ by 1 only.",
        level=d["level"],
        sizes=listed(d["sizes"]),
    ),
    "tower.too_many_sizes": lambda d: _(
        "Level %(level)s mixes sizes %(sizes)s; Mix allows two.",
        level=d["level"],
        sizes=listed(d["sizes"]),
    ),
    "tower.too_low": lambda d: ngettext(
        "The tower has %(n)s level; it needs %(needed)s.",
        "The tower has %(n)s levels; it needs %(needed)s.",
        d["levels"],
        needed=d["needed"],
    ),
    "tower.token_missing": lambda d: _(
        "The festival asks for a casteller of size %(size)s, and none is in the tower.",
        size=d["size"],
    ),
    "tower.wrong_shape": lambda d: _(
        "Level %(level)s holds %(count)s; the picture shows %(wanted)s.",
        level=d["level"],
        count=d["count"],
        wanted=d["wanted"],
    ),
    "tower.wrong_height": lambda d: ngettext(
        "The tower has %(n)s level; the tile asks for %(wanted)s.",
        "The tower has %(n)s levels; the tile asks for %(wanted)s.",
        d["levels"],
        wanted=d["wanted"],
    ),
    "tower.skill_unused": lambda d: _(
        "The tile shows %(skill)s, and the tower does not really use it.",
        skill=skill_name(d["skill"]),
    ),
}  # fmt: skip
