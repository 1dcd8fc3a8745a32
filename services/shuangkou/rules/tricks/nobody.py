"""When nobody declares: a card of the kitty is turned, or the deal is dealt again (翻底定主, §3.9)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from shuangkou.rules.cards import JOKERS, Card, Rank
from shuangkou.rules.seats import Seat, next_seat, side_of
from shuangkou.rules.tricks.asking import after_trump_fixed
from shuangkou.rules.tricks.auction import Auction
from shuangkou.rules.tricks.options import NobodyDeclares
from shuangkou.rules.tricks.order import Trump
from shuangkou.rules.tricks.shows import Cards

MOST_REDEALS = 5
"""After so many deals dealt again in a row the next one is played (§3.9)."""


@dataclass(frozen=True, slots=True)
class Turned:
    """What fixed the trump. All of it is public.

    cards: those of the kitty that were turned up to find it, in order. declarer: None in games without one.
    """

    trump: Trump
    declarer: Seat | None
    cards: Cards = ()


def turn_kitty(auction: Auction, kitty: Sequence[Card], redeals: int = 0) -> Turned | None:
    """The trump when nobody declared; None when the deal is dealt again.

    kitty: in the order in which it lies. redeals: deals dealt again in a row just before this one.
    """
    cards, declarer = tuple(kitty), _declarer(auction)
    match auction.options.nobody_declares:
        case NobodyDeclares.SPADES:
            return Turned(Trump.SPADES, declarer)
        case NobodyDeclares.REDEAL:
            return Turned(Trump.SPADES, declarer) if redeals >= MOST_REDEALS else None
        case NobodyDeclares.LEVEL_ELSE_HIGHEST:
            return _up_to_level(cards, auction.level, declarer) or _highest(cards, declarer)
        case NobodyDeclares.LEVEL_OR_REDEAL:
            return _by_levels(auction, cards, redeals)
        case NobodyDeclares.TURNED:
            return _from_place(auction, cards, declarer)


def after_turn(auction: Auction, turned: Turned) -> Auction:
    """The trump that was turned is fixed, as far as the window after the bury does not overturn it."""
    return after_trump_fixed(replace(auction, turned=turned.trump, declarer=turned.declarer))


def _declarer(auction: Auction) -> Seat | None:
    """In the first deal the first drawer deals."""
    if auction.declarer is None and auction.has_declarer:
        return auction.first
    return auction.declarer


def _up_to_level(kitty: Cards, level: Rank | None, declarer: Seat | None) -> Turned | None:
    """Jokers have no level's rank."""
    for place, card in enumerate(kitty):
        if card.rank is level:
            return Turned(Trump.of(card.suit), declarer, kitty[: place + 1])
    return None


def _highest(kitty: Cards, declarer: Seat | None) -> Turned:
    """The first one of the highest rank that is no joker's; `max` takes the first of equals."""
    faces = [card for card in kitty if card.rank not in JOKERS]
    suit = max(faces, key=lambda card: card.rank).suit if faces else None
    return Turned(Trump.of(suit), declarer, kitty)


def _by_levels(auction: Auction, kitty: Cards, redeals: int) -> Turned | None:
    """The level card of the declaring side, else of the others, whose next seat then deals."""
    declarer = _declarer(auction)
    if declarer is None:
        return None
    other = next_seat(declarer)
    found = _up_to_level(kitty, auction.levels[side_of(declarer)], declarer) or _up_to_level(
        kitty, auction.levels[side_of(other)], other
    )
    if found is None and redeals >= MOST_REDEALS:
        return _first_face(kitty, declarer)
    return found


def _from_place(auction: Auction, kitty: Cards, declarer: Seat | None) -> Turned:
    options = auction.options
    place = options.turned_place - 1
    if options.turned_joker_skipped:
        return _first_face(kitty[place:] + kitty[:place], declarer)
    return Turned(Trump.of(kitty[place].suit), declarer, kitty[place : place + 1])


def _first_face(kitty: Cards, declarer: Seat | None) -> Turned:
    """The first card that is no joker; without one there is no trump suit."""
    for place, card in enumerate(kitty):
        if card.rank not in JOKERS:
            return Turned(Trump.of(card.suit), declarer, kitty[: place + 1])
    return Turned(Trump.NONE, declarer, kitty)
