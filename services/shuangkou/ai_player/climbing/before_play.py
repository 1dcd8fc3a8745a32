"""What bots do in the phases before play: plain sense, the same for the same view."""

from shuangkou.ai_player.personas import Persona
from shuangkou.ai_player.unanswerable import NotToAct
from shuangkou.rules.cards import Card, Suit
from shuangkou.rules.climbing.commands import (
    Bid,
    DeclareCombination,
    ExchangeCards,
    GrabLandlord,
    MarkCard,
    PhaseAct,
    TakeFromKitty,
)
from shuangkou.rules.climbing.legal_acts import LegalActs, legal_acts_in_view
from shuangkou.rules.climbing.options import ClimbingOptions
from shuangkou.rules.climbing.view import SeatView
from shuangkou.rules.commands import BuryKitty, Pass

Act = PhaseAct | Pass

TO_BID = 0.33
"""Share of strong cards in a hand from which on it bids; an average hand has less than a quarter."""
TO_GRAB = 1.5 * TO_BID
"""The same from which on it grabs."""
_TOP_RANKS = 3


def bury_cheapest(options: ClimbingOptions, view: SeatView, _: Persona) -> Act:
    """The lowest cards that stand alone, then of those that stand with fewest others."""
    legal = acts(options, view)
    return BuryKitty(legal.seat, cheapest(options, view)[: options.kitty])


def cheapest(options: ClimbingOptions, view: SeatView) -> tuple[Card, ...]:
    """The hand in the order in which it is buried."""
    return tuple(sorted(view.hand, key=lambda card: (company(options, view, card), height(options, card))))


def declare_at_once(options: ClimbingOptions, view: SeatView, _: Persona) -> Act:
    """The highest that may be declared: it is paid if it is played."""
    legal = acts(options, view)
    declared = [act for act in legal.before_play if isinstance(act, DeclareCombination)]
    return declared[-1] if declared else Pass(legal.seat)


def bid_by_strength(options: ClimbingOptions, view: SeatView, persona: Persona) -> Act:
    """The most that may be bid with a strong hand; grabs with a very strong one."""
    legal, share = acts(options, view), strength(options, view.hand) * boldness(persona)
    bids = [act for act in legal.before_play if isinstance(act, Bid)]
    if share >= TO_BID and bids:
        return bids[-1]
    if share >= TO_GRAB:
        grabs = [act for act in legal.before_play if isinstance(act, GrabLandlord)]
        return grabs[0] if grabs else Pass(legal.seat)
    return Pass(legal.seat)


def take_useful(options: ClimbingOptions, view: SeatView, _: Persona) -> Act:
    """Cards that beat the middle of the ranks or join others of the hand."""
    legal = acts(options, view)
    middle = len(options.rank_order) // 2
    held = {card.rank for card in view.hand}
    wanted = [card for card in view.kitty if height(options, card) >= middle or card.rank in held]
    return TakeFromKitty(legal.seat, tuple(wanted))


def exchange_loose(options: ClimbingOptions, view: SeatView, _: Persona) -> Act:
    """Low cards that stand alone."""
    legal = acts(options, view)
    middle = len(options.rank_order) // 2
    loose = [
        card for card in view.hand if height(options, card) < middle and company(options, view, card) == 1
    ]
    return ExchangeCards(legal.seat, tuple(loose))


def mark_highest(options: ClimbingOptions, view: SeatView, _: Persona) -> Act:
    """The likeliest card to win its trick."""
    return MarkCard(acts(options, view).seat, view.hand[-1])


def acts(options: ClimbingOptions, view: SeatView) -> LegalActs:
    """What the seat may do; NotToAct."""
    if view.seat is None or not view.is_to_act:
        raise NotToAct("it is not this seat's turn")
    return legal_acts_in_view(options, view)


def boldness(persona: Persona) -> float:
    """By how much the persona overrates its hand."""
    return 0.8 + persona.aggression / 2


def height(options: ClimbingOptions, card: Card) -> int:
    """The place of its rank, the lowest 0."""
    return options.rank_order.index(card.rank)


def company(options: ClimbingOptions, view: SeatView, card: Card) -> int:
    """How many equal cards it stands with, high ranks counted as if they were company enough."""
    equal = sum(1 for other in view.hand if other.rank is card.rank)
    is_high = height(options, card) >= len(options.rank_order) - _TOP_RANKS
    return equal + is_high


def strength(options: ClimbingOptions, hand: tuple[Card, ...]) -> float:
    """The share of cards that win tricks: of the highest ranks, or four equal ones."""
    ranks = [card.rank for card in hand]
    top = options.rank_order[-_TOP_RANKS:]
    return sum(1 for rank in ranks if rank in top or ranks.count(rank) == len(Suit)) / len(hand)
