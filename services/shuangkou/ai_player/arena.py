"""Duplicate deals between two policies: each deal is played twice, with the sides swapped."""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import count, islice
from typing import Any

from shuangkou.ai_player.intervals import Measurement, mean_of, share_of
from shuangkou.rules.commands import StartDeal
from shuangkou.rules.decider import AnyDecider, decider_for
from shuangkou.rules.match import Settled
from shuangkou.rules.ruleset import AnyRuleSet
from shuangkou.rules.seats import SIDES, Seat, Side, side_of
from shuangkou.wire.commands import SeatAct

Policy = Callable[[Any, Any], SeatAct]
"""From a ruleset's options and a seat's view to an act."""


@dataclass(frozen=True, slots=True)
class Duplicate:
    """One deal played twice: points of the first policy's partners, as side 0 and as side 1; and
    whether one of them won it."""

    scores: tuple[int, int]
    won: tuple[bool, bool]


@dataclass(frozen=True, slots=True)
class Report:
    """How the first policy did: points for a partner in a deal; the share of plays that its
    side won; the share of deals in which it scored more over both plays."""

    score: Measurement
    won: Measurement
    ahead: Measurement


def compare(ruleset: AnyRuleSet, first: Policy, second: Policy, seeds: Iterable[bytes]) -> Report:
    """Play one duplicate deal for each seed."""
    return report_on([play_duplicate(ruleset, first, second, seed) for seed in seeds])


def seeds_from(label: str, deals: int) -> list[bytes]:
    """Seeds of deals, the same for the same label."""
    return list(islice(endless_seeds(label), deals))


def endless_seeds(label: str) -> Iterator[bytes]:
    """The same, one after another without end."""
    return (hashlib.sha256(f"{label}/{number}".encode()).digest() for number in count())


def play_duplicate(ruleset: AnyRuleSet, first: Policy, second: Policy, seed: bytes) -> Duplicate:
    """The deal of this seed, with the first policy on side 0 and then on side 1."""
    settled = (
        play_deal(ruleset, (first, second), seed),
        play_deal(ruleset, (second, first), seed),
    )
    scores = [deal.scores[side] for side, deal in zip(SIDES, settled, strict=True)]
    won = [
        any(side_of(winner) == side for winner in deal.winners[:1])
        for side, deal in zip(SIDES, settled, strict=True)
    ]
    return Duplicate((scores[0], scores[1]), (won[0], won[1]))


def play_deal(ruleset: AnyRuleSet, policies: tuple[Policy, Policy], seed: bytes) -> Settled:
    """One deal, by the policies of side 0 and side 1; IllegalCommand if one makes an illegal act.

    A void deal is dealt again from a seed that follows from the last one, as the rules of the game ask.
    """
    decider = decider_for(ruleset)
    state = decider.new_match(ruleset)
    while state.settled is None:
        state = _after(decider, state, StartDeal(seed))
        while actors := decider.actors(state):
            seat: Seat = actors[0]
            side: Side = side_of(seat)
            state = _after(decider, state, policies[side](ruleset.options, decider.observe(state, seat)))
        seed = hashlib.sha256(seed).digest()
    settled: Settled = state.settled
    return settled


def _after(decider: AnyDecider, state: Any, command: Any) -> Any:
    for event in decider.decide(state, command):
        state = decider.evolve(state, event)
    return state


def report_on(deals: list[Duplicate]) -> Report:
    """What the deals say; ValueError for fewer than two."""
    return Report(
        score=mean_of([sum(deal.scores) / 2 for deal in deals]),
        won=share_of([sum(deal.won) / 2 for deal in deals]),
        ahead=share_of([float(sum(deal.scores) > 0) for deal in deals]),
    )
