"""Views of the table, built field by field so that nothing hidden can slip through."""

from shuangkou.rules.climbing.state import DealState, MatchState
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
        in_progress=True,
        deal_number=deal.number,
        seed_hash=deal.seed_hash,
        hand=() if seat is None else deal.hands[seat],
        hand_sizes=deal.hand_sizes,
        leader=deal.leader,
        turn=deal.turn,
        top=deal.top,
        trick=deal.trick,
        passed=deal.passed,
        finish_order=deal.finish_order,
        bombs=deal.bombs,
        gone=state.table.counts(deal.gone),
        history=deal.history,
        standing=state.standing,
        settled=state.settled,
        match_over=False,
    )


def _between_deals(state: MatchState, seat: Seat | None) -> SeatView:
    return SeatView(
        seat=seat,
        in_progress=False,
        deal_number=state.standing.deals_played,
        seed_hash=b"",
        hand=(),
        hand_sizes=(0, 0, 0, 0),
        leader=None,
        turn=None,
        top=None,
        trick=(),
        passed=(),
        finish_order=() if state.settled is None else state.settled.finish_order,
        bombs=() if state.settled is None else state.settled.bombs,
        gone=state.table.counts(0),
        history=(),
        standing=state.standing,
        settled=state.settled,
        match_over=state.is_over,
    )
