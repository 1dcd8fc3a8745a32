"""docs/rules/climbing.md §2.9, §4.7, §4.8: tricks that are one round, discards, and players that move on."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.climbing_table import DECIDER, SEED, act, fold, new_deal, played_out, random_policy, table_with
from kit.effort import effort
from shuangkou.rules.climbing.events import (
    CardsPlayed,
    DealSettled,
    DealStarted,
    Result,
    SeatWentOut,
    TrickEnded,
)
from shuangkou.rules.climbing.phase_events import MarksShown
from shuangkou.rules.climbing.state import DealState, MatchState
from shuangkou.rules.climbing.view import Standing
from shuangkou.rules.commands import Pass, StartDeal
from shuangkou.rules.dealing import draw_seat
from shuangkou.rules.errors import IllegalCommand
from shuangkou.rules.events import HandsDealt, Passed, SeatsSwapped
from shuangkou.rules.ruleset import load
from shuangkou.rules.seats import SEATS, Seat

FIVE, EASY = load("five5"), load("easy52")
SEEDS = st.binary(min_size=32, max_size=32)


def deal_of(state: MatchState) -> DealState:
    assert state.deal is not None
    return state.deal


def code_of(state: MatchState, text: str) -> str:
    with pytest.raises(IllegalCommand) as refused:
        act(state, text)
    return refused.value.code


def five(*hands: str, leader: int = 0) -> MatchState:
    return table_with(*hands, leader=leader, ruleset=FIVE)


def test_each_seat_acts_once_in_a_round() -> None:
    """§4.7: a seat that passed does not act again, and the seat after the last play leads."""
    state, events = act(five("5 6", "7 8", "9 T", "J Q"), "0: 5", "1: 7", "2: pass", "3: pass")
    assert events == (Passed(Seat(3)), TrickEnded(Seat(1)))
    assert (deal_of(state).turn, deal_of(state).leader, deal_of(state).top) == (2, 2, None)
    assert code_of(state, "2: pass") == "climbing/pass_on_empty_trick"


def test_a_round_ends_with_a_play_of_its_last_seat() -> None:
    """§4.7."""
    state, events = act(five("5 6", "7 8", "9 T", "J Q"), "0: 5", "1: pass", "2: pass", "3: J")
    assert [type(event) for event in events] == [CardsPlayed, TrickEnded]
    assert deal_of(state).turn == 0


def test_seats_that_are_out_are_skipped() -> None:
    """§4.7: by the round and by the lead after it; nobody inherits."""
    state, events = act(five("5 6", "7", "9 T", "J Q"), "0: 5", "1: 7")
    assert [type(event) for event in events] == [CardsPlayed, SeatWentOut]
    state, events = act(state, "2: pass", "3: pass")
    assert events == (Passed(Seat(3)), TrickEnded(Seat(1)))
    assert deal_of(state).turn == 2
    state, events = act(state, "2: 9", "3: J", "0: pass")
    assert events == (Passed(Seat(0)), TrickEnded(Seat(3)))
    assert deal_of(state).turn == 0


def test_the_last_seat_of_a_round_may_go_out_with_it() -> None:
    """§4.7."""
    state, events = act(five("5 6", "7 9", "9 T", "J"), "0: 5", "1: 7", "2: 9", "3: J")
    assert [type(event) for event in events] == [CardsPlayed, SeatWentOut, TrickEnded]
    assert deal_of(state).turn == 0


def test_the_deal_ends_when_a_side_is_out() -> None:
    """§6.1, §7.8: in the middle of a round; the richer side has won."""
    state, events = act(
        five("5", "9 9 8", "6", "J J"), "0: 5", "1: 8", "2: pass", "3: J", "1: 9 9", "2: pass"
    )
    state, events = act(state, "3: pass", "2: 6")
    settled = events[-1]
    assert isinstance(settled, DealSettled)
    assert settled.finish_order == (0, 1, 2, 3)
    assert (settled.scores, settled.result) == ((11, 28, 11, 28), Result.WIN)
    assert settled.winners == (1, 3)


def easy(*hands: str, leader: int = 0) -> MatchState:
    return table_with(*hands, leader=leader, ruleset=EASY)


def test_who_does_not_beat_discards() -> None:
    """§4.8: 贴牌; lower or equal cards lie beside the top play, the highest wins."""
    state, events = act(easy("7s 3s", "9s 3h", "8s 3c", "9h 3d"), "0: 7s", "1: 9s", "2: 8s")
    assert isinstance(events[0], CardsPlayed)
    assert events[0].is_discard
    assert deal_of(state).top is not None
    view = DECIDER.observe(state, Seat(3))
    assert view.top is not None
    assert (view.top.seat, view.top.is_discard, len(view.trick)) == (1, False, 3)
    state, events = act(state, "3: 9h")
    assert [type(event) for event in events] == [CardsPlayed, TrickEnded]
    assert events[1] == TrickEnded(Seat(1))
    assert deal_of(state).turn == 1
    assert DECIDER.observe(state, None).gone.total() == 4


def test_only_the_last_card_may_be_held_back() -> None:
    """§4.8: 报桌, and never by the seat that leads."""
    state, _ = act(easy("7s 3s", "9s 3h", "8s 3c", "9h 3d"), "0: 7s")
    assert code_of(state, "1: pass") == "climbing/must_play"
    acts = DECIDER.legal_acts(state, Seat(1))
    assert (len(acts), acts.may_pass, Pass(Seat(1)) in acts) == (2, False, False)
    state, _ = act(state, "1: 9s", "2: 8s", "3: 9h")
    assert code_of(state, "1: pass") == "climbing/pass_on_empty_trick"
    state, _ = act(state, "1: 3h")
    assert DECIDER.legal_acts(state, Seat(2)).may_pass
    state, events = act(state, "2: pass", "3: pass", "0: 3s")
    assert [type(event) for event in events] == [CardsPlayed, TrickEnded, MarksShown, DealSettled]
    assert state.settled is not None
    assert state.settled.scores == (0, 9 + 3, 0, 0)
    assert state.settled.finish_order == (1, 0, 2, 3)


def test_the_lowest_card_is_played_for_a_seat_that_must_play() -> None:
    """§4.8, §8.2: else it passes."""
    state, _ = act(easy("7s 3s", "9s 4h", "8s 3c", "9h 3d"), "0: 7s")
    fallback = DECIDER.fallback(state, Seat(1))
    state, events = act(state, fallback)
    assert isinstance(events[0], CardsPlayed)
    assert events[0].is_discard
    state, _ = act(state, "2: 3c", "3: 3d", "0: 3s")
    assert DECIDER.fallback(state, Seat(1)) == Pass(Seat(1))


@given(SEEDS, st.integers(0, 2**32))
@effort(20)
def test_thirteen_tricks_of_four_acts(seed: bytes, number: int) -> None:
    """§4.7, §4.8: four acts make a trick; the hands run out together, but for last cards."""
    steps = played_out(new_deal(seed, EASY), random_policy(Random(number)))
    events = [event for _, _, happened in steps for event in happened]
    acts = [event for event in events if isinstance(event, CardsPlayed | Passed)]
    tricks = [event for event in events if isinstance(event, TrickEnded)]
    assert (len(acts), len(tricks)) == (52, 13)
    assert all(isinstance(event, CardsPlayed) for event in acts[:48])
    assert not any(isinstance(event, SeatWentOut) for event in events)


@given(SEEDS, st.integers(0, 2**32))
@effort(20)
def test_no_seat_acts_twice_in_a_round(seed: bytes, number: int) -> None:
    """§4.7."""
    acted: list[Seat] = []
    for _, _, events in played_out(new_deal(seed, FIVE), random_policy(Random(number))):
        for event in events:
            if isinstance(event, CardsPlayed | Passed):
                assert event.seat not in acted
                acted.append(event.seat)
            if isinstance(event, TrickEnded):
                acted = []


@given(SEEDS)
@effort(20)
def test_players_move_on_before_each_deal(seed: bytes) -> None:
    """§2.9: with their points; the lead is drawn all the same."""
    state = DECIDER.resume(FIVE, Standing(1, (10, 20, 30, 40), Seat(2), Result.WIN))
    events = DECIDER.decide(state, StartDeal(seed))
    assert isinstance(events[0], DealStarted)
    assert isinstance(events[1], HandsDealt)
    assert events[0].leader == draw_seat(seed, "lead")
    assert events[2:] == tuple(SeatsSwapped((Seat(0), seat)) for seat in SEATS[1:])
    after = fold(state, events)
    assert after.standing.totals == (40, 10, 20, 30)
    assert after.standing.last_head == 3
    assert deal_of(after).hands == events[1].hands


@pytest.mark.parametrize(
    ("standing", "is_new"),
    [
        (Standing(), False),
        (Standing(1, (1, 2, 3, 4), Seat(0), Result.WIN), True),
        (Standing(1, (1, 2, 3, 4), Seat(0), Result.WIN, was_abnormal=True, void_start=Seat(0)), False),
    ],
)
def test_nobody_moves_where_no_deal_with_a_result_came_before(standing: Standing, is_new: bool) -> None:
    """§2.9."""
    state = DECIDER.resume(FIVE, standing)
    events = DECIDER.decide(state, StartDeal(SEED, new_table=is_new))
    assert not any(isinstance(event, SeatsSwapped) for event in events)


def test_the_seat_after_the_last_winner_deals() -> None:
    """§2.4: `after_last_head`, and in every deal a drawn seat with `random`."""
    standing = Standing(1, (0, 0, 0, 0), Seat(3), Result.WIN)
    start = DECIDER.decide(DECIDER.resume(EASY, standing), StartDeal(SEED))[0]
    assert isinstance(start, DealStarted)
    assert start.leader == 0
    landlord = DECIDER.decide(DECIDER.resume(load("landlord52"), standing), StartDeal(SEED))[0]
    assert isinstance(landlord, DealStarted)
    assert landlord.leader == draw_seat(SEED, "lead")
