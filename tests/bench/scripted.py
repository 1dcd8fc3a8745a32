"""Whole deals played by a script: every act is known before the clock starts."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from shuangkou.rules.cards import Card
from shuangkou.rules.climbing.events import DealStarted
from shuangkou.rules.commands import Pass, PlayCards
from shuangkou.rules.decider import decider_for
from shuangkou.rules.events import HandsDealt
from shuangkou.rules.ruleset import load
from shuangkou.rules.seats import SEATS, Seat
from shuangkou.v1 import table_pb2
from shuangkou.wire.cards import cards_to_wire


@dataclass(frozen=True, slots=True)
class ScriptedAct:
    """One request, and whose turn it is."""

    seat: Seat
    request: table_pb2.ActRequest


def script(
    view: table_pb2.SeatView, hands: tuple[tuple[Card, ...], ...], most: int | None = None
) -> list[ScriptedAct]:
    """A deal of `qq`, seen before its first act, in which everyone plays the lowest cards that are legal.

    `most`: no more than so many acts of it.
    """
    return list(islice(_acts(view.table_id, view.version, SEATS[view.next.seats[0]], hands), most))


def _acts(
    table_id: str, version: int, leader: Seat, hands: tuple[tuple[Card, ...], ...]
) -> Iterator[ScriptedAct]:
    ruleset = load("qq")
    decider = decider_for(ruleset)
    state = decider.new_match(ruleset)
    state = decider.evolve(state, DealStarted(1, b"", leader, tuple(map(len, hands))))
    state = decider.evolve(state, HandsDealt(b"", hands))
    while decider.actors(state):
        seat = decider.actors(state)[0]
        lowest = next(iter(decider.legal_acts(state, seat)), None)
        command = Pass(seat) if lowest is None else lowest.command
        yield ScriptedAct(seat, _request(table_id, version, command))
        for event in decider.decide(state, command):
            state = decider.evolve(state, event)
        version += 1


def _request(table_id: str, version: int, command: PlayCards | Pass) -> table_pb2.ActRequest:
    request = table_pb2.ActRequest(
        table_id=table_id, seat=command.seat, command_id=f"a{version}", expected_version=version
    )
    if isinstance(command, PlayCards):
        request.play_cards.cards.extend(cards_to_wire(command.cards))
    else:
        request.pass_turn.SetInParent()
    return request


PLAYERS = tuple(f"player{seat}" for seat in SEATS)
"""Who holds the seats."""
