"""Laws of the tiers: legal, blind to what is hidden, within their time, and better than those they must
beat."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import count
from random import Random

import pytest

from kit.core_deals import after, ready_to_play
from kit.effort import cases
from shuangkou.ai_player.climbing.core_policy import Act, beginner, instant, strong, weigh
from shuangkou.ai_player.personas import PERSONAS, PLAIN
from shuangkou.ai_player.tiers import BadBudget
from shuangkou.ai_player.unanswerable import NotToAct
from shuangkou.rules.climbing.decider import ClimbingDecider
from shuangkou.rules.climbing.legal_acts import legal_acts_in_view
from shuangkou.rules.climbing.options import ClimbingOptions
from shuangkou.rules.climbing.state import MatchState
from shuangkou.rules.climbing.view import SeatView
from shuangkou.rules.ruleset import RuleSet, available, load
from shuangkou.rules.seats import SEATS, partner

DECIDER = ClimbingDecider()
RULESETS = {id: load(id) for id in available("climbing")}
Tier = Callable[[ClimbingOptions, SeatView], Act]


def by_ticks(options: ClimbingOptions, view: SeatView) -> Act:
    """Search on a clock that counts how often it is asked, so that it ends after as many worlds each
    time."""
    ticks = count()
    return strong(options, view, PLAIN, 12, lambda: next(ticks) / 1000)


TIERS: dict[str, Tier] = {
    "beginner": partial(beginner, persona=PLAIN),
    "instant": partial(instant, persona=PLAIN),
    "strong": by_ticks,
    **{persona.id: partial(instant, persona=persona) for persona in PERSONAS},
}


def middle_of(ruleset: RuleSet, number: int) -> MatchState:
    """A deal after some acts of the rule policy, in the phase of play."""
    chance = Random(number)
    state = ready_to_play(ruleset, number)
    for _ in range(chance.randrange(60)):
        assert state.deal is not None
        act = TIERS["instant"](ruleset.options, DECIDER.observe(state, state.deal.turn))
        following = after(state, act)
        if following.deal is None:
            break
        state = following
    return state


def twin(state: MatchState, number: int) -> MatchState:
    """The same to the seat to act: the cards of the others are dealt anew among them."""
    deal = state.deal
    assert deal is not None
    known = {deal.turn, partner(deal.turn)} if state.ruleset.options.open_partner_hands else {deal.turn}
    others = [seat for seat in SEATS if seat not in known]
    hidden = [card for seat in others for card in deal.hands[seat]]
    Random(number).shuffle(hidden)
    hands = list(deal.hands)
    for seat in others:
        size = len(hands[seat])
        hands[seat], hidden = state.table.sort(hidden[:size]), hidden[size:]
    packed = tuple(state.table.pack(hand) for hand in hands)
    return replace(state, deal=replace(deal, hands=tuple(hands), packed_hands=packed))


@pytest.mark.parametrize("id", RULESETS)
def test_every_tier_acts_by_the_rules_and_is_blind_to_hidden_cards(id: str) -> None:
    ruleset = RULESETS[id]
    for number in cases(few=4, many=300):
        state = middle_of(ruleset, number)
        assert state.deal is not None
        view = DECIDER.observe(state, state.deal.turn)
        blind = DECIDER.observe(twin(state, number), state.deal.turn)
        for name, tier in TIERS.items():
            act = tier(ruleset.options, view)
            assert act in legal_acts_in_view(ruleset.options, view), name
            assert tier(ruleset.options, blind) == act, name


@pytest.mark.parametrize("id", RULESETS)
def test_whole_deals_end_without_an_act_against_the_rules(id: str) -> None:
    ruleset = RULESETS[id]
    for number in cases(few=3, many=1000):
        state = ready_to_play(ruleset, number)
        tier = TIERS[("instant", "beginner")[number % 2]]
        while state.deal is not None:
            state = after(state, tier(ruleset.options, DECIDER.observe(state, state.deal.turn)))
        assert state.settled is not None


def test_the_best_act_that_is_weighed_is_the_act_that_is_played() -> None:
    for number in cases(few=10, many=500):
        state = middle_of(RULESETS["qq"], number)
        assert state.deal is not None
        view = DECIDER.observe(state, state.deal.turn)
        weighed = weigh(RULESETS["qq"].options, view, PLAIN)
        assert weighed[0].act == instant(RULESETS["qq"].options, view, PLAIN)
        assert [one.worth for one in weighed] == sorted((one.worth for one in weighed), reverse=True)


@pytest.mark.parametrize("budget", [0, -1, 1e9, float("nan")])
def test_a_budget_that_no_search_can_have_is_refused(budget: float) -> None:
    state = ready_to_play(RULESETS["qq"], 1)
    assert state.deal is not None
    with pytest.raises(BadBudget):
        strong(RULESETS["qq"].options, DECIDER.observe(state, state.deal.turn), PLAIN, budget)


def test_who_is_not_to_act_gets_no_act() -> None:
    state = ready_to_play(RULESETS["qq"], 1)
    assert state.deal is not None
    for seat in (*(seat for seat in SEATS if seat != state.deal.turn), None):
        with pytest.raises(NotToAct):
            instant(RULESETS["qq"].options, DECIDER.observe(state, seat), PLAIN)
