"""Options that change nothing in a game, because others do: what a reader of its rules need not see."""

from shuangkou.rules.tricks.options import (
    MatchEnd,
    NobodyDeclares,
    Rotation,
    Scoring,
    TricksOptions,
)


def idle_options(options: TricksOptions) -> frozenset[str]:
    """The keys of the options that nothing in this game asks for."""
    uses = (
        (options.scoring is Scoring.LEVELS, ("declarer_levels", "attacker_levels", "attacker_step")),
        (bool(options.ladder), ("ladder", "stops", "hard", "hook_levels", "max_deals")),
        (bool(options.schedule), ("schedule",)),
        (bool(options.fixed_trumps), ("fixed_trumps",)),
        (not options.fixed_trumps, ("no_trump_tractors",)),
        (bool(options.hook_levels), ("hook_falls", "hook_points")),
        (options.match_end is MatchEnd.REACH, ("goal",)),
        (options.nobody_declares is NobodyDeclares.TURNED, ("turned_place", "turned_joker_skipped")),
        (bool(options.overturn), ("show_order", "first_window", "later_window", "lock", "moves_deal")),
        (options.throws, ("throw_fine", "throw_costs_stake", "opponents_choose")),
        (options.kitty > 0, ("stir", "turned_final", "bury_seconds")),
        (options.rotation not in (Rotation.FIXED, Rotation.ROLES_ALTERNATE), ("moves_deal",)),
        (options.base_stake > 0, ("stake_doubles",)),
    )
    return frozenset(key for is_used, keys in uses if not is_used for key in keys)
