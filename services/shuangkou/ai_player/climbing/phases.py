"""Who decides in which phase of a deal: one line for each."""

from collections.abc import Callable

from shuangkou.ai_player.climbing.before_play import (
    bid_by_strength,
    bury_cheapest,
    declare_at_once,
    exchange_loose,
    mark_highest,
    take_useful,
)
from shuangkou.ai_player.climbing.core_policy import beginner, instant
from shuangkou.ai_player.personas import Persona
from shuangkou.ai_player.tiers import Tier
from shuangkou.ai_player.unanswerable import NoPolicy
from shuangkou.rules.climbing.options import ClimbingOptions, Phase
from shuangkou.rules.climbing.view import SeatView
from shuangkou.wire.commands import SeatAct

Policy = Callable[[ClimbingOptions, SeatView, Persona], SeatAct]


def _play(options: ClimbingOptions, view: SeatView, persona: Persona) -> SeatAct:
    """At once, whatever the persona could find by search."""
    return (beginner if persona.tier is Tier.BEGINNER else instant)(options, view, persona)


POLICIES: dict[Phase, Policy] = {
    Phase.BURY: bury_cheapest,
    Phase.DECLARE: declare_at_once,
    Phase.AUCTION: bid_by_strength,
    Phase.TAKE: take_useful,
    Phase.EXCHANGE: exchange_loose,
    Phase.MARK: mark_highest,
    Phase.PLAY: _play,
}


def act_for(options: ClimbingOptions, view: SeatView, persona: Persona) -> SeatAct:
    """What the persona does in the phase that the deal is in; NoPolicy, or NotToAct for another seat's turn.

    No act out of turn: a bot neither leaves nor agrees to give a deal up or to have it dealt anew.
    """
    policy = POLICIES.get(view.phase)
    if policy is None:
        raise NoPolicy(f"no policy for the phase {view.phase.value}")
    return policy(options, view, persona)
