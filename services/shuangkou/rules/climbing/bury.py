"""The phase `bury` (§10.3): the dealer, who has taken the kitty, lays as many cards face down."""

from collections.abc import Iterator
from itertools import combinations

from shuangkou.rules import errors
from shuangkou.rules.climbing.commands import Command, PhaseAct
from shuangkou.rules.climbing.consent import Objection
from shuangkou.rules.climbing.events import Event
from shuangkou.rules.climbing.opening import OpeningRules, Position, next_phase
from shuangkou.rules.climbing.options import ClimbingOptions
from shuangkou.rules.climbing.state import DealState, MatchState
from shuangkou.rules.commands import BuryKitty, Pass
from shuangkou.rules.events import CardsBuried, KittyBuried
from shuangkou.rules.hands import hand_without


def _objection(position: Position, command: BuryKitty) -> Objection | None:
    number = position.table.options.kitty
    if len(command.cards) != number:
        return errors.WRONG_BURY_COUNT, f"it must bury {number} cards, not {len(command.cards)}"
    if hand_without(position.hand, command.cards) is None:
        return errors.NOT_HELD, "it does not hold them all"
    return None


def _acts(position: Position) -> Iterator[PhaseAct | Pass]:
    for cards in dict.fromkeys(combinations(position.hand, position.table.options.kitty)):
        yield BuryKitty(position.seat, cards)


def _bury(state: MatchState, deal: DealState, command: BuryKitty) -> tuple[Event, ...]:
    seat, cards = command.seat, state.table.sort(command.cards)
    begun = next_phase(state.ruleset.options, deal, seat)
    return CardsBuried(seat, cards), KittyBuried(seat, len(cards)), begun


def _fallback(position: Position) -> Command:
    """§8.2: the lowest cards."""
    return BuryKitty(position.seat, position.hand[: position.table.options.kitty])


def _seconds(options: ClimbingOptions) -> int:
    """§8.1: as to lead."""
    return options.lead_seconds


BURYING = OpeningRules(
    acts=_acts,
    objections={BuryKitty: _objection},
    outcomes={BuryKitty: _bury},
    fallback=_fallback,
    seconds=_seconds,
)
"""The phase in which the dealer puts cards back in place of the kitty."""
