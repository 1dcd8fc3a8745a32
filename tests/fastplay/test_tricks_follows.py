"""Laws of the follows that the rule policy weighs: legal, each once, and no card is spent in all of them
that might be kept."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from kit.core_tricks import ready_to_play
from kit.effort import cases
from kit.tricks_table import DECIDER, fold, random_policy
from shuangkou.ai_player.personas import PLAIN
from shuangkou.ai_player.tricks.core_policy import weigh
from shuangkou.rules.ruleset import TricksRuleSet, available, load
from shuangkou.rules.tricks.events import Phase
from shuangkou.rules.tricks.state import MatchState

ALL: dict[str, TricksRuleSet] = {id: load(id) for id in available("tricks")}
RULESETS = {id: ruleset for id, ruleset in ALL.items() if ruleset.options.decks > 1 or ruleset.options.throws}
"""Those where several cards may be led."""


@pytest.mark.parametrize("id", RULESETS)
def test_every_card_that_may_be_kept_is_kept_by_a_follow_that_is_weighed(id: str) -> None:
    follows = 0
    for number in cases(few=2, many=200):
        state, play = ready_to_play(RULESETS[id], number), random_policy(Random(number))
        while state.deal is not None:
            if state.deal.phase is Phase.PLAY and state.deal.trick and len(state.deal.trick[0].cards) > 1:
                check_follows(state)
                follows += 1
            state = fold(state, DECIDER.decide(state, play(state, DECIDER.actors(state)[0])))
    assert follows


def check_follows(state: MatchState) -> None:
    """Of the seat to act; AssertionError."""
    seat = DECIDER.actors(state)[0]
    view, legal = DECIDER.observe(state, seat), DECIDER.legal_acts(state, seat)
    weighed = [one.act for one in weigh(state.ruleset.options, view, PLAIN)]
    assert all(act in legal for act in weighed)
    assert len(set(weighed)) == len(weighed)
    assert legal.follows is not None
    forced = Counter(legal.follows.forced)
    for card in view.hand:
        assert min(act.cards.count(card) for act in weighed) == forced[card]
