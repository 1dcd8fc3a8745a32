"""What cards are worth that stay in the hand."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from shuangkou.ai_player.tricks.situation import Situation
from shuangkou.ai_player.tricks.stakes import hat_cards, last_trick_stake
from shuangkou.ai_player.tricks.weights import Weights
from shuangkou.rules.cards import CARDS, Card
from shuangkou.rules.tricks.order import EffectiveSuit
from shuangkou.rules.tricks.point_cards import points_of
from shuangkou.rules.tricks.units import PAIR, Counts

POINTS: tuple[int, ...] = tuple(points_of((card,)) for card in CARDS)
"""By the value of the card."""

_FATES = (0.35, 0.1)
"""How much likelier than not the points of a plain card are won, with none and one unseen card above it."""
_LOW_FATE, _TRUMP_FATE = 0.0, 0.1
_SPARE_HAT = 0.25
"""What a further card that could wear a hat is worth, of the one before."""
_END = 8
"""Cards in a hand from which on the last trick is thought of."""


@dataclass(frozen=True, eq=False)
class Holding:
    """singles: what each card is worth by itself, by its value. sets: what every further copy adds.
    neighbours: what a pair adds that stands beside another one. void: what an empty plain suit is worth.
    hats: cards that could wear a hat in the last trick, the highest last; hat: what it is worth to have one.
    """

    situation: Situation
    singles: list[float]
    sets: list[float]
    neighbours: float
    void: float
    hats: tuple[Card, ...]
    hat: float

    def cost(self, cards: Sequence[Card]) -> float:
        """What the hand loses when these cards leave it."""
        held = self.situation.held
        left = list(held)
        for card in cards:
            left[card] -= 1
        suits = {self.situation.order.suits[card] for card in cards}
        lost = sum([self._worth(suit, held) - self._worth(suit, left) for suit in suits])
        return lost + self._hat_cost(sum([card in self.hats for card in cards])) if self.hats else lost

    def each(self, card: int) -> float:
        """What one copy is worth, with its share of the sets that it is part of."""
        count = self.situation.held[card]
        worth = self.singles[card] + (self.sets[card] * (count - 1) / count if count > 1 else 0.0)
        return worth + self._hat_cost(len(self.hats)) if self.hats and card == self.hats[-1] else worth

    @cached_property
    def advantage(self) -> float:
        """What the hand is worth more than another one on average."""
        situation = self.situation
        own = sum([self._worth(suit, situation.held) for suit in EffectiveSuit])
        share = len(situation.view.hand) / max(1, sum(situation.unseen))
        singles, pairs = share, share**2
        others = sum(
            [
                count * singles * single + count * (count - 1) / 2 * pairs * further
                for count, single, further in zip(situation.unseen, self.singles, self.sets, strict=True)
                if count
            ]
        )
        return own - others

    def _hat_cost(self, number: int) -> float:
        """Of parting with so many of the cards that could wear a hat; the last of them is worth most."""
        left: float = _SPARE_HAT ** (len(self.hats) - number) - _SPARE_HAT ** len(self.hats)
        return self.hat * left

    def _worth(self, suit: EffectiveSuit, counts: Counts) -> float:
        singles, sets = self.singles, self.sets
        worth, is_empty, is_beside = 0.0, True, False
        for faces in self.situation.order.lines[suit][1:]:
            is_pair = False
            for face in faces:
                count = counts[face]
                if count:
                    is_empty = False
                    worth += count * singles[face]
                    if count > 1:
                        worth += (count - 1) * sets[face] + self.neighbours * is_beside
                        is_pair = True
            is_beside = is_pair
        return worth + self.void if is_empty and suit is not EffectiveSuit.TRUMP else worth


def holding_of(situation: Situation, weights: Weights) -> Holding:
    """The worth of every card to the seat."""
    singles, sets = [0.0] * len(CARDS), [0.0] * len(CARDS)
    for suit in EffectiveSuit:
        line, base, beyond = situation.order.lines[suit], *_scale(situation, weights, suit)
        next_above = weights.next_top if suit is EffectiveSuit.TRUMP else weights.next_master
        pair = weights.trump_pair if suit is EffectiveSuit.TRUMP else weights.pair
        pairs_above = 0
        for place in range(len(line) - 1, 0, -1):
            above = situation.above[suit][place]
            single, fate = base + beyond * next_above**above, _fate(suit, above)
            for face in line[place]:
                singles[face] = single + POINTS[face] * fate
                sets[face] = pair + weights.top_pair / (1 + pairs_above)
            pairs_above += sum([situation.unseen[face] > 1 for face in line[place]])
    _keep_for_last(situation, weights, singles, sets)
    return Holding(
        situation,
        singles,
        sets,
        neighbours=weights.tractor,
        void=weights.void if situation.trumps else 0.0,
        hats=hat_cards(situation),
        hat=weights.hat,
    )


def _scale(situation: Situation, weights: Weights, suit: EffectiveSuit) -> tuple[float, float]:
    """What any card of the suit is worth, and what the highest is worth beyond that.

    A high card of a short suit is likely to be ruffed, unless there are no trumps left.
    """
    if suit is EffectiveSuit.TRUMP:
        return weights.trump, weights.trump_top
    has_trumps = situation.suit_sizes[EffectiveSuit.TRUMP] > 0
    safety = min(1.0, 0.3 + situation.suit_sizes[suit] / 10) if has_trumps else 1.0
    return 0.0, weights.master * safety


def _fate(suit: EffectiveSuit, above: int) -> float:
    if suit is EffectiveSuit.TRUMP:
        return _TRUMP_FATE
    return _FATES[above] if above < len(_FATES) else _LOW_FATE


def _keep_for_last(situation: Situation, weights: Weights, singles: list[float], sets: list[float]) -> None:
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
