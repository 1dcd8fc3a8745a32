"""Cards taken out of a hand."""

from collections import Counter

from shuangkou.rules.cards import Card


def hand_without(hand: tuple[Card, ...], cards: tuple[Card, ...]) -> tuple[Card, ...] | None:
    """What is left of the hand in its order, None when it does not hold the cards."""
    left = list(hand)
    try:
        for card in cards:
            left.remove(card)
    except ValueError:
        return None
    return tuple(left)


def not_held(hand: tuple[Card, ...], cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """The cards that are asked of the hand and not in it, each as often as it is missing."""
    missing = Counter(cards) - Counter(hand)
    return tuple(missing.elements())
