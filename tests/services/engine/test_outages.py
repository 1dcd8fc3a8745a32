"""When nobody could be served, and what that costs a table."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from shuangkou.engine.outages import (
    BEAT_MS,
    GAP_MS,
    NEW_GAP_MS,
    RETURN_MS,
    Outage,
    Uptime,
    lost_ms,
    seen,
)

NOW = 1_700_000_000_000
MOMENTS = st.integers(0, 60)
SPANS = st.lists(st.tuples(MOMENTS, MOMENTS).map(sorted).map(lambda ends: Outage(*ends)))


def test_engines_that_are_seen_in_time_have_no_outage() -> None:
    uptime = Uptime()
    for beat in range(10):
        uptime = seen(uptime, NOW + beat * BEAT_MS, NEW_GAP_MS)
    assert uptime == Uptime(NOW + 9 * BEAT_MS)


def test_a_silence_is_an_outage_from_the_last_sign_of_life_on() -> None:
    before = seen(Uptime(), NOW, GAP_MS)
    assert seen(before, NOW + GAP_MS, GAP_MS).outages == ()
    assert seen(before, NOW + GAP_MS + 1, GAP_MS).outages == (Outage(NOW, NOW + GAP_MS + 1),)


def test_the_first_engine_ever_ends_no_outage() -> None:
    assert seen(Uptime(), NOW, NEW_GAP_MS).outages == ()


def test_time_never_runs_back() -> None:
    assert seen(Uptime(NOW), NOW - 5_000, GAP_MS).seen_ms == NOW


def test_what_is_long_past_is_forgotten() -> None:
    old = Uptime(NOW, (Outage(NOW - 2 * 86_400_000, NOW - 86_400_000), Outage(NOW - 9_000, NOW - 4_000)))
    assert seen(old, NOW + 1, GAP_MS).outages == old.outages[1:]
    crowded = Uptime(NOW, tuple(Outage(NOW - 9_000, NOW - 4_000) for _ in range(500)))
    assert len(seen(crowded, NOW + 1, GAP_MS).outages) < 100


def test_a_table_is_owed_what_outages_took_since_its_newest_commit() -> None:
    outages = (Outage(NOW, NOW + 10_000), Outage(NOW + 20_000, NOW + 25_000))
    assert lost_ms(outages, NOW - 1_000, NOW + 30_000) == 15_000 + RETURN_MS
    assert lost_ms(outages, NOW + 4_000, NOW + 30_000) == 11_000 + RETURN_MS
    assert lost_ms(outages, NOW + 12_000, NOW + 30_000) == 5_000 + RETURN_MS
    assert lost_ms(outages, NOW + 25_000, NOW + 30_000) == 0
    assert lost_ms((), NOW, NOW + 30_000) == 0


@given(SPANS, MOMENTS, MOMENTS)
def test_no_moment_is_given_back_twice(outages: list[Outage], since: int, now: int) -> None:
    lost = {moment for outage in outages for moment in range(outage.from_ms, outage.until_ms)}
    owed = lost & set(range(since, now))
    assert lost_ms(outages, since, now) == (len(owed) + RETURN_MS if owed else 0)
