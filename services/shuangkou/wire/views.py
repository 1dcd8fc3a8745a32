"""What is the same in every game of a seat's view between protobuf and the rules."""

from collections.abc import Iterable

from shuangkou.rules.ruleset import AnyRuleSet, RuleSetError, load
from shuangkou.rules.seats import SEATS
from shuangkou.v1 import table_pb2
from shuangkou.wire.refusals import MalformedMessage
from shuangkou.wire.seats import seats_from_wire

NO_POINTS = (0,) * len(SEATS)


def ruleset_of_view(message: table_pb2.SeatView) -> AnyRuleSet:
    """The ruleset and house options that a view names; MalformedMessage when there are none such."""
    try:
        return load(message.ruleset_id).with_options(message.options)
    except RuleSetError as error:
        raise MalformedMessage("ruleset/unknown", str(error)) from None


def check_seats(message: table_pb2.SeatView, ruleset: AnyRuleSet) -> None:
    """Raises MalformedMessage unless the view has the seats that the game is played on."""
    if [seat.seat for seat in message.seats] != list(SEATS[: ruleset.options.players]):
        raise MalformedMessage("request/bad_view", "a view has the seats of its game in their order")
    seats_from_wire(message.next.seats)


def of_four(values: Iterable[int]) -> tuple[int, ...]:
    """By seat; seats that the game is not played on have 0."""
    given = tuple(values)
    return given + NO_POINTS[len(given) :]
