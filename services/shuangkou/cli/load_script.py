"""Whole deals by a script: what all hands do is known before the first act is sent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from shuangkou.rules.cards import Card
from shuangkou.rules.climbing.events import DealStarted
from shuangkou.rules.commands import Pass, PlayCards
from shuangkou.rules.decider import decider_for
from shuangkou.rules.events import HandsDealt
from shuangkou.rules.ruleset import AnyRuleSet
from shuangkou.rules.seats import SEATS, Seat
from shuangkou.v1 import events_pb2, table_pb2
from shuangkou.wire.cards import cards_to_wire


@dataclass(frozen=True, slots=True)
class ScriptedAct:
    """One request, whose seat sends it, and the version that it makes."""

    seat: Seat
    request: table_pb2.ActRequest
    version: int


def can_be_scripted(view: table_pb2.SeatView) -> bool:
    """Whether the hands of this fresh deal are all of it: nothing comes before play, no card is hidden."""
    return (
        view.HasField("climbing")
        and len(view.seats) == len(SEATS)
        and view.climbing.phase == events_pb2.DEAL_PHASE_PLAY
        and not view.climbing.opening
        and not view.climbing.kitty_size
    )


def scripted_deal(
    rules: AnyRuleSet, table_id: str, version: int, leader: Seat, hands: Sequence[tuple[Card, ...]]
) -> Iterator[ScriptedAct]:
    """A deal in which everyone plays the lowest cards that are legal. ``version``: that of the fresh deal."""
    decider = decider_for(rules)
    state = decider.new_match(rules)
    state = decider.evolve(state, DealStarted(1, b"", leader, tuple(map(len, hands))))
    state = decider.evolve(state, HandsDealt(b"", tuple(hands)))
    while decider.actors(state):
        seat = decider.actors(state)[0]
        lowest = next(iter(decider.legal_acts(state, seat)), None)
        command = Pass(seat) if lowest is None else lowest.command
        for event in decider.decide(state, command):
            state = decider.evolve(state, event)
        yield ScriptedAct(seat, _request(table_id, version, command), version + 1)
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
