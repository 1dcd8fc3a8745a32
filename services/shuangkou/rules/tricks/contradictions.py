"""Why a row of options cannot be played."""

from collections.abc import Iterator

from shuangkou.rules.tricks.options import (
    Declare,
    Level,
    MatchEnd,
    NobodyDeclares,
    Rotation,
    Scoring,
    TricksOptions,
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


def _of_the_levels(options: TricksOptions) -> Iterator[Check]:
    ladder, order = options.ladder, list(Level)
    is_climbed = options.scoring in (Scoring.LEVELS, Scoring.TOTALS)
    yield bool(ladder) == is_climbed, "levels and totals need a ladder, and only they"
    yield sorted(set(ladder), key=order.index) == list(ladder), "ladder must go up"
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
    has_window = bool(options.first_window or options.later_window)
    is_topped = options.declare is Declare.ANY_PAIR
    yield bool(options.overturn) == has_window, "overturn needs a window, and a window something to show"
    yield not options.stir or options.kitty > 0, "stir needs a kitty"
    yield not options.joker_colour or options.declare is Declare.JOKER_AND_LEVEL, "joker_colour needs jokers"
    yield is_topped == bool(options.fixed_trumps), "any_pair is declared with fixed_trumps, and only so"
    yield (
        not options.schedule or options.rotation is Rotation.FIXED,
        "a schedule needs fixed declarers",
    )


def _of_the_kitty(options: TricksOptions) -> Iterator[Check]:
    from_kitty = (
        NobodyDeclares.TURNED,
        NobodyDeclares.LEVEL_ELSE_HIGHEST,
        NobodyDeclares.LEVEL_OR_REDEAL,
    )
    needs_kitty = options.nobody_declares in from_kitty
    yield options.kitty > 0 or not needs_kitty, "nobody_declares needs a kitty"
    yield 1 <= options.turned_place <= max(1, options.kitty), "turned_place must be a card of the kitty"


def _of_the_score(options: TricksOptions) -> Iterator[Check]:
    for table in (options.declarer_levels, options.attacker_levels):
        starts = [start for start, _ in table]
        yield bool(table) and starts == sorted(set(starts)), "tables of levels must go up by points"
    yield options.declarer_levels[:1] == ((0, options.declarer_levels[0][1]),), "declarer_levels start at 0"
    yield (
        options.declarer_levels[-1][0] < options.attacker_levels[0][0],
        "attacker_levels start above declarer_levels",
    )
    yield options.base_stake % 4 == 0, "base_stake must be a multiple of 4"
    yield not options.throw_costs_stake or options.base_stake > 0, "half a stake needs a base_stake"


def _of_the_end(options: TricksOptions) -> Iterator[Check]:
    has_deals = options.match_end is MatchEnd.DEALS
    yield has_deals == (options.deals > 0), "deals end the match, and only deals do"
    yield not options.schedule or len(options.schedule) == options.deals, "schedule must name every deal"
    yield options.max_deals > 0, "max_deals must be at least 1"
