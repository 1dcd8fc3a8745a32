"""Views of the table, built field by field so that nothing hidden can slip through."""

from shuangkou.rules.cards import Card
from shuangkou.rules.climbing.kitty import known_kitty
from shuangkou.rules.climbing.state import DealState, MatchState
from shuangkou.rules.climbing.view import SeatView
from shuangkou.rules.seats import Seat, partner


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
        partner_hand=_partner_hand(state, deal, seat),
        opening=deal.opening,
        contributions=deal.contributions,
        consents=deal.consents,
        voided=state.voided,
        phase=deal.phase,
        kitty=known_kitty(deal, seat),
        kitty_size=deal.kitty_size,
        cards_won=_cards_won(state, deal),
        discarded=() if seat is None else deal.discarded[seat],
        mark=None if seat is None else deal.marks[seat],
    )


def _partner_hand(state: MatchState, deal: DealState, seat: Seat | None) -> tuple[Card, ...]:
    """双明 (§2.8)."""
    is_open = state.ruleset.options.open_partner_hands
    return deal.hands[partner(seat)] if is_open and seat is not None else ()


def _cards_won(state: MatchState, deal: DealState) -> tuple[int, ...]:
    """§11.6."""
    return deal.cards_won if state.ruleset.options.trick_card_points else (0, 0, 0, 0)


def _between_deals(state: MatchState, seat: Seat | None) -> SeatView:
    return SeatView(
        seat=seat,
        deal_number=state.standing.last_number,
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
        voided=state.voided,
    )
