"""What a seat knows of the cards: its own, those gone, and what others have shown not to hold (记牌)."""

from collections.abc import Sequence
from dataclasses import dataclass

from shuangkou.rules.cards import Card
from shuangkou.rules.seats import SEATS, Seat, partner
from shuangkou.rules.tricks.events import CardsPlayed
from shuangkou.rules.tricks.options import TricksOptions
from shuangkou.rules.tricks.order import EffectiveSuit, Trump, TrumpOrder, trump_order
from shuangkou.rules.tricks.units import Counts, counts_of
from shuangkou.rules.tricks.view import SeatView

BySuit = list[list[bool]]
"""By seat and effective suit."""


@dataclass(frozen=True, slots=True, eq=False)
class Situation:
    """held: own cards. unseen: what the other hands, or a kitty that somebody else buried, may hold; both by
    the value of the card. above: by effective suit and place, how many unseen cards are higher. trumps: own
    ones. suit_sizes: unseen cards by effective suit. lacks, unpaired: whether a seat has shown that it has
    none of a suit left, and no pair. shares: by seat, the chance that an unseen card of a suit that the seat
    does not lack is in its hand. others: seats that play after this one in the trick.
    """

    options: TricksOptions
    view: SeatView
    seat: Seat
    partner: Seat
    others: tuple[Seat, ...]
    order: TrumpOrder
    held: Counts
    unseen: Counts
    above: list[list[int]]
    trumps: int
    suit_sizes: list[int]
    lacks: BySuit
    unpaired: BySuit
    shares: list[float]

    @property
    def is_attacking(self) -> bool:
        """On the side that takes points."""
        return self.view.own_side == self.view.attackers


def order_seen(options: TricksOptions, view: SeatView) -> TrumpOrder:
    """How cards compare as far as the seat knows."""
    rank = None if view.level is None else view.level.rank
    return trump_order(options, view.trump or Trump.NONE, rank)


def situation_of(
    options: TricksOptions, view: SeatView, seat: Seat, order: TrumpOrder, remembers: bool
) -> Situation:
    """What the seat of this view knows; without memory only of the last trick and the current one."""
    first = 0 if remembers else max(0, len(view.history) - len(view.trick) - len(SEATS))
    history = view.history[first:]
    held = counts_of(view.hand)
    unseen = [options.decks - count for count in held]
    for card in (*view.kitty, *(card for play in history for card in play.cards)):
        unseen[card] -= 1
    above = [_above(order, suit, unseen) for suit in EffectiveSuit]
    sizes = [places[0] for places in above]
    lacks, unpaired = _shown(order, history)
    return Situation(
        options=options,
        view=view,
        seat=seat,
        partner=partner(seat),
        others=tuple(SEATS[(seat + turn) % 4] for turn in range(1, 4 - len(view.trick))),
        order=order,
        held=held,
        unseen=unseen,
        above=above,
        trumps=sum(map(order.is_trump, view.hand)),
        suit_sizes=sizes,
        lacks=lacks,
        unpaired=unpaired,
        shares=[_share(view.hand_sizes[other], sizes, lacks[other]) for other in SEATS],
    )


def _above(order: TrumpOrder, suit: EffectiveSuit, unseen: Counts) -> list[int]:
    line = order.lines[suit]
    above, places = 0, [0] * len(line)
    for place in range(len(line) - 1, 0, -1):
        places[place] = above
        for face in line[place]:
            above += unseen[face]
    places[0] = above  # where the ace stands below the lowest card, it has been counted already
    return places


def _share(size: int, suit_sizes: list[int], lacks: list[bool]) -> float:
    room = sum([number for number, is_void in zip(suit_sizes, lacks, strict=True) if not is_void])
    return min(1.0, size / room) if room else 0.0


def _shown(order: TrumpOrder, history: Sequence[CardsPlayed]) -> tuple[BySuit, BySuit]:
    """§6.6 read backwards: who does not follow a suit has none left, who does not pair it no pair."""
    lacks = [[False] * len(EffectiveSuit) for _ in SEATS]
    unpaired = [[False] * len(EffectiveSuit) for _ in SEATS]
    suits = order.suits
    for start in range(0, len(history), len(SEATS)):
        led = history[start].cards
        suit, pairs = suits[led[0]], _pairs(led)
        for play in history[start + 1 : start + len(SEATS)]:
            if [card for card in play.cards if suits[card] is not suit]:
                lacks[play.seat][suit] = True
            elif pairs and _pairs(play.cards) < pairs:
                unpaired[play.seat][suit] = True
    return lacks, unpaired


def _pairs(cards: Sequence[Card]) -> int:
    return sum([cards.count(card) // 2 for card in {*cards}]) if len(cards) > 1 else 0
