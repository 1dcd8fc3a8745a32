"""From a seat's view, as it travels, to what minds read, if it is one that an engine could have sent."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from shuangkou.ai_player.families import mind_for
from shuangkou.ai_player.unanswerable import ImplausibleView, NoPolicy, NotToAct
from shuangkou.chassis.logs import logger
from shuangkou.rules.ruleset import AnyRuleSet
from shuangkou.v1 import table_pb2
from shuangkou.wire.families import codec_for
from shuangkou.wire.refusals import MalformedMessage

_STUMBLES = (ArithmeticError, AssertionError, LookupError, StopIteration, TypeError, ValueError)
"""What code raises that takes a view for true when it is not."""


def read_view(message: table_pb2.SeatView, ruleset: AnyRuleSet) -> Any:
    """The view of a seat that is to act; MalformedMessage, NotToAct or ImplausibleView."""
    with believing():
        view = codec_for(ruleset).view_from_wire(message, ruleset)
        if not _is_to_act(message):
            raise NotToAct(f"it is not the turn of {_name(message)}")
        mind_for(ruleset).check_plausible(ruleset.options, view)
    return view


def check_genuine(message: table_pb2.SeatView, ruleset: AnyRuleSet, view: Any) -> None:
    """ImplausibleView unless an engine can have sent this view, with a word on the first field that tells."""
    if message.ruleset_revision != ruleset.revision:
        raise ImplausibleView(
            f"ruleset_revision: {ruleset.id} is known here in revision {ruleset.revision}, "
            f"not {message.ruleset_revision}"
        )
    if list(message.next.seats) != [message.seat] or view.turn != message.seat:
        raise ImplausibleView("next, turn: the seat whose turn it is is the only one to act")
    number = view.standing.last_number + 1
    if message.deal_number != number:
        raise ImplausibleView(f"deal_number: it is {number} by the deals before, not {message.deal_number}")
    with believing():
        mind_for(ruleset).check_genuine(ruleset, view)


@contextmanager
def believing() -> Iterator[None]:
    """Whoever stumbles over a view inside the block shows that no deal can look like it: ImplausibleView."""
    try:
        yield
    except (MalformedMessage, ImplausibleView, NotToAct, NoPolicy):
        raise
    except _STUMBLES as error:
        logger().error("view_not_understood", exc_info=error)
        raise ImplausibleView("the parts of the view contradict each other") from None


def _is_to_act(message: table_pb2.SeatView) -> bool:
    is_deal = message.phase == table_pb2.TABLE_PHASE_DEAL
    return is_deal and message.HasField("seat") and message.seat in message.next.seats


def _name(message: table_pb2.SeatView) -> str:
    return f"seat {message.seat}" if message.HasField("seat") else "a spectator"
