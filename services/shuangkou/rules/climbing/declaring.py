"""The phase `declare` (§12.1): a seat may announce a combination that it holds (叫牌)."""

from collections.abc import Iterator

from shuangkou.rules import errors
from shuangkou.rules.climbing.calls import standing_declaration
from shuangkou.rules.climbing.combinations import Combination
from shuangkou.rules.climbing.commands import Command, DeclareCombination, PhaseAct
from shuangkou.rules.climbing.consent import Objection
from shuangkou.rules.climbing.events import Event
from shuangkou.rules.climbing.hands import Held
from shuangkou.rules.climbing.notation import format_combination
from shuangkou.rules.climbing.opening import OpeningRules, Position, end_of_round
from shuangkou.rules.climbing.options import ClimbingOptions
from shuangkou.rules.climbing.phase_events import CallPassed, CombinationDeclared
from shuangkou.rules.climbing.state import DealState, MatchState
from shuangkou.rules.climbing.suits import plays, read
from shuangkou.rules.commands import Pass
from shuangkou.rules.hands import hand_without


def _stands_over(options: ClimbingOptions, new: Combination, old: Combination) -> bool:
    """A higher kind, or the same kind and length and a higher rank."""
    if new.kind is not old.kind:
        return options.declarations.index(new.kind) > options.declarations.index(old.kind)
    return new.size == old.size and new.strength > old.strength


def _objection(position: Position, command: DeclareCombination) -> Objection | None:
    if hand_without(position.hand, command.cards) is None:
        return errors.NOT_HELD, "it does not hold them all"
    options = position.table.options
    combination = read(position.table, command.cards)
    if combination is None or combination.kind not in options.declarations:
        return errors.NOT_DECLARABLE, "only bombs and straights are declared"
    standing = standing_declaration(position.opening)
    if standing is not None and not _stands_over(options, combination, standing.combination):
        return errors.DECLARED_TOO_LOW, f"{format_combination(standing.combination)} stands"
    return None


def _acts(position: Position) -> Iterator[PhaseAct | Pass]:
    yield Pass(position.seat)
    held = Held(position.hand, position.table.pack(position.hand))
    for cards, _ in plays(position.table, held):
        act = DeclareCombination(position.seat, cards)
        if _objection(position, act) is None:
            yield act


def _declare(state: MatchState, deal: DealState, command: DeclareCombination) -> tuple[Event, ...]:
    combination = read(state.table, command.cards)
    assert combination is not None  # _objection has read them
    declared = CombinationDeclared(command.seat, state.table.sort(command.cards), combination)
    return declared, *end_of_round(state, deal, command.seat)


def _pass(state: MatchState, deal: DealState, command: Pass) -> tuple[Event, ...]:
    return CallPassed(command.seat), *end_of_round(state, deal, command.seat)


def _fallback(position: Position) -> Command:
    return Pass(position.seat)


DECLARING = OpeningRules(
    acts=_acts,
    objections={DeclareCombination: _objection, Pass: lambda _position, _command: None},
    outcomes={DeclareCombination: _declare, Pass: _pass},
    fallback=_fallback,
)
"""The phase in which combinations are declared."""
