"""One deal after another: `decide` makes every check, `evolve` makes none."""

from collections.abc import Callable
from typing import Any

from shuangkou.rules import errors
from shuangkou.rules.climbing import (
    auction,
    consent,
    ending,
    exchange,
    kitty,
    marking,
    opening,
    play,
    starting,
    taking,
)
from shuangkou.rules.climbing.commands import Command, SideAct
from shuangkou.rules.climbing.events import (
    CardsPlayed,
    ContributionBooked,
    DealSettled,
    DealStarted,
    Event,
    FaceCardShown,
    GroupRated,
    KittyCardDrawn,
    KittyShown,
    LeadInherited,
    PhaseBegan,
    RedealVoted,
    SeatWentOut,
    SideSurrendered,
    SurrenderOffered,
    TrickEnded,
)
from shuangkou.rules.climbing.phase_events import (
    BidMade,
    CallPassed,
    CardMarked,
    CombinationDeclared,
    HandExchanged,
    KittyCardsTaken,
    KittyChosen,
    LandlordCalled,
    LandlordGrabbed,
    LandlordNamed,
    MarkSet,
    MarksShown,
    StockCardsDrawn,
)
from shuangkou.rules.climbing.phases import PHASES
from shuangkou.rules.climbing.state import DealState, MatchState, running_deal
from shuangkou.rules.commands import StartDeal, Whistle
from shuangkou.rules.errors import IllegalCommand
from shuangkou.rules.events import (
    CardsBuried,
    DealVoided,
    HandsDealt,
    KittyBuried,
    KittyTaken,
    Passed,
    SeatForfeited,
    SeatsSwapped,
)

__all__ = ["DealState", "MatchState", "decide", "evolve"]

_DEAL_CHANGES: dict[type, Callable[[MatchState, DealState, Any], DealState]] = {
    HandsDealt: starting.after_hands,
    PhaseBegan: starting.after_phase,
    FaceCardShown: starting.after_shown,
    KittyTaken: kitty.after_taking,
    KittyCardDrawn: kitty.after_drawing,
    CardsBuried: kitty.after_burying_cards,
    KittyBuried: kitty.after_burying,
    KittyShown: kitty.after_showing,
    CallPassed: opening.after_call,
    CombinationDeclared: opening.after_call,
    BidMade: opening.after_call,
    LandlordCalled: opening.after_call,
    LandlordGrabbed: opening.after_call,
    LandlordNamed: auction.after_landlord,
    KittyCardsTaken: taking.after_cards_taken,
    KittyChosen: taking.after_choice,
    StockCardsDrawn: exchange.after_cards_drawn,
    HandExchanged: exchange.after_exchange,
    CardMarked: marking.after_mark,
    MarkSet: opening.after_call,
    MarksShown: marking.after_shown_marks,
    CardsPlayed: play.after_play,
    Passed: play.after_pass,
    SeatWentOut: play.after_going_out,
    TrickEnded: play.after_trick,
    LeadInherited: play.after_inheritance,
    ContributionBooked: play.after_booking,
    GroupRated: consent.unchanged,
    SeatForfeited: consent.after_forfeit,
    SurrenderOffered: consent.after_offer,
    SideSurrendered: consent.unchanged,
    RedealVoted: consent.after_vote,
}
"""What an event does to the deal in progress."""

_TABLE_CHANGES: dict[type, Callable[[MatchState, DealState, Any], MatchState]] = {
    SeatsSwapped: starting.after_swap,
    DealSettled: ending.after_settlement,
    DealVoided: ending.after_void,
}
"""What an event does to more than the deal."""

_ACTS = frozenset(act for rules in PHASES.values() for act in rules.decisions)
"""What a seat may do in some phase of some game."""


def decide(state: MatchState, command: Command) -> tuple[Event, ...]:
    """What the command causes; IllegalCommand when the rules refuse it."""
    if isinstance(command, StartDeal):
        return starting.decide_start(state, command)
    if isinstance(command, Whistle):
        return ending.stopped(state)
    if isinstance(command, SideAct):
        return consent.decide_side_act(state, command)
    if type(command) not in _ACTS:
        message = f"seat {command.seat} cannot do that: no climbing game knows it"
        raise IllegalCommand(errors.NO_SUCH_ACT, message, seat=command.seat)
    deal = running_deal(state, command.seat)
    decide_act = PHASES[deal.phase].decisions.get(type(command))
    if decide_act is None:
        message = f"seat {command.seat} cannot do that in the phase {deal.phase.value} of deal {deal.number}"
        raise IllegalCommand(errors.OTHER_PHASE, message, seat=command.seat)
    return decide_act(state, command)


def evolve(state: MatchState, event: Event) -> MatchState:
    """The state after the event; an event that fits no deal in progress leaves it as it is."""
    if isinstance(event, DealStarted):
        return starting.after_start(state, event)
    if state.deal is None:
        return state
    change = _DEAL_CHANGES.get(type(event))
    if change is None:
        return _TABLE_CHANGES[type(event)](state, state.deal, event)
    return MatchState(
        state.ruleset,
        state.table,
        state.standing,
        change(state, state.deal, event),
        state.settled,
        state.voided,
    )
