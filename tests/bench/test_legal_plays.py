"""Legal plays of a full hand: microseconds per call."""

import time

from bench.suite import percentile
from shuangkou.rules.commands import StartDeal
from shuangkou.rules.decider import decider_for
from shuangkou.rules.events import HandsDealt
from shuangkou.rules.ruleset import load

HANDS = 5000


def test_legal_plays_of_a_full_hand() -> None:
    """Leading with 27 cards; the answer knows how many plays there are and what the lowest is."""
    ruleset = load("qq")
    decider = decider_for(ruleset)
    before = decider.new_match(ruleset)
    seconds, plays = [], 0
    for number in range(HANDS):
        state = before
        for event in decider.decide(before, StartDeal(number.to_bytes(32, "big"))):
            state = decider.evolve(state, event)
        assert not isinstance(event, HandsDealt) or len(event.hands[0]) == 27
        (leader,) = decider.actors(state)
        started = time.perf_counter()
        acts = decider.legal_acts(state, leader)
        count, lowest = len(acts), acts.lowest()
        seconds.append(time.perf_counter() - started)
        plays += count
        assert lowest is not None
    p50, p99 = (percentile(seconds, share) * 1e6 for share in (0.5, 0.99))
    print(
        f"\n27 cards: legal plays in {p50:.1f} µs p50, {p99:.1f} µs p99; {plays / HANDS:.0f} plays on average"
    )
