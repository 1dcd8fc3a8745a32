"""What a play is worth in its trick: who is likely to win it, and what then."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from shuangkou.ai_player.tricks.holding import Holding
from shuangkou.ai_player.tricks.odds import beat_chance, overruff_chance
from shuangkou.ai_player.tricks.situation import Situation
from shuangkou.ai_player.tricks.stakes import is_hat, last_trick_stake
from shuangkou.ai_player.tricks.weights import Weights
from shuangkou.rules.cards import Card
from shuangkou.rules.seats import Seat, side_of
from shuangkou.rules.tricks.order import EffectiveSuit
from shuangkou.rules.tricks.point_cards import points_of
from shuangkou.rules.tricks.units import Format
from shuangkou.rules.tricks.winning import strength_of_follow

Cards = tuple[Card, ...]

_EVEN = 0.5
"""The chance to win points that are not in this trick."""
_OVER_AGAIN = 0.45
"""How much less likely a play is beaten that has beaten another one."""


@dataclass(frozen=True, slots=True, eq=False)
class Trick:
    """What is led; and of the play that takes the trick so far its owner and its strength.

    points: on the table so far.
    """

    situation: Situation
    weights: Weights
    holding: Holding
    lead: Format
    is_ruffed: bool
    top: int
    owner: Seat
    points: int

    def worth(self, cards: Cards) -> float:
        """Of this play by the seat to act, less what the hand loses."""
        after, weights = self._with(cards), self.weights
        chance = after._side_wins()
        points = after.points + chance * len(cards) * self._to_come()
        if len(cards) == len(self.situation.view.hand):
            points += last_trick_stake(self.situation, self.lead.key.shape)
        kept = self.holding.cost(cards) + hat_cost(self.situation, weights, cards)
        return (chance - _EVEN) * points + weights.lead * chance - kept

    def _to_come(self) -> float:
        """Points that those who play after the seat add to a trick that its side wins, for each card."""
        others, weights = self.situation.others, self.weights
        has_partner = self.situation.partner in others
        return weights.feed * has_partner + weights.gift * (len(others) - has_partner)

    def _with(self, cards: Cards) -> "Trick":
        points, situation = self.points + points_of(cards), self.situation
        if self.owner == situation.seat:
            return replace(self, points=points)
        strength = strength_of_follow(situation.order, self.lead, cards)
        if strength is None:
            return replace(self, points=points)
        is_ruff = self.lead.suit is not EffectiveSuit.TRUMP and situation.order.is_trump(cards[0])
        if (is_ruff, strength) <= (self.is_ruffed, self.top):
            return replace(self, points=points)
        return replace(self, points=points, is_ruffed=is_ruff, top=strength, owner=situation.seat)

    def _side_wins(self) -> float:
        """That the own side gets the trick when the others have played."""
        situation = self.situation
        own = 1.0 if side_of(self.owner) == side_of(situation.seat) else 0.0
        unbeaten = 1.0
        for other in situation.others:
            beats = self._beats(other) * (1 - _OVER_AGAIN * (1 - unbeaten))
            own = own + (1 - own) * beats if other == situation.partner else own * (1 - beats)
            unbeaten *= 1 - beats
        return own

    def _beats(self, seat: Seat) -> float:
        """That the seat can and does beat what takes the trick so far."""
        chance = overruff_chance if self.is_ruffed else beat_chance
        return self.weights.willing * chance(self.situation, seat, self.lead.suit, self.lead.shape, self.top)


def hat_cost(situation: Situation, weights: Weights, cards: Sequence[Card]) -> float:
    """What it costs to part with the last card that could wear a hat in the last trick."""
    hand = situation.view.hand
    if len(cards) == len(hand) or not any(is_hat(situation, card) for card in cards):
        return 0.0
    left = sum(is_hat(situation, card) for card in hand) - sum(is_hat(situation, card) for card in cards)
    return weights.hat if left == 0 else 0.0
