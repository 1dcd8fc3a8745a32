"""The climbing family behind the shape that all families share."""

from shuangkou.rules.climbing.events import DealSettled, Event
from shuangkou.rules.climbing.state import MatchState
from shuangkou.v1 import events_pb2
from shuangkou.wire.climbing.accounts import (
    account_of,
    contradiction,
    counts_acts,
    scheduled_lines,
    sheet_line,
    void_contradiction,
)
from shuangkou.wire.climbing.events import event_from_wire, event_to_wire, secret_from_wire, secret_to_wire
from shuangkou.wire.climbing.legal_acts import legal_acts_to_wire
from shuangkou.wire.climbing.outcomes import (
    handover_to_wire,
    settled_from_wire,
    settled_to_wire,
    standing_from_wire,
)
from shuangkou.wire.climbing.rulebook import put_rulebook
from shuangkou.wire.climbing.views import put_view, seat_view_from_wire
from shuangkou.wire.codec import Codec


def _event_of(match: MatchState, message: events_pb2.Event) -> Event:
    return event_from_wire(match.table, message)


def _settled_of(match: MatchState, message: events_pb2.DealSettled) -> DealSettled:
    return settled_from_wire(match.table, message)


CODEC = Codec(
    event_to_wire=event_to_wire,
    event_from_wire=_event_of,
    secret_to_wire=secret_to_wire,
    secret_from_wire=secret_from_wire,
    settled_to_wire=settled_to_wire,
    settled_from_wire=_settled_of,
    handover_to_wire=handover_to_wire,
    standing_from_wire=standing_from_wire,
    put_view=put_view,
    view_from_wire=seat_view_from_wire,
    legal_acts_to_wire=legal_acts_to_wire,
    put_rulebook=put_rulebook,
    account_of=account_of,
    counts_acts=counts_acts,
    contradiction=contradiction,
    void_contradiction=void_contradiction,
    sheet_line=sheet_line,
    scheduled_lines=scheduled_lines,
)
