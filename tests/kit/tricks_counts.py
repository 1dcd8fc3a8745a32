"""One fixed deal, act by act: how many are legal, and a digest of those that are listed.

A short file stands for thousands of legal plays: whoever changes the order, the units or what must be
followed finds out at which act.
"""

from collections.abc import Iterator
from hashlib import sha256
from itertools import chain

from kit.tricks_table import DECIDER, PACE, fold, new_deal
from kit.tricks_telling import cards_text, shape_text
from shuangkou.rules.commands import Pass
from shuangkou.rules.ruleset import TricksRuleSet
from shuangkou.rules.seats import SEATS
from shuangkou.rules.tricks.commands import Command, DrawOn, NameShape
from shuangkou.rules.tricks.events import Phase
from shuangkou.rules.tricks.legal_acts import LegalActs
from shuangkou.rules.tricks.state import MatchState

ACTS = 170


def counts(ruleset: TricksRuleSet, seed: bytes) -> str:
    """`number: legal listed digest act` for the first acts of a first deal that is drawn in rounds."""
    return "\n".join(_lines(ruleset.with_options({"draw_pace_ms": PACE}), seed)) + "\n"


def _lines(ruleset: TricksRuleSet, seed: bytes) -> Iterator[str]:
    state = new_deal(ruleset, seed)
    for number in range(ACTS):
        if state.deal is None:
            return
        if state.deal.phase is Phase.DRAW:
            listed, legal = _shows(state), "-"
            command = listed[number % len(listed)] if listed and number % 3 == 0 else DrawOn()
        else:
            acts = DECIDER.legal_acts(state, DECIDER.actors(state)[0])
            listed, legal = list(acts), _legal(acts)
            command = listed[number * 7 % len(listed)]
        yield f"{number}: {legal} {len(listed)} {_digest(listed)} {_text(command)}"
        state = fold(state, DECIDER.decide(state, command))


def _shows(state: MatchState) -> list[Command]:
    return list(chain.from_iterable(DECIDER.legal_acts(state, seat).shows for seat in SEATS))


def _legal(acts: LegalActs) -> str:
    """How many there are altogether, where that is known."""
    if acts.leads is not None:
        return str(acts.leads.count)
    if acts.follows is not None:
        return "?" if acts.follows.count is None else str(acts.follows.count)
    return "-"


def _digest(listed: list[Command]) -> str:
    return sha256("\n".join(map(_text, listed)).encode()).hexdigest()[:12]


def _text(command: Command) -> str:
    if isinstance(command, NameShape):
        return f"{command.seat} names {shape_text(command.shape)}"
    if isinstance(command, DrawOn):
        return "draw"
    if isinstance(command, Pass):
        return f"{command.seat} -"
    returned = cards_text(getattr(command, "returned", ()))
    text = f"{getattr(command, 'seat', '')} {cards_text(getattr(command, 'cards', ()))}"
    return text + f" returns {returned}" * bool(returned)
