"""The trick-taking family as the services play it."""

from typing import Any

from shuangkou.ai_player.advice import Advice
from shuangkou.ai_player.mind import Clock, Mind
from shuangkou.ai_player.personas import Persona
from shuangkou.ai_player.tricks.advising import advise, advise_on_burial
from shuangkou.ai_player.tricks.explaining import explain
from shuangkou.ai_player.tricks.opponents import PLAYERS
from shuangkou.ai_player.tricks.phases import act_for, searched_act
from shuangkou.ai_player.tricks.plausibility import check_genuine, check_plausible
from shuangkou.ai_player.tricks.scored_in import unit_words
from shuangkou.fastplay.tricks.scores import values_of
from shuangkou.rules.seats import SIDES
from shuangkou.rules.tricks.events import Phase
from shuangkou.rules.tricks.options import TricksOptions
from shuangkou.rules.tricks.view import SeatView


def _prepare(options: TricksOptions) -> None:
    """What the scores of a first deal are worth: that takes 6 ms. Those of later levels are made as they
    are met."""
    lowest = options.ladder[0] if options.ladder else None
    for attackers in SIDES:
        values_of(options, (lowest, lowest), attackers)


def _advise(
    options: TricksOptions, view: SeatView, persona: Persona, most: int, budget_ms: float, clock: Clock
) -> list[Advice] | None:
    """Plays are weighed, and burials where it is known who leads against whom."""
    if view.phase is Phase.PLAY:
        return advise(options, view, persona, most, budget_ms, clock)
    if view.phase is not Phase.BURY or view.declarer is None or view.attackers is None:
        return None
    return advise_on_burial(options, view, persona, most, budget_ms, clock)


def _no_double(_: Any) -> bool:
    """No game of this family counts one."""
    return False


MIND = Mind(
    prepare=_prepare,
    check_plausible=check_plausible,
    check_genuine=check_genuine,
    act=act_for,
    search=searched_act,
    advise=_advise,
    explain=explain,
    players=PLAYERS,
    searches=True,
    unit=unit_words,
    pays_double=_no_double,
    is_double=_no_double,
)
