"""The phase `exchange` (§12.4): each seat may change cards of its hand for cards of the stock (换牌)."""

from collections.abc import Iterator
from dataclasses import replace

from shuangkou.rules import errors
from shuangkou.rules.by_seat import put
from shuangkou.rules.climbing.commands import Command, ExchangeCards, PhaseAct
from shuangkou.rules.climbing.consent import Objection
from shuangkou.rules.climbing.events import Event
from shuangkou.rules.climbing.opening import OpeningRules, Position, after_call, end_of_round, parts_of
from shuangkou.rules.climbing.phase_events import HandExchanged, StockCardsDrawn
from shuangkou.rules.climbing.state import DealState, MatchState
from shuangkou.rules.commands import Pass
from shuangkou.rules.hands import hand_without


def _objection(position: Position, command: ExchangeCards) -> Objection | None:
    if hand_without(position.hand, command.cards) is None:
        return errors.NOT_HELD, "it does not hold them all"
    return None


def _acts(position: Position) -> Iterator[PhaseAct | Pass]:
    for cards in parts_of(position.hand):
        yield ExchangeCards(position.seat, cards)


def _exchange(state: MatchState, deal: DealState, command: ExchangeCards) -> tuple[Event, ...]:
    seat, number = command.seat, len(command.cards)
    drawn = StockCardsDrawn(seat, state.table.sort(command.cards), deal.kitty[:number])
    return drawn, HandExchanged(seat, number), *end_of_round(state, deal, seat)


def after_cards_drawn(state: MatchState, deal: DealState, event: StockCardsDrawn) -> DealState:
    """The hidden cards."""
    seat, table = event.seat, state.table
    kept = hand_without(deal.hands[seat], event.discarded) or ()
    hand = table.sort((*kept, *event.drawn))
    return replace(
        deal,
        hands=put(deal.hands, seat, hand),
        packed_hands=put(deal.packed_hands, seat, table.pack(hand)),
        kitty=deal.kitty[len(event.drawn) :],
        discarded=put(deal.discarded, seat, event.discarded),
    )


def after_exchange(state: MatchState, deal: DealState, event: HandExchanged) -> DealState:
    """What everybody sees of it."""
    return replace(after_call(state, deal, event), kitty_size=deal.kitty_size - event.number)


def _fallback(position: Position) -> Command:
    return ExchangeCards(position.seat, ())


EXCHANGING = OpeningRules(
    acts=_acts,
    objections={ExchangeCards: _objection},
    outcomes={ExchangeCards: _exchange},
    fallback=_fallback,
)
"""The phase in which cards are exchanged."""
