"""Declaring, overturning and locking (亮主, 反主, 加固): the trump under which the hand is worth most."""

from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cache
from statistics import mean

from shuangkou.ai_player.tricks.holding import POINTS, Holding, holding_of
from shuangkou.ai_player.tricks.situation import situation_of
from shuangkou.ai_player.tricks.weights import Weights
from shuangkou.rules.cards import JOKERS, Card, Rank, Suit, card_of
from shuangkou.rules.commands import Pass
from shuangkou.rules.seats import Seat, side_of
from shuangkou.rules.tricks.asking import declarer_after
from shuangkou.rules.tricks.auction import Auction
from shuangkou.rules.tricks.commands import DeclareTrump
from shuangkou.rules.tricks.declaring import legal_shows, show_of
from shuangkou.rules.tricks.options import Declare, TricksOptions
from shuangkou.rules.tricks.order import Trump, TrumpOrder, trump_order
from shuangkou.rules.tricks.position import position_seen
from shuangkou.rules.tricks.ranking import rank_of_pair
from shuangkou.rules.tricks.shows import Form, Show, ShowKind
from shuangkou.rules.tricks.topping import RETURNED, needs_return, returnable
from shuangkou.rules.tricks.view import SeatView

Cards = tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Prospects:
    """What a trump brings besides the own hand, in small points.

    shown: for each card that its owner has shown of it. deal: to become the declarer. kitty: to take the
    kitty and bury again. undeclared: what is lost when another seat declares first. enough: the least that a
    show has to gain.
    """

    shown: float = 2.0
    deal: float = 4.0
    kitty: float = 6.0
    undeclared: float = 2.0
    enough: float = 1.0


_PROSPECTS = Prospects()
_SUITED = frozenset(Rank) - JOKERS
_OPPONENT_PAIR = 0.08
"""That one of two opponents holds and shows a certain pair of which none is in the own hand."""


@dataclass(frozen=True, slots=True, eq=False)
class Bidder:
    """A seat that is asked to show something. average: what its hand is worth with any suit as trump. known:
    what has been found out, by trump, level and hand.
    """

    options: TricksOptions
    view: SeatView
    seat: Seat
    auction: Auction
    weights: Weights
    average: float = 0.0
    known: dict[tuple[Trump, Rank | None, Cards], Holding] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Appraised:
    """A show. gain: small points that the hand and its prospects are worth more than as things stand.
    trump: that it makes. trumps: own cards that would be trump. kind: what it does to those before it."""

    command: DeclareTrump
    gain: float
    trump: Trump
    trumps: int
    kind: ShowKind


def choose_show(
    options: TricksOptions, view: SeatView, seat: Seat, weights: Weights, aggression: float
) -> DeclareTrump | Pass:
    """The show that gains most, or a pass where none gains enough."""
    shows = appraise(options, view, seat, weights)
    is_enough = bool(shows) and shows[0].gain >= enough_for(aggression)
    return shows[0].command if is_enough else Pass(seat)


def enough_for(aggression: float) -> float:
    """The least that a show has to gain, in small points."""
    return _PROSPECTS.enough + 2.0 * (0.4 - aggression)


def appraise(options: TricksOptions, view: SeatView, seat: Seat, weights: Weights) -> list[Appraised]:
    """Every show that the seat may make, that which gains most first."""
    asked = Bidder(options, view, seat, position_seen(options, view).auction, weights)
    shows = [_show(asked, cards) for cards in legal_shows(asked.auction, seat, view.hand)]
    if not shows:
        return []
    bidder = replace(asked, average=_average(asked))
    standing = _standing_worth(bidder)
    return sorted((_appraised(bidder, show, standing) for show in shows), key=lambda one: -one.gain)


def _appraised(bidder: Bidder, show: Show, standing: float) -> Appraised:
    worth, command = _worth(bidder, show)
    assert show.form is not None  # the seat knows its own cards
    order = _order(bidder, show.form.trump, show.form)
    trumps = sum(map(order.is_trump, bidder.view.hand))
    return Appraised(command, worth - standing, show.form.trump, trumps, show.kind)


def _show(bidder: Bidder, cards: Cards) -> Show:
    return show_of(bidder.auction, bidder.seat, cards, bidder.view.hand)


def _standing_worth(bidder: Bidder) -> float:
    """Of the trump as it stands; of an unknown one, or none yet, that of an average suit."""
    auction, standing = bidder.auction, bidder.auction.last_show
    trump = auction.trump
    worth = bidder.average if trump is None else _advantage(bidder, _order(bidder, trump), bidder.view.hand)
    if standing is None:
        return worth - (_PROSPECTS.undeclared if trump is None else 0.0)
    if standing.seat == bidder.seat:
        return worth
    return worth + _PROSPECTS.shown * standing.size * (1 if _is_own(bidder, standing.seat) else -1)


def _average(bidder: Bidder) -> float:
    """What the hand is worth with any suit as trump."""
    return mean(_advantage(bidder, _order(bidder, Trump.of(suit)), bidder.view.hand) for suit in Suit)


def _is_own(bidder: Bidder, seat: Seat) -> bool:
    return side_of(seat) == side_of(bidder.seat)


def _worth(bidder: Bidder, show: Show) -> tuple[float, DeclareTrump]:
    """Of a show, and the show as a command."""
    form, auction = show.form, bidder.auction
    assert form is not None  # the seat knows its own cards
    back = _returned(bidder, show, form)
    hand = bidder.view.hand
    if back:
        hand = tuple((Counter((*hand, *_taken(bidder, show))) - Counter(back)).elements())
    worth = _advantage(bidder, _order(bidder, form.trump, form), hand)
    command = DeclareTrump(bidder.seat, show.cards, back)
    if show.kind is ShowKind.REINFORCE:
        return worth + 2 * _PROSPECTS.enough * (1 if worth > 0 else -1), command
    if bidder.options.declare is Declare.ANY_PAIR:
        return worth - _topped_chance(bidder, form) * (worth - _worth_topped(bidder, form)), command
    if auction.has_declarer and declarer_after(auction, show) != auction.declarer:
        worth += _PROSPECTS.deal
    if show.is_after_bury and bidder.options.stir:
        worth += _PROSPECTS.kitty
    return worth, command


def _worth_topped(bidder: Bidder, form: Form) -> float:
    """§3.14: the pair is gone for two cards that are worth nothing, and another suit is trump."""
    holding = _holding(bidder, _order(bidder, form.trump), bidder.view.hand)
    return bidder.average - holding.cost(form.cards)


def _order(bidder: Bidder, trump: Trump, form: Form | None = None) -> TrumpOrder:
    """Level cards that are shown are those of the deal to come (§3.15)."""
    level = bidder.view.level
    rank = None if level is None else level.rank
    if form is not None and form.rank not in JOKERS and not bidder.options.fixed_trumps:
        rank = form.rank
    return trump_order(bidder.options, trump, rank)


def _advantage(bidder: Bidder, order: TrumpOrder, hand: Cards) -> float:
    return _holding(bidder, order, hand).advantage


def _holding(bidder: Bidder, order: TrumpOrder, hand: Cards) -> Holding:
    asked = (order.trump, order.level, hand)
    if asked not in bidder.known:
        view = bidder.view if hand == bidder.view.hand else replace(bidder.view, hand=hand)
        situation = situation_of(bidder.options, view, bidder.seat, order, True)
        bidder.known[asked] = holding_of(situation, bidder.weights)
    return bidder.known[asked]


def _taken(bidder: Bidder, show: Show) -> Cards:
    topped = bidder.auction.last_show
    return topped.cards if topped is not None and needs_return(bidder.auction, show) else ()


def _returned(bidder: Bidder, show: Show, form: Form) -> Cards:
    """§3.14: what is worth least under the new trump, points included."""
    if not needs_return(bidder.auction, show):
        return ()
    holding = _holding(bidder, _order(bidder, form.trump), bidder.view.hand)
    cards = returnable(bidder.auction, show, bidder.view.hand)
    cheapest = sorted(cards, key=lambda card: (holding.each(card) + POINTS[card] / 2, card))
    return tuple(sorted(cheapest[:RETURNED]))


def _topped_chance(bidder: Bidder, form: Form) -> float:
    """That an opponent holds a higher pair."""
    held = {*bidder.view.hand}
    unseen = sum(card not in held for card in _higher_pairs(form.rank))
    return 1 - (1 - _OPPONENT_PAIR) ** unseen


@cache
def _higher_pairs(rank: Rank) -> Cards:
    """Cards of which a pair is higher."""
    higher = [other for other in _SUITED if rank_of_pair(other) > rank_of_pair(rank)]
    return tuple(card_of(other, suit) for other in higher for suit in Suit)
