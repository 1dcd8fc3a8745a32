"""The phase `bury` (§10.3): the dealer, who has taken the kitty, lays as many cards face down."""

from shuangkou.rules import errors
from shuangkou.rules.climbing.commands import BuryKitty, Command
from shuangkou.rules.climbing.events import CardsBuried, Event, KittyBuried, PhaseBegan
from shuangkou.rules.climbing.hands import hand_without
from shuangkou.rules.climbing.legal_acts import listed_acts
from shuangkou.rules.climbing.options import ClimbingOptions, Phase
from shuangkou.rules.climbing.phase import PhaseRules
from shuangkou.rules.climbing.phase_acts import bury_acts
from shuangkou.rules.climbing.state import DealState, MatchState, deal_with_turn
from shuangkou.rules.errors import IllegalCommand
from shuangkou.rules.notation import format_cards
from shuangkou.rules.seats import Seat


def _decide(state: MatchState, command: BuryKitty) -> tuple[Event, ...]:
    seat, cards, number = command.seat, command.cards, state.ruleset.options.kitty
    deal = deal_with_turn(state, seat)
    if len(cards) != number:
        message = f"seat {seat} must bury {number} cards, not {len(cards)}"
        raise IllegalCommand(errors.WRONG_BURY_COUNT, message, cards, seat)
    if hand_without(deal.hands[seat], cards) is None:
        message = f"seat {seat} cannot bury {format_cards(cards)}: it does not hold them all"
        raise IllegalCommand(errors.NOT_HELD, message, cards, seat)
    phases = state.ruleset.options.phases
    following = phases[phases.index(Phase.BURY) + 1]
    return CardsBuried(seat, state.table.sort(cards)), KittyBuried(seat, number), PhaseBegan(following, seat)


def _actors(deal: DealState) -> tuple[Seat, ...]:
    return (deal.turn,)


def _fallback(state: MatchState, seat: Seat) -> Command:
    """§8.2: the lowest cards."""
    deal = deal_with_turn(state, seat)
    return bury_acts(state.ruleset.options, seat, deal.hands[seat])[0]


def _seconds(options: ClimbingOptions, _: DealState) -> int:
    """§8.1: as to lead."""
    return options.lead_seconds


BURY = PhaseRules(
    decisions={BuryKitty: _decide},
    legal_acts=listed_acts,
    actors=_actors,
    fallback=_fallback,
    seconds=_seconds,
)
"""The phase in which the dealer puts cards back in place of the kitty."""
