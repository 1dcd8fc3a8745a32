"""Why cards may be worth burying."""

from collections.abc import Iterator, Sequence

from shuangkou.ai_player.remarks import Remarked, Words, spent_beyond, suit_words, told_apart
from shuangkou.ai_player.tricks.situation import Situation
from shuangkou.rules.cards import Card, Suit
from shuangkou.rules.tricks.order import EffectiveSuit
from shuangkou.rules.tricks.point_cards import points_of
from shuangkou.rules.tricks.units import counts_of, decompose

Cards = tuple[Card, ...]


def reasons_to_bury(now: Situation, burials: Sequence[Cards]) -> list[Words]:
    """One for each of the burials, no two alike."""
    said = [Remarked(tuple(_remarks(now, cards)), cards) for cards in burials]
    return told_apart(said, lambda one, other: _difference(now, one, other))


def _remarks(now: Situation, cards: Cards) -> Iterator[Words]:
    order, left = now.order, _without(now, cards)
    buried = {order.suits[card] for card in cards}
    empty = [
        suit_words(Suit(suit))[0]
        for suit in sorted(buried - {EffectiveSuit.TRUMP})
        if not any(left[card] for faces in order.lines[suit] for card in faces)
    ]
    if empty:
        yield f"empties {' and '.join(empty)}, to ruff there", f"扣绝{'、'.join(empty)}，之后可毙"
    else:
        yield "buries what is worth least, empties no suit", "扣最没用的牌，不绝门"
    points = points_of(cards)
    if points:
        yield f"{points} points lie in the kitty", f"底牌里有{points}分"
    else:
        yield "no points lie in the kitty", "底牌无分"
    trumps = now.trumps - sum(map(order.is_trump, cards))
    yield f"keeps {trumps} trumps", f"留{trumps}张主"
    sets = sum(unit.shape.copies > 1 for suit in EffectiveSuit for unit in decompose(order, suit, left))
    yield f"keeps {sets} pairs or tractors", f"留{sets}个对子或拖拉机"


def _without(now: Situation, cards: Cards) -> list[int]:
    return [held - gone for held, gone in zip(now.held, counts_of(cards), strict=True)]


def _difference(now: Situation, one: Remarked, other: Remarked) -> Words:
    own, others = (sum(_height(now, card) for card in cards.elements()) for cards in spent_beyond(one, other))
    if own > others:
        return "it buries higher cards", "扣的牌更大"
    if own < others:
        return "it buries lower cards", "扣的牌更小"
    return "it buries as much of other suits", "换花色，一样大"


def _height(now: Situation, card: Card) -> int:
    return now.order.strengths[card] + 100 * now.order.is_trump(card)
