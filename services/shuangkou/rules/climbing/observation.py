"""Views of the table, built field by field so that nothing hidden can slip through."""

from shuangkou.rules.cards import Card
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
        kitty=_kitty(deal, seat),
        kitty_size=deal.kitty_size,
        cards_won=_cards_won(state, deal),
    )


def _partner_hand(state: MatchState, deal: DealState, seat: Seat | None) -> tuple[Card, ...]:
    """双明 (§2.8)."""
    is_open = state.ruleset.options.open_partner_hands
    return deal.hands[partner(seat)] if is_open and seat is not None else ()


def _kitty(deal: DealState, seat: Seat | None) -> tuple[Card, ...]:
    """§10.3, §10.5: for everybody once it is shown, else for the seat that buried it."""
    is_known = deal.kitty_is_shown or (seat is not None and seat == deal.kitty_owner)
    return deal.kitty if is_known else ()


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
