"""Everything that an engine knows of a table comes from the log, wherever it starts to read."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kit.pure_table import PureTable, deal_starts, dealt, folded, opened
from shuangkou.engine.commands import HostSeat, ReclaimSeat, TakeSeat
from shuangkou.engine.fold import BrokenLog, apply_entry, entry_from_log, warm_from_first
from shuangkou.engine.table import Phase
from shuangkou.engine.views import seat_view
from shuangkou.engine.warm import CARRIED_ANSWERS, WarmTable
from shuangkou.rules.decider import decider_for
from shuangkou.rules.ruleset import load
from shuangkou.rules.seats import SEATS

SEED = st.binary(min_size=32, max_size=32)


def seeds(first: bytes) -> Iterator[bytes]:
    """A different seed for every deal."""
    return (number.to_bytes(2, "big") + first[2:] for number in count())


def known(warm: WarmTable) -> tuple[object, ...]:
    """All that two engines must agree on."""
    return (warm.table, warm.last_sequence, warm.deal_sequence, warm.timer_ms)


def eventful_match(seed: bytes) -> PureTable:
    """Three deals with hosted seats, seats taken late and deadlines that passed."""
    pure = opened("alice", "", "carol", "bot:plain", deals=3, ruleset=load("qq").with_options(OPTIONS))
    pure.perform(HostSeat(SEATS[2]), key=("carol", "host"))
    pure.perform(TakeSeat(SEATS[1], "bob"), key=("bob", "sit"))
    pure.perform(ReclaimSeat(SEATS[2]), key=("carol", "reclaim"))
    deal_seeds = seeds(seed)
    for step in count():
        if pure.table.phase is Phase.FINISHED:
            return pure
        if pure.table.phase is Phase.BETWEEN_DEALS or step % 7 == 3:
            pure.let_time_pass(next(deal_seeds))
        elif step == 5:
            pure.perform(HostSeat(SEATS[1]), key=("bob", "host"))
        else:
            pure.play_lowest()
    raise AssertionError("unreachable")


OPTIONS = {"joker_bomb_mult": "4", "turn_seconds": "5"}


@given(SEED)
def test_folding_the_stored_bytes_gives_the_live_state_at_every_version(seed: bytes) -> None:
    pure = dealt(seed=seed)
    other = folded(pure.log)
    while pure.table.phase is Phase.DEAL:
        pure.play_lowest()
        stored = pure.log[-1]
        apply_entry(other, entry_from_log(other, stored.commit, stored.secret_commit), stored.sequence)
        assert known(other) == known(pure.warm)
    assert other.answers == pure.warm.answers


@given(SEED)
@settings(max_examples=15)
def test_every_deal_start_is_as_good_a_beginning_as_the_first_commit(seed: bytes) -> None:
    pure = eventful_match(seed)
    starts = deal_starts(pure.log)
    assert len(starts) == 3
    for start in starts:
        for end in (start + 1, start + 4, len(pure.log)):
            assert known(folded(pure.log[start:end])) == known(folded(pure.log[:end]))


def test_views_after_recovery_are_those_before_it() -> None:
    pure = eventful_match(bytes(32))
    start = deal_starts(pure.log)[-1]
    recovered = folded(pure.log[start : start + 2]).table
    live = folded(pure.log[: start + 2]).table
    for seat in (*SEATS, None):
        assert seat_view(recovered, seat) == seat_view(live, seat)
        decider = decider_for(live.ruleset)
        assert decider.observe(recovered.match, seat) == decider.observe(live.match, seat)


def test_the_opening_and_the_latest_acts_are_still_answered_after_recovery() -> None:
    pure = eventful_match(bytes(32))
    start = deal_starts(pure.log)[-1]
    recovered = folded(pure.log[start:])
    for stored in (pure.log[0], *pure.log[start - CARRIED_ANSWERS + 1 : start]):
        commit = stored.commit
        assert recovered.answers[commit.actor, commit.command_id].version == commit.version


def test_the_chosen_options_survive_recovery() -> None:
    pure = eventful_match(bytes(32))
    recovered = folded(pure.log[deal_starts(pure.log)[-1] :])
    assert recovered.table.ruleset == load("qq").with_options(OPTIONS)


def test_the_deal_starts_where_its_secret_lies() -> None:
    pure = eventful_match(bytes(32))
    start = deal_starts(pure.log)[1]
    assert pure.log[start].commit.bookkeeping.deal_sequence == 0
    assert pure.log[start + 1].commit.bookkeeping.deal_sequence == pure.log[start].sequence - 1


def test_a_log_that_begins_in_the_middle_of_a_deal_is_refused() -> None:
    pure = dealt()
    pure.play_lowest()
    with pytest.raises(BrokenLog):
        warm_from_first(pure.log[-1].commit)


def test_a_log_with_a_hole_is_refused() -> None:
    pure = dealt()
    pure.play_lowest()
    pure.play_lowest()
    with pytest.raises(BrokenLog):
        folded([*pure.log[:2], pure.log[3]])


def test_a_commit_cannot_be_applied_twice() -> None:
    pure = dealt()
    with pytest.raises(BrokenLog):
        entry_from_log(pure.warm, pure.log[-1].commit, pure.log[-1].secret_commit)


def test_the_route_names_who_has_to_do_something() -> None:
    pure = opened("alice", "bot:plain", "carol", "bot:plain")
    assert pure.log[0].route == "none"
    pure.let_time_pass()
    pure.perform(HostSeat(SEATS[0]))
    while pure.table.phase is Phase.DEAL:
        last = pure.log[-1]
        expected = "human" if pure.table.actors == (SEATS[2],) else "bot"
        assert last.route == expected
        pure.play_lowest() if pure.table.actors != (SEATS[0],) else pure.let_time_pass()
    assert pure.log[-1].route == "score"
