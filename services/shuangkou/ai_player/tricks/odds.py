"""How likely a seat can beat a unit, from the cards that are unseen."""

from math import comb

from shuangkou.ai_player.tricks.situation import Situation
from shuangkou.rules.seats import Seat
from shuangkou.rules.tricks.order import EffectiveSuit
from shuangkou.rules.tricks.units import Shape

_EACH_FURTHER = 0.5
"""That a hand which can beat one unit of a throw can also match another one."""


def beat_chance(
    situation: Situation, seat: Seat, suit: EffectiveSuit, shapes: tuple[Shape, ...], top: int
) -> float:
    """That the seat holds what beats a play of these shapes in this suit, its key of this top.

    The suit is that of the play: trump where a plain lead was ruffed, see `overruff_chance`.
    """
    is_throw = len(shapes) > 1
    in_suit = 0.0 if is_throw else _holds(situation, seat, suit, shapes[0], top)
    if suit is EffectiveSuit.TRUMP:
        return in_suit
    ruff = void_chance(situation, seat, suit) * _ruff(situation, seat, shapes, 0)
    return 1 - (1 - in_suit) * (1 - ruff)


def overruff_chance(
    situation: Situation, seat: Seat, led: EffectiveSuit, shapes: tuple[Shape, ...], top: int
) -> float:
    """That the seat beats a ruff on a lead of this plain suit."""
    return void_chance(situation, seat, led) * _ruff(situation, seat, shapes, top)


def void_chance(situation: Situation, seat: Seat, suit: EffectiveSuit) -> float:
    """That the seat has no card of the suit."""
    if situation.lacks[seat][suit]:
        return 1.0
    return (1 - situation.shares[seat]) ** situation.suit_sizes[suit]


def _ruff(situation: Situation, seat: Seat, shapes: tuple[Shape, ...], top: int) -> float:
    chance = _holds(situation, seat, EffectiveSuit.TRUMP, shapes[0], top)
    return chance * _EACH_FURTHER ** (len(shapes) - 1)


def _holds(situation: Situation, seat: Seat, suit: EffectiveSuit, shape: Shape, top: int) -> float:
    """That the seat holds a unit of this shape with a higher top."""
    if situation.lacks[seat][suit] or (shape.copies > 1 and situation.unpaired[seat][suit]):
        return 0.0
    line, unseen, share = situation.order.lines[suit], situation.unseen, situation.shares[seat]
    if shape.copies == 1:
        above = sum(unseen[face] for faces in line[top + 1 :] for face in faces)
        return 1 - (1 - share) ** above
    each = share**shape.copies
    places = [
        max((comb(unseen[face], shape.copies) for face in faces), default=0)
        for faces in line[max(1, top - shape.length + 2) :]
    ]
    none = 1.0
    for start in range(len(places) - shape.length + 1):
        chance = 1.0
        for ways in places[start : start + shape.length]:
            chance *= min(1.0, ways * each)
        none *= 1 - chance
    return 1 - none
