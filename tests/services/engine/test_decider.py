"""What may be asked of a table, and what the engine does by itself (docs/rules/climbing.md §8)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest

from kit.pure_table import BOT_MS, START_MS, PureTable, dealt, opened
from shuangkou.engine.commands import HostSeat, NextDeal, ReclaimSeat, TakeSeat
from shuangkou.engine.decider import decide, due_command
from shuangkou.engine.events import (
    DeadlinePassed,
    HostReason,
    MatchFinished,
    SeatHosted,
    SeatReclaimed,
    SeatTaken,
    TableCreated,
)
from shuangkou.engine.table import Expected, Phase
from shuangkou.rules.climbing.events import CardsPlayed, DealSettled, DealStarted
from shuangkou.rules.commands import Pass, PlayCards
from shuangkou.rules.decider import decider_for
from shuangkou.rules.errors import IllegalCommand
from shuangkou.rules.events import Passed
from shuangkou.rules.ruleset import load
from shuangkou.rules.seats import SEATS

SEED = bytes(range(32))
NO_BANK = load("qq").with_options({"time_bank_seconds": "0"})
FAST = load("qq").with_options({"turn_seconds": "5", "lead_seconds": "10"})


def refused(table: PureTable, command: HostSeat | ReclaimSeat | TakeSeat | NextDeal) -> str:
    with pytest.raises(IllegalCommand) as caught:
        decide(table.table, command)
    return caught.value.code


def seeds() -> Iterator[bytes]:
    return (bytes([number]) * 32 for number in count(1))


def until_turn_of(pure: PureTable, seat: int) -> None:
    """Others play until this seat must act."""
    while pure.table.actors != (SEATS[seat],):
        pure.play_lowest()


# Opening and seating


def test_a_full_table_is_due_to_deal_at_once() -> None:
    pure = opened()
    assert pure.table.phase is Phase.BETWEEN_DEALS
    assert pure.table.deadline_ms == START_MS
    assert due_command(pure.table, START_MS, SEED) == NextDeal(SEED)


def test_opening_records_the_terms_and_who_sits_where() -> None:
    pure = opened("alice", "", "carol", "bot:plain", deals=4)
    events = [event.WhichOneof("event") for event in pure.log[0].commit.events]
    assert events == ["table_created", "seat_taken", "seat_taken", "seat_taken"]
    assert (pure.table.version, pure.table.terms.deals) == (1, 4)
    assert [holder.name for holder in pure.table.holders] == ["alice", "", "carol", "bot:plain"]


def test_nothing_is_due_while_a_seat_is_open() -> None:
    pure = opened("alice", "bob", "", "dave")
    assert (pure.table.phase, pure.table.expected) == (Phase.SEATING, Expected.TAKE_SEAT)
    assert pure.table.deadline_ms == 0
    assert due_command(pure.table, START_MS * 2, SEED) is None


def test_taking_the_last_open_seat_makes_the_deal_due() -> None:
    pure = opened("alice", "bob", "", "dave")
    pure.now_ms += 500
    assert pure.perform(TakeSeat(SEATS[2], "erin")) == (SeatTaken(SEATS[2], "erin"),)
    assert pure.table.deadline_ms == pure.now_ms


def test_a_taken_seat_is_not_for_another() -> None:
    assert refused(opened("alice", "bob", "", "dave"), TakeSeat(SEATS[1], "erin")) == "seat/taken"


def test_a_bots_seat_is_not_for_a_person() -> None:
    assert refused(opened("alice", "bot:plain", "", "dave"), TakeSeat(SEATS[1], "erin")) == "seat/taken"


def test_nobody_sits_twice() -> None:
    assert refused(opened("alice", "bob", "", "dave"), TakeSeat(SEATS[2], "alice")) == "seat/already_seated"


def test_a_deal_cannot_start_before_it_is_due() -> None:
    assert refused(dealt(), NextDeal(SEED)) == "state/no_deal_due"
    assert refused(opened("alice", "", "", ""), NextDeal(SEED)) == "state/no_deal_due"


# Hosting


@pytest.mark.parametrize("seat", SEATS)
def test_a_person_may_have_a_bot_play_and_take_the_seat_back(seat: int) -> None:
    pure = dealt()
    assert pure.perform(HostSeat(SEATS[seat])) == (SeatHosted(SEATS[seat], HostReason.REQUEST),)
    assert pure.table.holders[seat].is_played_by_bot
    assert pure.perform(ReclaimSeat(SEATS[seat])) == (SeatReclaimed(SEATS[seat]),)
    assert not pure.table.holders[seat].is_played_by_bot


def test_a_hosted_seat_cannot_be_hosted_again() -> None:
    pure = dealt()
    pure.perform(HostSeat(SEATS[1]))
    assert refused(pure, HostSeat(SEATS[1])) == "seat/already_hosted"


def test_a_bots_own_seat_is_neither_hosted_nor_reclaimed() -> None:
    pure = dealt("alice", "bot:plain", "carol", "dave")
    assert refused(pure, HostSeat(SEATS[1])) == "seat/already_hosted"
    assert refused(pure, ReclaimSeat(SEATS[1])) == "seat/not_hosted"


def test_a_seat_that_nobody_plays_for_cannot_be_reclaimed() -> None:
    assert refused(dealt(), ReclaimSeat(SEATS[0])) == "seat/not_hosted"


def test_nothing_is_hosted_once_the_match_is_over() -> None:
    pure = dealt()
    pure.play_out(seeds())
    assert refused(pure, HostSeat(SEATS[0])) == "state/match_over"
    assert refused(pure, ReclaimSeat(SEATS[0])) == "state/match_over"


def test_a_person_that_acts_takes_its_hosted_seat_back_by_the_way() -> None:
    pure = dealt()
    seat = pure.table.actors[0]
    pure.perform(HostSeat(seat))
    events = pure.play_lowest()
    assert events[0] == SeatReclaimed(seat)
    assert isinstance(events[1], CardsPlayed)
    assert not pure.table.holders[seat].hosted


def test_a_bot_that_acts_for_a_person_leaves_the_seat_hosted() -> None:
    pure = dealt()
    seat = pure.table.actors[0]
    pure.perform(HostSeat(seat))
    lowest = decider_for(pure.table.ruleset).legal_acts(pure.table.match, seat).lowest()
    assert lowest is not None
    pure.perform(lowest.command, by_person=False)
    assert pure.table.holders[seat].hosted


# Deadlines


def test_the_leader_has_the_time_to_lead_and_the_others_the_time_to_follow() -> None:
    pure = dealt(ruleset=FAST)
    assert pure.table.clocks.turn_ms == pure.now_ms + 10_000
    pure.play_lowest()
    assert pure.table.clocks.turn_ms == pure.now_ms + 5_000


def test_a_bot_has_the_time_of_bots() -> None:
    pure = dealt(*["bot:plain"] * 4)
    assert pure.table.deadline_ms == pure.now_ms + BOT_MS
    pure.play_lowest()
    assert pure.table.deadline_ms == pure.now_ms + BOT_MS


def test_nothing_is_due_before_the_deadline() -> None:
    pure = dealt()
    assert due_command(pure.table, pure.table.deadline_ms - 1, SEED) is None
    assert due_command(pure.table, pure.table.deadline_ms, SEED) is not None


def test_hosting_the_seat_to_act_brings_its_deadline_forward() -> None:
    pure = dealt()
    pure.now_ms += 1_000
    pure.perform(HostSeat(pure.table.actors[0]))
    assert pure.table.deadline_ms == pure.now_ms + BOT_MS


def test_hosting_and_reclaiming_never_gains_time() -> None:
    pure = dealt(ruleset=FAST)
    seat, deadline = pure.table.actors[0], pure.table.deadline_ms
    for _ in range(3):
        pure.now_ms += 3_000
        pure.perform(HostSeat(seat))
        pure.perform(ReclaimSeat(seat))
        assert pure.table.deadline_ms <= deadline


def test_what_another_seat_does_leaves_the_deadline_alone() -> None:
    pure = dealt()
    deadline = pure.table.deadline_ms
    pure.now_ms += 2_000
    pure.perform(HostSeat(SEATS[(pure.table.actors[0] + 1) % 4]))
    assert pure.table.deadline_ms == deadline


# Time is up, §8.2 and §8.3


def test_a_leader_whose_time_is_up_leads_its_lowest_single() -> None:
    pure = dealt(ruleset=NO_BANK)
    seat = pure.table.actors[0]
    lowest = pure.table.match.deal.hands[seat][0] if pure.table.match.deal else None
    events = pure.let_time_pass()
    assert isinstance(events[0], CardsPlayed)
    assert (events[0].cards, events[1]) == ((lowest,), DeadlinePassed(seat, 1))


def test_a_follower_whose_time_is_up_passes() -> None:
    pure = dealt(ruleset=NO_BANK)
    pure.play_lowest()
    seat = pure.table.actors[0]
    assert pure.let_time_pass() == (Passed(seat), DeadlinePassed(seat, 1))


def test_the_second_deadline_in_a_row_hosts_the_seat() -> None:
    pure = dealt()
    until_turn_of(pure, 2)
    pure.let_time_pass()
    until_turn_of(pure, 2)
    events = pure.let_time_pass()
    assert events[-2:] == (DeadlinePassed(SEATS[2], 2), SeatHosted(SEATS[2], HostReason.TIMEOUT))
    assert pure.table.holders[2].hosted


def test_an_act_in_time_between_two_missed_deadlines_forgives_the_first() -> None:
    pure = dealt()
    until_turn_of(pure, 2)
    pure.let_time_pass()
    until_turn_of(pure, 2)
    pure.play_lowest()
    until_turn_of(pure, 2)
    assert DeadlinePassed(SEATS[2], 1) in pure.let_time_pass()
    assert not pure.table.holders[2].hosted


def test_deadlines_missed_by_others_do_not_count() -> None:
    pure = dealt()
    for _ in range(4):
        pure.let_time_pass()
    assert [holder.timeouts for holder in pure.table.holders] == [1, 1, 1, 1]
    assert not any(holder.hosted for holder in pure.table.holders)


def test_a_bot_that_stalls_is_played_for_and_never_counted() -> None:
    pure = dealt(*["bot:plain"] * 4)
    for _ in range(12):
        seat = pure.table.actors[0]
        assert DeadlinePassed(seat, 0) in pure.let_time_pass()
    assert not any(holder.hosted for holder in pure.table.holders)


def test_reclaiming_forgives_missed_deadlines() -> None:
    pure = dealt()
    until_turn_of(pure, 2)
    pure.let_time_pass()
    pure.perform(HostSeat(SEATS[2]))
    pure.perform(ReclaimSeat(SEATS[2]))
    assert pure.table.holders[2].timeouts == 0


def test_a_hosted_seat_stays_hosted_in_the_next_deal() -> None:
    pure = dealt(deals=2)
    pure.perform(HostSeat(SEATS[2]))
    while pure.table.phase is Phase.DEAL:
        pure.let_time_pass() if pure.table.actors == (SEATS[2],) else pure.play_lowest()
    pure.let_time_pass()
    assert pure.table.holders[2].hosted


def test_a_table_that_everyone_left_plays_itself_to_the_end() -> None:
    pure = opened(deals=2)
    while pure.table.phase is not Phase.FINISHED:
        pure.let_time_pass()
    assert all(holder.hosted for holder in pure.table.holders)
    assert pure.table.match.standing.deals_played == 2


# Between deals and the end


def test_the_next_deal_starts_after_the_pause() -> None:
    pure = dealt(deals=2)
    while pure.table.phase is Phase.DEAL:
        pure.play_lowest()
    assert (pure.table.phase, pure.table.expected) == (Phase.BETWEEN_DEALS, Expected.DEAL)
    assert pure.table.deadline_ms == pure.now_ms + 3_000
    assert isinstance(pure.let_time_pass()[0], DealStarted)
    assert pure.table.match.deal is not None
    assert pure.table.match.deal.number == 2


def test_hosting_in_the_pause_does_not_move_the_next_deal() -> None:
    pure = dealt(deals=2)
    while pure.table.phase is Phase.DEAL:
        pure.play_lowest()
    deadline = pure.table.deadline_ms
    pure.now_ms += 1_000
    pure.perform(HostSeat(SEATS[0]))
    assert pure.table.deadline_ms == deadline


def test_the_last_deal_ends_the_match_with_the_totals_of_all_deals() -> None:
    pure = dealt(deals=3)
    pure.play_out(seeds())
    stored = [event for entry in pure.log for event in entry.commit.events]
    deals = [event.deal_settled for event in stored if event.HasField("deal_settled")]
    finished = [event.match_finished for event in stored if event.HasField("match_finished")]
    sums = [sum(scores) for scores in zip(*(deal.scores for deal in deals), strict=True)]
    assert [len(deals), len(finished)] == [3, 1]
    assert list(finished[0].totals) == list(deals[-1].totals) == sums
    assert list(deals[-1].players) == ["alice", "bob", "carol", "dave"]


def test_a_finished_table_is_due_for_nothing() -> None:
    pure = dealt()
    pure.play_out(seeds())
    assert (pure.table.phase, pure.table.expected) == (Phase.FINISHED, Expected.NOTHING)
    assert pure.table.deadline_ms == 0
    for command in (Pass(SEATS[0]), PlayCards(SEATS[0], ())):
        with pytest.raises(IllegalCommand, match="the match is over"):
            decide(pure.table, command)


def test_a_match_that_ends_by_a_missed_deadline_says_both() -> None:
    pure = dealt(*["bot:plain"] * 4)
    while pure.table.phase is Phase.DEAL:
        events = pure.let_time_pass()
    kinds = [type(event) for event in events]
    assert kinds[-3:] == [DealSettled, MatchFinished, DeadlinePassed]
    assert TableCreated not in kinds
