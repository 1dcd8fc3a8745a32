"""Naming what a failed throw leads (§6.5)."""

from shuangkou.ai_player.tricks.situation import Situation
from shuangkou.rules.tricks.point_cards import points_of
from shuangkou.rules.tricks.units import Shape, format_of, tops


def choose_shape(situation: Situation) -> Shape:
    """A shape of which the seat can beat the unit that is led, of several that of the most points."""
    failed = situation.view.failed
    assert failed is not None  # the phase begins with it
    lead = format_of(situation.order, failed.cards)
    assert lead is not None  # a throw is of one suit
    line = situation.order.lines[lead.suit]

    def gain(shape: Shape) -> tuple[bool, int]:
        lowest = min((unit for unit in lead.units if unit.shape == shape), key=lambda unit: unit.top)
        beats = max(tops(line, situation.held, shape), default=0) > lowest.top
        return beats, points_of(lowest.cards)

    return max(failed.choices, key=gain)
