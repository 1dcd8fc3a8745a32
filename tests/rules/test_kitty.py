"""docs/rules/climbing.md §10: the kitty 底牌, taken and buried, drawn, or shown; cards that nobody sees."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.climbing_table import (
    DECIDER,
    PRIVATE,
    SEED,
    act,
    end_of,
    fold,
    lowest_policy,
    new_deal,
    played_out,
    table_with,
)
from kit.effort import effort
from shuangkou.rules.cards import Card, full_deck
from shuangkou.rules.climbing.commands import Command, VoteRedeal
from shuangkou.rules.climbing.contradictions import contradictions
from shuangkou.rules.climbing.events import KittyCardDrawn, KittyShown, PhaseBegan, SeatWentOut
from shuangkou.rules.climbing.legal_acts import legal_acts_in_view
from shuangkou.rules.climbing.notation import format_act, parse_act
from shuangkou.rules.climbing.options import KittyUse, Phase
from shuangkou.rules.climbing.state import DealState, MatchState
from shuangkou.rules.climbing.view import Standing
from shuangkou.rules.commands import BuryKitty, Forfeit, Pass, PlayCards, StartDeal
from shuangkou.rules.dealing import shuffled
from shuangkou.rules.errors import CODES, IllegalCommand
from shuangkou.rules.events import CardsBuried, DealVoided, HandsDealt, KittyBuried, KittyTaken
from shuangkou.rules.notation import parse_cards
from shuangkou.rules.ruleset import load
from shuangkou.rules.seats import SEATS, Seat

SEEDS = st.binary(min_size=32, max_size=32)
TAKEN, DRAWN, SHOWN, UNSEEN = (load(id) for id in ("classic54", "deluxe108", "activity54", "duel52"))


def deal_of(state: MatchState) -> DealState:
    assert state.deal is not None
    return state.deal


def code_of(state: MatchState, command: Command) -> str:
    with pytest.raises(IllegalCommand) as refused:
        DECIDER.decide(state, command)
    assert refused.value.code in CODES
    return refused.value.code


@given(SEEDS)
@effort(20)
def test_the_kitty_is_what_follows_the_hands_in_the_deck(seed: bytes) -> None:
    """§10.1."""
    for ruleset in (TAKEN, DRAWN, SHOWN, UNSEEN):
        options = ruleset.options
        deck = shuffled(seed, full_deck(options.decks, options.jokers))
        dealt = DECIDER.decide(DECIDER.new_match(ruleset), StartDeal(seed))[1]
        assert isinstance(dealt, HandsDealt)
        in_hands = sum(map(len, dealt.hands))
        assert dealt.kitty == deck[in_hands : in_hands + options.kitty]
        assert sorted(card for hand in dealt.hands for card in hand) == sorted(deck[:in_hands])


@given(SEEDS, st.sampled_from(SEATS))
@effort(20)
def test_the_dealer_takes_the_kitty(seed: bytes, dealer: Seat) -> None:
    """§10.3: everybody sees that it was taken, nobody else sees the cards."""
    state = DECIDER.resume(TAKEN, Standing(1, (0, 0, 0, 0), dealer))
    events = DECIDER.decide(state, StartDeal(seed))
    dealt = events[1]
    assert isinstance(dealt, HandsDealt)
    assert events[2:] == (KittyTaken(dealer, 2),)
    state = fold(state, events)
    deal = deal_of(state)
    assert deal.hands[dealer] == state.table.sort((*dealt.hands[dealer], *dealt.kitty))
    assert deal.hand_sizes == tuple(15 if seat == dealer else 13 for seat in SEATS)
    assert (deal.phase, deal.turn, deal.kitty, deal.kitty_size) == (Phase.BURY, dealer, (), 0)
    assert DECIDER.actors(state) == (dealer,)
    assert DECIDER.time_limit_ms(state) == 1000 * TAKEN.options.lead_seconds
    for seat in (*SEATS, None):
        view = DECIDER.observe(state, seat)
        assert (view.kitty, view.phase) == ((), Phase.BURY)
        assert view.hand == (() if seat is None else deal.hands[seat])


def test_the_dealer_buries_any_two_cards_and_leads() -> None:
    """§10.3: 扣底; the dealer alone knows them."""
    state = new_deal(SEED, TAKEN)
    dealer, hand = deal_of(state).turn, deal_of(state).hands[deal_of(state).turn]
    acts = DECIDER.legal_acts(state, dealer)
    assert len(acts.before_play) == 15 * 14 // 2
    assert not acts
    chosen = (hand[9], hand[2])
    assert BuryKitty(dealer, chosen) in acts
    state, events = act(state, BuryKitty(dealer, chosen))
    buried = (hand[2], hand[9])
    assert events == (
        CardsBuried(dealer, buried),
        KittyBuried(dealer, 2),
        PhaseBegan(Phase.PLAY, dealer),
    )
    assert [event.secret for event in events] == [True, False, False]
    deal = deal_of(state)
    assert deal.hands[dealer] == tuple(card for card in hand if card not in buried)
    assert (deal.hand_sizes, deal.kitty, deal.phase) == ((13, 13, 13, 13), buried, Phase.PLAY)
    for seat in (*SEATS, None):
        view = DECIDER.observe(state, seat)
        assert view.kitty == (buried if seat == dealer else ())
        assert view.kitty_size == 2
        assert events[1] in view.opening
    assert DECIDER.actors(state) == (dealer,)
    assert code_of(state, BuryKitty(dealer, deal.hands[dealer][:2])) == "state/other_phase"


def test_what_may_not_be_buried() -> None:
    """§10.3: every refusal has its code, and nobody plays before."""
    state = new_deal(SEED, TAKEN)
    dealer, hand = deal_of(state).turn, deal_of(state).hands[deal_of(state).turn]
    foreign = next(card for card in Card if card not in hand)
    other = SEATS[dealer - 1]
    assert code_of(state, BuryKitty(dealer, hand[:1])) == "climbing/wrong_bury_count"
    assert code_of(state, BuryKitty(dealer, hand[:3])) == "climbing/wrong_bury_count"
    assert code_of(state, BuryKitty(dealer, (hand[0], hand[0]))) == "cards/not_held"
    assert code_of(state, BuryKitty(dealer, (hand[0], foreign))) == "cards/not_held"
    assert code_of(state, BuryKitty(other, deal_of(state).hands[other][:2])) == "turn/not_your_turn"
    assert code_of(state, PlayCards(dealer, hand[:1])) == "state/other_phase"
    assert code_of(state, Pass(dealer)) == "state/other_phase"
    assert code_of(DECIDER.new_match(TAKEN), BuryKitty(dealer, hand[:2])) == "state/no_deal_in_progress"
    assert code_of(new_deal(SEED), BuryKitty(dealer, hand[:2])) == "state/other_phase"
    with pytest.raises(IllegalCommand):
        DECIDER.fallback(state, other)


def test_the_ruled_default_buries_the_lowest() -> None:
    """§8.2."""
    state = new_deal(SEED, TAKEN)
    dealer = deal_of(state).turn
    assert DECIDER.fallback(state, dealer) == BuryKitty(dealer, deal_of(state).hands[dealer][:2])


def test_burying_is_written_and_read() -> None:
    command = BuryKitty(Seat(1), parse_cards("4s BJ"))
    assert format_act(command) == "1: bury 4s BJ"
    assert parse_act("1: bury 4s BJ") == command


def test_a_redeal_may_be_asked_for_until_the_first_play() -> None:
    """§9.4: burying is no play."""
    state = new_deal(SEED, PRIVATE["classic54"])
    dealer = deal_of(state).turn
    state, _ = act(state, VoteRedeal(Seat(0)), DECIDER.fallback(state, dealer))
    state, events = act(state, *(VoteRedeal(seat) for seat in SEATS[1:]))
    assert isinstance(events[-1], DealVoided)


@given(SEEDS)
@effort(20)
def test_each_seat_draws_one_card_of_the_kitty(seed: bytes) -> None:
    """§10.4: from the dealer on, in turn order, and nobody sees what."""
    state = DECIDER.new_match(DRAWN)
    events = DECIDER.decide(state, StartDeal(seed))
    dealt = events[1]
    assert isinstance(dealt, HandsDealt)
    state = fold(state, events)
    deal = deal_of(state)
    order = [SEATS[(deal.leader + place) % 4] for place in range(4)]
    assert events[2:] == tuple(KittyCardDrawn(seat) for seat in order)
    for seat, card in zip(order, dealt.kitty, strict=True):
        assert deal.hands[seat] == state.table.sort((*dealt.hands[seat], card))
    assert (deal.hand_sizes, deal.kitty_size, deal.phase) == ((27, 27, 27, 27), 0, Phase.PLAY)
    assert deal.opening == events[2:]


def test_the_kitty_is_shown_when_the_first_seat_goes_out() -> None:
    """§10.5: to everybody, and not before."""
    state = table_with("3c", "4c 9c", "5c 9d", "6c 9h", ruleset=SHOWN, kitty="2s BJ")
    state = replace(state, deal=replace(deal_of(state), kitty_size=2))
    for viewer in (*SEATS, None):
        assert DECIDER.observe(state, viewer).kitty == ()
    state, events = act(state, "0: 3c")
    assert events[1:] == (SeatWentOut(Seat(0), 1), KittyShown(Seat(0), parse_cards("2s BJ")))
    for viewer in (*SEATS, None):
        view = DECIDER.observe(state, viewer)
        assert (view.kitty, view.kitty_size) == (parse_cards("2s BJ"), 2)
    state, events = act(state, "1: 4c", "2: 5c", "3: 6c", "1: 9c")
    assert events[1:] == (SeatWentOut(Seat(1), 2),)


def test_two_players_never_see_half_the_deck() -> None:
    """§10.2: 26 cards are in no event and no view."""
    state = new_deal(SEED, UNSEEN)
    deal = deal_of(state)
    assert (deal.hand_sizes, deal.kitty) == ((13, 13, 0, 0), ())
    for seat in SEATS:
        assert DECIDER.observe(state, seat).hand == deal.hands[seat]
        assert DECIDER.observe(state, seat).kitty == ()


def test_only_two_seats_act_where_two_play() -> None:
    """§2.1, §9: the empty seats have no say, and two votes are all."""
    state = new_deal(SEED, PRIVATE["duel52"])
    for seat in SEATS[2:]:
        assert code_of(state, Forfeit(seat)) == "seat/no_such_seat"
        assert code_of(state, VoteRedeal(seat)) == "seat/no_such_seat"
        assert DECIDER.legal_acts(state, seat).others == ()
        assert legal_acts_in_view(state.ruleset.options, DECIDER.observe(state, seat)).others == ()
    _, events = act(state, VoteRedeal(Seat(1)), VoteRedeal(Seat(0)))
    assert isinstance(events[-1], DealVoided)
    _, events = act(state, Forfeit(Seat(1)), Forfeit(Seat(0)))
    assert isinstance(events[-1], DealVoided)
    assert events[-1].scores == (0, 0, 0, 0)


def test_a_player_who_passes_gives_the_lead() -> None:
    """§4.4 with two players."""
    state, _ = act(table_with("5 7", "6 8", ruleset=UNSEEN), "0: 5", "1: pass")
    assert deal_of(state).turn == 0
    state, _ = act(table_with("5 7 9", "6 8", ruleset=UNSEEN), "0: 5", "1: 6", "0: pass")
    assert (deal_of(state).turn, deal_of(state).top) == (1, None)


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"kitty": 3, "hand_size": 13}, "kitty"),
        ({"kitty_use": KittyUse.UNSEEN}, "bury"),
        ({"phases": (Phase.PLAY,)}, "bury"),
        ({"kitty": 0}, "unseen"),
        ({"kitty": 2, "kitty_use": KittyUse.DRAWN, "phases": (Phase.PLAY,)}, "drawn"),
    ],
)
def test_a_kitty_that_cannot_be_played_is_refused(changes: dict[str, object], problem: str) -> None:
    """§10.1 to §10.4."""
    options = replace(TAKEN.options, **changes)
    assert problem in "; ".join(contradictions(options))


def test_the_last_head_deals_next() -> None:
    """§2.4, §10.3: the dealer is the seat that leads."""
    first = end_of(played_out(new_deal(SEED, TAKEN), lowest_policy))
    assert first.settled is not None
    second = fold(first, DECIDER.decide(first, StartDeal(bytes(32))))
    assert deal_of(second).turn == first.settled.finish_order[0]
    assert deal_of(second).hand_sizes[first.settled.finish_order[0]] == 15
