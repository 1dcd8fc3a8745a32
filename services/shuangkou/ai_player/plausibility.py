"""Whether a view can be of a real deal. Views come from outside; the policy takes them for true."""

from collections import Counter

from shuangkou.rules.cards import Card, full_deck
from shuangkou.rules.climbing.events import CardsPlayed
from shuangkou.rules.climbing.options import ClimbingOptions
from shuangkou.rules.climbing.view import SeatView


class ImplausibleView(ValueError):
    """No deal can look like this to the seat to act."""


def check_plausible(options: ClimbingOptions, view: SeatView) -> None:
    """ImplausibleView unless the cards of the seat to act and those played can come from one deal."""
    seat = view.seat
    if seat is None or not view.hand or len(view.hand) != view.hand_sizes[seat]:
        raise ImplausibleView("the hand is not of the size that the seat has")
    if view.top is not None and view.top.seat == seat:
        raise ImplausibleView("the seat cannot answer its own play")
    plays = [act for act in view.history if isinstance(act, CardsPlayed)]
    _check_deck(options, [*view.hand, *(card for play in plays for card in play.cards)])
    for other, size in enumerate(view.hand_sizes):
        dealt = size + sum(len(play.cards) for play in plays if play.seat == other)
        if dealt != options.hand_size:
            raise ImplausibleView(f"seat {other} was dealt {dealt} cards, not {options.hand_size}")


def _check_deck(options: ClimbingOptions, cards: list[Card]) -> None:
    excess = Counter(cards) - Counter(full_deck(options.decks, options.jokers))
    if excess:
        raise ImplausibleView(f"more than the deck has of {min(excess).name}")
