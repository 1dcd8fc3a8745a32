"""Why a row of options cannot be played."""

from collections.abc import Iterator

from shuangkou.rules.option_text import Table
from shuangkou.rules.tricks.options import (
    Declare,
    KittyMultiplier,
    Level,
    MatchEnd,
    NobodyDeclares,
    Rotation,
    Scoring,
    TricksOptions,
    Window,
)

Check = tuple[bool, str]
"""Whether it holds, and what to say when it does not."""


def contradictions(options: TricksOptions) -> list[str]:
    """Why these options cannot be played together; empty when they can."""
    checks = (
        *_of_the_deck(options),
        *_of_the_levels(options),
        *_of_the_declaring(options),
        *_of_the_kitty(options),
        *_of_the_score(options),
        *_of_the_end(options),
    )
    return [message for holds, message in checks if not holds]


def _of_the_deck(options: TricksOptions) -> Iterator[Check]:
    cards = options.decks * 54
    yield 1 <= options.decks <= 4, "decks must be 1 to 4"
    yield (
        options.hand_size > 0 and options.hand_size * 4 + options.kitty == cards,
        f"four times hand_size and the kitty must be {cards}",
    )
    yield not options.throws or options.decks > 1, "throws need two packs"
    yield not options.high_follow or options.decks <= 2, "high_follow is for two packs at the most"


def _of_the_levels(options: TricksOptions) -> Iterator[Check]:
    ladder, order = options.ladder, list(Level)
    is_climbed = options.scoring in (Scoring.LEVELS, Scoring.TOTALS)
    yield bool(ladder) == is_climbed, "levels and totals need a ladder, and only they"
    yield (
        sorted(set(ladder), key=order.index) == list(ladder) and len(ladder) != 1,
        "ladder must go up",
    )
    yield Level.NO_TRUMP not in ladder[:-1], "only the last of the ladder may be NT"
    yield {*options.stops, *options.hard} <= {*ladder}, "stops and hard must be levels of the ladder"
    yield (
        options.match_end is not MatchEnd.REACH or options.goal in ladder[1:],
        "goal must be above the first level of the ladder",
    )
    yield not (options.fixed_trumps and ladder), "fixed_trumps have no ladder"
    yield (
        len(options.hook_levels) == len(options.hook_falls),
        "hook_levels and hook_falls must be as many",
    )
    yield {*options.hook_levels, *options.hook_falls} <= {*ladder}, "hooks must be levels of the ladder"


def _of_the_declaring(options: TricksOptions) -> Iterator[Check]:
    windows = (*options.first_window, *options.later_window)
    is_topped = options.declare is Declare.ANY_PAIR
    yield bool(options.overturn) == bool(windows), "overturn needs a window, and a window something to show"
    yield Window.AFTER not in windows or options.kitty > 0, "overturns after the bury need a kitty"
    yield not options.stir or Window.AFTER in windows, "stir needs overturns after the bury"
    yield not options.joker_colour or options.declare is Declare.JOKER_AND_LEVEL, "joker_colour needs jokers"
    yield is_topped == bool(options.fixed_trumps), "any_pair is declared with fixed_trumps, and only so"
    yield (
        bool(options.schedule) == (options.rotation is Rotation.FIXED),
        "a schedule needs fixed declarers, and they need it",
    )


def _of_the_kitty(options: TricksOptions) -> Iterator[Check]:
    from_kitty = (
        NobodyDeclares.TURNED,
        NobodyDeclares.LEVEL_ELSE_HIGHEST,
        NobodyDeclares.LEVEL_OR_REDEAL,
    )
    needs_kitty = options.nobody_declares in from_kitty
    yield options.kitty > 0 or not needs_kitty, "nobody_declares needs a kitty"
    captures = options.kitty_multiplier not in (KittyMultiplier.NONE, KittyMultiplier.LAST_TRICK)
    yield captures == (options.kitty > 0), "a kitty is captured, and only a kitty"
    yield 1 <= options.turned_place <= max(1, options.kitty), "turned_place must be a card of the kitty"


def _of_the_score(options: TricksOptions) -> Iterator[Check]:
    tables = options.declarer_levels, options.attacker_levels
    lines = [start for start, _ in (*tables[0], *tables[1])]
    yield all(map(_goes_up, tables)), "tables of levels must have lines that go up by points"
    yield lines[:1] == [0], "declarer_levels must start at 0"
    yield lines == sorted(set(lines)), "attacker_levels must start above declarer_levels"
    yield options.base_stake % 4 == 0, "base_stake must be a multiple of 4"
    yield not options.throw_costs_stake or options.base_stake > 0, "half a stake needs a base_stake"


def _goes_up(table: Table) -> bool:
    starts = [start for start, _ in table]
    return bool(starts) and starts == sorted(set(starts))


def _of_the_end(options: TricksOptions) -> Iterator[Check]:
    has_deals = options.match_end is MatchEnd.DEALS
    yield has_deals == (options.deals > 0), "deals end the match, and only deals do"
    yield has_deals != bool(options.ladder), "a match is won on a ladder or by deals"
    yield (
        (options.scoring is Scoring.MATCH_POINTS) == (options.rotation is Rotation.ROLES_ALTERNATE),
        "match_points need roles that alternate, and only they",
    )
    yield not options.schedule or len(options.schedule) == options.deals, "schedule must name every deal"
    yield options.max_deals > 0, "max_deals must be at least 1"
