"""The end-game of two hands is played as the rules themselves, tried act by act, say that it is best."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from kit.core_deals import after, ready_to_play
from kit.effort import cases, rounds
from shuangkou.ai_player.climbing.core_policy import instant, weigh
from shuangkou.ai_player.personas import PLAIN
from shuangkou.fastplay.climbing.endgame import MOST_POSITIONS, Room, ending_of
from shuangkou.fastplay.climbing.layout import PASS
from shuangkou.fastplay.climbing.reading import hold, play_of
from shuangkou.fastplay.climbing.seen import deal_seen, show_last_hand
from shuangkou.fastplay.climbing.tables import game_of
from shuangkou.rules.climbing.decider import ClimbingDecider
from shuangkou.rules.climbing.state import MatchState
from shuangkou.rules.climbing.view import SeatView
from shuangkou.rules.commands import Pass, PlayCards
from shuangkou.rules.ruleset import RuleSet, available, load
from shuangkou.rules.seats import SEATS, Seat, side_of

Act = PlayCards | Pass
DECIDER = ClimbingDecider()
RULESETS: dict[str, RuleSet] = {id: load(id) for id in ("qq", "baibian", "wenzhou", "jj", "zsy", "bid52")}
"""Those in which a deal goes on between two hands whose cards are known."""
MOST_CARDS, ENOUGH = 7, 100_000


def acts_in(state: MatchState) -> list[Act]:
    """All that the seat to act may do, one of the acts that come to the same."""
    assert state.deal is not None
    legal = DECIDER.legal_acts(state, state.deal.turn)
    plays: list[Act] = [play.command for play in legal]
    return [*plays, Pass(state.deal.turn)] if legal.may_pass else plays


def view_of(state: MatchState) -> SeatView:
    """The view of the seat to act."""
    assert state.deal is not None
    return DECIDER.observe(state, state.deal.turn)


def worth(state: MatchState, seat: Seat) -> int:
    """What the deal brings the side of a seat beyond the other if both do their best, by the rules alone."""
    if state.deal is None:
        assert state.settled is not None
        scores = enumerate(state.settled.scores)
        return sum(score if side_of(Seat(other)) == side_of(seat) else -score for other, score in scores)
    best = max if side_of(state.deal.turn) == side_of(seat) else min
    return best(worth(after(state, act), seat) for act in acts_in(state))


def endings(ruleset: RuleSet, number: int) -> Iterator[MatchState]:
    """Places of a deal by chance in which two seats hold few cards, and the one to act has a choice."""
    state, chance = ready_to_play(ruleset, number), Random(number)
    while state.deal is not None:
        acts, sizes = acts_in(state), sorted(state.deal.hand_sizes)
        if sizes[1] == 0 and sum(sizes) <= MOST_CARDS and len(acts) > 1:
            yield state
        state = after(state, chance.choice(acts))


def some_endings(ruleset: RuleSet) -> Iterator[MatchState]:
    """From as many deals as it takes."""
    for number in cases(few=40, many=2000):
        yield from endings(ruleset, number)


@pytest.mark.parametrize("id", RULESETS)
def test_two_hands_are_played_out_as_well_as_the_rules_allow(id: str) -> None:
    ruleset, tried = RULESETS[id], 0
    room = Room(game_of(ruleset.options))
    for state in some_endings(ruleset):
        view = view_of(state)
        assert view.seat is not None
        worths = {act: worth(after(state, act), view.seat) for act in acts_in(state)}
        are_found = [check_ending(ruleset, view, room, act, worths) for act in worths]
        if all(are_found):
            for act in (instant(ruleset.options, view, PLAIN), weigh(ruleset.options, view, PLAIN)[0].act):
                assert worth(after(state, act), view.seat) == max(worths.values())
            tried += 1
    assert tried >= rounds(few=10, many=500)


def check_ending(ruleset: RuleSet, view: SeatView, room: Room, rule: Act, worths: dict[Act, int]) -> bool:
    """What is found beside an act of the rule policy; whether it is found in time as well. AssertionError."""
    game = game_of(ruleset.options)
    assert view.seat is not None
    deal = deal_seen(game, view, view.seat)
    assert show_last_hand(game, view, view.seat, deal)
    numbers = {PASS if isinstance(act, Pass) else play_of(game, act.cards): act for act in worths}
    number = next(number for number, act in numbers.items() if act == rule)
    in_time, found = (ending_of(game, deal, room, number, most) for most in (MOST_POSITIONS, ENOUGH))
    assert found is not None
    assert in_time in (found, None)
    assert found.worth == worths[numbers[found.play]] == max(worths.values())
    assert found.play == number or worths[rule] < found.worth
    return in_time is not None


@pytest.mark.parametrize("id", available("climbing"))
def test_only_the_hand_of_a_single_rival_is_ever_known(id: str) -> None:
    ruleset = load(id)
    game = game_of(ruleset.options)
    for number in cases(few=5, many=500):
        state, chance = ready_to_play(ruleset, number), Random(number)
        while state.deal is not None:
            view, hands = view_of(state), state.deal.hands
            assert view.seat is not None
            deal = deal_seen(game, view, view.seat)
            if show_last_hand(game, view, view.seat, deal):
                (rival,) = (seat for seat in SEATS if seat != view.seat and hands[seat])
                truth = deal.copy()
                hold(game, truth, rival, hands[rival])
                assert (deal == truth).all()
            state = after(state, chance.choice(acts_in(state)))


def test_an_ending_that_takes_too_long_is_not_known() -> None:
    ruleset = RULESETS["qq"]
    game = game_of(ruleset.options)
    for state in some_endings(ruleset):
        view = view_of(state)
        assert view.seat is not None
        deal = deal_seen(game, view, view.seat)
        assert show_last_hand(game, view, view.seat, deal)
        if ending_of(game, deal, Room(game), PASS, 1) is None:
            return
    pytest.fail("one position was enough every time")
