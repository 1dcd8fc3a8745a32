"""One deal after another: `decide` makes every check, `evolve` makes none."""

from collections.abc import Callable
from typing import Any

from shuangkou.rules import errors
from shuangkou.rules.commands import BuryKitty, Forfeit, Pass, PlayCards, StartDeal, Whistle
from shuangkou.rules.errors import IllegalCommand
from shuangkou.rules.tricks import burying, leaving, playing, showing, starting
from shuangkou.rules.tricks.commands import Command, DeclareTrump, DrawOn, NameShape
from shuangkou.rules.tricks.events import Event, Phase
from shuangkou.rules.tricks.flow import with_consequences
from shuangkou.rules.tricks.folding import evolve
from shuangkou.rules.tricks.state import MatchState, running_deal

__all__ = ["decide", "evolve"]

_BY_TABLE: dict[type, Callable[[MatchState, Any], tuple[Event, ...]]] = {
    StartDeal: starting.decide_start,
    DrawOn: starting.decide_draw,
    Whistle: leaving.decide_whistle,
    Forfeit: leaving.decide_forfeit,
}
"""What is not asked of a seat in turn."""

_ASKED = (Phase.CLOSING, Phase.POST)

_IN_PHASE: dict[type, tuple[tuple[Phase, ...], Callable[[MatchState, Any], tuple[Event, ...]]]] = {
    DeclareTrump: ((Phase.DRAW, *_ASKED), showing.decide_declare),
    Pass: (_ASKED, showing.decide_pass),
    BuryKitty: ((Phase.BURY,), burying.decide_bury),
    PlayCards: ((Phase.PLAY,), playing.decide_play),
    NameShape: ((Phase.NAME_SHAPE,), playing.decide_shape),
}
"""By act of a seat: the phases in which it may be, and what it causes."""


def decide(state: MatchState, command: Command) -> tuple[Event, ...]:
    """What the command causes; IllegalCommand when the rules refuse it."""
    decide_for_table = _BY_TABLE.get(type(command))
    if decide_for_table is not None:
        return with_consequences(state, decide_for_table(state, command))
    assert not isinstance(command, StartDeal | DrawOn | Whistle)
    in_phase = _IN_PHASE.get(type(command))
    if in_phase is None:
        message = f"seat {command.seat} cannot do that: no trick-taking game knows it"
        raise IllegalCommand(errors.NO_SUCH_ACT, message, seat=command.seat)
    phases, decide_act = in_phase
    deal = running_deal(state, command.seat)
    if deal.phase not in phases:
        message = f"seat {command.seat} cannot do that in the phase {deal.phase.value} of deal {deal.number}"
        raise IllegalCommand(errors.OTHER_PHASE, message, seat=command.seat)
    if deal.phase is Phase.PLAY:
        return decide_act(state, command)
    return with_consequences(state, decide_act(state, command))
