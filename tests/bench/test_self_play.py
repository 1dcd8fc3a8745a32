"""Random self-play of the pure decider in one process, and its legal plays, beside RLCard's 斗地主."""

from collections.abc import Iterable
from statistics import median

import pytest

from bench import pace, rival
from bench.suite import machine, percentile
from kit.climbing_table import PRIVATE
from shuangkou.rules.ruleset import load

IDS = ("qq", "jj", "wenzhou", "classic52", "bid52", "deluxe108", "five5", "landlord52", "activity54")
ROUNDS, DEALS = 5, 40
"""Ours and theirs by turns, so that both meet the same machine."""


def in_microseconds(seconds: Iterable[float]) -> str:
    measured = list(seconds)
    p50, p99 = (percentile(measured, share) * 1e6 for share in (0.5, 0.99))
    return f"{p50:8.1f} {p99:8.1f}"


@pytest.mark.parametrize("id", IDS)
def test_deals_per_second_beside_rlcard(id: str) -> None:
    assert id in PRIVATE
    ruleset, theirs = load(id), rival.environment(1)
    pace.played(ruleset, 1)
    rival.played_by_agents(theirs, 1)
    ours, agents, bare = [], [], []
    for _ in range(ROUNDS):
        ours.append(pace.played(ruleset, DEALS))
        agents.append(rival.played_by_agents(theirs, DEALS // 8))
        bare.append(rival.played_bare(theirs, DEALS))
    deals, in_run, in_game = (
        median(round.deals_per_second for round in rounds) for rounds in (ours, agents, bare)
    )
    acts, acts_in_game = (median(round.acts_per_second for round in rounds) for rounds in (ours, bare))
    print(
        f"\n{id} on {machine()}: {deals:.0f} deals/s, {acts:.0f} acts/s; "
        f"RLCard with its agents {in_run:.1f} deals/s (×{deals / in_run:.1f}), "
        f"its bare game {in_game:.0f} deals/s (×{deals / in_game:.1f}), "
        f"{acts_in_game:.0f} acts/s (×{acts / acts_in_game:.1f})"
    )


def test_microseconds_per_call_for_the_legal_plays() -> None:
    print(f"\nlegal plays on {machine()}, µs per call:      p50      p99")
    for id in IDS:
        print(f"{id:36}{in_microseconds(pace.seconds_per_listing(load(id), DEALS))}")
    print(f"{'RLCard doudizhu':36}{in_microseconds(rival.seconds_per_listing(rival.environment(1), DEALS))}")
