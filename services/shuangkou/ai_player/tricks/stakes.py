"""What the end of a deal is worth to the cards that are kept for it: the kitty, hats and hooks."""

from shuangkou.ai_player.tricks.situation import Situation
from shuangkou.rules.cards import Card
from shuangkou.rules.tricks.events import Phase
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


def hat_cards(situation: Situation) -> tuple[Card, ...]:
    """Own cards, low to high, with which the last trick is a hat (§10.3) or a hook (§10.4)."""
    options, view = situation.options, situation.view
    level, is_played = view.level, view.phase in (Phase.BURY, Phase.PLAY)
    if level is None or not is_played:
        return ()
    if situation.is_attacking:
        counts = level in options.hook_levels
    else:
        counts = options.match_end in _HATS and level is options.ladder[-1]
    return situation.order.ascending(card for card in view.hand if counts and card.rank is level.rank)
