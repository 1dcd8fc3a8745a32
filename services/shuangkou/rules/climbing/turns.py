"""Who acts next, and the trick that is one round (§4.1, §4.7, §4.8, §5)."""

from shuangkou.rules.climbing.ending import settled
from shuangkou.rules.climbing.events import Event, LeadInherited, TrickEnded
from shuangkou.rules.climbing.options import ClimbingOptions, DealEnd, Phase, Sides, TrickEnd, TrickLead
from shuangkou.rules.climbing.phase_events import MarksShown
from shuangkou.rules.climbing.state import DealState, MatchState
from shuangkou.rules.seats import Seat, next_seat, partner, seats_after


def next_holder(hand_sizes: tuple[int, ...], seat: Seat) -> Seat:
    """§4.1: the next seat that still holds cards."""
    for other in seats_after(seat):
        if hand_sizes[other]:
            return other
    return next_seat(seat)


def heir(options: ClimbingOptions, deal: DealState, seat: Seat) -> Seat:
    """§5.2, §5.4."""
    mate = partner(seat)
    if options.sides is Sides.PARTNERS and deal.hand_sizes[mate]:
        return mate
    return next_holder(deal.hand_sizes, seat)


def next_leader(options: ClimbingOptions, deal: DealState, winner: Seat) -> Seat:
    """§4.4, §4.7."""
    if options.trick_lead is TrickLead.AFTER_WINNER:
        return next_holder(deal.hand_sizes, winner)
    return winner


def round_end(state: MatchState, deal: DealState) -> tuple[Event, ...]:
    """What ends if the last act of `deal` was the last of its round; nothing where a trick is no round."""
    options, top = state.ruleset.options, deal.top
    if options.trick_end is not TrickEnd.ONE_ROUND or top is None:
        return ()
    acted = {act.seat for act in deal.trick}
    if any(size and seat not in acted for seat, size in enumerate(deal.hand_sizes)):
        return ()
    ended = TrickEnded(top.seat)
    if options.deal_end is DealEnd.LAST_TRICK and not deal.hand_sizes[deal.trick[0].seat]:
        shown = (MarksShown(deal.marks),) if Phase.MARK in options.phases else ()
        return ended, *shown, *settled(state, deal, ())
    if options.trick_lead is TrickLead.WINNER and not deal.hand_sizes[top.seat]:
        return ended, LeadInherited(heir(options, deal, top.seat), top.seat)
    return (ended,)
