"""Laws of matching: a pure function of who waits for one game."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from kit.tickets import NOW, ids, matches, party, queued, ranked
from shuangkou.matchmaking.claim import claim_of, names_of
from shuangkou.matchmaking.ladder import Ladder
from shuangkou.matchmaking.quality import draw_probability
from shuangkou.matchmaking.unit import STEP_MS, UNLIMITED_MS, Queued, Unit, unit_of

QUEUES = st.lists(
    st.builds(
        lambda sequence, bots_at, mu, avoided: queued(
            sequence, mu, bots_at_ms=bots_at, avoided=[f"p{n}" for n in avoided]
        ),
        st.integers(1, 40),
        st.sampled_from([0, NOW - 10, NOW, NOW + 1, NOW + 10]),
        st.sampled_from([10.0, 20.0, 25.0, 26.0, 30.0]),
        st.lists(st.integers(1, 40), max_size=8),
    ),
    max_size=24,
    unique_by=lambda queued: queued.sequence,
)
RANKED = st.lists(
    st.builds(ranked, st.integers(1, 10_000), st.floats(0, 50), st.integers(0, 2 * UNLIMITED_MS)),
    max_size=16,
    unique_by=lambda queued: queued.sequence,
)


def test_four_people_make_a_table_at_once() -> None:
    [group] = matches([queued(n) for n in (7, 3, 9, 1)])
    assert [each.sequence for each in group.tickets] == [1, 3, 7, 9]
    assert (group.seats, group.bots) == (4, 0)


def test_a_game_for_two_seats_two_people_or_one_and_a_bot() -> None:
    found = matches([queued(n, ruleset_id="duel52", bots_at_ms=NOW) for n in (1, 2, 3)])
    assert ids(found) == [[1, 2], [3]]
    assert [(group.seats, group.bots) for group in found] == [(2, 0), (2, 1)]
    assert [len(claim_of(group, NOW, ("plain",)).seats) for group in found] == [2, 2]


def test_fewer_wait_until_the_time_of_one_has_come() -> None:
    line = [queued(n, bots_at_ms=NOW + at) for n, at in ((1, 10), (2, 5), (3, 90))]
    assert not matches(line)
    [group] = matches(line, NOW + 5)
    assert (ids([group]), group.bots) == ([[1, 2, 3]], 1)


def test_who_wants_people_only_is_passed_over_by_bots_but_not_by_people() -> None:
    line = [queued(1), queued(2, bots_at_ms=NOW), queued(3, bots_at_ms=NOW)]
    assert ids(matches(line)) == [[2, 3]]
    assert ids(matches([*line, queued(4, bots_at_ms=NOW)])) == [[1, 2, 3, 4]]


def test_who_came_back_from_a_table_goes_first() -> None:
    line = [*(queued(n) for n in range(1, 5)), queued(9, returns=1)]
    [group] = matches(line)
    assert 9 in ids([group])[0]


def test_a_party_sits_opposite_each_other_whoever_comes() -> None:
    strong = party(1, 2, 40.0)
    for others in ([queued(3), queued(4)], [party(3, 4)]):
        [group] = matches([strong, *others])
        names = names_of(claim_of(group, NOW, ("plain",)))
        assert abs(names.index("p1") - names.index("p2")) == 2
    [group] = matches(
        [(queued(1, partner_id="p2", bots_at_ms=NOW), queued(2, partner_id="p1", bots_at_ms=NOW))]
    )
    names = names_of(claim_of(group, NOW, ("plain", "steady")))
    assert (abs(names.index("p1") - names.index("p2")), group.bots) == (2, 2)


def test_the_sides_are_as_even_as_they_can_be() -> None:
    [group] = matches([queued(1, 40.0), queued(2, 10.0), queued(3, 40.0), queued(4, 10.0)])
    assert {tuple(sorted(queued.sequence % 2 for queued in side)) for side in group.sides} == {(0, 1)}


def test_nobody_sits_with_whom_it_avoids_even_among_many_neighbours() -> None:
    """Twelve neighbours that all avoid each other, and three far away."""
    line = [
        queued(n, 25.0 + n / 100, avoided=[f"p{m}" for m in range(1, 14) if m != n]) for n in range(1, 14)
    ]
    far = [queued(n, 45.0) for n in (20, 21, 22)]
    [group] = matches([*line, *far])
    assert ids([group]) == [[1, 20, 21, 22]]


def test_a_window_widens_until_it_is_gone() -> None:
    line = [ranked(1, 25.0), ranked(2, 25.0), ranked(3, 25.0), ranked(4, 28.5)]
    assert not matches(line)
    assert not matches(line, NOW + STEP_MS)
    assert ids(matches(line, NOW + 2 * STEP_MS)) == [[1, 2, 3, 4]]
    apart = [ranked(n, 5.0 * n) for n in range(1, 5)]
    assert not matches(apart, NOW + UNLIMITED_MS - 1)
    assert len(matches(apart, NOW + UNLIMITED_MS)) == 1


def test_bots_come_only_where_somebody_takes_them() -> None:
    [*_, group] = matches([queued(n, bots_at_ms=NOW) for n in range(1, 7)])
    assert (ids([group]), group.bots, group.quality) == ([[5, 6]], 2, 0.0)


def test_a_crowd_that_avoids_each_other_is_looked_through_quickly() -> None:
    """Three hundred in three cliques: millions of fours, and none of them fits."""
    size = 100
    line = [
        queued(
            n, avoided=[f"p{n // size * size + (n + further) % size}" for further in range(1, size // 2 + 1)]
        )
        for n in range(3 * size)
    ]
    assert not matches(line)
    [group] = matches([*line, queued(999)])
    assert 999 in ids([group])[0]


@given(RANKED)
def test_bits_say_who_suits_whom(line: list[Queued]) -> None:
    units = [unit_of(each) for each in line]
    ladder = Ladder(units, NOW)
    for one in units:
        suited = {other for other in units if other is not one and one.suits(other, NOW)}
        assert ladder.suited_by(one) == ladder.bits(suited)
        nearest = list(ladder.nearest(one, ladder.bits(suited)))
        assert {*nearest} == suited
        gaps = [abs(other.rating - one.rating) for other in nearest]
        assert gaps == sorted(gaps)


def suit_each_other(people: list[Queued], now_ms: int = NOW) -> bool:
    """Whether all of them could sit at one table, said slowly."""
    units = [unit_of(each) for each in people]
    return all(one.suits(other, now_ms) for one, other in combinations(units, 2))


@given(QUEUES)
def test_nobody_sits_twice_or_with_whom_it_avoids(line: list[Queued]) -> None:
    found = matches(line)
    seated = Counter(sequence for group in ids(found) for sequence in group)
    assert all(times == 1 for times in seated.values())
    assert set(seated) <= {queued.sequence for queued in line}
    for group in found:
        names = {queued.player_id for queued in group.tickets}
        assert 1 <= len(group.tickets) <= 4
        assert not any(names & {*queued.ticket.avoided} - {queued.player_id} for queued in group.tickets)


@given(QUEUES)
def test_nobody_is_left_who_could_have_played(line: list[Queued]) -> None:
    seated = {sequence for group in ids(matches(line)) for sequence in group}
    left = [queued for queued in line if queued.sequence not in seated]
    assert not any(suit_each_other(list(four)) for four in combinations(left, 4))
    assert not any(0 < queued.ticket.bots_at_ms <= NOW for queued in left)


@given(RANKED)
def test_ranked_players_meet_inside_both_windows_and_none_is_left_that_could(line: list[Queued]) -> None:
    found = matches(line)
    for group in found:
        assert len(group.tickets) == 4
        assert suit_each_other(list(group.tickets))
    seated = {sequence for group in ids(found) for sequence in group}
    left = [queued for queued in line if queued.sequence not in seated]
    assert not any(suit_each_other(list(four)) for four in combinations(left, 4))


@given(QUEUES)
def test_replicas_that_see_the_same_decide_the_same(line: list[Queued]) -> None:
    assert ids(matches(line)) == ids(matches(reversed(line)))


@given(st.lists(st.integers(0, 50), min_size=4, max_size=4))
def test_no_other_sides_of_the_same_four_are_more_even(ratings: list[int]) -> None:
    [group] = matches([queued(n, float(mu)) for n, mu in enumerate(ratings, start=1)])
    skill = {queued.sequence: unit_of(queued).skills[0] for queued in group.tickets}
    for one, other in ((1, 2), (1, 3), (1, 4)):
        rest = [skill[n] for n in skill if n not in (one, other)]
        assert draw_probability([skill[one], skill[other]], rest) <= group.quality + 1e-12


@given(st.integers(0, UNLIMITED_MS - 1))
def test_the_next_step_is_the_next_moment_at_which_the_window_widens(waited_ms: int) -> None:
    unit: Unit = unit_of(ranked(1, 25.0, waited_ms))
    step = unit.next_step_ms(NOW)
    assert step is not None
    assert NOW < step <= NOW + STEP_MS
    assert unit.window(step - 1) == unit.window(NOW) < unit.window(step)
