"""Laws of the policy: it is legal, blind to what is hidden, the same every time, and better than chance."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kit.climbing_table import PRIVATE
from shuangkou.ai_player import arena
from shuangkou.ai_player.climbing.chance import choose_at_random
from shuangkou.ai_player.climbing.features import features_of
from shuangkou.ai_player.climbing.hand_cost import hand_costs, row_costs
from shuangkou.ai_player.climbing.phases import POLICIES, act_for
from shuangkou.ai_player.climbing.rule_policy import choose
from shuangkou.ai_player.personas import PERSONAS, PLAIN, Persona, UnknownPersona, persona_of
from shuangkou.ai_player.unanswerable import NoPolicy, NotToAct
from shuangkou.rules.cards import Card
from shuangkou.rules.climbing.combinations import Combination
from shuangkou.rules.climbing.commands import Command, Surrender, VoteRedeal
from shuangkou.rules.climbing.deal import MatchState
from shuangkou.rules.climbing.decider import ClimbingDecider
from shuangkou.rules.climbing.events import CardsPlayed
from shuangkou.rules.climbing.legal_acts import legal_acts_in_view
from shuangkou.rules.climbing.move_table import move_table
from shuangkou.rules.climbing.options import ClimbingOptions, Phase
from shuangkou.rules.climbing.view import SeatView
from shuangkou.rules.commands import Pass, PlayCards, StartDeal
from shuangkou.rules.notation import parse_cards
from shuangkou.rules.ruleset import RuleSet, available, load
from shuangkou.rules.seats import SEATS, Seat, partner

QQ = load("qq")
RULESETS = {id: load(id) for id in available("climbing")}
DECIDER = ClimbingDecider()
ONE_JOKERLESS_DECK = replace(
    QQ.options,
    decks=1,
    jokers=False,
    hand_size=13,
    rank_order=QQ.options.rank_order[:-2],
    max_bomb=4,
    joker_bomb=False,
)

seeds = st.binary(min_size=32, max_size=32)


def dealt(seed: bytes, ruleset: RuleSet = QQ) -> MatchState:
    """The start of a deal."""
    state = DECIDER.new_match(ruleset)
    for event in DECIDER.decide(state, StartDeal(seed)):
        state = DECIDER.evolve(state, event)
    return state


def after(seed: bytes, acts: int, ruleset: RuleSet = QQ) -> MatchState:
    """A deal after so many acts of random players, or after all but the last if it ends before."""
    state = dealt(seed, ruleset)
    for _ in range(acts):
        seat = DECIDER.actors(state)[0]
        act = choose_at_random(ruleset.options, DECIDER.observe(state, seat))
        following = state
        for event in DECIDER.decide(state, act):
            following = DECIDER.evolve(following, event)
        if not DECIDER.actors(following):
            break
        state = following
    return state


def to_act(state: MatchState) -> SeatView:
    """The view of the seat to act."""
    return DECIDER.observe(state, DECIDER.actors(state)[0])


def twin(state: MatchState, order: list[int]) -> MatchState:
    """The same to the seat to act: the cards of the others are dealt anew among them."""
    deal, me = state.deal, DECIDER.actors(state)[0]
    assert deal is not None
    known = {me, partner(me)} if state.ruleset.options.open_partner_hands else {me}
    others = [seat for seat in SEATS if seat not in known]
    hidden = [card for seat in others for card in deal.hands[seat]]
    mixed = [hidden[place] for place in sorted(range(len(hidden)), key=lambda place: order[place])]
    hands = dict(enumerate(deal.hands))
    for seat in others:
        size = len(hands[seat])
        hands[seat], mixed = state.table.sort(mixed[:size]), mixed[size:]
    ordered = tuple(hands[seat] for seat in SEATS)
    return replace(
        state, deal=replace(deal, hands=ordered, packed_hands=tuple(map(state.table.pack, ordered)))
    )


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS)
@given(seed=seeds, acts=st.integers(0, 150), persona=st.sampled_from(PERSONAS))
@settings(max_examples=30)
def test_every_act_is_legal_and_the_same_again(
    ruleset: RuleSet, seed: bytes, acts: int, persona: Persona
) -> None:
    view = to_act(after(seed, acts, ruleset))
    act = act_for(ruleset.options, view, persona)
    assert act in legal_acts_in_view(ruleset.options, view)
    assert act_for(ruleset.options, view, persona) == act


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS)
@given(
    seed=seeds,
    acts=st.integers(0, 150),
    persona=st.sampled_from(PERSONAS),
    order=st.lists(st.integers(), min_size=81, max_size=81),
)
@settings(max_examples=20)
def test_hidden_cards_make_no_difference(
    ruleset: RuleSet, seed: bytes, acts: int, persona: Persona, order: list[int]
) -> None:
    state = after(seed, acts, ruleset)
    view, other = to_act(state), to_act(twin(state, order))
    assert view == other
    assert act_for(ruleset.options, view, persona) == act_for(ruleset.options, other, persona)
    assert choose_at_random(ruleset.options, view) == choose_at_random(ruleset.options, other)


def test_it_neither_leaves_nor_agrees_to_anything() -> None:
    state = dealt(bytes(32), PRIVATE["qq"])
    me = DECIDER.actors(state)[0]
    asks = [VoteRedeal(seat) for seat in SEATS if seat != me]
    commands: list[Command] = [*asks, Surrender(partner(me))]
    for command in commands:
        for event in DECIDER.decide(state, command):
            state = DECIDER.evolve(state, event)
    assert isinstance(act_for(state.ruleset.options, to_act(state), PLAIN), PlayCards | Pass)


def test_a_phase_without_a_policy_is_left_to_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(POLICIES, Phase.PLAY)
    with pytest.raises(NoPolicy):
        act_for(QQ.options, to_act(dealt(bytes(32))), PLAIN)


def test_a_wild_card_is_kept_for_more_than_a_small_pair() -> None:
    ruleset = RULESETS["jj"]
    hand = parse_cards("4s 4h 4c 4d 9s BJ 3s 6h Kh Qd")
    view = replace(to_act(dealt(bytes(32), ruleset)), hand=hand, hand_sizes=(10, 27, 27, 27))
    top = CardsPlayed(Seat(3), parse_cards("5s"), ruleset_reading(ruleset, "5s"))
    view = replace(view, seat=Seat(0), turn=Seat(0), top=top, trick=(top,), partner_hand=())
    act = choose(ruleset.options, view, PLAIN)
    assert isinstance(act, Pass) or Card.BIG_JOKER not in act.cards


def ruleset_reading(ruleset: RuleSet, cards: str) -> Combination:
    table = move_table(ruleset.options)
    row = table.classify(parse_cards(cards))
    assert row is not None
    return table.combinations[row]


@pytest.mark.parametrize("id", ["jj", "baibian", "wenzhou", "zsy", "jipai"])
def test_it_beats_random_play_at_every_ruleset(id: str) -> None:
    plain = partial(choose, persona=PLAIN)
    report = arena.compare(RULESETS[id], plain, choose_at_random, arena.seeds_from(f"random {id}", 40))
    assert report.ahead.mean >= 0.9
    assert report.score.low > 0


@pytest.mark.parametrize("persona", PERSONAS, ids=lambda persona: persona.id)
def test_personas_play_whole_deals_against_each_other(persona: Persona) -> None:
    for seed in arena.seeds_from(f"against {persona.id}", 3):
        arena.play_duplicate(QQ, partial(choose, persona=persona), partial(choose, persona=PLAIN), seed)


def test_options_are_all_that_the_policy_knows_of_a_ruleset() -> None:
    ruleset = replace(QQ, options=ONE_JOKERLESS_DECK, defaults=ONE_JOKERLESS_DECK)
    plain = partial(choose, persona=PLAIN)
    assert arena.compare(ruleset, plain, choose_at_random, arena.seeds_from("one deck", 40)).score.low > 0


def test_it_beats_random_play_in_practice_always() -> None:
    plain = partial(choose, persona=PLAIN)
    report = arena.compare(QQ, plain, choose_at_random, arena.seeds_from("random", 150))
    assert report.ahead.mean >= 0.98
    assert report.score.low > 4


def test_it_beats_a_player_that_always_plays_its_lowest() -> None:
    plain = partial(choose, persona=PLAIN)
    report = arena.compare(QQ, plain, lowest, arena.seeds_from("lowest", 60))
    assert report.score.low > 1


def lowest(options: ClimbingOptions, view: SeatView) -> PlayCards | Pass:
    """The lowest legal play; a pass when there is none."""
    legal = legal_acts_in_view(options, view)
    return next((play.command for play in legal), Pass(legal.seat))


def test_only_the_seat_to_act_is_decided_for() -> None:
    state = dealt(bytes(32))
    idle: Seat = next(seat for seat in SEATS if seat not in DECIDER.actors(state))
    for view in (DECIDER.observe(state, idle), DECIDER.observe(state, None)):
        with pytest.raises(NotToAct):
            choose(QQ.options, view, PLAIN)


def test_it_goes_out_when_it_can() -> None:
    view = replace(to_act(dealt(bytes(32))), hand=parse_cards("S3 H3"), hand_sizes=(2, 27, 27, 27))
    act = choose(QQ.options, replace(view, seat=Seat(0), turn=Seat(0)), PLAIN)
    assert isinstance(act, PlayCards)
    assert len(act.cards) == 2


@given(cards=st.lists(st.sampled_from(range(108)), min_size=1, max_size=27, unique=True))
def test_the_plan_of_a_hand_costs_no_more_than_playing_rank_by_rank(cards: list[int]) -> None:
    features = features_of(move_table(QQ.options))
    chances = np.linspace(0, 1, len(features.sizes), dtype=np.float32)
    costs = row_costs(chances, 0.75)
    held = np.bincount(features.places[[card % 54 for card in cards]], minlength=len(features.deck))
    by_rank = sum(costs[features.set_rows[place][count]] for place, count in enumerate(held) if count)
    assert hand_costs(features, held, costs, held[None])[0] <= by_rank


def test_personas_are_found_by_id() -> None:
    assert persona_of("") == PLAIN
    assert [persona_of(persona.id) for persona in PERSONAS] == list(PERSONAS)
    with pytest.raises(UnknownPersona, match="nobody"):
        persona_of("nobody")
