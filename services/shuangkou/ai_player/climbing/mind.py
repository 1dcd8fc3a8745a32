"""The climbing family as the services play it."""

from shuangkou.ai_player.climbing.features import features_of
from shuangkou.ai_player.climbing.phases import act_for
from shuangkou.ai_player.climbing.plausibility import check_plausible
from shuangkou.ai_player.mind import Mind
from shuangkou.rules.climbing.move_table import move_table
from shuangkou.rules.climbing.options import ClimbingOptions


def _prepare(options: ClimbingOptions) -> None:
    features_of(move_table(options))


MIND = Mind(prepare=_prepare, check_plausible=check_plausible, act=act_for)
