"""The kitty (底牌, §10): who takes it, draws from it, buries it, and when it is shown."""

from dataclasses import replace

from shuangkou.rules.by_seat import put
from shuangkou.rules.cards import Card
from shuangkou.rules.climbing.events import KittyCardDrawn, KittyShown, Opening
from shuangkou.rules.climbing.options import ClimbingOptions, KittyUse
from shuangkou.rules.climbing.state import DealState, MatchState
from shuangkou.rules.events import CardsBuried, KittyBuried, KittyTaken
from shuangkou.rules.hands import hand_without
from shuangkou.rules.seats import SEATS, Seat


def taken_or_drawn(options: ClimbingOptions, dealer: Seat) -> tuple[Opening, ...]:
    """§10.3, §10.4: what becomes of the kitty as soon as it lies there."""
    match options.kitty_use:
        case KittyUse.TAKEN:
            return (KittyTaken(dealer, options.kitty),)
        case KittyUse.DRAWN:
            order = [SEATS[(dealer + place) % options.players] for place in range(options.kitty)]
            return tuple(KittyCardDrawn(seat) for seat in order)
        case KittyUse.UNSEEN | KittyUse.SHOWN | KittyUse.CHOSEN | KittyUse.STOCK:
            return ()


def shown(options: ClimbingOptions, deal: DealState, out: tuple[Seat, ...]) -> tuple[KittyShown, ...]:
    """§10.5: when the first of all goes out."""
    is_due = options.kitty_use is KittyUse.SHOWN and len(out) == 1
    return (KittyShown(out[0], deal.kitty),) if is_due else ()


def known_kitty(deal: DealState, seat: Seat | None) -> tuple[Card, ...]:
    """§10.3, §10.5, §12.3: for everybody once it is shown, else for the seat that buried or opened it."""
    is_known = deal.kitty_is_shown or (seat is not None and seat == deal.kitty_owner)
    return deal.kitty if is_known else ()


def after_taking(state: MatchState, deal: DealState, event: KittyTaken) -> DealState:
    """§10.3."""
    return _to_hand(state, deal, event, event.number)


def after_drawing(state: MatchState, deal: DealState, event: KittyCardDrawn) -> DealState:
    """§10.4."""
    return _to_hand(state, deal, event, 1)


def _to_hand(
    state: MatchState, deal: DealState, event: KittyTaken | KittyCardDrawn, number: int
) -> DealState:
    """In a fold of public events only the sizes change."""
    seat = event.seat
    cards = state.table.sort((*deal.hands[seat], *deal.kitty[:number]))
    return replace(
        deal,
        hand_sizes=put(deal.hand_sizes, seat, deal.hand_sizes[seat] + number),
        hands=put(deal.hands, seat, cards),
        packed_hands=put(deal.packed_hands, seat, state.table.pack(cards)),
        kitty=deal.kitty[number:],
        kitty_size=deal.kitty_size - number,
        opening=(*deal.opening, event),
    )


def after_burying_cards(state: MatchState, deal: DealState, event: CardsBuried) -> DealState:
    """§10.3: the hidden half."""
    rest = hand_without(deal.hands[event.seat], event.cards)
    if rest is None:
        return deal
    return replace(
        deal,
        hands=put(deal.hands, event.seat, rest),
        packed_hands=put(deal.packed_hands, event.seat, state.table.pack(rest)),
        kitty=event.cards,
    )


def after_burying(_: MatchState, deal: DealState, event: KittyBuried) -> DealState:
    """§10.3: the public half."""
    return replace(
        deal,
        hand_sizes=put(deal.hand_sizes, event.seat, deal.hand_sizes[event.seat] - event.number),
        kitty_size=deal.kitty_size + event.number,
        kitty_owner=event.seat,
        opening=(*deal.opening, event),
    )


def after_showing(_: MatchState, deal: DealState, event: KittyShown) -> DealState:
    """§10.5."""
    return replace(deal, kitty=event.cards, kitty_is_shown=True)
