"""Table events between protobuf and this engine; those of the rules are wire's."""

from collections.abc import Callable, Sequence
from typing import Any

from shuangkou.engine.events import (
    DeadlinePassed,
    Event,
    HostReason,
    MatchFinished,
    PlayersInvited,
    SeatHosted,
    SeatReclaimed,
    SeatTaken,
    TableCreated,
    TableEvent,
    TimeBankUsed,
    TimeCredited,
)
from shuangkou.engine.meetings import bell_ms
from shuangkou.engine.table import Ended, Expected, Holder, Table, Terms
from shuangkou.rules.events import DealVoided
from shuangkou.rules.ruleset import AnyRuleSet
from shuangkou.rules.seats import SEATS
from shuangkou.v1 import events_pb2
from shuangkou.wire.families import codec_for
from shuangkou.wire.match_events import event_of_terms, outcome_from_wire, outcome_to_wire, terms_to_wire
from shuangkou.wire.outcomes import voided_to_wire

_EXPECTED_TO_WIRE = {
    Expected.NOTHING: events_pb2.NEXT_KIND_UNSPECIFIED,
    Expected.TAKE_SEAT: events_pb2.NEXT_KIND_TAKE_SEAT,
    Expected.DEAL: events_pb2.NEXT_KIND_DEAL,
    Expected.LEAD: events_pb2.NEXT_KIND_LEAD,
    Expected.FOLLOW: events_pb2.NEXT_KIND_FOLLOW,
    Expected.PHASE: events_pb2.NEXT_KIND_PHASE,
    Expected.MOVE_ON: events_pb2.NEXT_KIND_MOVE_ON,
}
_REASON_TO_WIRE = {
    HostReason.REQUEST: events_pb2.HOST_REASON_REQUEST,
    HostReason.TIMEOUT: events_pb2.HOST_REASON_TIMEOUT,
}
_REASON_OF = {number: reason for reason, number in _REASON_TO_WIRE.items()}


def next_to_wire(table: Table) -> events_pb2.Next:
    """Who must act next at this table, and until when."""
    return events_pb2.Next(
        seats=table.actors,
        kind=_EXPECTED_TO_WIRE[table.expected],
        deadline_ms=table.deadline_ms,
        bell_ms=bell_ms(table),
        turn_ms=table.clocks.turn_ms,
    )


def event_to_message(event: Event, after: Table) -> events_pb2.Event:
    """A public event. `after`: the table after the commit, whose players and totals a settlement carries."""
    make = _TO_MESSAGE.get(type(event))
    if make is not None:
        return make(event, after)
    if after.voided is not None and event is after.voided.event:
        return events_pb2.Event(deal_voided=voided_to_message(after.voided))
    if after.settled is not None and event is after.settled.event:
        return events_pb2.Event(deal_settled=settled_to_message(after))
    return codec_for(after.ruleset).event_to_wire(event)


def settled_to_message(table: Table) -> events_pb2.DealSettled | None:
    """The last settlement with players and totals, None before the first."""
    ended = table.settled
    if ended is None:
        return None
    message = codec_for(table.ruleset).settled_to_wire(ended.event)
    message.players.extend(ended.players)
    message.totals.extend(ended.totals)
    return message


def voided_to_message(ended: Ended[DealVoided]) -> events_pb2.DealVoided:
    """A void deal with players and totals."""
    message = voided_to_wire(ended.event)
    message.players.extend(ended.players)
    message.totals.extend(ended.totals)
    return message


def event_from_message(message: events_pb2.Event, table: Table) -> Event:
    """The event, of this table; MalformedMessage for one that no engine writes."""
    which = message.WhichOneof("event") or ""
    read = _FROM_MESSAGE.get(which)
    return (
        read(getattr(message, which))
        if read
        else codec_for(table.ruleset).event_from_wire(table.match, message)
    )


def secret_to_message(after: Table, events: Sequence[Event]) -> events_pb2.SecretCommit | None:
    """The hidden part of a commit, None when it has none. `after`: the table after it."""
    codec = codec_for(after.ruleset)
    secrets = [
        codec.secret_to_wire(event, position)
        for position, event in enumerate(events)
        if not isinstance(event, TableEvent) and event.secret
    ]
    if not secrets:
        return None
    return events_pb2.SecretCommit(table_id=after.id, version=after.version, events=secrets)


def secrets_from_message(message: events_pb2.SecretCommit, ruleset: AnyRuleSet) -> list[tuple[int, Event]]:
    """The hidden facts of a commit, each with its place among all of its events."""
    codec = codec_for(ruleset)
    return [
        (event.position if event.HasField("position") else 1, codec.secret_from_wire(event))
        for event in message.events
    ]


def holder_from_summary(summary: events_pb2.SeatSummary) -> Holder:
    """Who held the seat between two deals."""
    return Holder(summary.player_id, summary.persona, summary.hosted, summary.timeouts, summary.forfeited)


def holder_to_summary(holder: Holder, total: int) -> events_pb2.SeatSummary:
    """Who holds the seat between two deals. `total`: points over the match."""
    return events_pb2.SeatSummary(
        player_id=holder.player_id,
        persona=holder.persona,
        hosted=holder.hosted,
        timeouts=holder.timeouts,
        total=total,
        forfeited=holder.forfeited,
    )


def created_to_message(table: Table) -> events_pb2.TableCreated:
    """The terms of the table and its ruleset."""
    return events_pb2.TableCreated(
        creator=table.terms.creator,
        ruleset_revision=table.ruleset.revision,
        options=table.ruleset.chosen,
        deals=table.terms.deals,
        deal_pause_ms=table.terms.deal_pause_ms,
        event=terms_to_wire(table.terms.event) if table.terms.event else None,
        is_private=table.terms.is_private,
    )


def terms_from_message(message: events_pb2.TableCreated) -> Terms:
    """The terms of the table."""
    event = event_of_terms(message.event) if message.HasField("event") else None
    return Terms(message.creator, message.deals, message.deal_pause_ms, event, message.is_private)


def _taken_to_message(event: SeatTaken, _: Table) -> events_pb2.Event:
    taken = events_pb2.SeatTaken(seat=event.seat, player_id=event.player_id, persona=event.persona)
    return events_pb2.Event(seat_taken=taken)


def _invited_to_message(event: PlayersInvited, _: Table) -> events_pb2.Event:
    return events_pb2.Event(players_invited=events_pb2.PlayersInvited(player_ids=event.player_ids))


def _hosted_to_message(event: SeatHosted, _: Table) -> events_pb2.Event:
    hosted = events_pb2.SeatHosted(seat=event.seat, reason=_REASON_TO_WIRE[event.reason])
    return events_pb2.Event(seat_hosted=hosted)


def _passed_to_message(event: DeadlinePassed, _: Table) -> events_pb2.Event:
    passed = events_pb2.DeadlinePassed(seat=event.seat, in_a_row=event.in_a_row)
    return events_pb2.Event(deadline_passed=passed)


def _used_to_message(event: TimeBankUsed, _: Table) -> events_pb2.Event:
    used = events_pb2.TimeBankUsed(seat=event.seat, used_ms=event.used_ms, left_ms=event.left_ms)
    return events_pb2.Event(time_bank_used=used)


def _credited_to_message(event: TimeCredited, _: Table) -> events_pb2.Event:
    return events_pb2.Event(time_credited=events_pb2.TimeCredited(credited_ms=event.credited_ms))


def _finished_to_message(event: MatchFinished, after: Table) -> events_pb2.Event:
    finished = events_pb2.MatchFinished(totals=event.totals)
    if event.outcome is not None and after.terms.event is not None:
        finished.event.CopyFrom(outcome_to_wire(after.terms.event, event.outcome))
    return events_pb2.Event(match_finished=finished)


def _finished_from_message(message: events_pb2.MatchFinished) -> MatchFinished:
    outcome = outcome_from_wire(message.event) if message.HasField("event") else None
    return MatchFinished(tuple(message.totals), outcome)


_TO_MESSAGE: dict[type, Callable[[Any, Table], events_pb2.Event]] = {
    TableCreated: lambda _, after: events_pb2.Event(table_created=created_to_message(after)),
    PlayersInvited: _invited_to_message,
    SeatTaken: _taken_to_message,
    SeatHosted: _hosted_to_message,
    SeatReclaimed: lambda event, _: events_pb2.Event(
        seat_reclaimed=events_pb2.SeatReclaimed(seat=event.seat)
    ),
    DeadlinePassed: _passed_to_message,
    TimeBankUsed: _used_to_message,
    TimeCredited: _credited_to_message,
    MatchFinished: _finished_to_message,
}

_FROM_MESSAGE: dict[str, Callable[[Any], Event]] = {
    "table_created": lambda message: TableCreated(terms_from_message(message)),
    "players_invited": lambda message: PlayersInvited(tuple(message.player_ids)),
    "seat_taken": lambda message: SeatTaken(SEATS[message.seat], message.player_id, message.persona),
    "seat_hosted": lambda message: SeatHosted(SEATS[message.seat], _REASON_OF[message.reason]),
    "seat_reclaimed": lambda message: SeatReclaimed(SEATS[message.seat]),
    "deadline_passed": lambda message: DeadlinePassed(SEATS[message.seat], message.in_a_row),
    "time_bank_used": lambda message: TimeBankUsed(SEATS[message.seat], message.used_ms, message.left_ms),
    "time_credited": lambda message: TimeCredited(message.credited_ms),
    "match_finished": _finished_from_message,
}
