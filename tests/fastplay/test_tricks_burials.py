"""Burials that search finds: by the rules, blind to what is hidden, and worth what the rules make of them."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from random import Random
from typing import Any

import numpy as np
import pytest

from kit.effort import cases
from kit.tricks_table import DECIDER, fold, random_policy
from shuangkou.ai_player.personas import PLAIN
from shuangkou.ai_player.tiers import BadBudget
from shuangkou.ai_player.tricks.phases import act_for, searched_act
from shuangkou.fastplay.tricks.deal import bury
from shuangkou.fastplay.tricks.desk import Desk
from shuangkou.fastplay.tricks.layout import (
    ATTACKERS,
    HAND,
    HELD,
    KITTY,
    KITTY_OWNER,
    KITTY_POINTS,
    SUITED,
    TURN,
)
from shuangkou.fastplay.tricks.reading import deal_at_start, deal_to_bury
from shuangkou.fastplay.tricks.scores import UNIT_POINTS, results_of, values_of
from shuangkou.fastplay.tricks.tables import FACES, SUITS
from shuangkou.rules.commands import BuryKitty, StartDeal
from shuangkou.rules.ruleset import TricksRuleSet, available, load
from shuangkou.rules.seats import SEATS, Side
from shuangkou.rules.tricks.events import Phase
from shuangkou.rules.tricks.options import TricksOptions
from shuangkou.rules.tricks.state import MatchState
from shuangkou.rules.tricks.view import SeatView
from shuangkou.wire.commands import SeatAct

RULESETS: dict[str, TricksRuleSet] = {id: load(id) for id in available("tricks")}
WITH_KITTY = [id for id, ruleset in RULESETS.items() if ruleset.options.kitty]


def to_bury(id: str, number: int) -> MatchState:
    """A deal in which somebody is to bury."""
    state, choose = DECIDER.new_match(RULESETS[id]), random_policy(Random(number))
    while state.deal is None or state.deal.phase is not Phase.BURY:
        command: Any = StartDeal(number.to_bytes(32))
        if state.deal is not None:
            command = choose(state, DECIDER.actors(state)[0])
        number += 1000
        state = fold(state, DECIDER.decide(state, command))
    return state


def searched(options: TricksOptions, view: SeatView) -> SeatAct | None:
    """On a clock on which a millisecond passes whenever it is read."""
    ticks = count()
    return searched_act(options, view, PLAIN, 12, lambda: next(ticks) / 1000)


def twin(state: MatchState, number: int) -> MatchState:
    """The same to the seat that buries: the other hands are dealt anew."""
    deal, me = state.deal, DECIDER.actors(state)[0]
    assert deal is not None
    others = [seat for seat in SEATS if seat != me]
    hidden = [card for seat in others for card in deal.hands[seat]]
    Random(number).shuffle(hidden)
    hands = list(deal.hands)
    for seat in others:
        size = len(hands[seat])
        hands[seat], hidden = tuple(sorted(hidden[:size])), hidden[size:]
    return replace(state, deal=replace(deal, hands=tuple(hands)))


@pytest.mark.parametrize("id", WITH_KITTY)
def test_a_burial_that_is_searched_is_legal_and_blind(id: str) -> None:
    options = RULESETS[id].options
    for number in cases(few=2, many=100):
        state = to_bury(id, number)
        seat = DECIDER.actors(state)[0]
        found = searched(options, DECIDER.observe(state, seat))
        assert found == searched(options, DECIDER.observe(twin(state, number), seat))
        if found is not None:
            assert isinstance(found, BuryKitty)
            assert found in DECIDER.legal_acts(state, seat)


def test_some_burials_are_other_than_those_of_the_rule_policy() -> None:
    options, others = RULESETS["multi2"].options, 0
    for number in range(12):
        state = to_bury("multi2", number)
        view, ticks = DECIDER.observe(state, DECIDER.actors(state)[0]), count()
        found = searched_act(options, view, PLAIN, 150, lambda ticks=ticks: next(ticks) / 1000)  # type: ignore[misc]  # bound now, read later
        others += found != act_for(options, view, PLAIN)
    assert 0 < others < 12


def test_a_budget_that_no_search_can_have_is_refused() -> None:
    state = to_bury("multi2", 1)
    view = DECIDER.observe(state, DECIDER.actors(state)[0])
    with pytest.raises(BadBudget):
        searched_act(RULESETS["multi2"].options, view, PLAIN, 0, lambda: 0.0)


def test_burying_in_the_core_is_burying_by_the_rules() -> None:
    options = RULESETS["multi2"].options
    for number in cases(few=20, many=500):
        state = to_bury("multi2", number)
        seat = DECIDER.actors(state)[0]
        game, deal = deal_to_bury(options, DECIDER.observe(state, seat), seat, Desk().ints)
        act = act_for(options, DECIDER.observe(state, seat), PLAIN)
        assert isinstance(act, BuryKitty)
        bury(game.tables, deal, game.counts(act.cards))
        after = fold(state, DECIDER.decide(state, act))
        while after.deal is not None and after.deal.phase is not Phase.PLAY:
            after = fold(after, DECIDER.decide(after, DECIDER.fallback(after, DECIDER.actors(after)[0])))
        assert after.deal is not None
        _, __, begun = deal_at_start(options, after.standing, after.deal)
        for fact in (TURN, ATTACKERS, KITTY_OWNER, KITTY_POINTS):
            assert deal[fact] == begun[fact]
        own = slice(HELD + seat * FACES, HELD + (seat + 1) * FACES)
        assert (deal[own] == begun[own]).all()
        assert (deal[KITTY : KITTY + FACES] == begun[KITTY : KITTY + FACES]).all()
        assert (deal[HAND : HAND + 4] == begun[HAND : HAND + 4]).all()
        suited = slice(SUITED + seat * SUITS, SUITED + (seat + 1) * SUITS)
        assert (deal[suited] == begun[suited]).all()


@pytest.mark.parametrize("id", RULESETS)
def test_more_points_are_never_worth_less_to_the_attackers(id: str) -> None:
    ruleset = RULESETS[id]
    levels = DECIDER.new_match(ruleset).standing.levels
    if ruleset.options.ladder:
        levels = (ruleset.options.ladder[0], ruleset.options.ladder[-1])
    for attackers in (Side(0), Side(1)):
        values = values_of(ruleset.options, levels, attackers)
        steps = results_of(ruleset.options, levels, attackers)[UNIT_POINTS]
        assert (np.diff(values, axis=1) > 0).all()
        assert values[0, 0] < values[0, 80 * ruleset.options.decks // steps]
