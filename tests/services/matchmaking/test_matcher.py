"""Laws of matching: a pure function of who waits."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from shuangkou.matchmaking.claim import claim_of
from shuangkou.matchmaking.matcher import Group, Queued, matches, next_fill_ms
from shuangkou.v1.events_pb2 import EventTerms
from shuangkou.v1.matchmaking_pb2 import TICKET_STATE_WAITING, Ticket

NOW = 1_000


def queued(sequence: int, bots_at_ms: int = NOW + 500, ruleset_id: str = "qq", deals: int = 1) -> Queued:
    """A ticket at its place in the queue."""
    ticket = Ticket(
        ticket_id=f"t{sequence}",
        player_id=f"p{sequence}",
        ruleset_id=ruleset_id,
        deals=deals,
        state=TICKET_STATE_WAITING,
        created_ms=sequence,
        bots_at_ms=bots_at_ms,
    )
    return Queued(sequence, ticket)


def ids(groups: list[Group]) -> list[list[int]]:
    """The sequences in each group."""
    return [[queued.sequence for queued in group.tickets] for group in groups]


QUEUES = st.lists(
    st.builds(
        queued,
        st.integers(1, 10_000),
        st.sampled_from([0, NOW - 10, NOW, NOW + 1, NOW + 10]),
        st.sampled_from(["qq", "other"]),
        st.sampled_from([1, 4]),
    ),
    max_size=24,
    unique_by=lambda queued: queued.sequence,
)


def test_four_people_make_a_table_at_once() -> None:
    assert ids(matches([queued(n) for n in (7, 3, 9, 1, 5)], NOW)) == [[1, 3, 5, 7]]


def test_a_game_for_two_seats_two_people_or_one_and_a_bot() -> None:
    groups = matches([queued(sequence, NOW, "duel52") for sequence in (1, 2, 3)], NOW)
    assert ids(groups) == [[1, 2], [3]]
    assert [(group.seats, group.bots) for group in groups] == [(2, 0), (2, 1)]
    assert [len(claim_of(group, NOW, ("plain",)).seats) for group in groups] == [2, 2]


def test_only_tickets_of_the_same_event_and_options_meet() -> None:
    """A round is an option of an event, and a match in none is another game."""
    second = EventTerms(event_id="ev_swiss", options={"round": "2", "max_deals": "8"})
    terms = (None, EventTerms(event_id="ev_elder"), EventTerms(event_id="ev_swiss"), second)
    waiting = []
    for number in range(16):
        ticket = queued(number + 1)
        chosen = terms[number % 4]
        if chosen is not None:
            ticket.ticket.event.CopyFrom(chosen)
        waiting.append(ticket)
    groups = matches(waiting, NOW)
    assert sorted(ids(groups)) == [[first, first + 4, first + 8, first + 12] for first in (1, 2, 3, 4)]
    for group in groups:
        claim, first = claim_of(group, NOW, ("plain",)), group.tickets[0].ticket
        assert claim.HasField("event") == first.HasField("event")
        assert claim.event == first.event


def test_fewer_wait_until_the_time_of_one_has_come() -> None:
    line = [queued(1, NOW + 10), queued(2, NOW + 5), queued(3, NOW + 90)]
    assert not matches(line, NOW)
    [group] = matches(line, NOW + 5)
    assert (ids([group]), group.bots) == ([[1, 2, 3]], 1)


def test_who_wants_people_only_is_passed_over_by_bots_but_not_by_people() -> None:
    line = [queued(1, 0), queued(2, NOW), queued(3, NOW)]
    assert ids(matches(line, NOW)) == [[2, 3]]
    assert ids(matches([*line, queued(4, NOW)], NOW)) == [[1, 2, 3, 4]]


def test_different_games_do_not_meet() -> None:
    line = [queued(1), queued(2), queued(3, deals=4), queued(4, ruleset_id="other")]
    assert not matches(line, NOW)


def test_the_next_fill_is_the_earliest_of_those_who_take_bots() -> None:
    assert next_fill_ms([queued(1, 0), queued(2, NOW + 7), queued(3, NOW + 9)]) == NOW + 7
    assert next_fill_ms([queued(1, 0)]) is None


@given(QUEUES)
def test_nobody_sits_at_two_tables_and_only_equal_games_meet(line: list[Queued]) -> None:
    groups = matches(line, NOW)
    seated = Counter(sequence for group in ids(groups) for sequence in group)
    assert all(times == 1 for times in seated.values())
    assert set(seated) <= {queued.sequence for queued in line}
    for group in groups:
        assert len({(queued.ticket.ruleset_id, queued.ticket.deals) for queued in group.tickets}) == 1
        assert 1 <= len(group.tickets) <= 4
        assert ids([group]) == [sorted(ids([group])[0])]


@given(QUEUES)
def test_bots_meet_only_who_takes_them_and_only_when_a_time_has_come(line: list[Queued]) -> None:
    for group in matches(line, NOW):
        if group.bots:
            assert all(queued.takes_bots for queued in group.tickets)
            assert any(queued.ticket.bots_at_ms <= NOW for queued in group.tickets)


@given(QUEUES)
def test_nobody_is_left_who_could_have_played(line: list[Queued]) -> None:
    seated = {sequence for group in ids(matches(line, NOW)) for sequence in group}
    left = [queued for queued in line if queued.sequence not in seated]
    games = Counter((queued.ticket.ruleset_id, queued.ticket.deals) for queued in left)
    assert all(waiting < 4 for waiting in games.values())
    assert not any(queued.takes_bots and queued.ticket.bots_at_ms <= NOW for queued in left)


@given(QUEUES)
def test_who_came_first_is_served_first(line: list[Queued]) -> None:
    by_sequence = {queued.sequence: queued.ticket for queued in line}
    full = [group for group in ids(matches(line, NOW)) if len(group) == 4]
    in_full = {sequence for group in full for sequence in group}
    for group in full:
        game = (by_sequence[group[0]].ruleset_id, by_sequence[group[0]].deals)
        earlier = {
            sequence
            for sequence, ticket in by_sequence.items()
            if sequence < group[-1] and (ticket.ruleset_id, ticket.deals) == game
        }
        assert earlier <= in_full


@given(QUEUES)
def test_replicas_that_see_the_same_decide_the_same(line: list[Queued]) -> None:
    assert ids(matches(line, NOW)) == ids(matches(reversed(line), NOW))
