"""What the phases before play have in common (§12): one check for each act, so that `decide` and the legal
acts, from the deal or from a view, cannot disagree.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from operator import attrgetter
from typing import Any

from shuangkou.rules.cards import Card
from shuangkou.rules.climbing.commands import Command, PhaseAct
from shuangkou.rules.climbing.consent import Objection
from shuangkou.rules.climbing.events import Event, Opening, PhaseBegan
from shuangkou.rules.climbing.kitty import known_kitty
from shuangkou.rules.climbing.move_table import MoveTable, move_table
from shuangkou.rules.climbing.options import ClimbingOptions, Phase
from shuangkou.rules.climbing.state import DealState, MatchState
from shuangkou.rules.climbing.view import SeatView
from shuangkou.rules.commands import Pass
from shuangkou.rules.seats import SEATS, Seat, next_seat


@dataclass(frozen=True, slots=True)
class Position:
    """What a seat knows before play. kitty: where the seat knows it. opening: what happened so far."""

    table: MoveTable
    seat: Seat
    leader: Seat
    hand: tuple[Card, ...]
    kitty: tuple[Card, ...]
    opening: tuple[Opening, ...]


@dataclass(frozen=True, slots=True)
class OpeningRules:
    """One phase before play. acts: all of the seat to act, the mildest first. objections: by command, why it
    may not be. outcomes: by command, what it causes. fallback: the act of a seat whose time is up. seconds:
    that each seat has."""

    acts: Callable[[Position], Iterator[PhaseAct | Pass]]
    objections: Mapping[type, Callable[[Position, Any], Objection | None]]
    outcomes: Mapping[type, Callable[[MatchState, DealState, Any], tuple[Event, ...]]]
    fallback: Callable[[Position], Command]
    seconds: Callable[[ClimbingOptions], int] = attrgetter("turn_seconds")


@dataclass(frozen=True, slots=True)
class OpeningActs:
    """What the seat to act may do in a phase before play."""

    rules: OpeningRules
    position: Position

    @property
    def listed(self) -> tuple[PhaseAct | Pass, ...]:
        """The mildest first; where cards of one rank do the same, with one choice of them."""
        return tuple(self.rules.acts(self.position))

    def __contains__(self, act: object) -> bool:
        objection_to = self.rules.objections.get(type(act))
        if objection_to is None or getattr(act, "seat", None) != self.position.seat:
            return False
        return objection_to(self.position, act) is None


def position_in(state: MatchState, deal: DealState, seat: Seat) -> Position:
    """As the deal has it."""
    kitty = known_kitty(deal, seat)
    return Position(state.table, seat, deal.leader, deal.hands[seat], kitty, deal.opening)


def position_seen(options: ClimbingOptions, view: SeatView, seat: Seat) -> Position:
    """As the seat sees it; only while a deal is in progress."""
    leader = seat if view.leader is None else view.leader
    return Position(move_table(options), seat, leader, view.hand, view.kitty, view.opening)


def next_to_call(phase: Phase, seat: Seat) -> Seat:
    """§12.1: declarations go against the order of play, all else with it."""
    return SEATS[(seat - 1) % 4] if phase is Phase.DECLARE else next_seat(seat)


def next_phase(options: ClimbingOptions, deal: DealState, turn: Seat) -> PhaseBegan:
    """The phase after the one that the deal is in, in which `turn` acts first."""
    phases = options.phases
    return PhaseBegan(phases[phases.index(deal.phase) + 1], turn)


def end_of_round(state: MatchState, deal: DealState, seat: Seat) -> tuple[Event, ...]:
    """The next phase, led by the leader, if this seat was the last to be asked."""
    if next_to_call(deal.phase, seat) != deal.leader:
        return ()
    return (next_phase(state.ruleset.options, deal, deal.leader),)


def after_call(_: MatchState, deal: DealState, event: Any) -> DealState:
    """The act of one seat is kept, and the next seat is asked."""
    return replace(deal, opening=(*deal.opening, event), turn=next_to_call(deal.phase, event.seat))


def parts_of(cards: tuple[Card, ...]) -> Iterator[tuple[Card, ...]]:
    """Nothing, then every part of the cards, the smaller first."""
    for number in range(len(cards) + 1):
        yield from combinations(cards, number)
