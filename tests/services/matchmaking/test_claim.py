"""Claims are drawn from the tickets and nothing else."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from shuangkou.matchmaking.claim import claim_of, names_of, tickets_of
from shuangkou.matchmaking.matcher import Group, Queued
from shuangkou.v1.matchmaking_pb2 import TICKET_STATE_CLAIMED, TICKET_STATE_WAITING, Ticket

PERSONAS = ("plain", "steady", "tilt")


def group_of(*sequences: int) -> Group:
    """A group of waiting tickets at these places."""
    return Group(
        [
            Queued(
                sequence,
                Ticket(
                    ticket_id=f"t{sequence}",
                    player_id=f"p{sequence}",
                    ruleset_id="qq",
                    deals=2,
                    state=TICKET_STATE_WAITING,
                    created_ms=sequence,
                ),
            )
            for sequence in sequences
        ]
    )


GROUPS = st.lists(st.integers(1, 10**9), min_size=1, max_size=4, unique=True).map(lambda s: group_of(*s))


@given(GROUPS)
def test_a_claim_seats_everybody_once_and_bots_on_the_rest(group: Group) -> None:
    claim = claim_of(group, 99, PERSONAS)
    seated = tickets_of(claim)
    assert {ticket.ticket_id for _, ticket in seated} == {queued.ticket.ticket_id for queued in group.tickets}
    assert all(ticket.state == TICKET_STATE_CLAIMED for _, ticket in seated)
    assert (len(claim.seats), claim.ruleset_id, claim.deals, claim.claimed_ms) == (4, "qq", 2, 99)
    bots = [name.removeprefix("bot:") for name in names_of(claim) if name.startswith("bot:")]
    assert len(bots) == group.bots
    assert len(set(bots)) == len(bots)
    assert set(bots) <= set(PERSONAS)


@given(GROUPS)
def test_equal_groups_make_equal_claims(group: Group) -> None:
    assert claim_of(group, 1, PERSONAS) == claim_of(group, 1, PERSONAS)
    assert claim_of(group, 1, PERSONAS).claim_id == claim_of(group, 2, ("plain",)).claim_id


@given(st.sets(st.integers(1, 10**9), min_size=2, max_size=4))
def test_other_tickets_make_other_claims(sequences: set[int]) -> None:
    one, *others = sorted(sequences)
    assert (
        claim_of(group_of(one, *others), 1, PERSONAS).claim_id
        != claim_of(group_of(*others), 1, PERSONAS).claim_id
    )


def test_one_persona_may_fill_several_seats_where_there_is_no_other() -> None:
    assert Counter(names_of(claim_of(group_of(5), 1, ("plain",)))) == {"p5": 1, "bot:plain": 3}


def test_seats_and_personas_are_drawn_evenly() -> None:
    seats = Counter[int]()
    personas = Counter[str]()
    for sequence in range(1, 1201):
        claim = claim_of(group_of(sequence), 1, PERSONAS[:2])
        seats[tickets_of(claim)[0][0]] += 1
        personas[next(name for name in names_of(claim) if name.startswith("bot:"))] += 1
    assert all(240 < times < 360 for times in seats.values())
    assert len(seats) == 4
    assert len(personas) == 2
