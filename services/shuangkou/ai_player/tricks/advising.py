"""Advice on a view: the best plays or burials, what each is expected to bring, and why."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from shuangkou.ai_player.advice import Advice
from shuangkou.ai_player.mind import Clock
from shuangkou.ai_player.personas import Persona
from shuangkou.ai_player.remarks import FOUND, Words, joined
from shuangkou.ai_player.tiers import check_budget
from shuangkou.ai_player.trials import SEARCH_SHARE, Column, columns_of, order_of, played_out
from shuangkou.ai_player.tricks.burial_reasons import reasons_to_bury
from shuangkou.ai_player.tricks.burying import burials
from shuangkou.ai_player.tricks.core_policy import Weighed, asked, desk_of, strong, weigh
from shuangkou.ai_player.tricks.phases import Question, searched_act, shown
from shuangkou.ai_player.tricks.reasons import reasons_for
from shuangkou.ai_player.tricks.scored_in import unit_of
from shuangkou.fastplay.tricks.search import MOST_CANDIDATES, Trial, trial_of, trial_of_burials
from shuangkou.rules.commands import BuryKitty
from shuangkou.rules.tricks.commands import SeatAct
from shuangkou.rules.tricks.options import TricksOptions
from shuangkou.rules.tricks.view import SeatView


def advise(
    options: TricksOptions, view: SeatView, persona: Persona, most: int, budget_ms: float, clock: Clock
) -> list[Advice]:
    """At most so many plays, the best first, played out in worlds for the budget; NotToAct, or BadBudget."""
    until = clock() + check_budget(budget_ms) / 1000
    found = strong(options, view, persona, SEARCH_SHARE * budget_ms, clock)
    weighed = distinct(weigh(options, view, persona))
    best = sorted(weighed, key=lambda one: one.act != found)[:most]
    trial = trial_of(options, view, asked(view), desk_of(persona, view), clock)
    plays = np.array([trial.game.counts(one.act.cards) for one in best])
    columns = columns_of(lambda: _levels(trial, plays), until, clock)
    order = order_of(columns, best.index(weighed[0]) if weighed[0] in best else 0)
    best = [best[place] for place in order]
    reasons = reasons_of(options, view, best, weighed)
    if best[0] is not weighed[0]:
        reasons[0] = joined((reasons[0], FOUND))
    return [
        _advice(options, one.act, one.worth, columns[place], reason)
        for one, place, reason in zip(best, order, reasons, strict=True)
    ]


def advise_on_burial(
    options: TricksOptions, view: SeatView, persona: Persona, most: int, budget_ms: float, clock: Clock
) -> list[Advice]:
    """The same for burials of the seat that has taken the kitty, where it is known who leads against whom."""
    until = clock() + check_budget(budget_ms) / 1000
    found = searched_act(options, view, persona, SEARCH_SHARE * budget_ms, clock)
    question = Question(options, view, asked(view), persona)
    ranked = burials(question.situation, question.weights, shown(question), MOST_CANDIDATES)
    best = sorted(ranked, key=lambda cards: BuryKitty(question.seat, cards) != found)[:most]
    trial = trial_of_burials(options, view, question.seat, desk_of(persona, view), clock)
    counts = np.array([trial.game.counts(cards) for cards in best])
    columns = columns_of(lambda: _levels(trial, counts), until, clock)
    order = order_of(columns, best.index(ranked[0]) if ranked[0] in best else 0)
    best = [best[place] for place in order]
    reasons = reasons_to_bury(question.situation, best)
    if best[0] is not ranked[0]:
        reasons[0] = joined((reasons[0], FOUND))
    return [
        _advice(options, BuryKitty(question.seat, cards), 0.0, columns[place], reason)
        for cards, place, reason in zip(best, order, reasons, strict=True)
    ]


def distinct(weighed: Sequence[Weighed]) -> list[Weighed]:
    """Each play once, in their order."""
    return list({one.act: one for one in reversed(weighed)}.values())[::-1]


def reasons_of(
    options: TricksOptions, view: SeatView, best: Sequence[Weighed], weighed: Sequence[Weighed]
) -> list[Words]:
    """One for each of the best."""
    plays, all_plays = [one.act.cards for one in best], [one.act.cards for one in weighed]
    return reasons_for(options, view, asked(view), plays, all_plays)


def _levels(trial: Trial, plays: npt.NDArray[Any]) -> list[float]:
    levels: list[float] = trial.gains(plays)[0].tolist()
    return levels


def _advice(options: TricksOptions, act: SeatAct, worth: float, column: Column, reason: Words) -> Advice:
    played = played_out(column)
    return Advice(act, worth, played.mean, played.error, played.worlds, *reason, unit_of(options))
