"""What a seat knows of the cards: its own, those gone, and what others have shown not to hold (记牌)."""

from collections.abc import Sequence
from dataclasses import dataclass

from shuangkou.rules.cards import CARDS, Card
from shuangkou.rules.seats import SEATS, Seat, partner
from shuangkou.rules.tricks.events import CardsPlayed
from shuangkou.rules.tricks.options import TricksOptions
from shuangkou.rules.tricks.order import EffectiveSuit, Trump, TrumpOrder, trump_order
from shuangkou.rules.tricks.units import Counts, counts_of
from shuangkou.rules.tricks.view import SeatView


@dataclass(frozen=True, slots=True, eq=False)
class Situation:
    """held: own cards. unseen: what the other hands, or a kitty that somebody else buried, may hold. Both by
    the value of the card. lacks, unpaired: by seat and effective suit, whether the seat has shown that it has
    none of it left, and no pair. sizes: cards in each hand. shares: by seat, the chance that an unseen card
    of a suit that the seat does not lack is in its hand.
    """

    options: TricksOptions
    view: SeatView
    seat: Seat
    order: TrumpOrder
    held: Counts
    unseen: Counts
    lacks: list[list[bool]]
    unpaired: list[list[bool]]
    suit_sizes: list[int]
    shares: list[float]

    @property
    def partner(self) -> Seat:
        """对家."""
        return partner(self.seat)

    @property
    def others(self) -> tuple[Seat, ...]:
        """The seats that play after this one in the current trick."""
        left = len(SEATS) - 1 - len(self.view.trick)
        return tuple(SEATS[(self.seat + turn) % 4] for turn in range(1, left + 1))

    @property
    def is_attacking(self) -> bool:
        """On the side that takes points."""
        return self.view.own_side == self.view.attackers

    def suit_count(self, suit: EffectiveSuit) -> int:
        """Own cards of it."""
        return sum(self.held[face] for faces in self.order.lines[suit][1:] for face in faces)


def order_seen(options: TricksOptions, view: SeatView) -> TrumpOrder:
    """How cards compare as far as the seat knows."""
    rank = None if view.level is None else view.level.rank
    return trump_order(options, view.trump or Trump.NONE, rank)


def situation_of(
    options: TricksOptions, view: SeatView, seat: Seat, order: TrumpOrder, remembers: bool
) -> Situation:
    """What the seat of this view knows; without memory only of the last trick and the current one."""
    history = view.history if remembers else (*view.last_trick, *view.trick)
    held = counts_of(view.hand)
    gone = counts_of([card for play in history for card in play.cards])
    away = counts_of(view.kitty)
    unseen = [max(0, options.decks - held[card] - gone[card] - away[card]) for card in CARDS]
    lacks, unpaired = _shown(order, history)
    suit_sizes = [0] * len(EffectiveSuit)
    for card, count in enumerate(unseen):
        suit_sizes[order.suits[card]] += count
    shares = [
        min(1.0, size / max(1, sum(n for n, is_void in zip(suit_sizes, lacks[other], strict=True) if not is_void)))
        for other, size in zip(SEATS, view.hand_sizes, strict=True)
    ]
    return Situation(options, view, seat, order, held, unseen, lacks, unpaired, suit_sizes, shares)


def _shown(order: TrumpOrder, history: Sequence[CardsPlayed]) -> tuple[list[list[bool]], list[list[bool]]]:
    """§6.6 read backwards: who does not follow a suit has none left, who does not pair it no pair."""
    lacks = [[False] * len(EffectiveSuit) for _ in SEATS]
    unpaired = [[False] * len(EffectiveSuit) for _ in SEATS]
    for start in range(0, len(history), len(SEATS)):
        led = history[start].cards
        suit, pairs = order.suits[led[0]], _pairs(led)
        for play in history[start + 1 : start + len(SEATS)]:
            if any(order.suits[card] is not suit for card in play.cards):
                lacks[play.seat][suit] = True
            elif pairs and _pairs(play.cards) < pairs:
                unpaired[play.seat][suit] = True
    return lacks, unpaired


def _pairs(cards: Sequence[Card]) -> int:
    return sum(cards.count(card) // 2 for card in {*cards}) if len(cards) > 1 else 0
