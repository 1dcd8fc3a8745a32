"""The part of a seat's view that only one family of games has."""

from __future__ import annotations

from collections.abc import Sequence

from shuangkou.v1 import table_pb2


def part_of(view: table_pb2.SeatView) -> table_pb2.ClimbingView | table_pb2.TricksView:
    """Both families have a phase, a trick, a kitty and a record."""
    return view.tricks if view.HasField("tricks") else view.climbing


def partner_hand_of(view: table_pb2.SeatView) -> Sequence[int]:
    """The partner's cards where they are open, 双明."""
    return view.climbing.partner_hand if view.HasField("climbing") else ()


def suits_matter(view: table_pb2.SeatView) -> bool:
    """A card is never as good as another of its rank."""
    return view.HasField("tricks")
