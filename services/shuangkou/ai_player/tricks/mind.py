"""The trick-taking family as the services play it."""

from shuangkou.ai_player.mind import Mind
from shuangkou.ai_player.tricks.phases import act_for
from shuangkou.ai_player.tricks.plausibility import check_plausible
from shuangkou.rules.tricks.options import TricksOptions


def _prepare(_: TricksOptions) -> None:
    """Nothing takes longer than an act."""


MIND = Mind(prepare=_prepare, check_plausible=check_plausible, act=act_for)
