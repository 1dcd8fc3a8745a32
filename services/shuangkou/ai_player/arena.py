"""Duplicate deals between two policies: each deal is played twice, with the sides swapped."""

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import sqrt

from shuangkou.rules.climbing.commands import StartDeal
from shuangkou.rules.climbing.events import DealSettled
from shuangkou.rules.climbing.options import ClimbingOptions
from shuangkou.rules.climbing.view import SeatView
from shuangkou.rules.decider import decider_for
from shuangkou.rules.ruleset import RuleSet
from shuangkou.rules.seats import SIDES, Seat, Side, side_of
from shuangkou.wire.commands import SeatAct

Policy = Callable[[ClimbingOptions, SeatView], SeatAct]


@dataclass(frozen=True, slots=True)
class Duplicate:
    """One deal played twice: points of the first policy's partners, as side 0 and as side 1; and
    whether one of them was the first out."""

    scores: tuple[int, int]
    heads: tuple[bool, bool]


@dataclass(frozen=True, slots=True)
class Measurement:
    """A mean over deals with its 95 % interval."""

    mean: float
    low: float
    high: float
    deals: int

    def __str__(self) -> str:
        return f"{self.mean:+.4f} [{self.low:+.4f}, {self.high:+.4f}] over {self.deals} deals"


@dataclass(frozen=True, slots=True)
class Report:
    """How the first policy did: points for a partner in a deal; the share of plays with its side
    first out (头游); the share of deals in which it scored more over both plays."""

    score: Measurement
    head: Measurement
    ahead: Measurement


def compare(ruleset: RuleSet, first: Policy, second: Policy, seeds: Iterable[bytes]) -> Report:
    """Play one duplicate deal for each seed."""
    return report_on([play_duplicate(ruleset, first, second, seed) for seed in seeds])


def seeds_from(label: str, count: int) -> list[bytes]:
    """Seeds of deals, the same for the same label."""
    return [hashlib.sha256(f"{label}/{number}".encode()).digest() for number in range(count)]


def play_duplicate(ruleset: RuleSet, first: Policy, second: Policy, seed: bytes) -> Duplicate:
    """The deal of this seed, with the first policy on side 0 and then on side 1."""
    settled = (
        play_deal(ruleset, (first, second), seed),
        play_deal(ruleset, (second, first), seed),
    )
    scores = [deal.scores[side] for side, deal in zip(SIDES, settled, strict=True)]
    heads = [side_of(deal.finish_order[0]) == side for side, deal in zip(SIDES, settled, strict=True)]
    return Duplicate((scores[0], scores[1]), (heads[0], heads[1]))


def play_deal(ruleset: RuleSet, policies: tuple[Policy, Policy], seed: bytes) -> DealSettled:
    """One deal, by the policies of side 0 and side 1; IllegalCommand if one makes an illegal act."""
    decider = decider_for(ruleset)
    state = decider.new_match(ruleset)
    for event in decider.decide(state, StartDeal(seed)):
        state = decider.evolve(state, event)
    while actors := decider.actors(state):
        seat: Seat = actors[0]
        side: Side = side_of(seat)
        act = policies[side](ruleset.options, decider.observe(state, seat))
        for event in decider.decide(state, act):
            state = decider.evolve(state, event)
    assert state.settled is not None
    return state.settled


def report_on(deals: list[Duplicate]) -> Report:
    """What the deals say; ValueError for fewer than two."""
    return Report(
        score=_measure([sum(deal.scores) / 2 for deal in deals]),
        head=_measure([sum(deal.heads) / 2 for deal in deals]),
        ahead=_measure([float(sum(deal.scores) > 0) for deal in deals]),
    )


def _measure(values: list[float]) -> Measurement:
    count = len(values)
    if count < 2:
        raise ValueError("an interval needs at least two deals")
    mean = sum(values) / count
    variance = sum((value - mean) ** 2 for value in values) / (count - 1)
    margin = 1.96 * sqrt(variance / count)
    return Measurement(mean, mean - margin, mean + margin, count)
