"""docs/rules/climbing.md §12.2, §12.3: the auction for the landlord, and the kitty that it takes from."""

import pytest

from kit.climbing_openings import AUCTION, KITTY, auction, code_of, deal_of, opened
from kit.climbing_table import DECIDER, SEED, act, fold, new_deal
from shuangkou.rules.climbing.calls import landlord_of
from shuangkou.rules.climbing.events import Event, PhaseBegan
from shuangkou.rules.climbing.legal_acts import legal_acts_in_view
from shuangkou.rules.climbing.notation import format_act
from shuangkou.rules.climbing.options import Phase
from shuangkou.rules.climbing.phase_events import (
    BidMade,
    CallPassed,
    KittyCardsTaken,
    KittyChosen,
    LandlordCalled,
    LandlordGrabbed,
    LandlordNamed,
)
from shuangkou.rules.climbing.state import MatchState
from shuangkou.rules.commands import Forfeit, Pass, StartDeal
from shuangkou.rules.events import DealVoided, VoidReason
from shuangkou.rules.notation import parse_cards
from shuangkou.rules.seats import SEATS, Seat


def named(state: MatchState) -> tuple[int, int]:
    landlord = landlord_of(deal_of(state).opening)
    assert landlord is not None
    return landlord.seat, landlord.bid


def test_the_highest_bid_makes_the_landlord() -> None:
    """§12.2: one call each, in the order of play."""
    state, _ = act(auction(leader=3), "3: bid 1", "0: pass", "1: bid 2")
    state, events = act(state, "2: pass")
    assert events == (CallPassed(Seat(2)), LandlordNamed(Seat(1), 2), PhaseBegan(Phase.TAKE, Seat(1)))
    assert named(state) == (1, 2)
    assert (deal_of(state).turn, deal_of(state).leader) == (1, 1)


def test_the_most_that_can_be_bid_ends_the_bidding() -> None:
    """§12.2."""
    state, events = act(auction(), "0: pass", "1: bid 3")
    assert events[:2] == (BidMade(Seat(1), 3), LandlordNamed(Seat(1), 3))
    assert named(state) == (1, 3)


def test_the_last_seat_may_bid() -> None:
    """§12.2."""
    state, _ = act(auction(), "0: pass", "1: pass", "2: pass", "3: bid 1")
    assert named(state) == (3, 1)


def test_a_call_may_be_grabbed_once() -> None:
    """§12.2: the first who grabs, be it the partner of the caller."""
    state, events = act(auction(), "0: call")
    assert events == (LandlordCalled(Seat(0)),)
    assert list(map(format_act, DECIDER.legal_acts(state, Seat(1)).before_play)) == ["1: grab"]
    state, events = act(state, "1: pass", "2: grab")
    assert events[:2] == (LandlordGrabbed(Seat(2)), LandlordNamed(Seat(2), 3))
    assert named(state) == (2, 3)


def test_a_call_that_nobody_grabs_stands() -> None:
    """§12.2."""
    state, _ = act(auction(), "0: call", "1: pass", "2: pass", "3: pass")
    assert named(state) == (0, 3)


@pytest.mark.parametrize(
    ("acts", "code"),
    [
        (("0: bid 0",), "climbing/no_such_bid"),
        (("0: bid 4",), "climbing/no_such_bid"),
        (("0: bid 2", "1: bid 2"), "climbing/bid_too_low"),
        (("0: call", "1: bid 3"), "climbing/bid_too_low"),
        (("0: pass", "1: call"), "climbing/call_too_late"),
        (("0: bid 1", "1: grab"), "climbing/nothing_to_grab"),
        (("0: grab",), "climbing/nothing_to_grab"),
        (("0: pass", "0: bid 1"), "turn/not_your_turn"),
        (("0: 3",), "state/other_phase"),
        (("0: take",), "state/other_phase"),
        (("0: bid 3", "0: take 3s"), "cards/not_in_kitty"),
        (("0: bid 3", "0: take Jh Jh"), "cards/not_in_kitty"),
        (("0: bid 3", "0: pass"), "state/other_phase"),
        (("0: bid 3", "1: take"), "turn/not_your_turn"),
    ],
)
def test_what_an_auction_refuses(acts: tuple[str, ...], code: str) -> None:
    """§12.2, §12.3."""
    assert code_of(auction(), *acts) == code


def all_pass(state: MatchState) -> tuple[MatchState, tuple[Event, ...]]:
    leader = deal_of(state).leader
    return act(state, *(Pass(SEATS[(leader + place) % 4]) for place in range(4)))


def test_a_deal_that_all_pass_is_void_but_not_the_third_in_a_row() -> None:
    """§12.2: then the dealer, the seat before the one that began, is the landlord with a bid of 1."""
    state = new_deal(SEED, AUCTION)
    for number in (1, 2):
        state, events = all_pass(state)
        assert isinstance(events[-1], DealVoided)
        assert (events[-1].reason, events[-1].scores) == (VoidReason.ALL_PASSED, (0, 0, 0, 0))
        assert (state.standing.passed_out, state.standing.deals_voided) == (number, number)
        state = fold(state, DECIDER.decide(state, StartDeal(bytes([number]) * 32)))
    first = deal_of(state).leader
    state, _ = all_pass(state)
    assert named(state) == ((first - 1) % 4, 1)


def test_only_deals_in_a_row_count() -> None:
    """§12.2: a void deal for another reason and a deal with a result begin a new row."""
    state = auction(passed_out=2)
    left, _ = act(state, Forfeit(Seat(0)), Forfeit(Seat(1)))
    assert (left.standing.deals_voided, left.standing.passed_out) == (1, 0)
    state, _ = act(state, "0: bid 3", "0: take", "0: 3s", "1: pass", "2: pass", "3: pass", "0: 4s")
    assert (state.standing.deals_played, state.standing.passed_out) == (1, 0)


def test_the_landlord_alone_sees_the_kitty_and_takes_what_it_likes() -> None:
    """§12.3."""
    state, _ = act(auction(), "0: pass", "1: bid 3")
    kitty = parse_cards(KITTY)
    for seat in (*SEATS, None):
        view = DECIDER.observe(state, seat)
        assert (view.kitty, view.kitty_size) == (kitty if seat == 1 else (), 4)
    acts = DECIDER.legal_acts(state, Seat(1))
    assert len(acts.before_play) == 16
    assert list(legal_acts_in_view(AUCTION.options, DECIDER.observe(state, Seat(1))).before_play) == list(
        acts.before_play
    )
    state, events = act(state, "1: take Qc 7h")
    assert events == (
        KittyCardsTaken(Seat(1), parse_cards("7h Qc")),
        KittyChosen(Seat(1), 2),
        PhaseBegan(Phase.PLAY, Seat(1)),
    )
    deal = deal_of(state)
    assert (deal.hands[1], deal.hand_sizes) == (parse_cards("5s 6s 7h Qc"), (2, 4, 2, 2))
    assert [DECIDER.observe(state, seat).kitty for seat in SEATS] == [(), parse_cards("Jh 6c"), (), ()]
    assert (deal.kitty_size, deal.turn, deal.leader, deal.phase) == (2, 1, 1, Phase.PLAY)


def test_a_landlord_may_play_all_sixteen_cards() -> None:
    """§3.10, §12.3: eight pairs from ace to eight are one play."""
    pairs = " ".join(f"{rank}s {rank}h" for rank in "A2345678")
    hand, kitty = pairs.split()[:12], pairs.split()[12:]
    hands = (" ".join(hand), "9", "9", "9")
    state = opened(AUCTION, *hands, kitty=" ".join(kitty))
    state, events = act(state, "0: bid 3", f"0: take {' '.join(kitty)}", f"0: {pairs}")
    assert state.settled is not None
    assert events[0].combination.size == 16  # type: ignore[union-attr]  # the play comes first
