"""What the end of a deal is worth to the cards that are kept for it: the kitty, hats and hooks."""

from shuangkou.ai_player.tricks.situation import Situation
from shuangkou.rules.cards import Card
from shuangkou.rules.tricks.multipliers import multiplier
from shuangkou.rules.tricks.options import KittyMultiplier, MatchEnd
from shuangkou.rules.tricks.point_cards import points_of
from shuangkou.rules.tricks.units import SINGLE, Shape

_UNKNOWN_KITTY = 8.0
"""Points in a kitty that another seat buried."""
_POINTS_OF_LAST_TRICK = 10.0
_HATS = (MatchEnd.HAT_ANY, MatchEnd.HAT_ALL)


def last_trick_stake(situation: Situation, shape: Shape = SINGLE) -> float:
    """Points that the winner of the last trick decides about, besides those in it."""
    options, view = situation.options, situation.view
    times = multiplier(options, shape, won_with_trump=True)
    if options.kitty_multiplier is KittyMultiplier.LAST_TRICK:
        return (times - 1) * _POINTS_OF_LAST_TRICK
    if not view.kitty_size:
        return 0.0
    is_known = view.kitty_owner == view.seat
    return times * (points_of(view.kitty) if is_known else _UNKNOWN_KITTY)


def is_hat(situation: Situation, card: Card) -> bool:
    """Whether the last trick is to be won with this card: it wears a hat (§10.3) or is a hook (§10.4)."""
    options, level = situation.options, situation.view.level
    if level is None or card.rank is not level.rank:
        return False
    if situation.is_attacking:
        return level in options.hook_levels
    return options.match_end in _HATS and level is options.ladder[-1]
