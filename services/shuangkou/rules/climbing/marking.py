"""The phase `mark` (§12.5): each seat marks a card in secret, worth points if it wins its trick (提分)."""

from collections.abc import Iterator
from dataclasses import replace

from shuangkou.rules import errors
from shuangkou.rules.by_seat import put
from shuangkou.rules.climbing.commands import Command, MarkCard, PhaseAct
from shuangkou.rules.climbing.consent import Objection
from shuangkou.rules.climbing.events import Event
from shuangkou.rules.climbing.opening import OpeningRules, Position, end_of_round
from shuangkou.rules.climbing.phase_events import CardMarked, MarkSet, MarksShown
from shuangkou.rules.climbing.state import DealState, MatchState
from shuangkou.rules.commands import Pass


def _objection(position: Position, command: MarkCard) -> Objection | None:
    if command.card not in position.hand:
        return errors.NOT_HELD, "it does not hold that card"
    return None


def _acts(position: Position) -> Iterator[PhaseAct | Pass]:
    for card in position.hand:
        yield MarkCard(position.seat, card)


def _mark(state: MatchState, deal: DealState, command: MarkCard) -> tuple[Event, ...]:
    seat = command.seat
    return CardMarked(seat, command.card), MarkSet(seat), *end_of_round(state, deal, seat)


def after_mark(_: MatchState, deal: DealState, event: CardMarked) -> DealState:
    """The hidden card."""
    return replace(deal, marks=put(deal.marks, event.seat, event.card))


def after_shown_marks(_: MatchState, deal: DealState, event: MarksShown) -> DealState:
    """Nothing is hidden any more."""
    return replace(deal, marks=event.marks)


def _fallback(position: Position) -> Command:
    """The highest card, the likeliest to win."""
    return MarkCard(position.seat, position.hand[-1])


MARKING = OpeningRules(
    acts=_acts, objections={MarkCard: _objection}, outcomes={MarkCard: _mark}, fallback=_fallback
)
"""The phase in which cards are marked."""
