"""The phase `take` (§12.3): the landlord chooses from the kitty that it alone sees (拿底牌)."""

from collections.abc import Iterator
from dataclasses import replace

from shuangkou.rules import errors
from shuangkou.rules.by_seat import put
from shuangkou.rules.climbing.commands import Command, PhaseAct, TakeFromKitty
from shuangkou.rules.climbing.consent import Objection
from shuangkou.rules.climbing.events import Event
from shuangkou.rules.climbing.opening import OpeningRules, Position, next_phase, parts_of
from shuangkou.rules.climbing.phase_events import KittyCardsTaken, KittyChosen
from shuangkou.rules.climbing.state import DealState, MatchState
from shuangkou.rules.commands import Pass
from shuangkou.rules.hands import hand_without


def _objection(position: Position, command: TakeFromKitty) -> Objection | None:
    if hand_without(position.kitty, command.cards) is None:
        return errors.NOT_IN_KITTY, "they are not all in the kitty"
    return None


def _acts(position: Position) -> Iterator[PhaseAct | Pass]:
    for cards in parts_of(position.kitty):
        yield TakeFromKitty(position.seat, cards)


def _take(state: MatchState, deal: DealState, command: TakeFromKitty) -> tuple[Event, ...]:
    seat, cards = command.seat, state.table.sort(command.cards)
    begun = next_phase(state.ruleset.options, deal, seat)
    return KittyCardsTaken(seat, cards), KittyChosen(seat, len(cards)), begun


def after_cards_taken(state: MatchState, deal: DealState, event: KittyCardsTaken) -> DealState:
    """The hidden cards."""
    seat, table = event.seat, state.table
    hand = table.sort((*deal.hands[seat], *event.cards))
    kitty = hand_without(deal.kitty, event.cards)
    return replace(
        deal,
        hands=put(deal.hands, seat, hand),
        packed_hands=put(deal.packed_hands, seat, table.pack(hand)),
        kitty=() if kitty is None else kitty,
    )


def after_choice(_: MatchState, deal: DealState, event: KittyChosen) -> DealState:
    """What everybody sees of it."""
    seat, number = event.seat, event.number
    return replace(
        deal,
        opening=(*deal.opening, event),
        hand_sizes=put(deal.hand_sizes, seat, deal.hand_sizes[seat] + number),
        kitty_size=deal.kitty_size - number,
    )


def _fallback(position: Position) -> Command:
    return TakeFromKitty(position.seat, ())


TAKING = OpeningRules(
    acts=_acts, objections={TakeFromKitty: _objection}, outcomes={TakeFromKitty: _take}, fallback=_fallback
)
"""The phase in which the landlord takes cards of the kitty."""
