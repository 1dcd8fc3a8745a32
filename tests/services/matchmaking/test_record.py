"""What declining a ready check and leaving tables for good cost."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kit.tickets import NOW, ticket_of
from shuangkou.matchmaking import record as records
from shuangkou.matchmaking.record import DAY_MS, FORFEITS_A_DAY, Terms
from shuangkou.v1.matchmaking_pb2 import TICKET_STATE_CANCELLED, PlayerRecord

_TERMS = Terms(ended_seconds=600, first_pause_ms=60_000)
_HOUR_MS = 3_600_000


def fresh() -> PlayerRecord:
    """Somebody with a ticket and no past."""
    return PlayerRecord(player_id="ann", ticket=ticket_of("ann", 1))


def test_each_time_of_a_day_the_pause_is_longer_up_to_an_hour() -> None:
    record, pauses = fresh(), []
    for time in range(6):
        now_ms = NOW + time
        record = records.dodged(record, now_ms, _TERMS)
        assert (record.ticket.state, record.ticket.refusal) == (TICKET_STATE_CANCELLED, "match/not_ready")
        pauses.append(records.pause_of(record, now_ms))
    assert pauses == [60_000, 300_000, 1_500_000, _HOUR_MS, _HOUR_MS, _HOUR_MS]
    assert records.pause_of(record, NOW + 5 + _HOUR_MS) == 0


def test_after_a_day_without_it_the_pause_is_the_first_again() -> None:
    record = records.dodged(records.dodged(fresh(), NOW, _TERMS), NOW, _TERMS)
    later_ms = NOW + DAY_MS
    assert records.pause_of(records.dodged(record, later_ms, _TERMS), later_ms) == 60_000


@given(st.lists(st.integers(0, 2 * DAY_MS), max_size=8))
def test_ranked_play_pauses_while_three_tables_of_a_day_were_left_for_good(moments: list[int]) -> None:
    record, left = fresh(), sorted(moments)
    for at_ms in left:
        record = records.freed(record, NOW + at_ms, has_forfeited=True)
    now_ms = NOW + (left[-1] if left else 0)
    recent = [at_ms for at_ms in left if NOW + at_ms > now_ms - DAY_MS]
    pause = records.ranked_pause_of(record, now_ms)
    assert bool(pause) == (len(recent) >= FORFEITS_A_DAY)
    if pause:
        assert records.ranked_pause_of(record, now_ms + pause - 1) > 0
        assert records.ranked_pause_of(record, now_ms + pause) == 0


def test_a_table_that_ended_well_costs_nothing() -> None:
    record = records.freed(fresh(), NOW, has_forfeited=False)
    assert not record.forfeited_ms
    assert not records.pause_of(record, NOW)
    assert not records.ranked_pause_of(record, NOW)
