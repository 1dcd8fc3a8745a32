"""How likely a seat can beat a unit, from the cards that are unseen."""

from math import comb

from shuangkou.ai_player.tricks.situation import Situation
from shuangkou.rules.seats import Seat
from shuangkou.rules.tricks.order import EffectiveSuit
from shuangkou.rules.tricks.units import Shape

_EACH_FURTHER = 0.5
"""That a hand which can beat one unit of a throw can also match another one."""

Shapes = tuple[Shape, ...]


def beat_chance(situation: Situation, seat: Seat, suit: EffectiveSuit, shapes: Shapes, top: int) -> float:
    """That the seat holds what beats a lead of these shapes and this suit, its key of this top, or a play in
    its suit on it.
    """
    in_suit = 0.0 if len(shapes) > 1 else _holds(situation, seat, suit, shapes[0], top)
    if suit is EffectiveSuit.TRUMP:
        return in_suit
    void = _void_chance(situation, seat, suit)
    ruff = void * _ruff(situation, seat, shapes, 0) if void else 0.0
    return 1 - (1 - in_suit) * (1 - ruff)


def overruff_chance(situation: Situation, seat: Seat, led: EffectiveSuit, shapes: Shapes, top: int) -> float:
    """That the seat beats a ruff of this top on a lead of this plain suit."""
    void = _void_chance(situation, seat, led)
    return void * _ruff(situation, seat, shapes, top) if void else 0.0


def _void_chance(situation: Situation, seat: Seat, suit: EffectiveSuit) -> float:
    """That the seat has no card of the suit."""
    if situation.lacks[seat][suit]:
        return 1.0
    return (1 - situation.shares[seat]) ** situation.suit_sizes[suit]


def _ruff(situation: Situation, seat: Seat, shapes: Shapes, top: int) -> float:
    chance = _holds(situation, seat, EffectiveSuit.TRUMP, shapes[0], top)
    return chance * _EACH_FURTHER ** (len(shapes) - 1)


def _holds(situation: Situation, seat: Seat, suit: EffectiveSuit, shape: Shape, top: int) -> float:
    """That the seat holds a unit of this shape with a higher top."""
    above = situation.above[suit][top]
    if not above or situation.lacks[seat][suit]:
        return 0.0
    share = situation.shares[seat]
    if shape.copies == 1:
        return 1 - (1 - share) ** above
    if situation.unpaired[seat][suit]:
        return 0.0
    return _holds_sets(situation, suit, shape, top, share)


def _holds_sets(situation: Situation, suit: EffectiveSuit, shape: Shape, top: int, share: float) -> float:
    copies, length = shape
    unseen, each = situation.unseen, share**copies
    places = [
        max([comb(unseen[face], copies) for face in faces], default=0)
        for faces in situation.order.lines[suit][max(1, top - length + 2) :]
    ]
    none = 1.0
    for start in range(len(places) - length + 1):
        chance = 1.0
        for ways in places[start : start + length]:
            chance *= min(1.0, ways * each)
        none *= 1 - chance
    return 1 - none
