"""Laws that hold for every deal, from random play and random requests."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kit.climbing_table import (
    DECIDER,
    PRIVATE,
    end_of,
    fold,
    lively_policy,
    new_deal,
    played_out,
    random_policy,
    sure_deal,
)
from kit.effort import cases, effort
from shuangkou.rules.by_seat import put
from shuangkou.rules.cards import CARDS, Card, Rank, full_deck
from shuangkou.rules.climbing.combinations import Combination
from shuangkou.rules.climbing.commands import (
    Bid,
    CallLandlord,
    Command,
    DeclareCombination,
    ExchangeCards,
    GrabLandlord,
    MarkCard,
    Surrender,
    TakeFromKitty,
    VoteRedeal,
)
from shuangkou.rules.climbing.ending import record_of
from shuangkou.rules.climbing.events import CardsPlayed, ContributionBooked, DealSettled, Event, Result
from shuangkou.rules.climbing.legal_acts import LegalPlay, legal_acts_in_view
from shuangkou.rules.climbing.options import ClimbingOptions, Phase, Scoring
from shuangkou.rules.climbing.settlement import settle
from shuangkou.rules.climbing.state import DealState, MatchState
from shuangkou.rules.commands import BuryKitty, Forfeit, Pass, PlayCards, StartDeal
from shuangkou.rules.errors import CODES, IllegalCommand
from shuangkou.rules.events import DealVoided
from shuangkou.rules.ruleset import RuleSet
from shuangkou.rules.seats import SEATS, Seat, partner

SEEDS = st.binary(min_size=32, max_size=32)
NUMBERS = st.integers(0, 2**32)
RULESETS = st.sampled_from(sorted(PRIVATE)).map(PRIVATE.__getitem__)
PLAYERS = (*SEATS, None)
ZERO_SUM = (Scoring.PLACES, Scoring.PIPS_LEFT, Scoring.CARDS_LEFT)
"""§7.1, §11.2: what one seat wins another loses."""


def some_state(ruleset: RuleSet, seed: bytes, number: int) -> MatchState:
    """A state somewhere in a deal of random play."""
    steps = played_out(new_deal(seed, ruleset), lively_policy(Random(number)))
    return steps[number % len(steps)][0]


def is_accepted(state: MatchState, command: Command) -> bool:
    refusal = refusal_of(state, command)
    assert refusal is None or (refusal.code in CODES and refusal.message)
    return refusal is None


def refusal_of(state: MatchState, command: Command) -> IllegalCommand | None:
    try:
        DECIDER.decide(state, command)
    except IllegalCommand as refusal:
        return refusal
    return None


@pytest.mark.parametrize("id", sorted(PRIVATE))
def test_every_deal_ends_and_is_scored(id: str) -> None:
    """§6.1, §7; a play removes cards and four passes in a row cannot happen. 10,000 deals in full."""
    for number in cases(200, 10_000):
        seed = number.to_bytes(32, "big")
        steps = played_out(sure_deal(seed, PRIVATE[id]), random_policy(Random(number)))
        assert len(steps) <= 4 * 108, number
        before, _, events = steps[-1]
        settled, played = events[-1], fold(before, events[:-1]).deal
        assert isinstance(settled, DealSettled), number
        assert played is not None
        booked = [
            event for _, _, caused in steps for event in caused if isinstance(event, ContributionBooked)
        ]
        assert all(sum(event.amounts) == 0 for event in booked), number
        check_scores(PRIVATE[id].options, settled)
        check_record(PRIVATE[id].options, settled, played)
        assert settled.seed == seed


def check_scores(options: ClimbingOptions, settled: DealSettled) -> None:
    """§7.1, §7.5, §11.2: what sums to zero."""
    is_gift = settled.result is Result.DRAW and not options.draw_zero_sum
    if options.scoring in ZERO_SUM:
        assert sum(settled.scores) == (2 * settled.base * settled.multiplier if is_gift else 0)
    assert sum(seat.contribution for seat in settled.breakdown) == 0
    assert sum(seat.fine for seat in settled.breakdown) == 0


def check_record(options: ClimbingOptions, settled: DealSettled, played: DealState) -> None:
    """§7.5, §7.6: the settlement says again what the deal showed; `played` knows the last play."""
    assert len(set(settled.finish_order)) == len(settled.finish_order)
    settlement = settle(options, record_of(played, settled.finish_order))
    assert (settlement.scores, settlement.result) == (settled.scores, settled.result)
    assert settled.breakdown == settlement.breakdown
    assert settled.bombs == played.bombs
    assert played.contributions == tuple(seat.contribution for seat in settled.breakdown)


@given(RULESETS, SEEDS, NUMBERS)
@effort(50)
def test_lively_deals_end_too(ruleset: RuleSet, seed: bytes, number: int) -> None:
    """§9: with forfeits, surrenders and redeals; fines and contributions always sum to zero."""
    after = end_of(played_out(new_deal(seed, ruleset), lively_policy(Random(number))))
    assert after.deal is None
    if after.voided is not None:
        assert sum(after.voided.scores) == 0
        assert after.standing.was_abnormal
        assert after.standing.deals_voided == 1
        return
    assert after.settled is not None
    assert sum(seat.fine for seat in after.settled.breakdown) == 0
    assert sum(seat.contribution for seat in after.settled.breakdown) == 0
    assert after.standing.was_abnormal == after.settled.is_abnormal


@given(RULESETS, SEEDS, NUMBERS)
@effort(25)
def test_a_state_is_the_fold_of_its_events(ruleset: RuleSet, seed: bytes, number: int) -> None:
    """And a fold of the public events alone shows a spectator the same."""
    fresh = DECIDER.new_match(ruleset)
    log: tuple[Event, ...] = DECIDER.decide(fresh, StartDeal(seed))
    live = fold(fresh, log)
    policy = lively_policy(Random(number))
    while live.deal is not None:
        events = DECIDER.decide(live, policy(live, live.deal.turn))
        live, log = fold(live, events), log + events
        public = tuple(event for event in log if not event.secret)
        if len(log) % 16 == 0 or live.deal is None:
            assert fold(fresh, log) == live
            assert DECIDER.observe(fold(fresh, public), None) == DECIDER.observe(live, None)
    assert isinstance(log[-1], DealSettled | DealVoided)


@given(RULESETS, SEEDS, NUMBERS)
@effort(25)
def test_all_cards_are_somewhere(ruleset: RuleSet, seed: bytes, number: int) -> None:
    """§1.1, §10: in a hand, played, in the kitty or unseen, and the packed counts say the same."""
    options = ruleset.options
    for state, _, _ in played_out(new_deal(seed, ruleset), random_policy(Random(number)))[::5]:
        deal = state.deal
        assert deal is not None
        played = [card for act in deal.history if isinstance(act, CardsPlayed) for card in act.cards]
        held = [card for hand in deal.hands for card in hand]
        deck = Counter(full_deck(options.decks, options.jokers))
        away = [*deal.kitty, *(card for cards in deal.discarded for card in cards)]
        assert Counter([*played, *held, *away]) <= deck
        assert len([*played, *held, *away]) == options.hand_size * options.players + options.kitty
        assert len(deal.kitty) == deal.kitty_size
        assert max(map(len, deal.hands)) <= options.most_cards or deal.phase is not Phase.PLAY
        assert tuple(map(len, deal.hands)) == deal.hand_sizes
        assert tuple(map(state.table.pack, deal.hands)) == deal.packed_hands
        assert tuple(map(state.table.sort, deal.hands)) == deal.hands


def requests(state: MatchState, seat: Seat, rng: Random) -> list[tuple[Card, ...]]:
    """Cards that a seat might ask to play: from its hand, from anywhere, runs and sets of both."""
    assert state.deal is not None
    hand = list(state.deal.hands[seat])
    piles = [hand, list(CARDS), [card for card in hand if card.rank is rng.choice(hand).rank]]
    picked = [tuple(rng.choices(pile, k=rng.randint(1, 6))) for pile in piles if pile for _ in range(8)]
    subsets = [tuple(rng.sample(hand, rng.randint(1, min(6, len(hand))))) for _ in range(8)]
    neighbours = [tuple(card for card in hand if abs(card.rank - start) < 3) for start in range(2, 15)]
    return [*picked, *subsets, *neighbours, (), tuple(hand), CARDS]


def choice_of(play: LegalPlay) -> tuple[Combination, tuple[Rank, ...]]:
    """§3.17: which ranks go along makes another choice, though none that is higher or lower."""
    return play.combination, tuple(card.rank for card in play.command.cards)


@given(RULESETS, SEEDS, NUMBERS)
@effort(25)
def test_an_act_is_legal_exactly_when_it_is_accepted(ruleset: RuleSet, seed: bytes, number: int) -> None:
    """legal_acts must agree with decide, for every combination and for any cards."""
    state, rng = some_state(ruleset, seed, number), Random(number)
    assert state.deal is not None
    for seat in SEATS:
        acts = DECIDER.legal_acts(state, seat)
        plays = list(acts)
        assert len(plays) == len(acts) == len({choice_of(play) for play in plays})
        assert bool(acts) == bool(plays)
        assert [acts[number] for number in range(len(acts))] == plays
        assert (plays or acts.may_pass or acts.before_play) or seat != state.deal.turn
        assert all(is_accepted(state, act) and act in acts for act in acts.before_play)
        assert all(is_accepted(state, play.command) for play in plays)
        assert acts.may_pass == is_accepted(state, Pass(seat)) == (Pass(seat) in acts)
        assert Pass(SEATS[seat - 1]) not in acts
        for ask in (Forfeit, Surrender, VoteRedeal, CallLandlord, GrabLandlord):
            assert (ask(seat) in acts) == is_accepted(state, ask(seat))
        for bid in (Bid(seat, points) for points in range(-1, 6)):
            assert (bid in acts) == is_accepted(state, bid)
        for mark in (MarkCard(seat, card) for card in CARDS):
            assert (mark in acts) == is_accepted(state, mark)
        if state.deal.hands[seat]:
            for cards in requests(state, seat, rng):
                command = PlayCards(seat, cards)
                assert (command in acts) == is_accepted(state, command) == (cards in acts)
                for make in (BuryKitty, DeclareCombination, TakeFromKitty, ExchangeCards):
                    assert (make(seat, cards) in acts) == is_accepted(state, make(seat, cards))
                assert PlayCards(SEATS[seat - 1], cards) not in acts


@given(RULESETS, SEEDS, NUMBERS)
@effort(25)
def test_the_played_event_names_the_combination_that_was_offered(
    ruleset: RuleSet, seed: bytes, number: int
) -> None:
    """§3: representative cards make the combination that stands beside them."""
    state = some_state(ruleset, seed, number)
    assert state.deal is not None
    for play in DECIDER.legal_acts(state, state.deal.turn):
        played = DECIDER.decide(state, play.command)[0]
        assert isinstance(played, CardsPlayed)
        assert (played.seat, played.cards) == (state.deal.turn, play.command.cards)
        assert played.combination == play.combination
        wilds = [card for card in played.cards if card.rank in ruleset.options.wild]
        assert len(played.wild_as) in (0, len(wilds))
        assert set(played.wild_as).isdisjoint(ruleset.options.wild)


@given(RULESETS, SEEDS, NUMBERS)
@effort(25)
def test_a_seat_knows_its_legal_acts_from_its_view(ruleset: RuleSet, seed: bytes, number: int) -> None:
    state = some_state(ruleset, seed, number)
    for seat in SEATS:
        real = DECIDER.legal_acts(state, seat)
        seen = legal_acts_in_view(ruleset.options, DECIDER.observe(state, seat))
        assert (list(seen), seen.may_pass, seen.others) == (list(real), real.may_pass, real.others)
        assert seen.before_play == real.before_play


@given(RULESETS, SEEDS, NUMBERS, st.sampled_from(PLAYERS))
@effort(25)
def test_hidden_cards_do_not_change_a_view(
    ruleset: RuleSet, seed: bytes, number: int, viewer: Seat | None
) -> None:
    """§2.3, §2.8, §10: the cards that a seat may not see may be any, and nobody could tell.

    They are those in other hands, in the kitty, exchanged by others and never dealt, and the others' marks.
    """
    state = some_state(ruleset, seed, number)
    deal, options = state.deal, ruleset.options
    assert deal is not None
    seen = () if viewer is None else (viewer, partner(viewer))[: 1 + options.open_partner_hands]
    others = [seat for seat in SEATS if seat not in seen]
    knows_kitty = deal.kitty_is_shown or (viewer is not None and viewer == deal.kitty_owner)
    kitty = () if knows_kitty else deal.kitty
    gone = [card for seat in SEATS if seat != viewer for card in deal.discarded[seat]]
    hidden = [*kitty, *unseen(options, deal), *gone, *(card for seat in others for card in deal.hands[seat])]
    Random(number).shuffle(hidden)
    hands = [deal.hands[seat] if seat in seen else () for seat in SEATS]
    for seat in others:
        size = deal.hand_sizes[seat]
        hands[seat], hidden = state.table.sort(hidden[:size]), hidden[size:]
    swapped = replace(
        deal,
        hands=tuple(hands),
        packed_hands=tuple(map(state.table.pack, hands)),
        kitty=deal.kitty if knows_kitty else tuple(hidden[: len(kitty)]),
        discarded=put(((), (), (), ()), viewer, deal.discarded[viewer]) if viewer is not None else ((),) * 4,
        marks=tuple(deal.marks[seat] if seat == viewer else None for seat in SEATS),
        seed=bytes(32),
    )
    assume(swapped != deal)
    assert DECIDER.observe(replace(state, deal=swapped), viewer) == DECIDER.observe(state, viewer)


def unseen(options: ClimbingOptions, deal: DealState) -> list[Card]:
    """The cards of the deck that are nowhere in the deal."""
    played = [card for act in deal.history if isinstance(act, CardsPlayed) for card in act.cards]
    held = [card for hand in deal.hands for card in hand]
    deck = Counter(full_deck(options.decks, options.jokers))
    discarded = [card for cards in deal.discarded for card in cards]
    return list((deck - Counter([*played, *held, *discarded, *deal.kitty])).elements())


@given(RULESETS, SEEDS, NUMBERS)
@effort(25)
def test_events_that_fit_no_deal_change_nothing(ruleset: RuleSet, seed: bytes, number: int) -> None:
    """evolve is total."""
    fresh = DECIDER.new_match(ruleset)
    for _, _, events in played_out(new_deal(seed, ruleset), random_policy(Random(number))):
        assert fold(fresh, events) == fresh
