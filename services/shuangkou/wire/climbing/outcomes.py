"""How a deal ended, between protobuf and the rules."""

from collections.abc import Iterable

from shuangkou.rules.climbing.events import BombPlayed, DealSettled, Result, SeatScore
from shuangkou.rules.climbing.move_table import MoveTable
from shuangkou.rules.climbing.view import Standing
from shuangkou.v1 import events_pb2
from shuangkou.wire.climbing.combinations import combination_from_wire, combination_to_wire
from shuangkou.wire.enums import WireEnum
from shuangkou.wire.outcomes import points_from_wire, side_from_wire
from shuangkou.wire.refusals import MalformedMessage
from shuangkou.wire.seats import seat_from_wire, seats_from_wire

RESULTS = WireEnum(Result, events_pb2.DealResult.Value, "DEAL_RESULT")


def settled_to_wire(event: DealSettled) -> events_pb2.DealSettled:
    """Without players and totals, which the table adds."""
    bombs = [
        events_pb2.BombPlayed(seat=bomb.seat, combination=combination_to_wire(bomb.combination))
        for bomb in event.bombs
    ]
    outcome = events_pb2.ClimbingOutcome(
        result=RESULTS.to_wire(event.result),
        finish_order=event.finish_order,
        multiplier=event.multiplier,
        base=event.base,
        bombs=bombs,
        breakdown=[_score_to_wire(score) for score in event.breakdown],
    )
    return events_pb2.DealSettled(
        number=event.number,
        scores=event.scores,
        seed=event.seed,
        forfeited=event.forfeited,
        surrendered=event.surrendered,
        winners=event.winners,
        climbing=outcome,
    )


def settled_from_wire(table: MoveTable, message: events_pb2.DealSettled) -> DealSettled:
    """The settlement as the rules know it; MalformedMessage for one that no engine writes."""
    outcome = message.climbing
    result = RESULTS.find(outcome.result)
    finish_order = seats_from_wire(outcome.finish_order)
    if result is None or not finish_order:
        raise MalformedMessage("request/bad_settlement", "a settlement has a result and places")
    return DealSettled(
        number=message.number,
        result=result,
        finish_order=finish_order,
        multiplier=outcome.multiplier,
        base=outcome.base,
        scores=points_from_wire(message.scores),
        bombs=tuple(
            BombPlayed(seat_from_wire(bomb.seat), combination_from_wire(table, bomb.combination))
            for bomb in outcome.bombs
        ),
        seed=message.seed,
        breakdown=tuple(
            SeatScore(score.base, score.multiplier, score.contribution, score.fine)
            for score in outcome.breakdown
        ),
        forfeited=seats_from_wire(message.forfeited),
        surrendered=side_from_wire(message.surrendered) if message.HasField("surrendered") else None,
        winners=seats_from_wire(message.winners),
    )


def handover_to_wire(standing: Standing) -> events_pb2.Handover:
    """What a standing holds beside points and numbers, which stand elsewhere."""
    result = standing.last_result
    return events_pb2.Handover(
        deals_voided=standing.deals_voided,
        last_head=standing.last_head,
        last_result=events_pb2.DEAL_RESULT_UNSPECIFIED if result is None else RESULTS.to_wire(result),
        was_abnormal=standing.was_abnormal,
        void_start=standing.void_start,
        passed_out=standing.passed_out,
    )


def standing_from_wire(message: events_pb2.Handover, deals_played: int, totals: Iterable[int]) -> Standing:
    """The standing of which `message` is a part; MalformedMessage for one that no engine writes."""
    return Standing(
        deals_played=deals_played,
        totals=tuple(totals),
        last_head=seat_from_wire(message.last_head) if message.HasField("last_head") else None,
        last_result=RESULTS.find(message.last_result),
        was_abnormal=message.was_abnormal,
        deals_voided=message.deals_voided,
        void_start=seat_from_wire(message.void_start) if message.HasField("void_start") else None,
        passed_out=message.passed_out,
    )


def _score_to_wire(score: SeatScore) -> events_pb2.SeatScore:
    return events_pb2.SeatScore(
        base=score.base, multiplier=score.multiplier, contribution=score.contribution, fine=score.fine
    )
