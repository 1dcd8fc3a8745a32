"""Claims are drawn from the tickets and nothing else."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from kit.tickets import NOW, one_table, queued
from shuangkou.matchmaking.claim import claim_of, names_of, tickets_of
from shuangkou.matchmaking.matcher import Group, group_of
from shuangkou.matchmaking.unit import unit_of

PERSONAS = ("plain", "steady", "tilt")


def table_of(*sequences: int) -> Group:
    """A group of waiting tickets at these places, with bots where they are fewer than four."""
    return one_table(*(queued(sequence, bots_at_ms=1) for sequence in sequences))


TABLES = st.lists(st.integers(1, 10**9), min_size=1, max_size=4, unique=True).map(lambda s: table_of(*s))


@given(TABLES)
def test_a_claim_seats_everybody_once_and_bots_on_the_rest(group: Group) -> None:
    claim = claim_of(group, 99, PERSONAS)
    seated = tickets_of(claim)
    assert {ticket.ticket_id for _, ticket in seated} == {queued.ticket.ticket_id for queued in group.tickets}
    assert (len(claim.seats), claim.ruleset_id, claim.deals, claim.claimed_ms) == (4, "qq", 1, 99)
    bots = [name.removeprefix("bot:") for name in names_of(claim) if name.startswith("bot:")]
    assert len(bots) == group.bots
    assert len(set(bots)) == len(bots)
    assert set(bots) <= set(PERSONAS)
    names = names_of(claim)
    for side in group.sides:
        assert len({names.index(queued.player_id) % 2 for queued in side}) <= 1


@given(TABLES)
def test_equal_groups_make_equal_claims(group: Group) -> None:
    assert claim_of(group, 1, PERSONAS) == claim_of(group, 1, PERSONAS)
    assert claim_of(group, 1, PERSONAS).claim_id == claim_of(group, 2, ("plain",)).claim_id


@given(st.sets(st.integers(1, 10**9), min_size=2, max_size=4))
def test_other_tickets_make_other_claims(sequences: set[int]) -> None:
    one, *others = sorted(sequences)
    whole, rest = (claim_of(table_of(*each), 1, PERSONAS).claim_id for each in ((one, *others), others))
    assert whole != rest


def test_one_persona_may_fill_several_seats_where_there_is_no_other() -> None:
    assert Counter(names_of(claim_of(table_of(5), 1, ("plain",)))) == {"p5": 1, "bot:plain": 3}


def test_players_of_a_rematch_sit_where_they_sat() -> None:
    table = ["p2", "bot:tilt", "p1", "bot:plain"]
    units = [unit_of(queued(n, rematch_of="t", players=table)) for n in (1, 2)]
    assert names_of(claim_of(group_of(units[0].games[0], units), NOW, PERSONAS)) == table


def test_seats_and_personas_are_drawn_evenly() -> None:
    seats = Counter[int]()
    personas = Counter[str]()
    for sequence in range(1, 1201):
        claim = claim_of(table_of(sequence), 1, PERSONAS[:2])
        seats[tickets_of(claim)[0][0]] += 1
        personas[next(name for name in names_of(claim) if name.startswith("bot:"))] += 1
    assert all(240 < times < 360 for times in seats.values())
    assert len(seats) == 4
    assert len(personas) == 2
