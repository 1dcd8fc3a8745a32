"""What a view tells of the phases before play: what was called there, and what the seat to act is asked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from shuangkou.cli.calls import PHASE_QUESTIONS
from shuangkou.cli.faces import card_row
from shuangkou.cli.tricks_asking import tricks_question
from shuangkou.cli.views import part_of
from shuangkou.cli.words import SEATS, options_of
from shuangkou.v1 import events_pb2, table_pb2
from shuangkou.wire.cards import cards_from_wire

_CALLED: Final = ("combination_declared", "bid_made", "landlord_called")


@dataclass(frozen=True, slots=True)
class Call:
    """What the last seat that did not pass has said, in a word or its cards."""

    seat: int
    en: str
    zh: str


def standing_call(view: table_pb2.SeatView) -> Call | None:
    """The declaration, bid or call that others must go above; None where there is none."""
    calls = [(kind, event) for kind, event in _opening(view) if kind in _CALLED]
    if not calls:
        return None
    kind, event = calls[-1]
    if kind == "combination_declared":
        cards = card_row(cards_from_wire(event.cards)).plain
        return Call(event.seat, cards, cards)
    if kind == "bid_made":
        return Call(event.seat, f"the {event.points}", f"{event.points}分")
    return Call(event.seat, "the call", "叫地主")


def landlord(view: table_pb2.SeatView) -> events_pb2.LandlordNamed | None:
    """Who is the landlord of this deal, and for how many points; None where nobody is."""
    return next((event for kind, event in _opening(view) if kind == "landlord_named"), None)


def question(view: table_pb2.SeatView) -> str | None:
    """What the seat to act is asked in this phase; None when it is to play."""
    if view.HasField("tricks"):
        return tricks_question(view)
    phase = part_of(view).phase
    asked = PHASE_QUESTIONS.get(phase)
    call = standing_call(view)
    if phase == events_pb2.DEAL_PHASE_AUCTION:
        return _who_is_landlord(view, call)
    if phase == events_pb2.DEAL_PHASE_BURY:
        options = options_of(view.ruleset_id, view.options)
        count = f" {options.kitty} cards {options.kitty}张" if options is not None else ""
        return f"Bury 扣底{count}, for example: bury 3 5"
    if phase == events_pb2.DEAL_PHASE_DECLARE and call is not None:
        return f"Declare 叫牌 more than {call.en} of {SEATS[call.seat]}, or pass 不叫"
    return asked


def _who_is_landlord(view: table_pb2.SeatView, call: Call | None) -> str:
    options = options_of(view.ruleset_id, view.options)
    most = options.max_bid if options is not None else 0
    if any(kind == "landlord_called" for kind, _ in _opening(view)):
        return f"Grab 抢地主 the landlord from {SEATS[call.seat if call else 0]}, or pass 不抢"
    if call is not None:
        return f"Bid 叫分 more than {call.en} of {SEATS[call.seat]}, at most {most}, or pass 不叫"
    is_first = not view.climbing.opening
    return f"Bid 叫分 1 to {most}: bid 2{', or call 叫地主' if is_first else ''}, or pass 不叫"


def _opening(view: table_pb2.SeatView) -> Iterator[tuple[str, Any]]:
    for event in view.climbing.opening:
        kind = event.WhichOneof("event") or ""
        yield kind, getattr(event, kind)
