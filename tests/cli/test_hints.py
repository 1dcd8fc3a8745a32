"""Hints: the best acts, what they are expected to bring, and why."""

from __future__ import annotations

from shuangkou.cli.hints import hint_in
from shuangkou.rules.notation import parse_cards
from shuangkou.v1 import ai_pb2, table_pb2
from shuangkou.wire.cards import cards_to_wire

VIEW = table_pb2.SeatView(seat=1, ruleset_id="qq")


def weighed(cards: str, points: float, worlds: int = 40) -> ai_pb2.WeighedAct:
    """A play, or the pass where there are no cards."""
    act = ai_pb2.SuggestActResponse()
    if cards:
        act.play_cards.cards.extend(cards_to_wire(parse_cards(cards)))
    else:
        act.pass_turn.SetInParent()
    reason = table_pb2.Text(en="because", zh="因为")
    return ai_pb2.WeighedAct(act=act, points=points, points_error=0.25, worlds=worlds, reason=reason)


def test_the_best_act_comes_first_and_is_the_one_that_go_plays() -> None:
    hint = hint_in(ai_pb2.WeighActsResponse(acts=[weighed("7s 7h", 1.26), weighed("", -0.4)]), VIEW)
    assert hint.best is not None
    assert hint.best.play_cards.cards == cards_to_wire(parse_cards("7s 7h"))
    head, first, why, second, _ = (line.plain for line in hint.lines)
    assert "points" in head
    assert "期望净胜分" in head
    assert first.split() == ["go", "♠7♥7", "+1.3", "±", "0.2"]
    assert why.split() == ["because", "·", "因为"]
    assert second.split()[:3] == ["or", "pass", "不要"]
    assert "-0.4 ± 0.2" in second


def test_an_act_that_was_not_played_out_has_no_points() -> None:
    hint = hint_in(ai_pb2.WeighActsResponse(acts=[weighed("7s 7h", 0.0, worlds=0)]), VIEW)
    assert "±" not in hint.lines[1].plain
    assert "points" not in hint.lines[0].plain
    assert "规则打法" in hint.lines[0].plain


def test_an_act_that_was_played_out_once_has_no_error() -> None:
    hint = hint_in(ai_pb2.WeighActsResponse(acts=[weighed("7s 7h", 10.0, worlds=1)]), VIEW)
    assert hint.lines[1].plain.endswith("+10.0")


def test_levels_are_called_levels_and_have_two_decimals() -> None:
    acts = [weighed("7s 7h", 0.126), weighed("", -0.004)]
    for act in acts:
        act.unit = ai_pb2.POINTS_UNIT_LEVELS
    head, first, _, second, _ = (
        line.plain for line in hint_in(ai_pb2.WeighActsResponse(acts=acts), VIEW).lines
    )
    assert "levels" in head
    assert "升级" in head
    assert "points" not in head
    assert first.endswith("+0.13 ± 0.25")
    assert second.endswith("+0.00 ± 0.25")


def test_an_act_that_this_program_does_not_know_is_no_hint() -> None:
    unknown = ai_pb2.WeighActsResponse(acts=[ai_pb2.WeighedAct()])
    assert hint_in(unknown, VIEW).best is None
    assert hint_in(ai_pb2.WeighActsResponse(), VIEW).lines == []
