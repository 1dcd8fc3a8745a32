"""Measuring two players on duplicate deals, in processes side by side.

The deal is the statistical unit: it is played twice with the sides swapped, and what the first player
gained in both plays together is one number.
"""

import hashlib
import time
from array import array
from collections.abc import Callable, Generator, Iterable, MutableSequence, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import Any

from shuangkou.ai_player.families import mind_for
from shuangkou.ai_player.intervals import Measurement, mean_of, share_of
from shuangkou.ai_player.mind import Player
from shuangkou.ai_player.players import is_searching, player_of
from shuangkou.ai_player.readiness import make_ready
from shuangkou.ai_player.side_by_side import side_by_side
from shuangkou.rules.choice import read_ruleset
from shuangkou.rules.commands import StartDeal
from shuangkou.rules.decider import AnyDecider, decider_for
from shuangkou.rules.errors import IllegalCommand
from shuangkou.rules.match import Settled
from shuangkou.rules.ruleset import AnyRuleSet
from shuangkou.rules.seats import Seat, side_of

LATE_SHARE = 0.1
"""Of its budget, by which a search may miss it."""
LATE_MS = 5.0
"""By which it may in any case: the view is read and one rollout is played to know how long they take, 1.5 ms;
the rest is what another process may get of a shared core."""
AT_ONCE_MS = 50.0
"""After which whoever decides at once is late."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What a contest is about. ruleset: as people write it, with options or without. budget_ms: of a search.
    clock: seconds; that of the processor says more than that on the wall where the machine is shared."""

    ruleset: str
    first: str
    second: str
    budget_ms: float = 50.0
    clock: Callable[[], float] = time.perf_counter

    @property
    def game(self) -> AnyRuleSet:
        """The ruleset with its options; RuleSetError."""
        return read_ruleset(self.ruleset)

    def searches(self, name: str) -> bool:
        """Whether this player has the budget; anyone else decides at once."""
        return is_searching(self.game, name)

    def most_ms(self, name: str) -> float:
        """After how many milliseconds an act of this player is late."""
        if self.searches(name):
            return self.budget_ms + max(LATE_MS, LATE_SHARE * self.budget_ms)
        return AT_ONCE_MS


@dataclass(slots=True)
class Conduct:
    """How a player behaved. milliseconds: of each decision. late, illegal: how many acts were."""

    milliseconds: MutableSequence[float] = field(default_factory=lambda: array("d"))
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
    """What a contest says of its first player; conducts of both. planned: how many deals it was to have,
    more than gains where it was stopped. doubled: None where no deal can be won double for more."""

    terms: Terms
    seeds: str
    planned: int
    gains: tuple[float, ...]
    score: Measurement
    won: Measurement
    doubled: Measurement | None
    ahead: Measurement
    conducts: tuple[Conduct, Conduct]

    @property
    def is_stopped(self) -> bool:
        """It was ended before all of its deals were played."""
        return len(self.gains) < self.planned

    @property
    def is_faulty(self) -> bool:
        """Some act was late or against the rules."""
        return any(conduct.late or conduct.illegal for conduct in self.conducts)


def play_pair(terms: Terms, seed: bytes) -> Played:
    """The deal of this seed, twice."""
    ruleset = terms.game
    mind_for(ruleset).prepare(ruleset.options)
    first = player_of(ruleset, terms.first, terms.budget_ms, terms.clock)
    second = player_of(ruleset, terms.second, terms.budget_ms, terms.clock)
    return duplicate(ruleset, (first, second), seed, terms)


def duplicate(ruleset: AnyRuleSet, players: tuple[Player, Player], seed: bytes, terms: Terms) -> Played:
    """The same with players of any kind."""
    most_ms = terms.most_ms(terms.first), terms.most_ms(terms.second)
    room = _Room(ruleset, decider_for(ruleset), players, (Conduct(), Conduct()), terms.clock, most_ms)
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
    clock: Callable[[], float]
    most_ms: tuple[float, float]


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
    decider, conduct = room.decider, room.conducts[mover]
    view = decider.observe(state, seat)
    started = room.clock()
    act = room.players[mover](room.ruleset.options, view)
    spent = 1000 * (room.clock() - started)
    conduct.milliseconds.append(spent)
    conduct.late += spent > room.most_ms[mover]
    try:
        return _after(decider, state, act)
    except IllegalCommand:
        conduct.illegal += 1
        return _after(decider, state, decider.fallback(state, seat))


def _after(decider: AnyDecider, state: Any, command: Any) -> Any:
    for event in decider.decide(state, command):
        state = decider.evolve(state, event)
    return state


def contest(terms: Terms, seeds: Iterable[bytes], processes: int = 1) -> Generator[Played, None, None]:
    """Play the deals of these seeds, in their order; in this process where there is only one."""
    if processes == 1:
        _begin(terms)
        yield from (play_pair(terms, seed) for seed in seeds)
    else:
        yield from side_by_side(partial(play_pair, terms), seeds, processes, partial(_begin, terms))


def _begin(terms: Terms) -> None:
    make_ready([terms.game])


def outcome_of(terms: Terms, seeds: str, deals: Sequence[Played], planned: int = 0) -> Outcome:
    """What the deals say; ValueError for fewer than two. planned: how many there were to be, if more."""
    pays_double = mind_for(terms.game).pays_double(terms.game.options)
    firsts, seconds = (_together([deal.conducts[mover] for deal in deals]) for mover in (0, 1))
    return Outcome(
        terms=terms,
        seeds=seeds,
        planned=max(planned, len(deals)),
        gains=tuple(deal.gain for deal in deals),
        score=mean_of([deal.gain for deal in deals]),
        won=share_of([deal.won for deal in deals]),
        doubled=share_of([deal.doubled for deal in deals]) if pays_double else None,
        ahead=share_of([deal.ahead for deal in deals]),
        conducts=(firsts, seconds),
    )


def _together(conducts: Sequence[Conduct]) -> Conduct:
    times = array("d", sorted(chain.from_iterable(conduct.milliseconds for conduct in conducts)))
    return Conduct(times, sum(one.late for one in conducts), sum(one.illegal for one in conducts))
