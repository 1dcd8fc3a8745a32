"""Players to be measured against: some weak, some one-sided, none used in any rollout."""

from collections.abc import Callable
from functools import partial
from typing import Any

from shuangkou.ai_player.climbing.chance import chance_of, choose_at_random
from shuangkou.ai_player.climbing.core_policy import beginner, instant
from shuangkou.ai_player.climbing.phases import act_for
from shuangkou.ai_player.climbing.rule_policy import choose
from shuangkou.ai_player.personas import PLAIN
from shuangkou.rules.climbing.legal_acts import LegalActs, LegalPlay, legal_acts_in_view
from shuangkou.rules.climbing.options import ClimbingOptions, Phase
from shuangkou.rules.climbing.view import SeatView
from shuangkou.rules.commands import Pass
from shuangkou.rules.seats import Seat, partner
from shuangkou.wire.commands import SeatAct

Player = Callable[[Any, Any], SeatAct]

_SLIPS = 0.1


def _acts(options: ClimbingOptions, view: SeatView) -> tuple[LegalActs, Seat]:
    legal = legal_acts_in_view(options, view)
    return legal, legal.seat


def _is_partners(view: SeatView, seat: Seat) -> bool:
    return view.top is not None and view.top.seat == partner(seat)


def naive(options: ClimbingOptions, view: SeatView) -> SeatAct:
    """Leads its lowest play, beats rivals with the lowest that does, and leaves its partner alone."""
    legal, seat = _acts(options, view)
    lowest = legal.lowest()
    if lowest is None or (_is_partners(view, seat) and legal.may_pass):
        return Pass(seat)
    return lowest.command


def bomb_happy(options: ClimbingOptions, view: SeatView) -> SeatAct:
    """Bombs every play of a rival that it can bomb, and is naive besides."""
    legal, seat = _acts(options, view)
    bombs: list[LegalPlay] = [play for play in legal if play.combination.is_bomb]
    if bombs and view.top is not None and not _is_partners(view, seat):
        return bombs[0].command
    return naive(options, view)


def passive(options: ClimbingOptions, view: SeatView) -> SeatAct:
    """Passes whenever it may, unless it can go out."""
    legal, seat = _acts(options, view)
    out = next((play for play in legal if len(play.command.cards) == len(view.hand)), None)
    if out is not None:
        return out.command
    lowest = legal.lowest()
    return Pass(seat) if legal.may_pass or lowest is None else lowest.command


def ten_percent_random(options: ClimbingOptions, view: SeatView) -> SeatAct:
    """The rule policy, but for every tenth act, which is left to chance."""
    if chance_of(view, "slip").random() < _SLIPS:
        return choose_at_random(options, view, "slip")
    return instant(options, view, PLAIN)


def _before_play(play: Player) -> Player:
    """What comes before play is done by the same plain sense, whoever plays."""

    def acts(options: ClimbingOptions, view: SeatView) -> SeatAct:
        return play(options, view) if view.phase is Phase.PLAY else act_for(options, view, PLAIN)

    return acts


_IN_PLAY: dict[str, Player] = {
    "naive": naive,
    "bomb_happy": bomb_happy,
    "passive": passive,
    "ten_percent_random": ten_percent_random,
    "rule": partial(choose, persona=PLAIN),
    "instant": partial(instant, persona=PLAIN),
    "beginner": partial(beginner, persona=PLAIN),
}

PLAYERS: dict[str, Player] = {
    "random": choose_at_random,
    **{name: _before_play(play) for name, play in _IN_PLAY.items()},
}
"""By the names that the arena knows."""
