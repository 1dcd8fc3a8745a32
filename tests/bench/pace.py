"""How fast random deals are played in one process."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from kit.climbing_table import DECIDER, fold, random_policy, sure_deal
from shuangkou.rules.climbing.options import Phase
from shuangkou.rules.ruleset import RuleSet


@dataclass(frozen=True, slots=True)
class Pace:
    """CPU seconds, so that what else runs on the machine counts less."""

    deals: int
    acts: int
    seconds: float

    @property
    def deals_per_second(self) -> float:
        """Whole deals, dealing and settlement included."""
        return self.deals / self.seconds

    @property
    def acts_per_second(self) -> float:
        """Deals of different games have different lengths."""
        return self.acts / self.seconds


def played(ruleset: RuleSet, deals: int) -> Pace:
    """Random deals by the pure decider: legal acts, decide, evolve."""
    policy, acts = random_policy(Random(1)), 0
    started = time.process_time()
    for number in range(deals):
        state = sure_deal(number.to_bytes(32, "big"), ruleset)
        while state.deal is not None:
            state = fold(state, DECIDER.decide(state, policy(state, state.deal.turn)))
            acts += 1
    return Pace(deals, acts, time.process_time() - started)


def seconds_per_listing(ruleset: RuleSet, deals: int) -> Iterator[float]:
    """Each call for the legal plays of the seat to act, until their number is known."""
    policy = random_policy(Random(1))
    for number in range(deals):
        state = sure_deal(number.to_bytes(32, "big"), ruleset)
        while state.deal is not None:
            seat = state.deal.turn
            started = time.perf_counter()
            len(DECIDER.legal_acts(state, seat))
            taken = time.perf_counter() - started
            if state.deal.phase is Phase.PLAY:
                yield taken
            state = fold(state, DECIDER.decide(state, policy(state, seat)))
