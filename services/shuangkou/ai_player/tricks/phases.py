"""Who decides in which phase of a deal: one line for each."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from shuangkou.ai_player.mind import Clock
from shuangkou.ai_player.personas import Persona
from shuangkou.ai_player.tiers import Tier, check_budget
from shuangkou.ai_player.tricks.burying import burials, choose_burial
from shuangkou.ai_player.tricks.core_policy import asked, beginner, desk_of, instant, strong
from shuangkou.ai_player.tricks.declaring import choose_show
from shuangkou.ai_player.tricks.following import choose_follow
from shuangkou.ai_player.tricks.leading import choose_lead
from shuangkou.ai_player.tricks.naming import choose_shape
from shuangkou.ai_player.tricks.situation import Situation, order_seen, situation_of
from shuangkou.ai_player.tricks.weights import Weights, weights_of
from shuangkou.ai_player.unanswerable import NoPolicy, NotToAct
from shuangkou.fastplay.tricks.search import MOST_CANDIDATES, cards_of, find, trial_of_burials
from shuangkou.rules.cards import Card
from shuangkou.rules.commands import BuryKitty, PlayCards
from shuangkou.rules.seats import Seat
from shuangkou.rules.tricks.commands import NameShape, SeatAct
from shuangkou.rules.tricks.events import Phase
from shuangkou.rules.tricks.options import TricksOptions
from shuangkou.rules.tricks.position import position_seen
from shuangkou.rules.tricks.view import SeatView

_REMEMBERS = 0.5


@dataclass(frozen=True, slots=True)
class Question:
    """What a persona is asked: the view of `seat`, whose turn it is."""

    options: TricksOptions
    view: SeatView
    seat: Seat
    persona: Persona

    @property
    def weights(self) -> Weights:
        """What things are worth to the persona."""
        return weights_of(self.persona, self.view)

    @property
    def situation(self) -> Situation:
        """What it knows."""
        order = order_seen(self.options, self.view)
        remembers = self.persona.memory >= _REMEMBERS
        return situation_of(self.options, self.view, self.seat, order, remembers)


def act_for(options: TricksOptions, view: SeatView, persona: Persona) -> SeatAct:
    """What the persona does in the phase that the deal is in; NoPolicy, or NotToAct for another seat's turn.

    No act out of turn: a bot does not leave, and declares when it is asked, not while cards are drawn.
    """
    if view.seat is None or not view.is_to_act:
        raise NotToAct("it is not this seat's turn")
    policy = None if view.phase is None else POLICIES.get(view.phase)
    if policy is None:
        raise NoPolicy(f"no policy for the phase {view.phase}")
    return policy(Question(options, view, view.seat, persona))


def _show(asked: Question) -> SeatAct:
    return choose_show(asked.options, asked.view, asked.seat, asked.weights, asked.persona.aggression)


def _bury(asked: Question) -> SeatAct:
    return BuryKitty(asked.seat, choose_burial(asked.situation, asked.weights, shown(asked)))


def shown(asked: Question) -> tuple[Card, ...]:
    """Cards that the seat has shown for trump, which it may not bury."""
    return position_seen(asked.options, asked.view).auction.shown_by(asked.seat)


def searched_act(
    options: TricksOptions, view: SeatView, persona: Persona, budget_ms: float, clock: Clock
) -> SeatAct | None:
    """What guarded search plays or buries within the budget; None where it has nothing to search in this
    view. NotToAct, or BadBudget.
    """
    if view.phase is Phase.PLAY:
        return strong(options, view, persona, budget_ms, clock)
    if view.phase is not Phase.BURY or view.declarer is None or view.attackers is None:
        return None
    until = clock() + check_budget(budget_ms) / 1000
    question = Question(options, view, asked(view), persona)
    found = burials(question.situation, question.weights, shown(question), MOST_CANDIDATES)
    trial = trial_of_burials(options, view, question.seat, desk_of(persona, view), clock)
    counts = np.array([trial.game.counts(cards) for cards in found])
    return BuryKitty(question.seat, tuple(sorted(cards_of(find(trial, counts, until)))))


def _play(asked: Question) -> SeatAct:
    """At once, whatever the persona could find by search."""
    tier = beginner if asked.persona.tier is Tier.BEGINNER else instant
    return tier(asked.options, asked.view, asked.persona)


def rule_play(options: TricksOptions, view: SeatView, persona: Persona) -> SeatAct:
    """What the policy plays that is written in Python; NotToAct."""
    if view.seat is None or not view.is_to_act:
        raise NotToAct("it is not this seat's turn")
    asked = Question(options, view, view.seat, persona)
    choose = choose_follow if view.trick else choose_lead
    return PlayCards(asked.seat, choose(asked.situation, asked.weights, _STRAYING * persona.whim))


def _name(asked: Question) -> SeatAct:
    return NameShape(asked.seat, choose_shape(asked.situation))


_STRAYING = 6.0
"""Points that a whim of 1 may cost."""

POLICIES: dict[Phase, Callable[[Question], SeatAct]] = {
    Phase.CLOSING: _show,
    Phase.POST: _show,
    Phase.BURY: _bury,
    Phase.PLAY: _play,
    Phase.NAME_SHAPE: _name,
}
