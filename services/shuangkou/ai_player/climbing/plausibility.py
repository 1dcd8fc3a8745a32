"""Whether a view can be of a real deal. Views come from outside; the policy takes them for true."""

from collections import Counter

from shuangkou.ai_player.unanswerable import ImplausibleView
from shuangkou.rules.cards import Card, full_deck
from shuangkou.rules.climbing.events import CardsPlayed
from shuangkou.rules.climbing.options import ClimbingOptions, Phase
from shuangkou.rules.climbing.view import SeatView
from shuangkou.rules.seats import SEATS


def check_plausible(options: ClimbingOptions, view: SeatView) -> None:
    """ImplausibleView unless the cards of the seat to act and those played can come from one deal."""
    seat = view.seat
    if seat is None or not view.hand or len(view.hand) != view.hand_sizes[seat]:
        raise ImplausibleView("the hand is not of the size that the seat has")
    if view.phase not in options.phases:
        raise ImplausibleView(f"a deal of this game has no phase {view.phase.value}")
    if view.top is not None and view.top.seat == seat:
        raise ImplausibleView("the seat cannot answer its own play")
    plays = [act for act in view.history if isinstance(act, CardsPlayed)]
    played = [card for play in plays for card in play.cards]
    seen = [*view.hand, *view.partner_hand, *view.kitty, *view.discarded, *played]
    _check_deck(options, seen, sum(view.hand_sizes) + view.kitty_size + len(played))
    if options.phases == (Phase.PLAY,):
        _check_dealt(options, view, plays)


def _check_deck(options: ClimbingOptions, seen: list[Card], in_play: int) -> None:
    deck = full_deck(options.decks, options.jokers)
    excess = Counter(seen) - Counter(deck)
    if excess:
        raise ImplausibleView(f"more than the deck has of {min(excess).name}")
    if in_play > len(deck):
        raise ImplausibleView(f"{in_play} cards are more than the deck has")


def _check_dealt(options: ClimbingOptions, view: SeatView, plays: list[CardsPlayed]) -> None:
    """Where cards only leave a hand by being played."""
    for other in SEATS:
        dealt = view.hand_sizes[other] + sum(len(play.cards) for play in plays if play.seat == other)
        expected = options.most_cards if other < options.players else 0
        if dealt != expected:
            raise ImplausibleView(f"seat {other} was dealt {dealt} cards, not {expected}")
