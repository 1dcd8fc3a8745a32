"""A view of a trick-taking game as the rules understand it: its options, its order, what its seat may do."""

from __future__ import annotations

from collections.abc import Iterable

from rich.text import Text

from shuangkou.cli.faces import card_row
from shuangkou.cli.words import tricks_options_of
from shuangkou.rules.cards import Card
from shuangkou.rules.tricks.legal_acts import LegalActs, legal_acts_in_view
from shuangkou.rules.tricks.options import TricksOptions
from shuangkou.rules.tricks.order import EffectiveSuit, TrumpOrder
from shuangkou.rules.tricks.state import order_with
from shuangkou.v1 import events_pb2, table_pb2
from shuangkou.wire.refusals import MalformedMessage
from shuangkou.wire.tricks.views import seat_view_from_wire
from shuangkou.wire.tricks.words import level_from_wire, trump_from_wire
from shuangkou.wire.views import ruleset_of_view


def tricks_options(view: table_pb2.SeatView) -> TricksOptions | None:
    """What the table plays by; None for a table of the other family, or an unknown game."""
    return tricks_options_of(view.ruleset_id, view.options)


def acts_in(view: table_pb2.SeatView) -> LegalActs | None:
    """What its seat may do; None where this program cannot tell."""
    if not view.HasField("tricks") or not view.HasField("seat"):
        return None
    try:
        ruleset = ruleset_of_view(view)
        return legal_acts_in_view(ruleset.options, seat_view_from_wire(view, ruleset))
    except MalformedMessage:
        return None


def order_in(view: table_pb2.SeatView) -> TrumpOrder | None:
    """How cards compare as far as its seat knows; None where this program cannot tell."""
    options = tricks_options(view)
    if options is None:
        return None
    level = level_from_wire(view.tricks.level)
    return order_with(options, level, trump_from_wire(view.tricks.trump))


def is_drawing(view: table_pb2.SeatView) -> bool:
    """Cards are being drawn: nobody is asked, and any seat may declare."""
    return view.tricks.phase == events_pb2.DEAL_PHASE_DRAW


def hand_row(cards: Iterable[Card], order: TrumpOrder | None) -> Text:
    """Suit by suit, the trumps last, each from low to high; as they come where the order is not known."""
    if order is None:
        return card_row(cards, suited=True)
    held = order.ascending(cards)
    rows = []
    for suit in EffectiveSuit:
        of_suit = [card for card in held if order.suit_of(card) is suit]
        if of_suit:
            label = Text("trumps 主 ", "dim") if suit is EffectiveSuit.TRUMP else Text()
            rows.append(label.append_text(card_row(of_suit, suited=True)))
    return Text(" · ", "dim").join(rows)


def score_of_view(part: table_pb2.TricksView) -> int:
    """What the attacking side has so far, with the fines; 0 before it is known who attacks."""
    if not part.HasField("attackers") or len(part.taken) < 2 or len(part.fines) < 2:
        return 0
    side = part.attackers
    return part.taken[side] + part.fines[1 - side] - part.fines[side]
