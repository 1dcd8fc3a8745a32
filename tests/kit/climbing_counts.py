"""One fixed deal, ply by ply: how many plays are legal, and a digest of them all.

A short file stands for thousands of legal plays: whoever changes the move table finds out at which ply.
"""

from collections.abc import Iterator
from hashlib import sha256

from kit.climbing_table import DECIDER, fold, new_deal
from shuangkou.rules.climbing.commands import Command
from shuangkou.rules.climbing.legal_acts import LegalActs
from shuangkou.rules.climbing.notation import format_act, format_combination
from shuangkou.rules.commands import Pass
from shuangkou.rules.ruleset import RuleSet

PLIES = 120


def counts(ruleset: RuleSet, seed: bytes) -> str:
    """`ply: plays/may pass digest act` for the first plies of the first deal from this seed."""
    return "\n".join(_lines(ruleset, seed)) + "\n"


def _lines(ruleset: RuleSet, seed: bytes) -> Iterator[str]:
    state = new_deal(seed, ruleset)
    for ply in range(PLIES):
        if state.deal is None:
            return
        acts = DECIDER.legal_acts(state, state.deal.turn)
        command = _choice(acts, ply)
        assert isinstance(command, Pass) or command in acts
        number = len(acts) or len(acts.before_play)
        yield f"{ply}: {number}{'/pass' * acts.may_pass} {_digest(acts)} {_text(command)}"
        state = fold(state, DECIDER.decide(state, command))


def _choice(acts: LegalActs, ply: int) -> Command:
    """Passes every third time it may, else takes the plays in turn, and the acts before them."""
    if acts.before_play and not (acts.may_pass and ply % 3 == 0):
        return acts.before_play[ply * 7 % len(acts.before_play)]
    plays = list(acts)
    if not plays or (acts.may_pass and ply % 3 == 0):
        return Pass(acts.seat)
    return plays[ply * 7 % len(plays)].command


def _digest(acts: LegalActs) -> str:
    plays = [f"{format_combination(play.combination)}: {_text(play.command)}" for play in acts]
    text = "\n".join([*plays, *map(_text, acts.before_play)])
    return sha256(text.encode()).hexdigest()[:12]


def _text(command: Command) -> str:
    return format_act(command)  # type: ignore[arg-type]  # nobody acts out of turn here
