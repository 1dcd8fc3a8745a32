"""Deals that do not count: a player leaves, or the time is over (§10.7, §12.2)."""

from dataclasses import replace

from shuangkou.rules import errors
from shuangkou.rules.by_seat import added
from shuangkou.rules.commands import Forfeit, Whistle
from shuangkou.rules.dealing import SEED_BYTES
from shuangkou.rules.errors import IllegalCommand
from shuangkou.rules.events import DealVoided, SeatForfeited, VoidReason
from shuangkou.rules.seats import SEATS, Side, side_of
from shuangkou.rules.tricks.events import DecidedBy, Event, ForfeitPaid, MatchDecided
from shuangkou.rules.tricks.stakes import forfeit_coins
from shuangkou.rules.tricks.state import DealState, MatchState, running_deal
from shuangkou.rules.tricks.verdict import decided_by_time

NOBODY = (0, 0, 0, 0)
"""What every seat scores in a void deal."""


def decide_forfeit(state: MatchState, command: Forfeit) -> tuple[Event, ...]:
    """§12.2; IllegalCommand between deals and for a seat that is not at the table."""
    deal, seat = running_deal(state, command.seat), command.seat
    if seat not in SEATS:
        raise IllegalCommand(errors.NO_SUCH_SEAT, f"there is no seat {seat}", seat=seat)
    coins = forfeit_coins(state.ruleset.options, seat, deal.auction.overturns)
    return (
        SeatForfeited(seat),
        *((ForfeitPaid(seat, coins),) if any(coins) else ()),
        MatchDecided(Side(1 - side_of(seat)), DecidedBy.FORFEIT),
        DealVoided(deal.number, VoidReason.FORFEITS, NOBODY, deal.seed, (seat,)),
    )


def decide_whistle(state: MatchState, _: Whistle) -> tuple[Event, ...]:
    """§10.7; IllegalCommand where the match has no limit or is over."""
    if not state.ruleset.options.limit_minutes:
        raise IllegalCommand(errors.NO_TIME_LIMIT, "this match has no limit of time")
    if state.is_over:
        raise IllegalCommand(errors.MATCH_OVER, f"the match is over after {state.standing.last_number} deals")
    decided = decided_by_time(state, _last_seed(state))
    if state.deal is None:
        return (decided,)
    return decided, voided(state.deal, VoidReason.TIME_UP)


def voided(deal: DealState, reason: VoidReason) -> DealVoided:
    """The deal counts for nothing."""
    return DealVoided(deal.number, reason, NOBODY, deal.seed)


def _last_seed(state: MatchState) -> bytes:
    """Of the deal that runs or ran last; before the first there is nothing to draw a lot from."""
    for ended in (state.deal, state.voided, state.settled):
        if ended is not None:
            return ended.seed
    return bytes(SEED_BYTES)


def after_decision(state: MatchState, event: MatchDecided) -> MatchState:
    """The running deal still ends."""
    return replace(state, standing=replace(state.standing, decided=event))


def after_payment(state: MatchState, _: DealState, event: ForfeitPaid) -> MatchState:
    """The coins are kept, though the deal counts for nothing."""
    standing = replace(state.standing, coins=added(state.standing.coins, event.coins))
    return replace(state, standing=standing)


def after_void(state: MatchState, _: DealState, event: DealVoided) -> MatchState:
    """Between two deals, the last of which does not count (§2.7)."""
    earlier = state.standing
    is_dealt_again = event.reason is VoidReason.REDEAL
    standing = replace(
        earlier,
        deals_voided=earlier.deals_voided + 1,
        dealt_again=earlier.dealt_again + 1 if is_dealt_again else 0,
    )
    return replace(state, deal=None, voided=event, standing=standing)


def unchanged(_: MatchState, deal: DealState, __: object) -> DealState:
    """For events whose facts are all in those that follow them."""
    return deal
