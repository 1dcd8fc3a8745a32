"""A table as one seat, or a spectator, may see it. Built field by field, never stripped."""

from shuangkou.engine.codec import next_to_wire, settled_to_message, voided_to_message
from shuangkou.engine.deadlines import bank_ms
from shuangkou.engine.table import Holder, Phase, Table
from shuangkou.rules.decider import decider_for
from shuangkou.rules.match import View
from shuangkou.rules.seats import Seat
from shuangkou.v1 import table_pb2
from shuangkou.wire.cards import cards_to_wire
from shuangkou.wire.families import codec_for
from shuangkou.wire.match_events import outcome_to_wire, terms_to_wire

_PHASES = {
    Phase.SEATING: table_pb2.TABLE_PHASE_SEATING,
    Phase.DEAL: table_pb2.TABLE_PHASE_DEAL,
    Phase.BETWEEN_DEALS: table_pb2.TABLE_PHASE_BETWEEN_DEALS,
    Phase.FINISHED: table_pb2.TABLE_PHASE_FINISHED,
}


_VISIBILITIES = {
    False: table_pb2.TABLE_VISIBILITY_PUBLIC,
    True: table_pb2.TABLE_VISIBILITY_PRIVATE,
}


def seat_view(table: Table, seat: Seat | None) -> table_pb2.SeatView:
    """What this seat may know; None is a spectator, who sees no hidden card."""
    view: View = decider_for(table.ruleset).observe(table.match, seat)
    totals = table.match.standing.totals
    message = table_pb2.SeatView(
        table_id=table.id,
        version=table.version,
        ruleset_id=table.ruleset.id,
        ruleset_revision=table.ruleset.revision,
        options=table.ruleset.chosen,
        phase=_PHASES[table.phase],
        seat=seat,
        seats=[_seat_state(table, other, view.hand_sizes[other], totals[other]) for other in table.seats],
        deal_number=view.deal_number,
        deals=table.terms.deals,
        hand=cards_to_wire(view.hand),
        next=next_to_wire(table),
        seed_hash=view.seed_hash,
        last_settlement=settled_to_message(table),
        last_void=voided_to_message(table.voided) if table.voided else None,
        event=_event_view(table),
        visibility=_VISIBILITIES[table.terms.is_private],
        invited=table.invited,
    )
    codec_for(table.ruleset).put_view(message, view)
    return message


def occupant(holder: Holder) -> table_pb2.Occupant | None:
    """Who holds a seat; None for an open one."""
    if holder.is_open:
        return None
    if holder.persona:
        return table_pb2.Occupant(persona=holder.persona)
    return table_pb2.Occupant(player_id=holder.player_id)


def _event_view(table: Table) -> table_pb2.EventView | None:
    event, meeting = table.terms.event, table.meeting
    if event is None or meeting is None:
        return None
    return table_pb2.EventView(
        terms=terms_to_wire(event),
        think_ms=meeting.think_ms,
        drawn_deals=meeting.drawn,
        outcome=outcome_to_wire(event, table.outcome) if table.outcome else None,
    )


def _seat_state(table: Table, seat: Seat, hand_size: int, total: int) -> table_pb2.SeatState:
    holder = table.holders[seat]
    return table_pb2.SeatState(
        seat=seat,
        occupant=occupant(holder),
        hosted=holder.hosted,
        hand_size=hand_size,
        total=total,
        forfeited=holder.forfeited,
        bank_ms=bank_ms(table, seat) if table.phase is Phase.DEAL else 0,
    )
