"""Which queues are worth a look, and who stands where in them."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.tickets import NOW, ids, party, queued, ranked
from shuangkou.matchmaking.matcher import Group
from shuangkou.matchmaking.pool import Pool
from shuangkou.matchmaking.unit import STEP_MS, Queued
from shuangkou.v1.events_pb2 import EventTerms
from shuangkou.v1.matchmaking_pb2 import (
    TICKET_MODE_BOTS,
    TICKET_MODE_CASUAL,
    TICKET_MODE_RANKED,
    Game,
    TicketMode,
)


def pool_of(*waiting: Queued) -> Pool:
    """A pool that has seen these."""
    pool = Pool()
    for each in waiting:
        pool.take(each)
    return pool


def taken(pool: Pool, now_ms: int = NOW) -> list[Group]:
    """The tables that the pool offers, each taken."""
    found = []
    for group in pool.ripe(now_ms):
        found.append(group)
        for each in group.tickets:
            pool.drop(each.player_id)
    return found


def test_only_equal_wishes_meet() -> None:
    """A round is an option of an event, and a match in none is another game."""
    second = EventTerms(event_id="ev_swiss", options={"round": "2", "max_deals": "8"})
    kinds: list[dict[str, Any]] = [
        {},
        {"event": EventTerms(event_id="ev_elder")},
        {"event": second},
        {"deals": 4},
        {"options": {"turn_seconds": "60"}},
        {"ruleset_id": "jj"},
        {"region": "cn-east"},
        {"mode": TICKET_MODE_RANKED},
    ]
    waiting = [queued(n, **kinds[n % 8]) for n in range(32)]
    found = taken(pool_of(*waiting))
    assert sorted(ids(found)) == [[n, n + 8, n + 16, n + 24] for n in range(8)]
    for group in found:
        claimed, first = group.game, group.tickets[0].ticket
        assert (claimed.ruleset_id, claimed.deals, dict(claimed.options)) == (
            first.ruleset_id,
            first.deals,
            dict(first.options),
        )


ARRIVALS = st.lists(
    st.tuples(
        st.integers(1, 24),
        st.sampled_from((10.0, 20.0, 23.0, 25.0, 27.5, 40.0)),
        st.lists(st.integers(1, 24), max_size=6),
        st.sampled_from(("come", "come", "come", "go", "wait", "put back")),
    ),
    max_size=60,
)


@given(ARRIVALS, st.sampled_from((TICKET_MODE_CASUAL, TICKET_MODE_RANKED)))
def test_looking_at_the_new_ones_only_misses_nobody(
    arrivals: list[tuple[int, float, list[int], str]], mode: TicketMode.ValueType
) -> None:
    """After each look no four are left who suit each other, in whatever order people come and go."""
    pool, now_ms, last = Pool(), NOW, list[Group]()
    for sequence, (number, mu, avoided, act) in enumerate(arrivals, start=1):
        names = [f"p{other}" for other in avoided if other != number]
        if act == "come":
            wish: dict[str, Any] = {"mode": mode, "avoided": names, "created_ms": now_ms}
            record = queued(number, mu, **wish).record
            pool.take(Queued(sequence, record))
        elif act == "go":
            pool.drop(f"p{number}")
        elif act == "wait":
            now_ms += STEP_MS * len(avoided)
        else:
            for group in last:
                pool.put_back(group)
        last = taken(pool, now_ms)
        for _, units in pool.lines:
            assert not any(
                all(one.suits(other, now_ms) for one, other in combinations(four, 2))
                for four in combinations(units, 4)
            )


def test_a_crowd_in_one_queue_holds_up_no_other() -> None:
    crowd = [queued(n) for n in range(1, 41)]
    late = [queued(n, deals=2) for n in range(41, 45)]
    found = ids(taken(pool_of(*crowd, *late)))
    assert [41, 42, 43, 44] in found[:2]
    assert len(found) == 11


def test_what_is_left_of_a_look_comes_with_the_next() -> None:
    pool = pool_of(*(queued(n) for n in range(1, 41)))
    looked = pool.ripe(NOW)
    first = next(looked)
    for each in first.tickets:
        pool.drop(each.player_id)
    looked.close()
    assert pool.next_due_ms() == 0
    assert len(taken(pool)) == 9
    assert pool.next_due_ms() is None


def test_who_would_play_several_games_plays_the_one_for_which_there_are_enough() -> None:
    flexible = queued(1, or_games=[Game(ruleset_id="zsy", deals=1)])
    pool = pool_of(flexible, *(queued(n, ruleset_id="zsy") for n in (2, 3, 4)))
    [group] = taken(pool)
    assert (ids([group]), group.game.ruleset_id) == ([[1, 2, 3, 4]], "zsy")
    assert not list(pool.lines)


def test_partners_wait_for_each_other_and_are_dropped_together() -> None:
    one, other = party(1, 2)
    pool = pool_of(one, queued(3), queued(4))
    assert pool.place_of("p1") is None
    assert not taken(pool)
    pool.take(other)
    assert [pool.place_of(f"p{n}") for n in (1, 2, 3, 4)] == [(1, 4), (1, 4), (3, 4), (4, 4)]
    pool.drop("p1")
    assert pool.place_of("p2") is None
    assert not taken(pool)
    pool.take(one)
    assert ids(taken(pool)) == [[1, 2, 3, 4]]


@pytest.mark.parametrize("other", [{"deals": 4}, {"mode": TICKET_MODE_BOTS}, {"region": "cn-east"}])
def test_partners_who_want_different_things_are_at_odds_and_do_not_meet(other: dict[str, Any]) -> None:
    one, late = queued(1, partner_id="p2"), queued(2, partner_id="p1", **other)
    for pool in (pool_of(one, late), pool_of(late, one)):
        assert pool.place_of("p1") is None
        assert pool.at_odds == [late]
        pool.take(queued(9, partner_id="p2"))
        pool.drop("p9")
        assert pool.at_odds == [late]
        # The first asks for the same now.
        pool.take(Queued(4, queued(1, partner_id="p2", **other).record))
        assert (pool.at_odds, pool.place_of("p1")) == ([], (1, 2))
    for gone in ("p1", "p2"):
        pool = pool_of(one, late)
        pool.drop(gone)
        assert not pool.at_odds


def test_partners_meet_in_the_games_that_both_name() -> None:
    both = queued(2, partner_id="p1", deals=4, or_games=[Game(ruleset_id="qq", deals=1)])
    pool = pool_of(queued(1, partner_id="p2"), both, queued(3), queued(4))
    assert not pool.at_odds
    assert ids(taken(pool)) == [[1, 2, 3, 4]]
    assert pool_of(queued(1, partner_id="p2"), queued(2, partner_id="p9")).place_of("p1") is None


def test_nothing_is_looked_at_twice_unless_it_changed_or_is_due() -> None:
    pool = pool_of(*(ranked(n, 25.0 + 2.4 * (n % 2)) for n in range(1, 5)))
    assert not taken(pool)
    assert pool.next_due_ms() == NOW + STEP_MS
    assert not taken(pool, NOW + STEP_MS - 1)
    assert ids(taken(pool, NOW + STEP_MS)) == [[1, 2, 3, 4]]
    assert pool.next_due_ms() is None


def test_a_group_that_came_to_nothing_comes_again() -> None:
    pool = pool_of(*(queued(n) for n in range(1, 5)))
    [group] = taken(pool)
    assert not list(pool.ripe(NOW))
    pool.put_back(group)
    assert ids(list(pool.ripe(NOW))) == [[1, 2, 3, 4]]
    # Nobody took it: it is offered again.
    assert ids(list(pool.ripe(NOW))) == [[1, 2, 3, 4]]


def test_an_older_revision_does_not_undo_a_newer_one() -> None:
    pool = pool_of(queued(5, deals=4))
    pool.take(Queued(3, queued(5).record))
    assert [line.game.deals for line, _ in pool.lines] == [4]


def test_play_with_bots_needs_nobody() -> None:
    [group] = taken(pool_of(queued(1, mode=TICKET_MODE_BOTS), queued(2)))
    assert (ids([group]), group.bots) == ([[1]], 3)


def test_a_rematch_waits_for_the_same_people_and_lapses() -> None:
    table = ["p1", "bot:plain", "p3", "p2"]
    again = [queued(n, rematch_of="t", players=table, lapses_ms=NOW + 9) for n in (1, 2, 3)]
    pool = pool_of(*again[:2], *(queued(n) for n in (7, 8, 9)))
    assert not taken(pool)
    assert not pool.lapsed(NOW + 8)
    assert [each.sequence for each in pool.lapsed(NOW + 9)] == [1, 2]
    pool.take(again[2])
    [group] = taken(pool)
    assert (ids([group]), group.bots) == ([[1, 2, 3]], 1)


def test_places_are_counted_in_the_order_of_the_queue() -> None:
    pool = pool_of(queued(2), queued(1), queued(9, returns=1), queued(4, deals=2))
    assert [pool.place_of(f"p{n}") for n in (9, 1, 2, 4)] == [(1, 3), (2, 3), (3, 3), (1, 1)]
