"""Leads and hands of four packs that are hard to judge: found by climbing towards more and more work."""

from dataclasses import dataclass
from functools import cache
from random import Random

from kit.tricks_oracle import House
from kit.tricks_sets import cards, order_of
from shuangkou.rules.cards import Card
from shuangkou.rules.tricks.order import TrumpOrder

_PACKED = {
    "two_threes_twice": (
        House("H", "5"),
        "H3x4 H4x3 H7x2 H8x2 HJx3 HQx2 S5x3 C5x2 D5x2 H5x4 LJx2 BJx2",
        "H2x3 H4 H6x3 H7x2 H8x2 H9x4 HTx3 HQx2 HKx2 HAx4 S5 C5x2 D5x2 LJx2 BJx2",
    ),
    "one_too_many": (
        House("H", "5"),
        "H3x2 H4x2 H7x2 H8x3 H9x2 HQ HK HAx2 C5x3 D5x3 H5x4 LJ BJ",
        "H2x4 H3x2 H6x4 H7x2 H8 H9x2 HTx4 HJx3 HQx3 HAx2 S5x4 C5 D5 LJx3 BJx2",
    ),
    "five_tractors": (
        House("S", "-", fixed="532"),
        "S4 S7x2 S8x2 STx2 SJx3 SQx4 SAx2 C2x2 S2x2 H3 S3x4 H5x3 C5x3 LJx2 BJ S5x2",
        "S4x3 S6x4 S7x2 S8x2 S9x4 STx2 SKx4 SAx2 H2x3 C2x2 D2x4 S2x2 H3 C3x3 D3x4 D5x4 LJx2 BJx3 S5x2",
    ),
    "three_by_three": (
        House("S", "-", fixed="532"),
        "S6 S7 S8x4 S9x3 SQx2 SKx2 SAx4 H2 C2x2 D2x2 C3x4 D3 S3x3 H5 C5x4 D5x2 LJ BJx3 S5x2",
        "S4x4 S6x3 S7x3 STx3 SJx4 SQx2 SKx2 H2x3 C2x2 D2x2 S2x4 H3x2 D3x3 H5 D5x2 LJx3 S5x2",
    ),
    "all_pairs": (
        House("H", "5"),
        "H2x2 H3x2 H6x2 H7x2 H9x2 HTx2 HQx2 HKx2 S5x2 C5x2 H5x2 LJx2",
        "H2x2 H3x2 H4x4 H6x2 H7x2 H8x4 H9x2 HTx2 HJx4 HQx2 HKx2 HAx4 S5x2 C5x2 D5x4 H5x2 LJx2 BJx4",
    ),
    "all_triples": (
        House("H", "5"),
        "H2x3 H3x3 H6x3 H7x3 H9x3 HTx3 HQx3 HKx3 C5x3 H5x3",
        "H4x3 H6 H8x3 H9 HJx3 HQ HAx3 S5x3 D5x3 LJx3 BJx3 HTx1 HKx1 H2x1 H3x1 C5 H5",
    ),
    "no_trump": (
        House("N", "9"),
        "S9x2 H9x2 LJx2 BJx2",
        "S9x2 H9x2 C9x2 D9x2 LJx2 BJx2 S2",
    ),
}


@dataclass(frozen=True, slots=True)
class Crowd:
    """A lead and a hand that follows it."""

    name: str
    order: TrumpOrder
    lead: tuple[Card, ...]
    hand: tuple[Card, ...]


@cache
def crowds() -> tuple[Crowd, ...]:
    """The hard ones, and the longest hand of one suit that four packs can give."""
    longest = House("H", "5")
    trumps = [face for row in longest.rows("T") for place in row for face in place] * 4
    Random(1).shuffle(trumps)
    full = Crowd("longest", order_of(longest), cards(sorted(trumps[54:])), cards(trumps[:54]))
    hard = (
        Crowd(name, order_of(house), _unpacked(lead), _unpacked(hand))
        for name, (house, lead, hand) in _PACKED.items()
    )
    return (*hard, full)


def _unpacked(text: str) -> tuple[Card, ...]:
    parts = [token.partition("x") for token in text.split()]
    return cards([face for face, _, amount in parts for _ in range(int(amount or 1))])
