"""Topping a shown pair: it changes hands, and two cards go back for it (压对, §3.14)."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from shuangkou.rules import errors
from shuangkou.rules.cards import JOKERS, Card
from shuangkou.rules.errors import IllegalCommand
from shuangkou.rules.seats import Seat
from shuangkou.rules.tricks.auction import Auction
from shuangkou.rules.tricks.options import Declare
from shuangkou.rules.tricks.ranking import rank_of_pair
from shuangkou.rules.tricks.shows import Cards, Form, Show, ShowKind, read_form

RETURNED = 2
"""Cards that go back to the owner of the topped pair."""


@dataclass(frozen=True, slots=True)
class Topping:
    """What changes hands when a pair is topped.

    topper, owner: of the new pair and of the topped one. taken: the topped pair, which lay open. returned:
    what the owner gets for it; only these two seats know that. Both sorted.
    """

    topper: Seat
    owner: Seat
    taken: Cards
    returned: Cards


def needs_return(auction: Auction, show: Show) -> bool:
    """Whether this show, before it stands, tops a pair, so that two cards must go back."""
    return auction.options.declare is Declare.ANY_PAIR and show.kind is ShowKind.OVERTURN


def topping_of(auction: Auction, show: Show, returned: Iterable[Card], hand: Cards) -> Topping | None:
    """What changes hands by a show that `show_of` has just accepted from a seat with this hand.

    None where nothing does; then nothing may be returned either. The returned cards come from the hand or
    are the topped pair, but are not the pair just shown. IllegalCommand with the code `tricks/wrong_return`
    or `cards/not_held`.
    """
    back, topped = tuple(sorted(returned)), auction.last_show
    wanted = RETURNED if needs_return(auction, show) else 0
    if len(back) != wanted:
        raise _refused(errors.WRONG_RETURN, f"{wanted} cards go back", back, show.seat)
    if wanted == 0 or topped is None:
        return None
    if Counter(back) - Counter((*hand, *topped.cards)):
        raise _refused(errors.NOT_HELD, "it does not hold them all", back, show.seat)
    if Counter(back) - Counter(returnable(auction, show, hand)):
        raise _refused(errors.WRONG_RETURN, "the pair just shown stays", back, show.seat)
    return Topping(show.seat, topped.seat, topped.cards, back)


def returnable(auction: Auction, show: Show, hand: Cards) -> Cards:
    """The cards of which two go back when this show tops what stands, sorted."""
    topped = () if auction.last_show is None else auction.last_show.cards
    return tuple(sorted((Counter((*hand, *topped)) - Counter(show.cards)).elements()))


def tops(shown: Iterable[Card], topper: Iterable[Card]) -> bool:
    """Whether the second set is a pair that tops the first, whoever holds it."""
    pair, higher = _pair(shown), _pair(topper)
    return pair is not None and higher is not None and rank_of_pair(higher.rank) > rank_of_pair(pair.rank)


def _pair(cards: Iterable[Card]) -> Form | None:
    form = read_form(tuple(sorted(cards)))
    is_pair = form is not None and form.count == 2 and form.joker is None and form.rank not in JOKERS
    return form if is_pair else None


def _refused(code: str, reason: str, cards: Cards, seat: Seat) -> IllegalCommand:
    return IllegalCommand(code, f"seat {seat} cannot return that: {reason}", cards, seat)
