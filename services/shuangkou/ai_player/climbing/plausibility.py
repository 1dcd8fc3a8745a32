"""Whether a view can be of a real deal. Views come from outside; the policy takes them for true."""

from collections import Counter

from shuangkou.ai_player.climbing.retelling import retold
from shuangkou.ai_player.unanswerable import ImplausibleView
from shuangkou.rules.cards import full_deck
from shuangkou.rules.climbing.events import CardsPlayed, KittyCardDrawn
from shuangkou.rules.climbing.options import ClimbingOptions
from shuangkou.rules.climbing.phase_events import HandExchanged, KittyChosen, MarkSet
from shuangkou.rules.climbing.state import DealState
from shuangkou.rules.climbing.view import SeatView
from shuangkou.rules.events import KittyBuried, KittyTaken
from shuangkou.rules.ruleset import RuleSet
from shuangkou.rules.seats import SEATS, Seat

_FIELDS = (
    "phase",
    "turn",
    "leader",
    "hand_sizes",
    "kitty_size",
    "opening",
    "trick",
    "top",
    "finish_order",
    "contributions",
)
"""What follows from the acts of the deal."""


def check_plausible(options: ClimbingOptions, view: SeatView) -> None:
    """ImplausibleView unless the cards of the view are those of one deal, in a phase of the game."""
    seat = view.seat
    if seat is None or not view.hand or len(view.hand) != view.hand_sizes[seat]:
        raise ImplausibleView("hand: it is not of the size that the seat has")
    if view.phase not in options.phases:
        raise ImplausibleView(f"phase: a deal of this game has no phase {view.phase.value}")
    if view.top is not None and view.top.seat == seat:
        raise ImplausibleView("trick: the seat cannot answer its own play")
    _check_deck(options, view)
    _check_dealt(options, view)
    _check_own(options, view, seat)


def check_genuine(ruleset: RuleSet, view: SeatView) -> None:
    """ImplausibleView unless the rules lead to what the view shows, by the acts of which it tells."""
    state, deal = retold(ruleset, view)
    for field in _FIELDS:
        seen, told = getattr(view, field), getattr(deal, field)
        if seen != told:
            raise ImplausibleView(f"{field}: after the acts of this deal it is {told}, not {seen}")
    won = deal.cards_won if state.ruleset.options.trick_card_points else (0, 0, 0, 0)
    if view.cards_won != won:
        raise ImplausibleView(f"cards_won: after the acts of this deal it is {won}, not {view.cards_won}")
    _check_kitty_known(view, deal)


def _check_kitty_known(view: SeatView, deal: DealState) -> None:
    is_known = deal.kitty_is_shown or deal.kitty_owner == view.seat
    if len(view.kitty) != (view.kitty_size if is_known else 0):
        what = f"{view.kitty_size} cards" if is_known else "no card"
        raise ImplausibleView(f"kitty: the seat knows {what} of it, not {len(view.kitty)}")


def _check_deck(options: ClimbingOptions, view: SeatView) -> None:
    played = [card for act in view.history if isinstance(act, CardsPlayed) for card in act.cards]
    seen = Counter((*view.hand, *view.partner_hand, *view.kitty, *view.discarded, *played))
    excess = seen - Counter(full_deck(options.decks, options.jokers))
    if excess:
        raise ImplausibleView(f"hand, history: more than the deck has of {min(excess).name}")


def _check_dealt(options: ClimbingOptions, view: SeatView) -> None:
    """Cards leave a hand by being played or buried, and come to it only from the kitty."""
    dealt = [options.hand_size if seat < options.players else 0 for seat in SEATS]
    left = options.kitty
    for event in view.opening:
        match event:
            case KittyTaken(seat, number) | KittyChosen(seat, number):
                moved = number
            case KittyCardDrawn(seat):
                moved = 1
            case KittyBuried(seat, number):
                moved = -number
            case HandExchanged(_, number):
                left -= number
                continue
            case _:
                continue
        dealt[seat] += moved
        left -= moved
    for act in view.history:
        if isinstance(act, CardsPlayed):
            dealt[act.seat] -= len(act.cards)
    for seat in SEATS:
        if view.hand_sizes[seat] != dealt[seat]:
            raise ImplausibleView(
                f"seats, hand_size: of what it was dealt, took, buried and played seat {seat} has "
                f"{max(dealt[seat], 0)} cards, not {view.hand_sizes[seat]}"
            )
    if view.kitty_size != left:
        raise ImplausibleView(f"kitty_size: {max(left, 0)} cards lie there, not {view.kitty_size}")


def _check_own(options: ClimbingOptions, view: SeatView, seat: Seat) -> None:
    """What only this seat knows, and whether it may know it."""
    given = sum(
        event.number for event in view.opening if isinstance(event, HandExchanged) and event.seat == seat
    )
    if len(view.discarded) != given:
        raise ImplausibleView(f"discarded: the seat exchanged {given} cards, not {len(view.discarded)}")
    has_marked = any(isinstance(event, MarkSet) and event.seat == seat for event in view.opening)
    if has_marked != (view.mark is not None):
        raise ImplausibleView("mark: a seat has one exactly when it has set one")
    if view.partner_hand and not options.open_partner_hands:
        raise ImplausibleView("partner_hand: partners of this game do not see each other's cards")
    consents = view.consents
    if (consents.surrender and not options.surrender) or (consents.redeal and not options.redeal_vote):
        raise ImplausibleView("consents: this game has no such offer or vote")
