"""Views of the table, built field by field so that nothing hidden can slip through."""

from shuangkou.rules.seats import Seat
from shuangkou.rules.tricks.events import Phase
from shuangkou.rules.tricks.playing import best_of
from shuangkou.rules.tricks.position import known_kitty, known_trump
from shuangkou.rules.tricks.state import DealState, MatchState
from shuangkou.rules.tricks.view import SeatView


def observe(state: MatchState, seat: Seat | None) -> SeatView:
    """What this seat may know (§11.3); None is a spectator, who sees no hidden card."""
    if state.deal is None:
        return SeatView(
            seat=seat,
            deal_number=state.standing.last_number,
            seed_hash=b"",
            standing=state.standing,
            settled=state.settled,
            voided=state.voided,
        )
    return _in_deal(state, state.deal, seat)


def _in_deal(state: MatchState, deal: DealState, seat: Seat | None) -> SeatView:
    return SeatView(
        seat=seat,
        deal_number=deal.number,
        seed_hash=deal.seed_hash,
        standing=state.standing,
        phase=deal.phase,
        hand=() if seat is None else deal.hands[seat],
        hand_sizes=deal.hand_sizes,
        undrawn=deal.cards_left,
        first=deal.first,
        declarer=deal.declarer,
        attackers=deal.attackers,
        level=deal.level,
        trump=known_trump(deal, seat),
        opening=deal.opening,
        own_face_down=tuple(
            card for show in deal.auction.shows if show.seat == seat for card in show.face_down_part
        ),
        kitty=known_kitty(deal, seat),
        kitty_size=deal.kitty_size,
        kitty_owner=deal.kitty_owner,
        leader=deal.leader,
        turn=deal.turn,
        trick=deal.trick,
        last_trick=deal.last_trick if state.ruleset.options.last_trick_shown else (),
        best=best_of(state, deal) if deal.trick else None,
        failed=deal.failed if deal.phase is Phase.NAME_SHAPE else None,
        history=deal.history,
        taken=deal.taken,
        fines=deal.fines,
        coins=deal.coins,
        settled=state.settled,
        voided=state.voided,
    )
