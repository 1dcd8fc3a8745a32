"""The phases that a deal may go through, by the option `phases`."""

from functools import partial

from shuangkou.rules.cards import CARDS, Card
from shuangkou.rules.climbing.commands import Command, MarkCard, PhaseAct
from shuangkou.rules.climbing.consent import situation
from shuangkou.rules.climbing.events import Event
from shuangkou.rules.climbing.legal_acts import LegalActs, acts_before_play
from shuangkou.rules.climbing.opening import OpeningRules, position_in
from shuangkou.rules.climbing.openings import OPENINGS
from shuangkou.rules.climbing.options import ClimbingOptions, Phase
from shuangkou.rules.climbing.phase import PhaseRules
from shuangkou.rules.climbing.play import PLAY
from shuangkou.rules.climbing.state import DealState, MatchState, deal_with_turn
from shuangkou.rules.commands import Pass
from shuangkou.rules.errors import IllegalCommand
from shuangkou.rules.seats import Seat


def _decide(rules: OpeningRules, state: MatchState, command: PhaseAct | Pass) -> tuple[Event, ...]:
    seat = command.seat
    deal = deal_with_turn(state, seat)
    objection = rules.objections[type(command)](position_in(state, deal, seat), command)
    if objection is not None:
        code, why = objection
        message = f"seat {seat} in the phase {deal.phase.value} of deal {deal.number}: {why}"
        raise IllegalCommand(code, message, _cards_of(command), seat)
    return rules.outcomes[type(command)](state, deal, command)


def _cards_of(command: PhaseAct | Pass) -> tuple[Card, ...]:
    if isinstance(command, MarkCard):
        return tuple(card for card in CARDS if card == command.card)
    return getattr(command, "cards", ())


def _legal_acts(rules: OpeningRules, state: MatchState, deal: DealState, seat: Seat) -> LegalActs:
    now = situation(state.ruleset.options, deal)
    if deal.turn != seat:
        return LegalActs(state.table, seat, (), 0, may_pass=False, now=now)
    return acts_before_play(rules, position_in(state, deal, seat), now)


def _actors(deal: DealState) -> tuple[Seat, ...]:
    return (deal.turn,)


def _fallback(rules: OpeningRules, state: MatchState, seat: Seat) -> Command:
    return rules.fallback(position_in(state, deal_with_turn(state, seat), seat))


def _seconds(rules: OpeningRules, options: ClimbingOptions, _: DealState) -> int:
    return rules.seconds(options)


def _opening_phase(rules: OpeningRules) -> PhaseRules:
    return PhaseRules(
        decisions=dict.fromkeys(rules.objections, partial(_decide, rules)),
        legal_acts=partial(_legal_acts, rules),
        actors=_actors,
        fallback=partial(_fallback, rules),
        seconds=partial(_seconds, rules),
    )


PHASES: dict[Phase, PhaseRules] = {Phase.PLAY: PLAY} | {
    phase: _opening_phase(rules) for phase, rules in OPENINGS.items()
}
"""One line for each phase."""
