"""Advice on a view: the best plays, what each is expected to bring, and why."""

import numpy as np

from shuangkou.ai_player.advice import Advice
from shuangkou.ai_player.mind import Clock
from shuangkou.ai_player.personas import Persona
from shuangkou.ai_player.tiers import check_budget
from shuangkou.ai_player.tricks.core_policy import Weighed, asked, desk_of, weigh
from shuangkou.fastplay.guard import Gains
from shuangkou.fastplay.tricks.search import trial_of
from shuangkou.rules.cards import Card
from shuangkou.rules.seats import partner
from shuangkou.rules.tricks.options import TricksOptions
from shuangkou.rules.tricks.order import EffectiveSuit, TrumpOrder
from shuangkou.rules.tricks.point_cards import points_of
from shuangkou.rules.tricks.position import position_seen
from shuangkou.rules.tricks.units import format_of
from shuangkou.rules.tricks.view import SeatView
from shuangkou.rules.tricks.winning import winner

_MOST_WORLDS = 200


def advise(
    options: TricksOptions, view: SeatView, persona: Persona, most: int, budget_ms: float, clock: Clock
) -> list[Advice]:
    """At most so many plays, the best first, played out in worlds for the budget; NotToAct, or BadBudget."""
    until = clock() + check_budget(budget_ms) / 1000
    best = weigh(options, view, persona)[:most]
    gains = [Gains() for _ in best]
    trial = trial_of(options, view, asked(view), desk_of(persona, view), clock)
    plays = np.array([trial.game.counts(one.act.cards) for one in best])
    while gains[0].count < _MOST_WORLDS and (clock() < until or not gains[0].count):
        for gain, levels in zip(gains, trial.gains(plays)[0].tolist(), strict=True):
            gain.add(levels)
    return [_advice(options, view, one, gain) for one, gain in zip(best, gains, strict=True)]


def _advice(options: TricksOptions, view: SeatView, one: Weighed, gain: Gains) -> Advice:
    english, chinese = reason_for(options, view, one.act.cards)
    error = gain.error if gain.count > 1 else 0.0
    return Advice(one.act, one.worth, gain.mean, error, gain.count, english, chinese)


def reason_for(options: TricksOptions, view: SeatView, cards: tuple[Card, ...]) -> tuple[str, str]:
    """In English and 中文."""
    order = position_seen(options, view).order
    if not view.trick:
        return _reason_to_lead(order, cards)
    table = [play.cards for play in view.trick]
    if winner(order, [*table, cards]) == len(table):
        is_ruff = order.is_trump(cards[0]) and not order.is_trump(table[0][0])
        return (
            ("a ruff takes the trick", "用主毙掉这一圈") if is_ruff else ("it takes the trick", "压住这一圈")
        )
    is_partners = view.seat is not None and view.best == partner(view.seat)
    if is_partners and points_of(cards):
        return "your partner takes the trick, so give it points", "对家大，垫分给对家"
    return "it costs least", "跟最小的，少损失"


def _reason_to_lead(order: TrumpOrder, cards: tuple[Card, ...]) -> tuple[str, str]:
    lead = format_of(order, cards)
    if lead is not None and lead.is_throw:
        return "nothing unseen beats this throw", "这手甩牌无人能大"
    if lead is not None and lead.suit is EffectiveSuit.TRUMP:
        return "it draws trumps", "吊主"
    if lead is not None and lead.key.shape.copies > 1:
        return "sets of a plain suit seldom lose", "出副牌对子，不易被压"
    return "it is the best lead of a plain suit", "出这门副牌最合算"
