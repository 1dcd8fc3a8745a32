"""Burying (扣底): trumps, high cards and pairs stay, plain suits are emptied, points need many trumps."""

from collections.abc import Iterator
from itertools import chain, product, zip_longest

from shuangkou.ai_player.tricks.holding import POINTS, Holding, holding_of
from shuangkou.ai_player.tricks.situation import Situation
from shuangkou.ai_player.tricks.weights import Weights
from shuangkou.rules.cards import CARDS, Card
from shuangkou.rules.seats import side_of
from shuangkou.rules.tricks.multipliers import multiplier
from shuangkou.rules.tricks.options import Scoring
from shuangkou.rules.tricks.order import EffectiveSuit
from shuangkou.rules.tricks.units import SINGLE

Cards = tuple[Card, ...]

_SAFE_TRUMPS = 15
"""With so many of a hand of 25 a captured kitty is unlikely."""
_EACH_FEWER = 0.05
_LEAST_RISK = 0.08
_OTHER_OPINIONS = (-0.4, 0.4)
"""By how much the cost of a point in the kitty may be misjudged."""
_AT_STAKE = 0.3
"""The share of its points that a side loses of cards that it plays."""


def choose_burial(situation: Situation, weights: Weights, shown: Cards) -> Cards:
    """As many cards as the kitty has, none of those that are shown."""
    return _ranked(situation, holding_of(situation, weights), shown, _cost_of_point(situation))[0]


def burials(situation: Situation, weights: Weights, shown: Cards, most: int) -> list[Cards]:
    """At most so many burials worth a thought, that of `choose_burial` first: the best by its opinion of
    points in the kitty, and by others."""
    holding, point = holding_of(situation, weights), _cost_of_point(situation)
    opinions = [_ranked(situation, holding, shown, point + other) for other in (0.0, *_OTHER_OPINIONS)]
    in_turn = chain.from_iterable(zip_longest(*opinions))
    return list(dict.fromkeys(cards for cards in in_turn if cards is not None))[:most]


def _ranked(situation: Situation, holding: Holding, shown: Cards, point: float) -> list[Cards]:
    """The cheapest first. point: what a point costs that lies in the kitty."""
    costs = [holding.each(card) + POINTS[card] * point for card in CARDS]
    free = list(situation.view.hand)
    for card in shown:
        free.remove(card)
    totals = {
        cards: holding.cost(cards) + point * sum(POINTS[card] for card in cards)
        for cards in _plans(situation, free, costs)
    }
    return sorted(totals, key=lambda cards: (totals[cards], cards))


def _cost_of_point(situation: Situation) -> float:
    """What a point costs that lies in the kitty: what may be captured, less what may be lost in play."""
    view, options = situation.view, situation.options
    trumps = situation.trumps * 25 / max(1, options.hand_size)
    risk = min(0.7, _LEAST_RISK + _EACH_FEWER * max(0.0, _SAFE_TRUMPS - trumps))
    times = 1.5 * multiplier(options, SINGLE, won_with_trump=True)
    if view.seat is not None and side_of(view.seat) == view.attackers:
        return _AT_STAKE - (1 - risk) * times * 0.3
    saved = _AT_STAKE * (2 if options.scoring is Scoring.TOTALS else 1)
    return risk * times - saved


def _plans(situation: Situation, free: list[Card], costs: list[float]) -> Iterator[Cards]:
    """Suits emptied altogether or but for what is worth most, and filled up with the cheapest cards."""
    order, size = situation.order, situation.options.kitty
    ranked = sorted(free, key=lambda card: (costs[card], card))
    by_suit = [[card for card in ranked if order.suits[card] is suit] for suit in EffectiveSuit][:-1]
    for emptied in product(*({0, max(0, len(cards) - 1), len(cards)} for cards in by_suit)):
        if sum(emptied) > size:
            continue
        first = [card for cards, number in zip(by_suit, emptied, strict=True) for card in cards[:number]]
        rest = list(ranked)
        for card in first:
            rest.remove(card)
        yield tuple(sorted(first + rest[: size - len(first)]))
