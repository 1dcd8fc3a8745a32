"""Hints: the first act is not proven to be worse, and no two acts of one are said to be alike."""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import pytest

from kit.clocks import ticking
from kit.effort import cases, rounds
from shuangkou.ai_player.advice import Advice, Unit
from shuangkou.ai_player.families import mind_for
from shuangkou.ai_player.personas import PLAIN
from shuangkou.ai_player.remarks import FOUND, Remarked, told_apart
from shuangkou.ai_player.trials import columns_of, order_of, played_out
from shuangkou.rules.cards import Card
from shuangkou.rules.commands import BuryKitty, Pass, PlayCards, StartDeal
from shuangkou.rules.decider import decider_for
from shuangkou.rules.ruleset import AnyRuleSet, available, load
from shuangkou.rules.seats import partner
from shuangkou.rules.tricks.events import Phase
from shuangkou.rules.tricks.order import EffectiveSuit
from shuangkou.rules.tricks.point_cards import points_of
from shuangkou.rules.tricks.position import position_seen
from shuangkou.rules.tricks.view import SeatView
from shuangkou.rules.tricks.winning import winner

MEASURED = ("qq", "multi2", "sheng_online")
TICKS_MS = 100.0
SUITS = "♠♥♣♦"


def moments(id: str, number: int) -> Iterator[tuple[AnyRuleSet, Any, Any]]:
    """Every view of a seat to act in a deal that the rule policy plays, and the state."""
    ruleset = load(id)
    decider, mind = decider_for(ruleset), mind_for(ruleset)
    seed = sha256(f"hints {id} {number}".encode()).digest()
    state = after(decider, decider.new_match(ruleset), StartDeal(seed))
    while actors := decider.actors(state):
        view = decider.observe(state, actors[0])
        yield ruleset, view, state
        state = after(decider, state, mind.act(ruleset.options, view, PLAIN))


def after(decider: Any, state: Any, command: Any) -> Any:
    """The state after a command that the rules accept."""
    for event in decider.decide(state, command):
        state = decider.evolve(state, event)
    return state


def hints(id: str, number: int, step: int) -> Iterator[tuple[Any, list[Advice]]]:
    """What is advised in every so manieth place where something is played out."""
    for place, (ruleset, view, _) in enumerate(moments(id, number)):
        if place % step == 0:
            found = mind_for(ruleset).advise(ruleset.options, view, PLAIN, 3, TICKS_MS, ticking())
            if found is not None:
                yield view, found


def assert_told_apart(found: list[Advice]) -> None:
    for reasons in ([one.reason_en for one in found], [one.reason_zh for one in found]):
        assert len({*reasons}) == len(found), reasons
        assert all(reason and "\n" not in reason for reason in reasons)
    assert all(re.search(r"[a-z]{2}", one.reason_en) for one in found)
    assert not any(re.search(r"[\u4e00-\u9fff]", one.reason_en) for one in found)
    assert all(re.search(r"[\u4e00-\u9fff]", one.reason_zh) for one in found)


@pytest.mark.parametrize("id", MEASURED)
def test_acts_of_a_hint_have_reasons_of_their_own_and_the_first_is_not_proven_worse(id: str) -> None:
    for number in cases(few=1, many=40):
        for _, found in hints(id, number, 7):
            assert_told_apart(found)
            first = found[0]
            assert all(one.worlds == first.worlds for one in found)
            for one in found:
                # The error of a difference is at most the sum of both; fewer worlds prove nothing.
                assert one.points - first.points <= 1.96 * (one.error + first.error) or one.worlds < 16


@pytest.mark.parametrize("id", ["qq", "multi2"])
def test_what_search_finds_goes_before_the_act_of_the_rule_policy(id: str) -> None:
    mind, options = mind_for(load(id)), load(id).options
    overruled = 0
    for number in range(rounds(2, 20)):
        for view, found in hints(id, number, 6):
            by_rule = [one for one in found if one.act == mind.act(options, view, PLAIN)]
            is_found = found[0] not in by_rule
            assert is_found == (FOUND[0] in found[0].reason_en)
            assert not any(FOUND[0] in one.reason_en for one in found[1:])
            if is_found and view.phase.name == "PLAY":
                assert all(found[0].points >= one.points for one in by_rule)
                overruled += 1
    assert overruled


@pytest.mark.parametrize("id", available())
def test_before_play_every_phase_says_what_it_weighs(id: str) -> None:
    for number in range(rounds(2, 40)):
        played = 0
        for ruleset, view, state in moments(id, number):
            mind, decider = mind_for(ruleset), decider_for(ruleset)
            found = mind.explain(ruleset.options, view, PLAIN, 5)
            assert found[0].act == mind.act(ruleset.options, view, PLAIN)
            assert all(one.act in decider.legal_acts(state, view.seat) for one in found)
            assert all(one.worlds == 0 for one in found)
            assert_told_apart(found)
            if view.phase.name == "PLAY":
                assert len(found) == 1
                played += 1
            if played > 8:
                break


@pytest.mark.parametrize("id", ["tian5", "multi3", "sheng_joker"])
def test_a_show_that_is_not_enough_never_looks_as_if_it_were(id: str) -> None:
    """Numbers are rounded, and stand on the side of the pass on which the show does."""
    told = 0
    for number in range(rounds(12, 400)):
        for ruleset, view, _ in moments(id, number):
            if view.phase in (Phase.BURY, Phase.PLAY):
                break
            found = mind_for(ruleset).explain(ruleset.options, view, PLAIN, 50)
            passed = [place for place, one in enumerate(found) if isinstance(one.act, Pass)]
            for place, one in enumerate(found):
                if numbers := re.search(
                    r"worth ([-+.\d]+) small points .*, ([-+.\d]+) are enough", one.reason_en
                ):
                    gain, enough = map(float, numbers.groups())
                    assert (gain >= enough) == (place < passed[0]), one.reason_en
                    told += 1
    assert told


def test_what_is_played_out_counts_levels_where_levels_are_climbed() -> None:
    units = {id: [found[0].unit for _, found in hints(id, 0, 60)] for id in ("qq", "multi2", "tian5")}
    assert {*units["multi2"]} == {Unit.LEVELS}
    assert {*units["qq"]} == {*units["tian5"]} == {Unit.POINTS}


def test_burials_are_played_out() -> None:
    ruleset, view, _ = next(
        moment for number in range(9) for moment in moments("multi2", number) if moment[1].phase is Phase.BURY
    )
    found = mind_for(ruleset).advise(ruleset.options, view, PLAIN, 4, TICKS_MS, ticking())
    assert found is not None
    assert len(found) == 4
    assert all(isinstance(one.act, BuryKitty) and one.worlds > 1 for one in found)
    assert_told_apart(found)


def test_reasons_in_tricks_are_true() -> None:
    said = set[str]()
    for number in range(rounds(4, 20)):
        for view, found in hints("multi2", number, 5):
            said |= {claim for one in found if view.phase is Phase.PLAY for claim in claims(view, one)}
    assert {"wins", "ruffs", "gives", "empties", "breaks", "draws trumps"} <= said


def claims(view: SeatView, one: Advice) -> Iterator[str]:
    """What a reason says, after it was checked."""
    assert isinstance(one.act, PlayCards)
    assert view.seat is not None
    cards, order = one.act.cards, position_seen(load("multi2").options, view).order
    table = [play.cards for play in view.trick]
    reason = one.reason_en
    takes = bool(table) and winner(order, [*table, cards]) == len(table)
    assert takes == reason.startswith(("wins", "ruffs"))
    if takes:
        yield reason.split()[0]
        is_ruff = order.is_trump(cards[0]) and not order.is_trump(table[0][0])
        assert is_ruff == reason.startswith("ruffs")
    if given := re.search(r"gives (\d+) points to your partner", reason):
        assert view.best == partner(view.seat)
        assert points_of(cards) == int(given[1])
        yield "gives"
    if emptied := re.search(r"empties (.)", reason):
        suit = EffectiveSuit(SUITS.index(emptied[1]))
        left = [*view.hand]
        for card in cards:
            left.remove(card)
        assert not any(order.suits[card] is suit for card in left)
        yield "empties"
    if "breaks the pair" in reason:
        assert any(view.hand.count(card) == 2 and cards.count(card) == 1 for card in cards)
        yield "breaks"
    if reason.startswith("draws trumps"):
        assert not table
        assert all(map(order.is_trump, cards))
        yield "draws trumps"


def test_reasons_in_climbing_games_are_true() -> None:
    said = set[str]()
    for number in range(rounds(4, 20)):
        for view, found in hints("qq", number, 5):
            for one in found:
                said.add(one.reason_en.split()[0])
                is_out = isinstance(one.act, PlayCards) and len(one.act.cards) == len(view.hand)
                assert is_out == one.reason_en.startswith("goes out")
                if one.reason_en.startswith("leaves the trick to your partner"):
                    assert isinstance(one.act, Pass)
                    assert view.top.seat == partner(view.seat)
    assert {"leaves", "beats", "bombs", "leads", "goes"} <= said


PAIR, OTHER, JOKER = (
    Remarked((("wins", "压住"), ("breaks a pair", "拆对子")), (Card.H9,)),
    Remarked((("wins", "压住"), ("ends ♠", "打绝♠")), (Card.S9,)),
    Remarked((("wins", "压住"), ("breaks a pair", "拆对子")), (Card.BIG_JOKER,)),
)


def test_acts_of_which_the_same_is_true_are_told_apart_by_what_they_spend() -> None:
    told = told_apart([PAIR, OTHER, JOKER], lambda *_: ("higher", "更大"))
    assert told == [
        ("wins; breaks a pair", "压住；拆对子"),
        ("wins; ends ♠", "压住；打绝♠"),
        ("wins; the same with big joker instead of ♥9: higher", "压住；♥9换成大王也一样：更大"),
    ]


def steady(*means: float) -> list[tuple[float, ...]]:
    """Columns of forty worlds that hardly differ."""
    return [tuple(mean + world % 2 / 100 for world in range(40)) for mean in means]


def test_the_first_act_is_one_that_none_is_proven_to_beat() -> None:
    assert order_of(steady(0.0, 0.0, 0.0)) == [0, 1, 2]
    assert order_of(steady(0.0, 0.5, 1.0)) == [2, 0, 1]
    # What search found stays first only where it brings as much here as the usual act.
    assert order_of(steady(1.0, 0.0, 0.9), usual=1) == [0, 1, 2]
    noisy = [
        tuple(float(world % 9) for world in range(40)),
        tuple(4.1 - world % 9 / 9 for world in range(40)),
    ]
    assert order_of(noisy, usual=1) == ([0, 1] if sum(noisy[0]) >= sum(noisy[1]) else [1, 0])


def test_an_act_is_not_proven_better_by_few_worlds() -> None:
    few = [column[:8] for column in steady(0.0, 1.0)]
    assert order_of(few) == [0, 1]


def test_one_world_is_played_even_when_time_is_up() -> None:
    columns = columns_of(lambda: [1.0, 2.0], until=0.0, clock=lambda: 1.0)
    assert columns == [(1.0,), (2.0,)]
    assert played_out(columns[1]).error == 0.0
