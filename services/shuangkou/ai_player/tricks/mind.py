"""The trick-taking family as the services play it."""

from typing import Any

from shuangkou.ai_player.advice import Advice
from shuangkou.ai_player.mind import Clock, Mind
from shuangkou.ai_player.personas import Persona
from shuangkou.ai_player.tricks.opponents import PLAYERS
from shuangkou.ai_player.tricks.phases import act_for
from shuangkou.ai_player.tricks.plausibility import check_plausible
from shuangkou.rules.tricks.options import TricksOptions
from shuangkou.rules.tricks.view import SeatView
from shuangkou.wire.commands import SeatAct


def _prepare(_: TricksOptions) -> None:
    """Nothing takes longer than an act."""


def _no_search(_: TricksOptions, __: SeatView, ___: Persona, ____: float, _____: Clock) -> SeatAct | None:
    """Nothing is searched in this family: the rule policy decides."""
    return None


def _no_advice(
    _: TricksOptions, __: SeatView, ___: Persona, ____: int, _____: float, ______: Clock
) -> list[Advice] | None:
    """Nothing is weighed in this family: the rule policy's act is all there is to say."""
    return None


def _no_double(_: Any) -> bool:
    """No game of this family counts one."""
    return False


MIND = Mind(
    prepare=_prepare,
    check_plausible=check_plausible,
    act=act_for,
    search=_no_search,
    advise=_no_advice,
    players=PLAYERS,
    searches=False,
    is_double=_no_double,
)
