"""Events of the climbing family between protobuf and the rules."""

from collections.abc import Callable
from typing import Any

from shuangkou.rules.cards import Rank
from shuangkou.rules.climbing.combinations import Combination, Kind
from shuangkou.rules.climbing.events import (
    BombPlayed,
    CardsPlayed,
    DealSettled,
    DealStarted,
    Event,
    HandsDealt,
    LeadInherited,
    Passed,
    Result,
    SeatWentOut,
    TrickEnded,
)
from shuangkou.rules.climbing.move_table import MoveTable
from shuangkou.rules.seats import SEATS
from shuangkou.v1 import cards_pb2, events_pb2
from shuangkou.wire.cards import cards_from_wire, cards_to_wire
from shuangkou.wire.refusals import MalformedMessage
from shuangkou.wire.seats import seat_from_wire, seats_from_wire

_KIND_TO_WIRE = {kind: events_pb2.CombinationKind.Value(f"COMBINATION_KIND_{kind.name}") for kind in Kind}
_KIND_OF = {number: kind for kind, number in _KIND_TO_WIRE.items()}
_RESULT_TO_WIRE = {result: events_pb2.DealResult.Value(f"DEAL_RESULT_{result.name}") for result in Result}
_RESULT_OF = {number: result for result, number in _RESULT_TO_WIRE.items()}
_RANK_TO_WIRE = dict(zip(Rank, cards_pb2.Rank.values()[1:], strict=True))
_RANK_OF: dict[int, Rank | None] = {0: None, **{int(number): rank for rank, number in _RANK_TO_WIRE.items()}}


def combination_to_wire(combination: Combination) -> events_pb2.Combination:
    """Without its strength, which readers can look up in the ruleset."""
    rank = combination.rank
    return events_pb2.Combination(
        kind=_KIND_TO_WIRE[combination.kind],
        rank=cards_pb2.RANK_UNSPECIFIED if rank is None else _RANK_TO_WIRE[rank],
        length=combination.length,
        size=combination.size,
    )


def combination_from_wire(table: MoveTable, message: events_pb2.Combination) -> Combination:
    """The row of the move table that the message names; MalformedMessage when there is none."""
    kind = _KIND_OF.get(message.kind)
    if kind is not None and message.rank in _RANK_OF:
        reading = (kind, message.size, message.length, _RANK_OF[message.rank])
        combination = table.readings.get(reading)
        if combination is not None:
            return combination
    raise MalformedMessage("request/no_such_combination", "the ruleset has no such combination")


def event_to_wire(event: Event) -> events_pb2.Event:
    """A public event. A secret one is a programming error: ValueError."""
    make = _TO_WIRE.get(type(event))
    if make is None:
        raise ValueError(f"{type(event).__name__} is secret")
    return make(event)


def event_from_wire(table: MoveTable, message: events_pb2.Event) -> Event:
    """A public event of the rules; MalformedMessage when it is none."""
    which = message.WhichOneof("event") or ""
    make = _FROM_WIRE.get(which)
    if make is None:
        raise MalformedMessage("request/no_such_event", f"{which or 'an empty event'} is no event of a deal")
    return make(table, getattr(message, which))


def hands_to_wire(event: HandsDealt) -> events_pb2.HandsDealt:
    """For the secret part of a commit only."""
    hands = [events_pb2.Hand(cards=cards_to_wire(hand)) for hand in event.hands]
    return events_pb2.HandsDealt(seed=event.seed, hands=hands)


def hands_from_wire(message: events_pb2.HandsDealt) -> HandsDealt:
    """From the secret part of a commit."""
    return HandsDealt(message.seed, tuple(cards_from_wire(hand.cards) for hand in message.hands))


def settled_to_wire(event: DealSettled) -> events_pb2.DealSettled:
    """Without players and totals, which the table adds."""
    bombs = [
        events_pb2.BombPlayed(seat=bomb.seat, combination=combination_to_wire(bomb.combination))
        for bomb in event.bombs
    ]
    outcome = events_pb2.ClimbingOutcome(
        result=_RESULT_TO_WIRE[event.result],
        finish_order=event.finish_order,
        multiplier=event.multiplier,
        base=event.base,
        bombs=bombs,
    )
    return events_pb2.DealSettled(number=event.number, scores=event.scores, seed=event.seed, climbing=outcome)


def settled_from_wire(table: MoveTable, message: events_pb2.DealSettled) -> DealSettled:
    """The settlement as the rules know it; MalformedMessage for one that no engine writes."""
    outcome = message.climbing
    result = _RESULT_OF.get(outcome.result)
    finish_order = seats_from_wire(outcome.finish_order)
    if result is None or not finish_order or len(message.scores) != len(SEATS):
        raise MalformedMessage("request/bad_settlement", "a settlement has a result, places and four scores")
    return DealSettled(
        number=message.number,
        result=result,
        finish_order=finish_order,
        multiplier=outcome.multiplier,
        base=outcome.base,
        scores=tuple(message.scores),
        bombs=tuple(
            BombPlayed(seat_from_wire(bomb.seat), combination_from_wire(table, bomb.combination))
            for bomb in outcome.bombs
        ),
        seed=message.seed,
    )


def _played_to_wire(event: CardsPlayed) -> events_pb2.Event:
    played = events_pb2.CardsPlayed(
        seat=event.seat,
        cards=cards_to_wire(event.cards),
        combination=combination_to_wire(event.combination),
    )
    return events_pb2.Event(cards_played=played)


def _started_to_wire(event: DealStarted) -> events_pb2.Event:
    started = events_pb2.DealStarted(
        number=event.number, seed_hash=event.seed_hash, leader=event.leader, hand_sizes=event.hand_sizes
    )
    return events_pb2.Event(deal_started=started)


_TO_WIRE: dict[type, Callable[[Any], events_pb2.Event]] = {
    CardsPlayed: _played_to_wire,
    Passed: lambda event: events_pb2.Event(passed=events_pb2.Passed(seat=event.seat)),
    DealStarted: _started_to_wire,
    SeatWentOut: lambda event: events_pb2.Event(
        seat_went_out=events_pb2.SeatWentOut(seat=event.seat, place=event.place)
    ),
    TrickEnded: lambda event: events_pb2.Event(trick_ended=events_pb2.TrickEnded(winner=event.winner)),
    LeadInherited: lambda event: events_pb2.Event(
        lead_inherited=events_pb2.LeadInherited(seat=event.seat, from_seat=event.from_seat)
    ),
    DealSettled: lambda event: events_pb2.Event(deal_settled=settled_to_wire(event)),
}


def _played_from_wire(table: MoveTable, message: events_pb2.CardsPlayed) -> CardsPlayed:
    cards = cards_from_wire(message.cards)
    row = table.classify(cards)
    if row is None:
        raise MalformedMessage("request/no_such_combination", "the played cards make no combination")
    return CardsPlayed(seat_from_wire(message.seat), cards, table.combinations[row])


def _started_from_wire(_: MoveTable, message: events_pb2.DealStarted) -> DealStarted:
    return DealStarted(
        message.number, message.seed_hash, seat_from_wire(message.leader), tuple(message.hand_sizes)
    )


_FROM_WIRE: dict[str, Callable[[MoveTable, Any], Event]] = {
    "cards_played": _played_from_wire,
    "passed": lambda _, message: Passed(seat_from_wire(message.seat)),
    "deal_started": _started_from_wire,
    "seat_went_out": lambda _, message: SeatWentOut(seat_from_wire(message.seat), message.place),
    "trick_ended": lambda _, message: TrickEnded(seat_from_wire(message.winner)),
    "lead_inherited": lambda _, message: LeadInherited(
        seat_from_wire(message.seat), seat_from_wire(message.from_seat)
    ),
    "deal_settled": settled_from_wire,
}
