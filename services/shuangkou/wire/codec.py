"""What each family of games has between protobuf and the rules; whoever uses it need not know which it is."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from shuangkou.rules.match import Settled, Standing, View
from shuangkou.v1 import events_pb2, scoring_pb2, table_pb2
from shuangkou.wire.accounts import DealAccount


@dataclass(frozen=True, slots=True)
class Codec:
    """Both directions. All that read raise MalformedMessage for what no engine writes.

    event_to_wire: a public event; ValueError for a secret one. event_from_wire: of this match.
    secret_to_wire: with its place among all events of the commit. settled_to_wire: without players and
    totals, which the table adds. standing_from_wire: with the number of deals played and the points by seat.
    put_view, put_rulebook: add what only the family has. legal_acts_to_wire: at most so many of a kind.
    account_of: for the ledger. counts_acts: whether in this ruleset a settlement follows from the acts of its
    deal, and not from what it repeats itself. contradiction, void_contradiction: what the rules of this
    ruleset make else of the facts of a deal and of its acts, empty where they agree. sheet_line: of a deal on
    a score sheet. scheduled_lines: of all deals of a match whose levels and declarers are fixed beforehand,
    none where they are not.
    """

    event_to_wire: Callable[[Any], events_pb2.Event]
    event_from_wire: Callable[[Any, events_pb2.Event], Any]
    secret_to_wire: Callable[[Any, int], events_pb2.SecretEvent]
    secret_from_wire: Callable[[events_pb2.SecretEvent], Any]
    settled_to_wire: Callable[[Any], events_pb2.DealSettled]
    settled_from_wire: Callable[[Any, events_pb2.DealSettled], Settled]
    handover_to_wire: Callable[[Any], events_pb2.Handover]
    standing_from_wire: Callable[[events_pb2.Handover, int, Iterable[int]], Standing]
    put_view: Callable[[table_pb2.SeatView, Any], None]
    view_from_wire: Callable[[table_pb2.SeatView, Any], View]
    legal_acts_to_wire: Callable[[Any, int], table_pb2.ListLegalActsResponse]
    put_rulebook: Callable[[table_pb2.Ruleset, Any], None]
    account_of: Callable[[events_pb2.DealSettled], DealAccount]
    counts_acts: Callable[[Any], bool]
    contradiction: Callable[[Any, events_pb2.DealSettled, Sequence[events_pb2.Event]], str]
    void_contradiction: Callable[[Any, events_pb2.DealVoided], str]
    sheet_line: Callable[[events_pb2.DealSettled], scoring_pb2.SheetLine]
    scheduled_lines: Callable[[Any], list[scoring_pb2.SheetLine]]
