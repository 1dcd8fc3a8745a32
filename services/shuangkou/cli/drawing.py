"""What a player hears while cards are drawn (摸牌): what it may show for trump, and now and then its hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

from rich.text import Text

from shuangkou.cli.faces import card_row
from shuangkou.cli.tricks_asking import invitation
from shuangkou.cli.tricks_view import acts_in, hand_row, order_in
from shuangkou.cli.words import SEATS
from shuangkou.v1 import events_pb2, table_pb2
from shuangkou.wire.cards import cards_from_wire

_LOOKS: Final = 5
"""The hand is shown so often in a draw: not with every card, or it would push all else off the screen."""


class Drawing:
    """One draw after another, as it was told so far."""

    def __init__(self) -> None:
        self._deal = 0
        self._looks = 0
        self._invited = ""

    @property
    def is_invited(self) -> bool:
        """The seat was told of something that it may show."""
        return bool(self._invited)

    def lines(self, view: table_pb2.SeatView) -> list[Text]:
        """What is new in this view of a draw; often nothing."""
        if view.deal_number != self._deal:
            self._deal, self._looks, self._invited = view.deal_number, 0, ""
        acts = acts_in(view)
        invited = (invitation(acts) if acts is not None else None) or ""
        is_new, self._invited = invited not in ("", self._invited), invited
        held = len(view.hand)
        looks = _LOOKS * held // max(1, held + view.tricks.undrawn)
        if not is_new and looks == self._looks:
            return []
        self._looks = looks
        told = [drawn_line(view)]
        if is_new:
            told.append(Text(f"  {invited}", "bold green"))
        return told


def returned_lines(
    commit: events_pb2.Commit, seat: int, before: Iterable[int], after: Iterable[int]
) -> list[Text]:
    """Which cards came back to this seat for its pair that was topped (压); hands before and after."""
    toppers = [event.pair_topped.seat for event in commit.events if _tops(event, seat)]
    back = list((Counter(after) - Counter(before)).elements())
    if not toppers or not back:
        return []
    row = card_row(sorted(cards_from_wire(back)), suited=True)
    told = Text("  You get back 还牌 ", "bold").append_text(row)
    return [told.append(f" from {SEATS[toppers[-1]]}", "not bold")]


def _tops(event: events_pb2.Event, owner: int) -> bool:
    return event.HasField("pair_topped") and event.pair_topped.owner == owner


def drawn_line(view: table_pb2.SeatView) -> Text:
    """The hand as far as it is drawn."""
    hand = cards_from_wire(view.hand)
    label = Text(f"  Drawn 已摸 {len(hand)} of {len(hand) + view.tricks.undrawn}: ", "bold")
    return label.append_text(hand_row(hand, order_in(view)))
