"""Laws of the tiers that play tricks: legal, blind to what is hidden, within their time, and better than
those they must beat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from random import Random

import numpy as np
import pytest

from kit.clocks import ticking
from kit.core_tricks import ready_to_play
from kit.effort import cases
from kit.tricks_table import DECIDER, fold
from shuangkou.ai_player.arena import seeds_from
from shuangkou.ai_player.personas import PERSONAS, PLAIN
from shuangkou.ai_player.tiers import BadBudget
from shuangkou.ai_player.tournament import Terms, contest, outcome_of
from shuangkou.ai_player.tricks.advising import advise
from shuangkou.ai_player.tricks.core_policy import beginner, instant, strong, weigh
from shuangkou.ai_player.tricks.phases import act_for
from shuangkou.ai_player.unanswerable import NotToAct
from shuangkou.fastplay.tricks.desk import Desk
from shuangkou.fastplay.tricks.layout import HELD, KITTY
from shuangkou.fastplay.tricks.search import trial_of
from shuangkou.fastplay.tricks.tables import FACES, PLACE, SUIT, TRUMPS
from shuangkou.fastplay.tricks.worlds import sample_world
from shuangkou.rules.cards import Card, full_deck
from shuangkou.rules.commands import PlayCards
from shuangkou.rules.ruleset import TricksRuleSet, available, load
from shuangkou.rules.seats import SEATS
from shuangkou.rules.tricks.events import Phase
from shuangkou.rules.tricks.options import TricksOptions
from shuangkou.rules.tricks.state import MatchState
from shuangkou.rules.tricks.view import SeatView

RULESETS: dict[str, TricksRuleSet] = {id: load(id) for id in available("tricks")}
Tier = Callable[[TricksOptions, SeatView], PlayCards]


def by_ticks(options: TricksOptions, view: SeatView) -> PlayCards:
    """Search on a clock that counts how often it is asked, so that it ends after as many worlds each
    time."""
    return strong(options, view, PLAIN, 12, ticking())


TIERS: dict[str, Tier] = {
    "beginner": partial(beginner, persona=PLAIN),
    "instant": partial(instant, persona=PLAIN),
    "strong": by_ticks,
    **{persona.id: partial(instant, persona=persona) for persona in PERSONAS},
}


def to_act(state: MatchState) -> SeatView:
    """The view of the seat to act."""
    return DECIDER.observe(state, DECIDER.actors(state)[0])


def middle_of(ruleset: TricksRuleSet, number: int) -> MatchState:
    """A deal after some plays of the rule policy, where cards are to be played."""
    state = ready_to_play(ruleset, number)
    acts = Random(number).randrange(4 * ruleset.options.hand_size * 3 // 4)
    for _ in range(acts):
        following = fold(state, DECIDER.decide(state, act_for(ruleset.options, to_act(state), PLAIN)))
        if following.deal is None:
            break
        state = following if following.deal.phase is Phase.PLAY else state
    return state


def twin(state: MatchState, number: int) -> MatchState:
    """The same to the seat to act: all that it cannot see is dealt anew."""
    deal, me = state.deal, DECIDER.actors(state)[0]
    assert deal is not None
    others = [seat for seat in SEATS if seat != me]
    hidden = [card for seat in others for card in deal.hands[seat]]
    hidden += [] if deal.kitty_owner == me else [*deal.kitty]
    Random(number).shuffle(hidden)
    hands: list[tuple[Card, ...]] = list(deal.hands)
    for seat in others:
        size = len(hands[seat])
        hands[seat], hidden = tuple(sorted(hidden[:size])), hidden[size:]
    kitty = deal.kitty if deal.kitty_owner == me else tuple(hidden)
    return replace(state, deal=replace(deal, hands=tuple(hands), kitty=kitty))


@pytest.mark.parametrize("id", RULESETS)
def test_every_tier_acts_by_the_rules_and_is_blind_to_hidden_cards(id: str) -> None:
    ruleset = RULESETS[id]
    for number in cases(few=3, many=300):
        state = middle_of(ruleset, number)
        view, blind = to_act(state), to_act(twin(state, number))
        for name, tier in TIERS.items():
            act = tier(ruleset.options, view)
            assert act in DECIDER.legal_acts(state, act.seat), name
            assert tier(ruleset.options, blind) == act, name


@pytest.mark.parametrize("id", RULESETS)
def test_whole_deals_end_without_an_act_against_the_rules(id: str) -> None:
    ruleset = RULESETS[id]
    for number in cases(few=3, many=1000):
        state = ready_to_play(ruleset, number)
        tier = TIERS[("instant", "beginner")[number % 2]]
        while state.deal is not None:
            view = to_act(state)
            is_play = view.phase is Phase.PLAY
            act = tier(ruleset.options, view) if is_play else act_for(ruleset.options, view, PLAIN)
            state = fold(state, DECIDER.decide(state, act))
        assert state.settled is not None


@pytest.mark.parametrize("id", RULESETS)
def test_worlds_agree_with_all_that_the_seat_knows(id: str) -> None:
    ruleset = RULESETS[id]
    for number in cases(few=3, many=300):
        view = to_act(middle_of(ruleset, number))
        assert view.seat is not None
        trial = trial_of(ruleset.options, view, view.seat, Desk(), lambda: 0.0)
        world = trial.deal.copy()
        sample_world(trial.game.tables, world, trial.hidden.arrays, trial.stream)
        hands = [trial.game.cards(world[HELD + seat * FACES : HELD + (seat + 1) * FACES]) for seat in SEATS]
        kitty = trial.game.cards(world[KITTY : KITTY + FACES])
        assert tuple(map(len, hands)) == view.hand_sizes
        assert Counter(hands[view.seat]) == Counter(view.hand)
        assert len(kitty) == view.kitty_size
        played = [card for play in view.history for card in play.cards]
        whole = Counter(played) + Counter(kitty) + sum(map(Counter, hands), Counter[Card]())
        assert whole == Counter(full_deck(ruleset.options.decks))


def test_who_showed_and_buried_holds_more_of_the_trumps() -> None:
    """A soft weight, that tells most while hands are full."""
    ratios = list(filter(None, (_ratio_of_trumps(number) for number in range(120))))
    assert len(ratios) >= 10
    assert 1.1 < sum(ratios) / len(ratios) < 1.5


def _ratio_of_trumps(number: int) -> float | None:
    """How many more unseen trumps the seat that showed and buried has in worlds by what it did than in worlds
    by chance; None where there is no such seat beside the one that looks."""
    options = RULESETS["multi2"].options
    view = to_act(middle_of(RULESETS["multi2"], number))
    owner = view.kitty_owner
    assert view.seat is not None
    is_early = len(view.history) < 40
    if owner in (None, view.seat) or owner not in {show.seat for show in view.shows} or not is_early:
        return None
    trial = trial_of(options, view, view.seat, Desk(), lambda: 0.0)
    pool, known, weights = trial.hidden.arrays
    slots = HELD + owner * FACES + np.flatnonzero(trial.game.tables[SUIT:PLACE] == TRUMPS)
    held = []
    for trumps in (weights, np.ones(len(SEATS))):
        worlds = [trial.deal.copy() for _ in range(60)]
        for world in worlds:
            sample_world(trial.game.tables, world, (pool, known, trumps), trial.stream)
        held.append(
            sum(int(world[slots].sum()) for world in worlds) - 60 * int(known.flat[slots - HELD].sum())
        )
    return held[0] / held[1] if held[1] else None


def test_the_best_play_that_is_weighed_is_the_play_that_is_made() -> None:
    for number in cases(few=5, many=500):
        ruleset = RULESETS["multi2"]
        view = to_act(middle_of(ruleset, number))
        weighed = weigh(ruleset.options, view, PLAIN)
        assert weighed[0].act == instant(ruleset.options, view, PLAIN)
        assert [one.worth for one in weighed] == sorted((one.worth for one in weighed), reverse=True)
        advice = advise(ruleset.options, view, PLAIN, 3, 5, ticking())
        assert [one.act for one in advice] == [one.act for one in weighed[:3]]
        assert all(one.worlds > 0 and one.reason_en and one.reason_zh for one in advice)


@pytest.mark.parametrize("budget", [0, -1, 1e9, float("nan")])
def test_a_budget_that_no_search_can_have_is_refused(budget: float) -> None:
    state = ready_to_play(RULESETS["multi2"], 1)
    with pytest.raises(BadBudget):
        strong(RULESETS["multi2"].options, to_act(state), PLAIN, budget)


def test_who_is_not_to_act_gets_no_act() -> None:
    state = ready_to_play(RULESETS["multi2"], 1)
    for seat in (*(seat for seat in SEATS if seat != DECIDER.actors(state)[0]), None):
        with pytest.raises(NotToAct):
            instant(RULESETS["multi2"].options, DECIDER.observe(state, seat), PLAIN)


def test_the_rule_policy_beats_weak_players() -> None:
    for opponent, deals in (("random", 4), ("passive", 8), ("naive", 12)):
        terms = Terms("multi2", "instant", opponent)
        outcome = outcome_of(terms, "weak", list(contest(terms, seeds_from("weak tricks", deals))))
        assert outcome.score.low > 0, opponent
        assert outcome.conducts[0].illegal == 0
