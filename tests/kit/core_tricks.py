"""Deals of tricks that the fast core plays by chance, and the same deals by the rules."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from kit.tricks_table import DECIDER, fold, random_policy
from shuangkou.fastplay.chance import stream_of
from shuangkou.fastplay.tricks.layout import (
    BEST,
    FACTS,
    FAILED,
    FINES,
    HAND,
    LEADER,
    NUMBER,
    TAKEN,
    TRICK_POINTS,
    TURN,
)
from shuangkou.fastplay.tricks.payoff import MATCH_WON, SCORE, SETTLED, settle
from shuangkou.fastplay.tricks.reading import deal_at_start
from shuangkou.fastplay.tricks.selfplay import NAMED, SAMPLES, record_deal
from shuangkou.fastplay.tricks.tables import FACES, Game
from shuangkou.rules.commands import PlayCards, StartDeal
from shuangkou.rules.ruleset import TricksRuleSet
from shuangkou.rules.seats import SEATS
from shuangkou.rules.tricks.commands import NameShape
from shuangkou.rules.tricks.events import Phase
from shuangkou.rules.tricks.playing import best_of
from shuangkou.rules.tricks.point_cards import points_of
from shuangkou.rules.tricks.state import DealState, MatchState
from shuangkou.rules.tricks.units import Shape
from shuangkou.rules.tricks.view import Standing

Array = npt.NDArray[Any]
MOST_ACTS = 512


def ready_to_play(ruleset: TricksRuleSet, number: int) -> MatchState:
    """The start of the play of a deal, anywhere on the ladder; what comes before is done by chance."""
    chance, ladder = Random(number), ruleset.options.ladder
    choose = random_policy(chance)
    state = DECIDER.new_match(ruleset)
    if ladder and chance.random() < 0.7:
        levels, declarer = (chance.choice(ladder), chance.choice(ladder)), chance.choice(SEATS)
        if chance.random() < 0.3:
            levels = (ladder[-1], chance.choice((ladder[-1], levels[1])))
        standing = Standing(deals_played=2, levels=levels, declarer=declarer, last_first=declarer)
        state = DECIDER.resume(ruleset, standing)
    while state.deal is None or state.deal.phase is not Phase.PLAY:
        command: Any = StartDeal(chance.randbytes(32))
        if state.deal is not None:
            command = choose(state, DECIDER.actors(state)[0])
        state = fold(state, DECIDER.decide(state, command))
    return state


class Recorder:
    """Plays deals in the core and keeps what happened."""

    def __init__(self, ruleset: TricksRuleSet) -> None:
        self.ruleset = ruleset
        self.acts = np.zeros((MOST_ACTS, FACES + 1), dtype=np.int64)
        self.samples = np.zeros((MOST_ACTS, SAMPLES, FACES), dtype=np.int64)
        self.verdicts = np.zeros((MOST_ACTS, SAMPLES), dtype=np.int64)
        self.facts = np.zeros((MOST_ACTS, FACTS), dtype=np.int64)

    def check(self, number: int) -> int:
        """Play one deal in the core, then step by step by the rules; how many acts it had.

        AssertionError where the two differ.
        """
        state = ready_to_play(self.ruleset, number)
        assert state.deal is not None
        attackers = state.deal.attackers
        game, results, deal = deal_at_start(self.ruleset.options, state.standing, state.deal)
        stream = stream_of(f"tricks/{number}".encode())
        seen = (self.samples, self.verdicts, self.facts)
        count = record_deal(game.tables, deal, stream, self.acts, seen)
        for step in range(count):
            state = self._step(game, state, step)
        assert state.deal is None
        assert state.settled is not None
        out = np.zeros(SETTLED, dtype=np.int64)
        settle(game.tables, results, deal, out)
        assert tuple(out[:4].tolist()) == state.settled.scores
        assert out[SCORE] == state.settled.outcome.score
        assert state.settled.outcome.attackers == attackers
        is_won = state.standing.decided is not None and self._is_climbed()
        assert out[MATCH_WON] == 0 or is_won
        return count

    def _is_climbed(self) -> bool:
        return bool(self.ruleset.options.ladder)

    def _step(self, game: Game, state: MatchState, step: int) -> MatchState:
        deal = state.deal
        assert deal is not None
        seat = DECIDER.actors(state)[0]
        self._compare_facts(state, deal, self.facts[step])
        named = int(self.acts[step, NAMED])
        if named:
            command: Any = NameShape(seat, Shape(named, 1))
        else:
            self._compare_verdicts(game, state, step)
            command = PlayCards(seat, game.cards(self.acts[step, :FACES]))
        return fold(state, DECIDER.decide(state, command))

    def _compare_facts(self, state: MatchState, deal: DealState, facts: Array) -> None:
        assert facts[TURN] == deal.turn
        assert bool(facts[FAILED]) == (deal.phase is Phase.NAME_SHAPE)
        assert tuple(facts[HAND : HAND + 4]) == deal.hand_sizes
        assert tuple(facts[TAKEN : TAKEN + 2]) == deal.taken
        assert tuple(facts[FINES : FINES + 2]) == deal.fines
        assert facts[NUMBER] == len(deal.trick)
        assert facts[LEADER] == (deal.trick[0].seat if deal.trick else deal.leader)
        if deal.trick:
            assert facts[BEST] == best_of(state, deal)
            assert facts[TRICK_POINTS] == points_of(card for play in deal.trick for card in play.cards)

    def _compare_verdicts(self, game: Game, state: MatchState, step: int) -> None:
        seat = DECIDER.actors(state)[0]
        legal = DECIDER.legal_acts(state, seat)
        for cards, verdict in zip(self.samples[step], self.verdicts[step], strict=True):
            assert (PlayCards(seat, game.cards(cards)) in legal) == bool(verdict)
