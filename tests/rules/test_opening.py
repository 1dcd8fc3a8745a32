"""docs/rules/climbing.md §2.6 to §2.8: the face-up card, the swap of seats, and open partner hands."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.climbing_table import DECIDER, SEED, end_of, fold, lowest_policy, new_deal, played_out
from kit.effort import effort
from shuangkou.rules.cards import full_deck
from shuangkou.rules.climbing.events import DealStarted, FaceCardShown, PhaseBegan, Result
from shuangkou.rules.climbing.options import Phase, Sides
from shuangkou.rules.climbing.state import MatchState
from shuangkou.rules.climbing.view import Standing
from shuangkou.rules.commands import StartDeal
from shuangkou.rules.dealing import dealt, draw_seat, shuffled
from shuangkou.rules.events import HandsDealt, SeatsSwapped
from shuangkou.rules.ruleset import load
from shuangkou.rules.seats import SEATS, Seat, partner

FACE_CARD_GAMES = ("baibian", "jj", "wenzhou")
SEEDS = st.binary(min_size=32, max_size=32)
STANDING = Standing(4, (10, 20, 30, 40), Seat(1), Result.SINGLE)


def started(state: MatchState, command: StartDeal) -> tuple[DealStarted, HandsDealt, FaceCardShown]:
    start, hands, shown = DECIDER.decide(state, command)[:3]
    assert isinstance(start, DealStarted)
    assert isinstance(hands, HandsDealt)
    assert isinstance(shown, FaceCardShown)
    return start, hands, shown


@pytest.mark.parametrize("id", FACE_CARD_GAMES)
@given(SEEDS)
@effort(20)
def test_the_two_holders_of_the_face_card_are_partners(id: str, seed: bytes) -> None:
    """§2.6, §2.7: the first copy leads and the second sits opposite, or both are in one hand."""
    state = DECIDER.resume(load(id), STANDING)
    events = DECIDER.decide(state, StartDeal(seed))
    start, hands, shown = started(state, StartDeal(seed))
    assert shown.card.suit is not None
    assert start.leader == shown.first
    holders = {seat for seat in SEATS if shown.card in hands.hands[seat]}
    assert holders in ({start.leader}, {start.leader, partner(start.leader)})
    is_swapped = shown.second not in (shown.first, partner(shown.first))
    assert len(events) == 3 + is_swapped
    if is_swapped:
        assert events[3] == SeatsSwapped((shown.second, partner(shown.first)))
    after = fold(state, events)
    assert after.deal is not None
    assert (after.deal.turn, after.deal.opening) == (start.leader, events[2:])
    assert DECIDER.observe(after, None).face_card == shown


@given(SEEDS)
@effort(20)
def test_cards_are_dealt_from_the_last_head_and_go_with_their_player(seed: bytes) -> None:
    """§2.2, §2.7: hand, points and the name of last head change seats together."""
    state = DECIDER.resume(load("baibian"), STANDING)
    start, hands, shown = started(state, StartDeal(seed))
    assert start.dealt_from == STANDING.last_head
    piles = dealt(shuffled(seed, full_deck(2)), 27, start.dealt_from)
    after = fold(state, DECIDER.decide(state, StartDeal(seed)))
    assert after.deal is not None
    swap = next((event for event in after.deal.opening if isinstance(event, SeatsSwapped)), None)
    came_from = {seat: seat for seat in SEATS}
    if swap is not None:
        one, other = swap.seats
        came_from |= {one: other, other: one}
    assert hands.hands == tuple(state.table.sort(piles[came_from[seat]]) for seat in SEATS)
    assert after.standing.totals == tuple(STANDING.totals[came_from[seat]] for seat in SEATS)
    assert after.standing.last_head is not None
    assert came_from[after.standing.last_head] == STANDING.last_head
    first = next(card for card in shuffled(seed, full_deck(2)) if card == shown.card)
    assert first in piles[shown.first]


def test_both_copies_are_found_in_dealing_order() -> None:
    """§2.6: the first copy is the one that was dealt first."""
    for number in range(12):
        seed = bytes([number]) * 32
        state = DECIDER.new_match(load("jj"))
        start, _, shown = started(state, StartDeal(seed))
        deck = shuffled(seed, full_deck(2))
        places = [place for place, card in enumerate(deck) if card == shown.card]
        assert [(start.dealt_from + place) % 4 for place in places] == [shown.first, shown.second]


def test_the_first_deal_starts_at_a_random_seat() -> None:
    """§2.2; so does one at a new table."""
    starts = set()
    for number in range(24):
        seed = bytes([number]) * 32
        for state, command in (
            (DECIDER.new_match(load("wenzhou")), StartDeal(seed)),
            (DECIDER.resume(load("wenzhou"), STANDING), StartDeal(seed, new_table=True)),
        ):
            start, _, _ = started(state, command)
            assert start.dealt_from == draw_seat(seed, "start")
            starts.add(start.dealt_from)
    assert starts == set(SEATS)


def test_a_void_deal_is_dealt_again_from_the_same_seat() -> None:
    """§9.2."""
    state = DECIDER.resume(load("wenzhou"), replace(STANDING, was_abnormal=True, void_start=Seat(3)))
    assert started(state, StartDeal(SEED))[0].dealt_from == 3


def test_partners_see_each_other_where_hands_are_open() -> None:
    """§2.8: 双明, and nobody else does."""
    for id in FACE_CARD_GAMES:
        state = new_deal(SEED, load(id))
        assert state.deal is not None
        for seat in SEATS:
            seen = DECIDER.observe(state, seat).partner_hand
            assert seen == (state.deal.hands[partner(seat)] if id == "jj" else ())
        assert DECIDER.observe(state, None).partner_hand == ()
        assert DECIDER.observe(end_of(played_out(state, lowest_policy)), Seat(0)).partner_hand == ()


def test_a_phase_begins_with_the_seat_that_acts_first() -> None:
    """The acts of each phase are its own."""
    state = fold(new_deal(), (PhaseBegan(Phase.PLAY, Seat(2)),))
    assert DECIDER.actors(state) == (2,)


def test_two_players_take_turns() -> None:
    """§2.1 with two seats and no sides: the first seat out ends the deal."""
    options = replace(
        load("jipai").options, players=2, sides=Sides.NONE, decks=1, hand_size=13, joker_bomb=False
    )
    ruleset = replace(load("jipai"), options=options)
    state = new_deal(SEED, ruleset)
    assert state.deal is not None
    assert state.deal.hand_sizes == (13, 13, 0, 0)
    steps = played_out(state, lowest_policy)
    assert {before.deal.turn for before, _, _ in steps if before.deal is not None} == {0, 1}
    assert end_of(steps).settled is not None
