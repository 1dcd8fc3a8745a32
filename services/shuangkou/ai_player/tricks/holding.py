"""What cards are worth that stay in the hand."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

from shuangkou.ai_player.tricks.situation import Situation
from shuangkou.ai_player.tricks.stakes import last_trick_stake
from shuangkou.ai_player.tricks.weights import Weights
from shuangkou.rules.cards import CARDS, Card
from shuangkou.rules.tricks.order import EffectiveSuit
from shuangkou.rules.tricks.point_cards import points_of
from shuangkou.rules.tricks.units import PAIR, Counts

POINTS: tuple[int, ...] = tuple(points_of((card,)) for card in CARDS)

_FATES = (0.35, 0.1)
"""How much likelier than not the points of a plain card are won, with none and one unseen card above it."""
_LOW_FATE, _TRUMP_FATE = -0.15, 0.1


@dataclass(frozen=True, slots=True, eq=False)
class Holding:
    """singles: what each card is worth by itself, by its value. sets: what every further copy adds.
    neighbours: what a pair adds that stands beside another one.
    """

    situation: Situation
    singles: list[float]
    sets: list[float]
    neighbours: float
    void: float

    def cost(self, cards: Sequence[Card]) -> float:
        """What the hand loses when these cards leave it."""
        suits = {self.situation.order.suits[card] for card in cards}
        left = list(self.situation.held)
        for card in cards:
            left[card] -= 1
        return sum(self._worth(suit, self.situation.held) - self._worth(suit, left) for suit in suits)

    def advantage(self) -> float:
        """What the hand is worth more than another one on average."""
        situation = self.situation
        own = sum(self._worth(suit, situation.held) for suit in EffectiveSuit)
        share = (sum(situation.held) or 1) / max(1, sum(situation.unseen))
        others = sum(
            count * share * self.singles[card] + comb(count, 2) * share**2 * self.sets[card]
            for card, count in enumerate(situation.unseen)
        )
        return own - others

    def _worth(self, suit: EffectiveSuit, counts: Counts) -> float:
        worth, is_empty, is_beside = 0.0, True, False
        for faces in self.situation.order.lines[suit][1:]:
            is_pair = False
            for face in faces:
                count = counts[face]
                if count:
                    is_empty = False
                    worth += count * self.singles[face]
                    if count > 1:
                        worth += (count - 1) * self.sets[face] + self.neighbours * is_beside
                        is_pair = True
            is_beside = is_pair
        return worth + self.void if is_empty and suit is not EffectiveSuit.TRUMP else worth

    def each(self, card: Card) -> float:
        """What one copy is worth, with its share of the sets that it is part of."""
        count = self.situation.held[card]
        return self.singles[card] + (self.sets[card] * (count - 1) / count if count > 1 else 0.0)


def holding_of(situation: Situation, weights: Weights) -> Holding:
    """The worth of every card to the seat."""
    singles, sets = [0.0] * len(CARDS), [0.0] * len(CARDS)
    has_trumps = situation.suit_count(EffectiveSuit.TRUMP) > 0
    for suit in EffectiveSuit:
        _fill(situation, weights, suit, singles, sets)
    _keep_for_last(situation, weights, singles, sets)
    return Holding(situation, singles, sets, weights.tractor, weights.void if has_trumps else 0.0)


def _fill(
    situation: Situation, weights: Weights, suit: EffectiveSuit, singles: list[float], sets: list[float]
) -> None:
    """From the highest place down, with the unseen cards and pairs above each."""
    above = pairs_above = 0
    single, pair = (_trump_single, weights.trump_pair) if suit is EffectiveSuit.TRUMP else (_plain_single, weights.pair)
    for faces in reversed(situation.order.lines[suit][1:]):
        for face in faces:
            singles[face] = single(situation, weights, suit, above) + POINTS[face] * _fate(suit, above)
            sets[face] = pair + weights.top_pair / (1 + pairs_above)
        above += sum(situation.unseen[face] for face in faces)
        pairs_above += sum(situation.unseen[face] > 1 for face in faces)


_END = 8
"""Cards in a hand from which on the last trick is thought of."""


def _keep_for_last(
    situation: Situation, weights: Weights, singles: list[float], sets: list[float]
) -> None:
    """The highest trump of the hand, as a pair if it is one, if nothing unseen beats it."""
    size = len(situation.view.hand)
    if size > _END:
        return
    nearness = weights.last * (1 - (size - 1) / _END)
    for faces in reversed(situation.order.lines[EffectiveSuit.TRUMP][1:]):
        for face in faces:
            if situation.held[face]:
                singles[face] += nearness * last_trick_stake(situation)
                sets[face] += nearness * last_trick_stake(situation, PAIR)
                return
        if any(situation.unseen[face] for face in faces):
            return


def _fate(suit: EffectiveSuit, above: int) -> float:
    if suit is EffectiveSuit.TRUMP:
        return _TRUMP_FATE
    return _FATES[above] if above < len(_FATES) else _LOW_FATE


def _plain_single(situation: Situation, weights: Weights, suit: EffectiveSuit, above: int) -> float:
    """A high card of a short suit is likely to be ruffed, unless there are no trumps left."""
    has_trumps = situation.suit_sizes[EffectiveSuit.TRUMP] > 0
    safety = min(1.0, 0.3 + situation.suit_sizes[suit] / 10) if has_trumps else 1.0
    return float(weights.master * weights.next_master**above * safety)


def _trump_single(_: Situation, weights: Weights, __: EffectiveSuit, above: int) -> float:
    return float(weights.trump + weights.trump_top * weights.next_top**above)
