"""Views of the table, built field by field so that nothing hidden can slip through."""

from shuangkou.rules.climbing.deal import DealState, MatchState
from shuangkou.rules.climbing.view import SeatView
from shuangkou.rules.seats import Seat


def observe(state: MatchState, seat: Seat | None) -> SeatView:
    """What this seat may know; None is a spectator, who sees no hidden card."""
    if state.deal is None:
        return _between_deals(state, seat)
    return _in_deal(state, state.deal, seat)


def _in_deal(state: MatchState, deal: DealState, seat: Seat | None) -> SeatView:
    return SeatView(
        seat=seat,
        deal_number=deal.number,
        seed_hash=deal.seed_hash,
        hand=() if seat is None else deal.hands[seat],
        hand_sizes=deal.hand_sizes,
        leader=deal.leader,
        turn=deal.turn,
        top=deal.top,
        trick=deal.trick,
        finish_order=deal.finish_order,
        history=deal.history,
        standing=state.standing,
        settled=state.settled,
    )


def _between_deals(state: MatchState, seat: Seat | None) -> SeatView:
    return SeatView(
        seat=seat,
        deal_number=state.standing.deals_played,
        seed_hash=b"",
        hand=(),
        hand_sizes=(0, 0, 0, 0),
        leader=None,
        turn=None,
        top=None,
        trick=(),
        finish_order=(),
        history=(),
        standing=state.standing,
        settled=state.settled,
    )
