"""Measuring two players on duplicate deals, in processes side by side.

The deal is the statistical unit: it is played twice with the sides swapped, and what the first player
gained in both plays together is one number.
"""

import hashlib
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from typing import Any

from shuangkou.ai_player.arena import Measurement, measure
from shuangkou.ai_player.families import mind_for
from shuangkou.ai_player.mind import Player
from shuangkou.ai_player.players import player_of
from shuangkou.ai_player.readiness import make_ready
from shuangkou.rules.commands import StartDeal
from shuangkou.rules.decider import AnyDecider, decider_for
from shuangkou.rules.errors import IllegalCommand
from shuangkou.rules.match import Settled
from shuangkou.rules.ruleset import AnyRuleSet, load
from shuangkou.rules.seats import Seat, side_of

LATE_SHARE = 1.1
"""Of its budget, after which a search is late."""
LATE_MS = 50.0
"""After which anything else is late."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What a contest is about. budget_ms: of a search. clock: seconds; that of the processor says more than
    that on the wall where the machine is shared."""

    ruleset: str
    first: str
    second: str
    budget_ms: float = 50.0
    clock: Callable[[], float] = time.perf_counter


@dataclass(slots=True)
class Conduct:
    """How a player behaved. milliseconds: of each decision. late, illegal: how many acts were."""

    milliseconds: list[float] = field(default_factory=list)
    late: int = 0
    illegal: int = 0


@dataclass(frozen=True, slots=True)
class Played:
    """One duplicate deal. gain: points of a seat of the first player's side beyond those of the other's,
    halved, over both plays. won, doubled: of the two plays, how many its side won, and won double. ahead:
    1, 0.5 or 0."""

    gain: float
    won: float
    doubled: float
    conducts: tuple[Conduct, Conduct]

    @property
    def ahead(self) -> float:
        """1 for more points over both plays, 0.5 for as many."""
        return 0.5 + 0.5 * ((self.gain > 0) - (self.gain < 0))


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a contest says of its first player; conducts of both."""

    terms: Terms
    seeds: str
    gains: tuple[float, ...]
    score: Measurement
    won: Measurement
    doubled: Measurement
    ahead: Measurement
    conducts: tuple[Conduct, Conduct]


def play_pair(terms: Terms, seed: bytes) -> Played:
    """The deal of this seed, twice."""
    ruleset = load(terms.ruleset)
    mind_for(ruleset).prepare(ruleset.options)
    first = player_of(ruleset, terms.first, terms.budget_ms, terms.clock)
    second = player_of(ruleset, terms.second, terms.budget_ms, terms.clock)
    return duplicate(ruleset, (first, second), seed, terms)


def duplicate(ruleset: AnyRuleSet, players: tuple[Player, Player], seed: bytes, terms: Terms) -> Played:
    """The same with players of any kind."""
    room = _Room(ruleset, decider_for(ruleset), players, (Conduct(), Conduct()), terms)
    gains, won, doubled = [], [], []
    for first_side in (0, 1):
        settled = _play(room, first_side, seed)
        gains.append(_gain(ruleset, settled, first_side))
        won.append(any(side_of(winner) == first_side for winner in settled.winners[:1]))
        doubled.append(won[-1] and mind_for(ruleset).is_double(settled))
    return Played(sum(gains) / 2, sum(won) / 2, sum(doubled) / 2, room.conducts)


@dataclass(frozen=True, slots=True)
class _Room:
    """Where two players meet."""

    ruleset: AnyRuleSet
    decider: AnyDecider
    players: tuple[Player, Player]
    conducts: tuple[Conduct, Conduct]
    terms: Terms


def _gain(ruleset: AnyRuleSet, settled: Settled, first_side: int) -> float:
    playing = range(ruleset.options.players)
    own = [settled.scores[seat] for seat in playing if seat % 2 == first_side]
    others = [settled.scores[seat] for seat in playing if seat % 2 != first_side]
    return (sum(own) / len(own) - sum(others) / len(others)) / 2


def _play(room: _Room, first_side: int, seed: bytes) -> Settled:
    """One deal; a void deal is dealt again from a seed that follows from the last one."""
    decider = room.decider
    state = decider.new_match(room.ruleset)
    while state.settled is None:
        state = _after(decider, state, StartDeal(seed))
        while actors := decider.actors(state):
            state = _turn(room, state, actors[0], int(side_of(actors[0]) != first_side))
        seed = hashlib.sha256(seed).digest()
    settled: Settled = state.settled
    return settled


def _turn(room: _Room, state: Any, seat: Seat, mover: int) -> Any:
    """The act of one seat; an illegal one is counted, and the ruled default is played for it."""
    decider, terms, conduct = room.decider, room.terms, room.conducts[mover]
    view = decider.observe(state, seat)
    started = terms.clock()
    act = room.players[mover](room.ruleset.options, view)
    spent = 1000 * (terms.clock() - started)
    conduct.milliseconds.append(spent)
    conduct.late += spent > max(LATE_MS, terms.budget_ms * LATE_SHARE)
    try:
        return _after(decider, state, act)
    except IllegalCommand:
        conduct.illegal += 1
        return _after(decider, state, decider.fallback(state, seat))


def _after(decider: AnyDecider, state: Any, command: Any) -> Any:
    for event in decider.decide(state, command):
        state = decider.evolve(state, event)
    return state


def contest(terms: Terms, seeds: Sequence[bytes], processes: int = 1) -> Iterator[Played]:
    """Play the deals of these seeds, in their order; in this process where there is only one."""
    if processes == 1:
        _begin(terms)
        yield from (play_pair(terms, seed) for seed in seeds)
        return
    with ProcessPoolExecutor(
        processes, mp_context=get_context("spawn"), initializer=_begin, initargs=(terms,)
    ) as pool:
        yield from pool.map(play_pair, [terms] * len(seeds), seeds)


def _begin(terms: Terms) -> None:
    make_ready([load(terms.ruleset)])


def outcome_of(terms: Terms, seeds: str, deals: Sequence[Played]) -> Outcome:
    """What the deals say; ValueError for fewer than two."""
    return Outcome(
        terms=terms,
        seeds=seeds,
        gains=tuple(deal.gain for deal in deals),
        score=measure([deal.gain for deal in deals]),
        won=measure([deal.won for deal in deals]),
        doubled=measure([deal.doubled for deal in deals]),
        ahead=measure([deal.ahead for deal in deals]),
        conducts=(_together([deal.conducts[0] for deal in deals]), _together([d.conducts[1] for d in deals])),
    )


def _together(conducts: Sequence[Conduct]) -> Conduct:
    return Conduct(
        sorted(ms for conduct in conducts for ms in conduct.milliseconds),
        sum(conduct.late for conduct in conducts),
        sum(conduct.illegal for conduct in conducts),
    )
