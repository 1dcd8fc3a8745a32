"""What is played for a seat whose time is up (§11.2): always legal, by what the seat itself may know."""

from collections.abc import Callable

from shuangkou.rules.commands import BuryKitty, Pass, PlayCards
from shuangkou.rules.tricks.commands import NameShape, SeatAct
from shuangkou.rules.tricks.defaults import default_bury, default_follow, default_lead
from shuangkou.rules.tricks.events import Phase
from shuangkou.rules.tricks.position import Position
from shuangkou.rules.tricks.units import format_of


def fallback_act(position: Position) -> SeatAct:
    """The default of the seat that is asked; during the draw nobody is."""
    return _DEFAULTS[position.phase](position)


def _pass(position: Position) -> SeatAct:
    return Pass(position.seat)


def _bury(position: Position) -> SeatAct:
    shown = position.auction.shown_by(position.seat)
    return BuryKitty(
        position.seat, default_bury(position.order, position.hand, position.options.kitty, shown)
    )


def _play(position: Position) -> SeatAct:
    order, hand = position.order, position.hand
    lead = format_of(order, position.trick[0].cards) if position.trick else None
    if lead is None:
        return PlayCards(position.seat, default_lead(order, hand))
    return PlayCards(position.seat, default_follow(order, lead, hand, position.options.high_follow))


def _name(position: Position) -> SeatAct:
    return NameShape(position.seat, position.choices[0])


_DEFAULTS: dict[Phase, Callable[[Position], SeatAct]] = {
    Phase.CLOSING: _pass,
    Phase.POST: _pass,
    Phase.BURY: _bury,
    Phase.PLAY: _play,
    Phase.NAME_SHAPE: _name,
}
