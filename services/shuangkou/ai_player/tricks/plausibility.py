"""Whether a view can be of a real deal. Views come from outside; the policy takes them for true."""

from collections import Counter

from shuangkou.ai_player.tricks.situation import order_seen
from shuangkou.ai_player.unanswerable import ImplausibleView
from shuangkou.rules.cards import full_deck
from shuangkou.rules.seats import SEATS, Seat
from shuangkou.rules.tricks.events import CardsPlayed, Phase
from shuangkou.rules.tricks.options import TricksOptions
from shuangkou.rules.tricks.position import position_seen
from shuangkou.rules.tricks.units import format_of
from shuangkou.rules.tricks.view import SeatView


def check_plausible(options: TricksOptions, view: SeatView) -> None:
    """ImplausibleView unless the cards of the seat to act and those played can come from one deal."""
    seat = view.seat
    if seat is None or not view.hand or len(view.hand) != view.hand_sizes[seat]:
        raise ImplausibleView("the hand is not of the size that the seat has")
    _check_deck(options, view)
    if view.phase is Phase.BURY:
        _check_shown(options, view, seat)
        if len(view.hand) <= options.kitty:
            raise ImplausibleView("the hand is no larger than the kitty")
    _check_history(options, view)
    if view.phase is Phase.NAME_SHAPE:
        _check_failed(options, view)


def _check_deck(options: TricksOptions, view: SeatView) -> None:
    deck, kitty = full_deck(options.decks), view.kitty if view.kitty_size else ()
    played = [card for play in view.history for card in play.cards]
    excess = Counter((*view.hand, *kitty, *played)) - Counter(deck)
    if excess:
        raise ImplausibleView(f"more than the deck has of {min(excess).name}")
    if sum(view.hand_sizes) + view.kitty_size + len(played) > len(deck):
        raise ImplausibleView("there are more cards than the deck has")


def _check_shown(options: TricksOptions, view: SeatView, seat: Seat) -> None:
    """Cards on the table for trump stay in the hand until play begins."""
    shown = position_seen(options, view).auction.shown_by(seat)
    if Counter(shown) - Counter(view.hand):
        raise ImplausibleView("the seat does not hold what it has shown")


def _check_history(options: TricksOptions, view: SeatView) -> None:
    """Whole tricks, and then the current one."""
    history, order = view.history, order_seen(options, view)
    if history[len(history) - len(view.trick) :] != view.trick or len(view.trick) >= len(SEATS):
        raise ImplausibleView("the current trick is not the end of the history")
    if (len(history) - len(view.trick)) % len(SEATS):
        raise ImplausibleView("a trick has not four plays")
    for start in range(0, len(history), len(SEATS)):
        _check_trick(history[start : start + len(SEATS)])
        if format_of(order, history[start].cards) is None:
            raise ImplausibleView("a lead is of one suit")
    if view.trick and len(view.trick[0].cards) > len(view.hand):
        raise ImplausibleView("the lead has more cards than the hand")


def _check_trick(plays: tuple[CardsPlayed, ...]) -> None:
    first = plays[0]
    for turn, play in enumerate(plays):
        if play.seat != SEATS[(first.seat + turn) % len(SEATS)]:
            raise ImplausibleView("the seats play in turn")
        if len(play.cards) != len(first.cards):
            raise ImplausibleView("all plays of a trick have as many cards")


def _check_failed(options: TricksOptions, view: SeatView) -> None:
    failed = view.failed
    throw = None if failed is None else format_of(order_seen(options, view), failed.cards)
    if failed is None or throw is None or not failed.choices:
        raise ImplausibleView("there is no throw of which a shape could be named")
    if not {*failed.choices} <= {*throw.shape}:
        raise ImplausibleView("a shape to name is not in the throw")
