"""The phases `draw`, `closing` and `post` (§3): showing cards for trump, or passing when asked."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from shuangkou.rules import errors
from shuangkou.rules.commands import Pass
from shuangkou.rules.errors import IllegalCommand
from shuangkou.rules.events import KittyBuried, Passed
from shuangkou.rules.seats import SEATS
from shuangkou.rules.tricks.asking import after_bury, after_pass, after_show, check_pass
from shuangkou.rules.tricks.auction import Auction, seen_by
from shuangkou.rules.tricks.commands import DeclareTrump
from shuangkou.rules.tricks.declaring import show_of
from shuangkou.rules.tricks.events import (
    CardsReturned,
    DeclarerNamed,
    Event,
    FaceDownShown,
    PairTopped,
    TrumpDeclared,
    TrumpFixed,
    TrumpTurned,
)
from shuangkou.rules.tricks.nobody import Turned, after_turn
from shuangkou.rules.tricks.shows import Show
from shuangkou.rules.tricks.starting import other_side
from shuangkou.rules.tricks.state import DealState, MatchState, moved, running_deal
from shuangkou.rules.tricks.topping import Topping, topping_of


def decide_declare(state: MatchState, command: DeclareTrump) -> tuple[Event, ...]:
    """§3; IllegalCommand for cards that may not be shown now."""
    deal, seat = running_deal(state, command.seat), command.seat
    if seat not in SEATS:
        raise IllegalCommand(errors.NO_SUCH_SEAT, f"there is no seat {seat}", seat=seat)
    hand = deal.hands[seat]
    show = show_of(deal.auction, seat, command.cards, hand)
    topping = topping_of(deal.auction, show, command.returned, hand)
    declared = TrumpDeclared(
        seat=seat,
        kind=show.kind,
        cards=() if show.is_face_down else show.cards,
        size=show.size,
        is_face_down=show.is_face_down,
        is_after_bury=show.is_after_bury,
    )
    hidden = (FaceDownShown(seat, show.cards),) if show.is_face_down else ()
    return declared, *hidden, *(() if topping is None else _exchange(topping))


def _exchange(topping: Topping) -> tuple[Event, Event]:
    """§3.14."""
    topper, owner = topping.topper, topping.owner
    return PairTopped(topper, owner, topping.taken), CardsReturned(topper, owner, topping.returned)


def decide_pass(state: MatchState, command: Pass) -> tuple[Event, ...]:
    """§3.10, §3.11; IllegalCommand for a seat that is not asked."""
    deal = running_deal(state, command.seat)
    check_pass(deal.auction, command.seat)
    return (Passed(command.seat),)


def after_declaring(_: MatchState, deal: DealState, event: TrumpDeclared) -> DealState:
    """What everybody sees of it; the cards of a face-down show have an event of their own."""
    show = Show(event.seat, event.kind, event.cards, event.size, event.is_face_down, event.is_after_bury)
    return _asked(deal, _in_public(deal.auction, after_show, show), event)


def after_face_down(_: MatchState, deal: DealState, event: FaceDownShown) -> DealState:
    """The cards of the last show."""
    shows = deal.auction.shows
    hidden = replace(shows[-1], cards=event.cards)
    return replace(deal, auction=replace(deal.auction, shows=(*shows[:-1], hidden)))


def after_topping(_: MatchState, deal: DealState, event: PairTopped) -> DealState:
    """§3.14: the topped pair changes hands."""
    hands = moved(deal.hands, event.owner, event.seat, event.taken)
    return replace(deal, hands=hands, opening=(*deal.opening, event))


def after_returning(_: MatchState, deal: DealState, event: CardsReturned) -> DealState:
    """§3.14: two cards go back for it."""
    return replace(deal, hands=moved(deal.hands, event.seat, event.owner, event.cards))


def after_passing(_: MatchState, deal: DealState, event: Passed) -> DealState:
    """The next seat is asked, or the round is over."""
    return _asked(deal, _in_public(deal.auction, after_pass, event.seat), event)


def after_turning(_: MatchState, deal: DealState, event: TrumpTurned) -> DealState:
    """§3.9."""
    turned = Turned(event.trump, deal.auction.declarer, event.cards)
    return replace(deal, auction=after_turn(deal.auction, turned), opening=(*deal.opening, event))


def after_naming(_: MatchState, deal: DealState, event: DeclarerNamed) -> DealState:
    """§3.8; where roles alternate only who leads (§9.3)."""
    auction = deal.auction
    if auction.has_declarer:
        auction = replace(auction, declarer=event.seat)
    return replace(
        deal,
        auction=auction,
        declarer=event.seat,
        attackers=other_side(event.seat),
        level=event.level,
        opening=(*deal.opening, event),
    )


def after_burying(_: MatchState, deal: DealState, event: KittyBuried) -> DealState:
    """§3.11: the others are asked where the window allows."""
    auction = _in_public(deal.auction, after_bury, event.seat)
    sizes = tuple(size - event.number * (seat == event.seat) for seat, size in enumerate(deal.hand_sizes))
    return _asked(replace(deal, hand_sizes=sizes, kitty_size=event.number), auction, event)


def after_fixing(_: MatchState, deal: DealState, event: TrumpFixed) -> DealState:
    """§3.6: what lay face-down is open to all now."""
    revealed = [turned.cards for turned in event.revealed]
    shows = tuple(
        replace(show, cards=revealed.pop(0)) if show.is_face_down and revealed else show
        for show in deal.auction.shows
    )
    auction = replace(deal.auction, shows=shows)
    return replace(deal, auction=auction, trump=event.trump, opening=(*deal.opening, event))


def _asked(deal: DealState, auction: Auction, event: Any) -> DealState:
    return replace(deal, auction=auction, turn=auction.asked, opening=(*deal.opening, event))


def _in_public(auction: Auction, step: Callable[[Auction, Any], Auction], what: Any) -> Auction:
    """How it goes on depends on nothing that is hidden: else the order of asking would tell of cards."""
    after = step(seen_by(auction, None), what)
    return replace(after, shows=(*auction.shows, *after.shows[len(auction.shows) :]))
