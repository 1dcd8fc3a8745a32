"""What a seat whose turn it is may do in a phase before play, one act after the other."""

from collections.abc import Callable
from itertools import combinations

from shuangkou.rules.cards import Card
from shuangkou.rules.climbing.commands import BuryKitty, PhaseAct
from shuangkou.rules.climbing.events import Opening
from shuangkou.rules.climbing.options import ClimbingOptions, Phase
from shuangkou.rules.seats import Seat

Hand = tuple[Card, ...]
Listing = Callable[[ClimbingOptions, Seat, Hand, tuple[Opening, ...]], tuple[PhaseAct, ...]]


def bury_acts(
    options: ClimbingOptions, seat: Seat, hand: Hand, _opening: tuple[Opening, ...] = ()
) -> tuple[BuryKitty, ...]:
    """§10.3: every choice of cards that the seat may bury, the lowest first."""
    choices = dict.fromkeys(combinations(hand, options.kitty))
    return tuple(BuryKitty(seat, cards) for cards in choices)


PHASE_ACTS: dict[Phase, Listing] = {Phase.BURY: bury_acts}
"""One line for each phase but `play`."""
