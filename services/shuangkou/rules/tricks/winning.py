"""Who wins a trick (§6.8)."""

from collections.abc import Sequence

from shuangkou.rules.cards import Card
from shuangkou.rules.tricks.order import EffectiveSuit, TrumpOrder
from shuangkou.rules.tricks.packing import best_top
from shuangkou.rules.tricks.units import SINGLE, Format, counts_of, format_of


def winner(order: TrumpOrder, plays: Sequence[Sequence[Card]]) -> int:
    """Which of the plays takes the trick so far, 0 for the lead; of equally good ones the first.

    ValueError when the lead is no cards of one effective suit.
    """
    lead = format_of(order, plays[0])
    if lead is None:
        raise ValueError(f"nobody can lead {plays[0]}")
    best, best_suit, best_strength = 0, lead.suit, lead.key.top
    for place, cards in enumerate(plays[1:], start=1):
        strength = strength_of_follow(order, lead, cards)
        if strength is None:
            continue
        suit = order.suits[cards[0]]
        is_ruff = suit is EffectiveSuit.TRUMP and best_suit is not EffectiveSuit.TRUMP
        if is_ruff or (suit is best_suit and strength > best_strength):
            best, best_suit, best_strength = place, suit, strength
    return best


def strength_of_follow(order: TrumpOrder, lead: Format, cards: Sequence[Card]) -> int | None:
    """The best top that these cards have as the key of the led shape; None where they cannot win.

    They cannot when they are of several suits, of a plain suit that was not led, or do not make the shape;
    nor in the suit of a throw, which only a ruff takes.
    """
    suit = order.common_suit(cards)
    if suit is None or (suit is lead.suit and lead.is_throw):
        return None
    if suit not in (lead.suit, EffectiveSuit.TRUMP):
        return None
    key, *others = lead.shape
    if key == SINGLE:
        return max(order.strengths[card] for card in cards)
    return best_top(order.lines[suit], counts_of(cards), key, others)
