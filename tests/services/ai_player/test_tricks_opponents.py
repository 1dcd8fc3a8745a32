"""One-sided opponents in tricks do what they are named for, by the rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from kit.core_tricks import ready_to_play
from kit.tricks_table import DECIDER, fold
from shuangkou.ai_player.tricks.opponents import PLAYERS
from shuangkou.rules.commands import PlayCards
from shuangkou.rules.ruleset import TricksRuleSet, load
from shuangkou.rules.tricks.events import Phase
from shuangkou.rules.tricks.position import position_seen
from shuangkou.rules.tricks.view import SeatView


def views(ruleset: TricksRuleSet, number: int) -> Iterator[tuple[SeatView, PlayCards]]:
    """Every play of a deal by one side, and the view it was made in; the other is naive, and leads plain
    suits."""
    state = ready_to_play(ruleset, number)
    while actors := DECIDER.actors(state):
        view = DECIDER.observe(state, actors[0])
        name = "naive" if actors[0] % 2 else "trump_happy"
        act: Any = PLAYERS[name](ruleset.options, view)
        assert act in DECIDER.legal_acts(state, actors[0])
        if name == "trump_happy" and view.phase is Phase.PLAY:
            yield view, act
        state = fold(state, DECIDER.decide(state, act))


@pytest.mark.parametrize("id", ["multi2", "tian5", "sheng_nokitty4"])
def test_the_highest_trump_is_led_and_played_wherever_it_may_be(id: str) -> None:
    ruleset: TricksRuleSet = load(id)
    led = ruffed = 0
    for number in range(8):
        for view, act in views(ruleset, number):
            order = position_seen(ruleset.options, view).order
            trumps = [order.strengths[card] for card in view.hand if order.is_trump(card)]
            if not trumps:
                continue
            lead = view.trick[0].cards if view.trick else ()
            is_void = bool(lead) and not any(order.suits[card] is order.suits[lead[0]] for card in view.hand)
            if not lead or (is_void and len(lead) == 1):
                led, ruffed = led + (not lead), ruffed + is_void
                assert len(act.cards) == 1
                assert order.strengths[act.cards[0]] == max(trumps)
                assert order.is_trump(act.cards[0])
    assert led > 10
    assert ruffed > 0
