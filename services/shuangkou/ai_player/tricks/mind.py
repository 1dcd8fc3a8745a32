"""The trick-taking family as the services play it."""

from shuangkou.ai_player.mind import Mind
from shuangkou.ai_player.tricks.phases import act_for
from shuangkou.ai_player.tricks.plausibility import check_plausible
from shuangkou.rules.tricks.options import TricksOptions
from shuangkou.rules.tricks.order import Trump, trump_order


def _prepare(options: TricksOptions) -> None:
    """The orders of all trumps and levels."""
    for level in options.ladder or options.schedule or (None,):
        for trump in Trump:
            trump_order(options, trump, None if level is None else level.rank)


MIND = Mind(prepare=_prepare, check_plausible=check_plausible, act=act_for)
