"""The phase `auction` (§12.2): who will be the landlord (叫分, 叫地主, 抢地主)."""

from collections.abc import Iterator
from dataclasses import replace

from shuangkou.rules import errors
from shuangkou.rules.climbing.calls import caller_of, highest_bid
from shuangkou.rules.climbing.commands import Bid, CallLandlord, Command, GrabLandlord, PhaseAct
from shuangkou.rules.climbing.consent import Objection
from shuangkou.rules.climbing.ending import voided
from shuangkou.rules.climbing.events import Event
from shuangkou.rules.climbing.opening import OpeningRules, Position, next_phase, next_to_call
from shuangkou.rules.climbing.options import KittyUse
from shuangkou.rules.climbing.phase_events import (
    BidMade,
    CallPassed,
    LandlordCalled,
    LandlordGrabbed,
    LandlordNamed,
)
from shuangkou.rules.climbing.state import DealState, MatchState
from shuangkou.rules.commands import Pass
from shuangkou.rules.events import VoidReason
from shuangkou.rules.seats import SEATS, Seat

_FORCED_BID = 1
"""Of the dealer when too many deals in a row were passed (§12.2)."""


def _objection_to_bid(position: Position, command: Bid) -> Objection | None:
    limit, standing = position.table.options.max_bid, highest_bid(position.opening)
    if type(command.points) is not int or not 1 <= command.points <= limit:
        return errors.NO_SUCH_BID, f"a bid is 1 to {limit}"
    if caller_of(position.opening) is not None:
        return errors.BID_TOO_LOW, "the landlord was called"
    if standing is not None and command.points <= standing.points:
        return errors.BID_TOO_LOW, f"{standing.points} was bid"
    return None


def _objection_to_call(position: Position, _: CallLandlord) -> Objection | None:
    if position.opening:
        return errors.CALL_TOO_LATE, "only the first seat may call"
    return None


def _objection_to_grab(position: Position, _: GrabLandlord) -> Objection | None:
    if caller_of(position.opening) is None:
        return errors.NOTHING_TO_GRAB, "nobody called the landlord"
    return None


def _acts(position: Position) -> Iterator[PhaseAct | Pass]:
    seat = position.seat
    yield Pass(seat)
    for points in range(1, position.table.options.max_bid + 1):
        if _objection_to_bid(position, Bid(seat, points)) is None:
            yield Bid(seat, points)
    if _objection_to_call(position, CallLandlord(seat)) is None:
        yield CallLandlord(seat)
    if _objection_to_grab(position, GrabLandlord(seat)) is None:
        yield GrabLandlord(seat)


def _named(state: MatchState, deal: DealState, seat: Seat, points: int) -> tuple[Event, ...]:
    return LandlordNamed(seat, points), next_phase(state.ruleset.options, deal, seat)


def _bid(state: MatchState, deal: DealState, command: Bid) -> tuple[Event, ...]:
    """Nobody can bid more than the most, and nobody is asked twice."""
    made = BidMade(command.seat, command.points)
    is_last = next_to_call(deal.phase, command.seat) == deal.leader
    if is_last or command.points == state.ruleset.options.max_bid:
        return made, *_named(state, deal, command.seat, command.points)
    return (made,)


def _call(_: MatchState, __: DealState, command: CallLandlord) -> tuple[Event, ...]:
    return (LandlordCalled(command.seat),)


def _grab(state: MatchState, deal: DealState, command: GrabLandlord) -> tuple[Event, ...]:
    named = _named(state, deal, command.seat, state.ruleset.options.max_bid)
    return LandlordGrabbed(command.seat), *named


def _pass(state: MatchState, deal: DealState, command: Pass) -> tuple[Event, ...]:
    passed, options = CallPassed(command.seat), state.ruleset.options
    if next_to_call(deal.phase, command.seat) != deal.leader:
        return (passed,)
    caller, bid = caller_of(deal.opening), highest_bid(deal.opening)
    if caller is not None:
        return passed, *_named(state, deal, caller, options.max_bid)
    if bid is not None:
        return passed, *_named(state, deal, bid.seat, bid.points)
    if state.standing.passed_out + 1 == options.all_pass_limit:
        dealer = SEATS[(deal.leader - 1) % 4]
        return passed, *_named(state, deal, dealer, _FORCED_BID)
    return passed, voided(state, deal, VoidReason.ALL_PASSED, deal.consents.forfeited)


def after_landlord(state: MatchState, deal: DealState, event: LandlordNamed) -> DealState:
    """The kitty is the landlord's to see where it may choose from it."""
    is_shown = state.ruleset.options.kitty_use is KittyUse.CHOSEN
    owner = event.seat if is_shown else None
    return replace(deal, opening=(*deal.opening, event), kitty_owner=owner)


def _fallback(position: Position) -> Command:
    return Pass(position.seat)


AUCTION = OpeningRules(
    acts=_acts,
    objections={
        Bid: _objection_to_bid,
        CallLandlord: _objection_to_call,
        GrabLandlord: _objection_to_grab,
        Pass: lambda _position, _command: None,
    },
    outcomes={Bid: _bid, CallLandlord: _call, GrabLandlord: _grab, Pass: _pass},
    fallback=_fallback,
)
"""The phase in which the landlord is found."""
