"""Advice at once: what the rule policy weighs, phase by phase, without playing anything out."""

from collections.abc import Callable
from math import floor

from shuangkou.ai_player.advice import Advice
from shuangkou.ai_player.personas import Persona
from shuangkou.ai_player.remarks import Remarked, Words, suit_words, told_apart
from shuangkou.ai_player.tricks.advising import distinct, reasons_of
from shuangkou.ai_player.tricks.burial_reasons import reasons_to_bury
from shuangkou.ai_player.tricks.burying import burials
from shuangkou.ai_player.tricks.core_policy import Weighed, weigh
from shuangkou.ai_player.tricks.declaring import Appraised, appraise, enough_for
from shuangkou.ai_player.tricks.naming import Named, ranked_shapes
from shuangkou.ai_player.tricks.phases import Question, act_for, shown
from shuangkou.ai_player.tricks.scored_in import unit_of
from shuangkou.rules.commands import BuryKitty, Pass, PlayCards
from shuangkou.rules.tricks.commands import NameShape, SeatAct
from shuangkou.rules.tricks.events import Phase
from shuangkou.rules.tricks.options import TricksOptions
from shuangkou.rules.tricks.order import Trump
from shuangkou.rules.tricks.shows import ShowKind
from shuangkou.rules.tricks.units import SINGLE, Shape
from shuangkou.rules.tricks.view import SeatView

_Ranked = list[tuple[SeatAct, float, Words]]
"""Acts with their worth and why, the best first."""

_VERBS: dict[ShowKind, Words] = {
    ShowKind.DECLARE: ("declares", "亮"),
    ShowKind.REINFORCE: ("locks", "加固"),
    ShowKind.OVERTURN: ("overturns to", "反"),
}


def explain(options: TricksOptions, view: SeatView, persona: Persona, most: int) -> list[Advice]:
    """At most so many acts, first what the persona does at once, with what it weighs; NoPolicy, or NotToAct.

    In play that one alone: how others compare is for `advise` to play out.
    """
    act = act_for(options, view, persona)
    assert view.seat is not None  # it acts
    assert view.phase is not None
    ranked = _RANKINGS[view.phase](Question(options, view, view.seat, persona), act)
    unit = unit_of(options)
    return [Advice(one, worth, 0.0, 0.0, 0, *reason, unit) for one, worth, reason in ranked[:most]]


def _shows(question: Question, _: SeatAct) -> _Ranked:
    found = appraise(question.options, question.view, question.seat, question.weights)
    enough = enough_for(question.persona.aggression)
    passing = (Pass(question.seat), enough, _to_pass(found, enough))
    remarks = [Remarked(tuple(_on_show(one, question, enough)), one.command.cards) for one in found]
    reasons = told_apart(remarks, lambda *_: ("it gains no more", "所值不更多"))
    shows = [(one.command, one.gain, reason) for one, reason in zip(found, reasons, strict=True)]
    better = [show for show in shows if show[1] >= enough]
    return [*better, passing, *shows[len(better) :]]


def _on_show(one: Appraised, question: Question, enough: float) -> list[Words]:
    verb, trump = _VERBS[one.kind], trump_words(one.trump)
    held = len(question.view.hand)
    return [
        (
            f"{verb[0]} {trump[0]}: {one.trumps} of your {held} cards are trump",
            f"{verb[1]}{trump[1]}：{held}张中{one.trumps}张是主",
        ),
        (
            f"worth {_points(one.gain)} small points beside what stands, {_points(enough)} are enough",
            f"比现在{_points(one.gain)}分，{_points(enough)}分就够",
        ),
    ]


def _to_pass(found: list[Appraised], enough: float) -> Words:
    if not found:
        return "passes: you hold nothing that you could show", "无牌可亮，不亮"
    gain, trump = found[0].gain, trump_words(found[0].trump)
    if gain >= enough:
        return (
            f"passes, and forgoes the {_points(gain)} points of {trump[0]}",
            f"不亮，放弃{trump[1]}的{_points(gain)}分",
        )
    return (
        f"passes: the best show, {trump[0]}, is worth {_points(gain)} small points, not {_points(enough)}",
        f"不亮：最好的{trump[1]}只值{_points(gain)}分，要{_points(enough)}分才亮",
    )


def _points(points: float) -> str:
    """In tenths, rounded down: what is not enough never looks as if it were."""
    return f"{floor(10 * points + _NOISE) / 10:+.1f}"


_NOISE = 1e-9


def trump_words(trump: Trump) -> Words:
    """The suit, or that there is none."""
    return ("no trump", "无主") if trump.suit is None else suit_words(trump.suit)


def _burials(question: Question, _: SeatAct) -> _Ranked:
    found = burials(question.situation, question.weights, shown(question), _MOST_BURIALS)
    reasons = reasons_to_bury(question.situation, found)
    return [
        (BuryKitty(question.seat, cards), 0.0, reason) for cards, reason in zip(found, reasons, strict=True)
    ]


_MOST_BURIALS = 12


def _shapes(question: Question, _: SeatAct) -> _Ranked:
    return [
        (NameShape(question.seat, one.shape), float(one.points), _on_shape(one))
        for one in ranked_shapes(question.situation)
    ]


def _on_shape(one: Named) -> Words:
    en, zh = _shape_words(one.shape)
    points = (f", {one.points} points in it", f"，带{one.points}分") if one.points else ("", "")
    if one.beats:
        return (
            f"makes them lead the lowest {en}, which you can beat{points[0]}",
            f"让其出最小的{zh}，你压得住{points[1]}",
        )
    return (
        f"makes them lead the lowest {en}, which you cannot beat{points[0]}",
        f"让其出最小的{zh}，你压不住{points[1]}",
    )


def _shape_words(shape: Shape) -> Words:
    if shape == SINGLE:
        return "single", "单张"
    if shape.is_tractor:
        return f"tractor of {shape.size}", f"{shape.size}张的拖拉机"
    return ("pair", "对子") if shape.copies == 2 else (f"set of {shape.copies}", f"{shape.copies}张同张")


def _plays(question: Question, act: SeatAct) -> _Ranked:
    assert isinstance(act, PlayCards)
    weighed = distinct(weigh(question.options, question.view, question.persona))
    one = next((one for one in weighed if one.act == act), Weighed(act, 0.0))
    return [(act, one.worth, reasons_of(question.options, question.view, [one], weighed)[0])]


_RANKINGS: dict[Phase, Callable[[Question, SeatAct], _Ranked]] = {
    Phase.CLOSING: _shows,
    Phase.POST: _shows,
    Phase.BURY: _burials,
    Phase.PLAY: _plays,
    Phase.NAME_SHAPE: _shapes,
}
