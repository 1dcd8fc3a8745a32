"""Deals that the fast core plays by chance, and the same deals by the rules."""

from __future__ import annotations

import hashlib
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from shuangkou.fastplay.chance import stream_of
from shuangkou.fastplay.climbing.layout import (
    FACTS,
    FLUSH,
    FLUSH_SUIT,
    MAY_PASS,
    ORDER,
    OUT,
    PASSED,
    SIZE,
    TOP,
    TURN,
    WON,
)
from shuangkou.fastplay.climbing.payoff import settle
from shuangkou.fastplay.climbing.reading import cards_of, deal_at_start, play_of
from shuangkou.fastplay.climbing.selfplay import MOST_FLUSHES, record_deal
from shuangkou.fastplay.climbing.tables import FLUSHES, WORDS, Game, game_of, set_of
from shuangkou.rules.climbing.combinations import Combination
from shuangkou.rules.climbing.decider import ClimbingDecider
from shuangkou.rules.climbing.options import Phase
from shuangkou.rules.climbing.state import DealState, MatchState
from shuangkou.rules.climbing.suits import read
from shuangkou.rules.commands import Pass, PlayCards, StartDeal
from shuangkou.rules.ruleset import RuleSet

Array = npt.NDArray[Any]
DECIDER = ClimbingDecider()
MOST_ACTS = 512


def ready_to_play(ruleset: RuleSet, number: int) -> MatchState:
    """The start of the play of a deal; what comes before is done by chance."""
    chance = Random(number)
    state = DECIDER.new_match(ruleset)
    while state.deal is None or state.deal.phase is not Phase.PLAY:
        command: Any
        if state.deal is None:
            command = StartDeal(hashlib.sha256(f"core/{chance.random()}".encode()).digest())
        else:
            seat = state.deal.turn
            legal = DECIDER.legal_acts(state, seat)
            command = chance.choice([*legal.before_play, *[Pass(seat)] * legal.may_pass])
        state = after(state, command)
    return state


def after(state: MatchState, command: Any) -> MatchState:
    """The state after a command that the rules accept."""
    for event in DECIDER.decide(state, command):
        state = DECIDER.evolve(state, event)
    return state


class Recorder:
    """Plays deals in the core and keeps what happened."""

    def __init__(self, ruleset: RuleSet) -> None:
        self.ruleset = ruleset
        self.game: Game = game_of(ruleset.options)
        self.acts = np.zeros((MOST_ACTS, 64), dtype=np.int64)
        self.legal = np.zeros((MOST_ACTS, int(self.game.tables[WORDS])), dtype=np.int64)
        flushes = MOST_FLUSHES if self.game.tables[FLUSHES] else 0
        self.flushes = np.zeros((MOST_ACTS, flushes), dtype=np.int64)
        self.facts = np.zeros((MOST_ACTS, FACTS), dtype=np.int64)

    def check(self, number: int) -> int:
        """Play one deal in the core, then step by step by the rules; how many acts it had.

        AssertionError where the two differ.
        """
        state = ready_to_play(self.ruleset, number)
        assert state.deal is not None
        deal = deal_at_start(self.game, state.deal)
        stream = stream_of(f"acts/{number}".encode())
        seen = (self.legal, self.flushes, self.facts)
        count = record_deal(self.game.tables, deal, stream, self.acts, seen)
        for step in range(count):
            state = self._step(state, step)
        assert state.deal is None
        assert state.settled is not None
        points = np.zeros(4, dtype=np.int64)
        settle(self.game.tables, deal, points)
        assert tuple(points.tolist()) == state.settled.scores
        return count

    def _step(self, state: MatchState, step: int) -> MatchState:
        deal = state.deal
        assert deal is not None
        seat = deal.turn
        self._compare_facts(deal, self.facts[step])
        self._compare_legal(state, step)
        number, play = self.acts[step, -2:].tolist()
        if play < 0:
            return after(state, Pass(seat))
        numbers = self.acts[step, :number].tolist()
        cards = cards_of(self.game, deal.hands[seat], numbers)
        assert play_of(self.game, cards) == self._named(play)
        return after(state, PlayCards(seat, cards))

    def _named(self, play: int) -> int:
        """Plays that read alike have one name."""
        if play >= FLUSH or not self.game.by_card:
            return play
        made = self.game.plays[play]
        return self.game.by_reading[made.combination, made.suit if made.combination.size == 1 else 0]

    def _compare_facts(self, deal: DealState, facts: Array) -> None:
        assert facts[TURN] == deal.turn
        assert tuple(facts[SIZE : SIZE + 4]) == deal.hand_sizes
        assert (facts[TOP] == -1) == (deal.top is None)
        assert facts[PASSED] == sum(1 << seat for seat in deal.passed)
        assert tuple(facts[ORDER : ORDER + facts[OUT]]) == deal.finish_order
        assert tuple(facts[WON : WON + 4]) == deal.cards_won

    def _compare_legal(self, state: MatchState, step: int) -> None:
        assert state.deal is not None
        legal = DECIDER.legal_acts(state, state.deal.turn)
        assert bool(self.facts[step, MAY_PASS]) == legal.may_pass
        plays = set_of(self.legal[step])
        if not self.game.by_card:
            assert plays == legal.rows
            return
        chosen = [play for number, play in enumerate(self.game.plays) if plays >> number & 1]
        readings = {play.combination for play in legal}
        codes = self.flushes[step]
        flushes = [self._flush(int(code)) for code in codes[codes > 0]]
        assert {play.combination for play in chosen} | set(flushes) == readings

    def _flush(self, code: int) -> Combination | None:
        suit, table = code >> FLUSH_SUIT & 3, self.game.table
        numbers = [place * 4 + suit for place in range(FLUSH_SUIT) if code >> place & 1]
        return read(table, cards_of(self.game, (), numbers))
