"""Whether a view can be of a real deal. Views come from outside; the policy takes them for true."""

from collections import Counter

from shuangkou.ai_player.unanswerable import ImplausibleView
from shuangkou.rules.cards import full_deck
from shuangkou.rules.seats import SEATS
from shuangkou.rules.tricks.events import Phase
from shuangkou.rules.tricks.options import TricksOptions
from shuangkou.rules.tricks.position import position_seen
from shuangkou.rules.tricks.units import format_of
from shuangkou.rules.tricks.view import SeatView


def check_plausible(options: TricksOptions, view: SeatView) -> None:
    """ImplausibleView unless the seat to act can be asked for what it is asked, with cards of one deal."""
    seat = view.seat
    if view.phase is None:
        raise ImplausibleView("no deal is being played")
    if seat is None or not view.hand or len(view.hand) != view.hand_sizes[seat]:
        raise ImplausibleView("the hand is not of the size that the seat has")
    _check_deck(options, view)
    _check_dealt(options, view)
    if options.schedule and view.standing.deals_played >= len(options.schedule):
        raise ImplausibleView("all deals of the schedule have been played")
    if view.phase is Phase.NAME_SHAPE and (view.failed is None or not view.failed.choices):
        raise ImplausibleView("there is no shape to choose")
    if view.phase in (Phase.PLAY, Phase.NAME_SHAPE):
        _check_trick(options, view)


def _check_deck(options: TricksOptions, view: SeatView) -> None:
    played = [card for play in view.history for card in play.cards]
    excess = Counter((*view.hand, *view.kitty, *played)) - Counter(full_deck(options.decks))
    if excess:
        raise ImplausibleView(f"more than the deck has of {min(excess).name}")


def _check_dealt(options: TricksOptions, view: SeatView) -> None:
    """Cards leave a hand only by being played, and come to it only with the kitty."""
    buries = view.kitty_owner if view.phase is Phase.BURY else None
    for other in SEATS:
        played = sum(len(play.cards) for play in view.history if play.seat == other)
        dealt = view.hand_sizes[other] + played + view.undrawn - (options.kitty if other == buries else 0)
        if dealt != options.hand_size:
            raise ImplausibleView(f"seat {other} was dealt {dealt} cards, not {options.hand_size}")
    if view.phase is Phase.BURY and view.turn != buries:
        raise ImplausibleView("another seat has the kitty")
    if view.turn is not None and view.phase is Phase.DRAW:
        raise ImplausibleView("no seat is asked while cards are drawn")


def _check_trick(options: TricksOptions, view: SeatView) -> None:
    if view.trump is None:
        raise ImplausibleView("cards are played only when the trump is known")
    if not view.trick:
        return
    lead = format_of(position_seen(options, view).order, view.trick[0].cards)
    if lead is None:
        raise ImplausibleView("the lead is of several suits")
    if any(len(play.cards) != lead.size for play in view.trick) or len(view.hand) < lead.size:
        raise ImplausibleView("not every seat has as many cards for the trick as were led")
    if view.seat in {play.seat for play in view.trick}:
        raise ImplausibleView("the seat has played to the trick already")
