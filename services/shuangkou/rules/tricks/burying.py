"""The phase `bury` (§4): who took the kitty lays as many cards face down."""

from collections import Counter
from dataclasses import replace

from shuangkou.rules import errors
from shuangkou.rules.by_seat import put
from shuangkou.rules.cards import Card
from shuangkou.rules.commands import BuryKitty
from shuangkou.rules.errors import IllegalCommand
from shuangkou.rules.events import CardsBuried, KittyBuried, KittyTaken
from shuangkou.rules.hands import hand_without
from shuangkou.rules.seats import Seat
from shuangkou.rules.tricks.events import Event
from shuangkou.rules.tricks.state import DealState, MatchState, deal_with_turn

Objection = tuple[str, str, tuple[Card, ...]]
"""A refusal code, why, and the cards at fault."""


def objection_to_bury(
    number: int, hand: tuple[Card, ...], shown: tuple[Card, ...], cards: tuple[Card, ...]
) -> Objection | None:
    """Why these cards may not be buried; None when they may.

    number: cards of the kitty. shown: own cards that lie on the table for trump.
    """
    if len(cards) != number:
        return errors.WRONG_KITTY_SIZE, f"it must bury {number} cards, not {len(cards)}", cards
    missing = Counter(cards) - Counter(hand)
    if missing:
        return errors.NOT_HELD, "it does not hold them all", tuple(missing.elements())
    staying = Counter(cards) & (Counter(shown) - (Counter(hand) - Counter(cards)))
    if staying:
        return errors.SHOWN_STAYS, "cards shown for trump may not be buried", tuple(staying.elements())
    return None


def decide_bury(state: MatchState, command: BuryKitty) -> tuple[Event, ...]:
    """§4.1, §4.2; IllegalCommand for cards that may not be buried."""
    seat = command.seat
    deal = deal_with_turn(state, seat)
    number = state.ruleset.options.kitty
    objection = objection_to_bury(number, deal.hands[seat], deal.auction.shown_by(seat), command.cards)
    if objection is not None:
        code, why, cards = objection
        raise IllegalCommand(code, f"seat {seat} in deal {deal.number}: {why}", cards, seat)
    return CardsBuried(seat, tuple(sorted(command.cards))), KittyBuried(seat, number)


def after_taking(_: MatchState, deal: DealState, event: KittyTaken) -> DealState:
    """The kitty is in the hand."""
    seat = event.seat
    hand = tuple(sorted((*deal.hands[seat], *deal.kitty)))
    return replace(
        deal,
        hands=put(deal.hands, seat, hand),
        hand_sizes=_changed(deal, seat, event.number),
        kitty=(),
        kitty_size=0,
        kitty_owner=seat,
        opening=(*deal.opening, event),
    )


def after_burying_cards(_: MatchState, deal: DealState, event: CardsBuried) -> DealState:
    """The hidden part: KittyBuried follows."""
    hand = hand_without(deal.hands[event.seat], event.cards) or ()
    return replace(deal, hands=put(deal.hands, event.seat, hand), kitty=event.cards)


def _changed(deal: DealState, seat: Seat, by: int) -> tuple[int, ...]:
    return put(deal.hand_sizes, seat, deal.hand_sizes[seat] + by)
