"""What a play is worth in its trick: who is likely to win it, and what then."""

from dataclasses import dataclass

from shuangkou.ai_player.tricks.holding import Holding
from shuangkou.ai_player.tricks.odds import beat_chance, overruff_chance
from shuangkou.ai_player.tricks.situation import Situation
from shuangkou.ai_player.tricks.stakes import last_trick_stake
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


@dataclass(frozen=True, slots=True)
class Best:
    """Whose play takes the trick, and its strength: that of its key."""

    owner: Seat
    is_ruff: bool
    top: int


@dataclass(frozen=True, slots=True, eq=False)
class Trick:
    """A trick in which the seat is to act. best: as it stands; a lead of the seat is its own best.

    points: on the table.
    """

    situation: Situation
    weights: Weights
    holding: Holding
    lead: Format
    best: Best
    points: int

    def worth(self, cards: Cards) -> float:
        """Of this play by the seat to act, less what the hand loses."""
        situation, weights = self.situation, self.weights
        chance = self._side_wins(self._best_with(cards))
        points = self.points + points_of(cards) + chance * len(cards) * self._to_come()
        if len(cards) == len(situation.view.hand):
            points += last_trick_stake(situation, self.lead.key.shape)
        return (chance - _EVEN) * points + weights.lead * chance - self.holding.cost(cards)

    def _to_come(self) -> float:
        """Points that those who play after the seat add to a trick that its side wins, for each card."""
        others, weights = self.situation.others, self.weights
        has_partner = self.situation.partner in others
        return weights.feed * has_partner + weights.gift * (len(others) - has_partner)

    def _best_with(self, cards: Cards) -> Best:
        situation, best = self.situation, self.best
        strength = None
        if best.owner != situation.seat:
            strength = strength_of_follow(situation.order, self.lead, cards)
        if strength is None:
            return best
        is_ruff = self.lead.suit is not EffectiveSuit.TRUMP and situation.order.is_trump(cards[0])
        beats = (is_ruff, strength) > (best.is_ruff, best.top)
        return Best(situation.seat, is_ruff, strength) if beats else best

    def _side_wins(self, best: Best) -> float:
        """That the own side gets the trick when the others have played."""
        situation, lead = self.situation, self.lead
        chance = overruff_chance if best.is_ruff else beat_chance
        own = 1.0 if side_of(best.owner) == side_of(situation.seat) else 0.0
        unbeaten = 1.0
        for other in situation.others:
            beats = self.weights.willing * chance(situation, other, lead.suit, lead.shape, best.top)
            beats *= 1 - _OVER_AGAIN * (1 - unbeaten)
            own = own + (1 - own) * beats if other == situation.partner else own * (1 - beats)
            unbeaten *= 1 - beats
        return own
