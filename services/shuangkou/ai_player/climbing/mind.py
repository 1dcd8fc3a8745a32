"""The climbing family as the services play it."""

from shuangkou.ai_player.advice import Advice
from shuangkou.ai_player.climbing.advising import advise
from shuangkou.ai_player.climbing.core_policy import prepare, strong
from shuangkou.ai_player.climbing.explaining import explain
from shuangkou.ai_player.climbing.opponents import PLAYERS
from shuangkou.ai_player.climbing.phases import act_for
from shuangkou.ai_player.climbing.plausibility import check_genuine, check_plausible
from shuangkou.ai_player.mind import Clock, Mind
from shuangkou.ai_player.personas import Persona
from shuangkou.rules.climbing.events import DealSettled, Result
from shuangkou.rules.climbing.options import ClimbingOptions, Phase
from shuangkou.rules.climbing.view import SeatView
from shuangkou.wire.commands import SeatAct


def _search(
    options: ClimbingOptions, view: SeatView, persona: Persona, budget_ms: float, clock: Clock
) -> SeatAct | None:
    """Only the play is searched."""
    return strong(options, view, persona, budget_ms, clock) if view.phase is Phase.PLAY else None


def _advise(
    options: ClimbingOptions, view: SeatView, persona: Persona, most: int, budget_ms: float, clock: Clock
) -> list[Advice] | None:
    """Only the play is weighed."""
    return advise(options, view, persona, most, budget_ms, clock) if view.phase is Phase.PLAY else None


def _unit(_: ClimbingOptions) -> str:
    return "points"


def _pays_double(options: ClimbingOptions) -> bool:
    return options.base_double > 0


def _is_double(settled: DealSettled) -> bool:
    """双扣."""
    return settled.result is Result.DOUBLE


MIND = Mind(
    prepare=prepare,
    check_plausible=check_plausible,
    check_genuine=check_genuine,
    act=act_for,
    search=_search,
    advise=_advise,
    explain=explain,
    players=PLAYERS,
    searches=True,
    unit=_unit,
    pays_double=_pays_double,
    is_double=_is_double,
)
