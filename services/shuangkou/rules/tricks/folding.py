"""What an event does to a table: total, and without a check."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from shuangkou.rules.events import (
    CardsBuried,
    DealVoided,
    HandsDealt,
    KittyBuried,
    KittyTaken,
    Passed,
    SeatForfeited,
)
from shuangkou.rules.tricks import burying, leaving, playing, settlement, showing, starting
from shuangkou.rules.tricks.events import (
    CardsDrawn,
    CardsPlayed,
    CardsReturned,
    DealSettled,
    DealStarted,
    DeclarerNamed,
    Event,
    FaceDownShown,
    ForfeitPaid,
    KittyCaptured,
    MatchDecided,
    PairTopped,
    PhaseBegan,
    ShapeNamed,
    ThrowFailed,
    TrickEnded,
    TrumpDeclared,
    TrumpFixed,
    TrumpTurned,
)
from shuangkou.rules.tricks.state import DealState, MatchState

_DEAL_CHANGES: dict[type, Callable[[MatchState, DealState, Any], DealState]] = {
    HandsDealt: starting.after_hands,
    CardsDrawn: starting.after_drawing,
    PhaseBegan: starting.after_phase,
    TrumpDeclared: showing.after_declaring,
    FaceDownShown: showing.after_face_down,
    PairTopped: showing.after_topping,
    CardsReturned: showing.after_returning,
    Passed: showing.after_passing,
    TrumpTurned: showing.after_turning,
    DeclarerNamed: showing.after_naming,
    TrumpFixed: showing.after_fixing,
    KittyTaken: burying.after_taking,
    CardsBuried: burying.after_burying_cards,
    KittyBuried: showing.after_burying,
    CardsPlayed: playing.after_play,
    ThrowFailed: playing.after_failure,
    ShapeNamed: leaving.unchanged,
    TrickEnded: playing.after_trick,
    KittyCaptured: leaving.unchanged,
    SeatForfeited: leaving.unchanged,
}
"""What an event does to the deal in progress."""

_TABLE_CHANGES: dict[type, Callable[[MatchState, DealState, Any], MatchState]] = {
    DealSettled: settlement.after_settlement,
    DealVoided: leaving.after_void,
    ForfeitPaid: leaving.after_payment,
}
"""What an event does to more than the deal."""


def evolve(state: MatchState, event: Event) -> MatchState:
    """The state after the event; an event that fits no deal in progress leaves it as it is."""
    if isinstance(event, DealStarted):
        return starting.after_start(state, event)
    if isinstance(event, MatchDecided):
        return leaving.after_decision(state, event)
    if state.deal is None:
        return state
    change = _DEAL_CHANGES.get(type(event))
    if change is None:
        return _TABLE_CHANGES[type(event)](state, state.deal, event)
    return replace(state, deal=change(state, state.deal, event))
