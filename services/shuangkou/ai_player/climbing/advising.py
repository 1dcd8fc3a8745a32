"""Advice on a view: the best acts, what each is expected to bring, and why."""

from collections.abc import Sequence

from shuangkou.ai_player.advice import Advice
from shuangkou.ai_player.climbing.core_policy import Clock, Weighed, ready, strong, weigh
from shuangkou.ai_player.climbing.reasons import reasons_for
from shuangkou.ai_player.personas import Persona
from shuangkou.ai_player.remarks import FOUND, PROVEN, joined
from shuangkou.ai_player.tiers import check_budget
from shuangkou.ai_player.trials import SEARCH_SHARE, Column, columns_of, order_of, played_out
from shuangkou.fastplay.chance import stream_of
from shuangkou.fastplay.climbing.evidence import no_evidence
from shuangkou.fastplay.climbing.layout import PASS
from shuangkou.fastplay.climbing.reading import play_of
from shuangkou.fastplay.climbing.search import Trial
from shuangkou.fastplay.climbing.seen import deal_seen
from shuangkou.fastplay.climbing.worlds import hidden_from
from shuangkou.fastplay.guard import Pace
from shuangkou.rules.climbing.options import ClimbingOptions
from shuangkou.rules.climbing.view import SeatView
from shuangkou.rules.commands import PlayCards


def advise(
    options: ClimbingOptions, view: SeatView, persona: Persona, most: int, budget_ms: float, clock: Clock
) -> list[Advice]:
    """At most so many acts, the best first, played out in worlds for the budget; NotToAct, or BadBudget."""
    until = clock() + check_budget(budget_ms) / 1000
    found = strong(options, view, persona, SEARCH_SHARE * budget_ms, clock)
    weighed = weigh(options, view, persona)
    best = sorted(weighed, key=lambda one: one.act != found)[:most]
    columns = _columns(options, view, persona, best, until, clock)
    if not best[0].is_proven:
        order = order_of(columns, best.index(weighed[0]) if weighed[0] in best else 0)
        best, columns = [best[place] for place in order], [columns[place] for place in order]
    reasons = reasons_for(options, view, best, weighed)
    if best[0].is_proven or best[0] is not weighed[0]:
        reasons[0] = joined((reasons[0], PROVEN if best[0].is_proven else FOUND))
    played = map(played_out, columns)
    return [
        Advice(one.act, one.worth, out.mean, out.error, out.worlds, *reason)
        for one, out, reason in zip(best, played, reasons, strict=True)
    ]


def _columns(
    options: ClimbingOptions,
    view: SeatView,
    persona: Persona,
    best: Sequence[Weighed],
    until: float,
    clock: Clock,
) -> list[Column]:
    game, desk, seat = ready(options, view, persona)
    evidence = no_evidence()
    deal = deal_seen(game, view, seat, evidence)
    hidden = hidden_from(game, view, seat, deal, evidence)
    trial = Trial(game, deal, hidden, desk, stream_of(view.seed_hash + b"/advice"), Pace(clock))
    plays = [play_of(game, one.act.cards) if isinstance(one.act, PlayCards) else PASS for one in best]

    def one_world() -> list[float]:
        points: list[float] = trial.points(plays, 1)[0].tolist()
        return points

    return columns_of(one_world, until, clock)
