"""The trick-taking family as the services play it."""

from shuangkou.ai_player.mind import Mind
from shuangkou.ai_player.personas import Persona
from shuangkou.ai_player.tricks.plausibility import check_plausible
from shuangkou.ai_player.unanswerable import NotToAct
from shuangkou.rules.tricks.fallback import fallback_act
from shuangkou.rules.tricks.options import TricksOptions
from shuangkou.rules.tricks.position import position_seen
from shuangkou.rules.tricks.view import SeatView
from shuangkou.wire.commands import SeatAct


def _prepare(_: TricksOptions) -> None:
    """Nothing takes longer than an act."""


def act_by_default(options: TricksOptions, view: SeatView, _: Persona) -> SeatAct:
    """What the rules play for a seat whose time is up."""
    if not view.is_to_act:
        raise NotToAct("it is not this seat's turn")
    return fallback_act(position_seen(options, view))


MIND = Mind(prepare=_prepare, check_plausible=check_plausible, act=act_by_default)
