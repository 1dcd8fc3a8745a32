"""Laws of the trick-taking policy: it is legal, blind to what is hidden, the same every time, and better
than chance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kit.tricks_table import DECIDER, RULESETS, fold, random_policy
from shuangkou.ai_player import arena
from shuangkou.ai_player.personas import PERSONAS, PLAIN, Persona
from shuangkou.ai_player.tricks.chance import choose_at_random
from shuangkou.ai_player.tricks.phases import act_for
from shuangkou.ai_player.tricks.plausibility import check_plausible
from shuangkou.ai_player.tricks.situation import order_seen
from shuangkou.ai_player.unanswerable import ImplausibleView, NoPolicy, NotToAct
from shuangkou.rules.cards import Card
from shuangkou.rules.commands import PlayCards, StartDeal
from shuangkou.rules.ruleset import TricksRuleSet, load
from shuangkou.rules.seats import SEATS
from shuangkou.rules.tricks.commands import NameShape
from shuangkou.rules.tricks.events import Phase
from shuangkou.rules.tricks.options import Level
from shuangkou.rules.tricks.state import MatchState
from shuangkou.rules.tricks.view import SeatView, Standing

seeds = st.binary(min_size=32, max_size=32)


def dealt(id: str, seed: bytes) -> MatchState:
    """The start of a deal: the first of a match, or a later one with the sides somewhere on the ladder."""
    ruleset: TricksRuleSet = load(id)
    chance, ladder = Random(seed), ruleset.options.ladder
    state = DECIDER.new_match(ruleset)
    if ladder and chance.random() < 0.7:
        levels = chance.choice(ladder), chance.choice(ladder)
        declarer = chance.choice(SEATS)
        state = DECIDER.resume(
            ruleset, Standing(deals_played=2, levels=levels, declarer=declarer, last_first=declarer)
        )
    return fold(state, DECIDER.decide(state, StartDeal(seed)))


def to_act(state: MatchState) -> SeatView:
    """The view of the seat to act."""
    return DECIDER.observe(state, DECIDER.actors(state)[0])


def after(id: str, seed: bytes, acts: int) -> MatchState:
    """A deal after so many acts, some at random; or after all but the last if it ends before."""
    state, chance = dealt(id, seed), Random(acts)
    at_random = random_policy(chance)
    for _ in range(acts):
        seat = DECIDER.actors(state)[0]
        is_random = chance.random() < 0.3
        command = (
            at_random(state, seat) if is_random else act_for(state.ruleset.options, to_act(state), PLAIN)
        )
        following = fold(state, DECIDER.decide(state, command))
        if not DECIDER.actors(following):
            break
        state = following
    return state


def twin(state: MatchState, chance: Random) -> MatchState:
    """The same to the seat to act: all that it cannot see is dealt anew."""
    deal, me = state.deal, DECIDER.actors(state)[0]
    assert deal is not None
    others = [seat for seat in SEATS if seat != me]
    knows_kitty = deal.kitty_owner == me or deal.phase in (Phase.CLOSING, Phase.BURY)
    hidden = [card for seat in others for card in deal.hands[seat]] + ([] if knows_kitty else [*deal.kitty])
    chance.shuffle(hidden)
    hands: list[tuple[Card, ...]] = list(deal.hands)
    for seat in others:
        size = len(hands[seat])
        hands[seat], hidden = tuple(sorted(hidden[:size])), hidden[size:]
    kitty = deal.kitty if knows_kitty else tuple(hidden)
    return replace(state, deal=replace(deal, hands=tuple(hands), kitty=kitty))


@pytest.mark.parametrize("id", RULESETS)
@given(seed=seeds)
@settings(max_examples=2)
def test_whole_deals_of_all_personas_are_legal(id: str, seed: bytes) -> None:
    state, chance = dealt(id, seed), Random(seed)
    players = [chance.choice(PERSONAS) for _ in SEATS]
    while DECIDER.actors(state):
        view = to_act(state)
        assert view.seat is not None
        check_plausible(state.ruleset.options, view)
        act = act_for(state.ruleset.options, view, players[view.seat])
        state = fold(state, DECIDER.decide(state, act))
    assert state.settled is not None or state.voided is not None


@pytest.mark.parametrize("id", RULESETS)
@given(seed=seeds, acts=st.integers(0, 110), persona=st.sampled_from(PERSONAS), number=st.integers(0, 999))
@settings(max_examples=3)
def test_acts_are_legal_after_any_play_and_blind_to_what_is_hidden(
    id: str, seed: bytes, acts: int, persona: Persona, number: int
) -> None:
    state = after(id, seed, acts)
    view, options = to_act(state), state.ruleset.options
    act = act_for(options, view, persona)
    assert act in DECIDER.legal_acts(state, DECIDER.actors(state)[0])
    hidden = to_act(twin(state, Random(number)))
    assert hidden == view
    assert act_for(options, hidden, persona) == act


@pytest.mark.parametrize("id", ["multi2", "single54", "tian5"])
def test_it_wins_far_more_than_its_share_against_random_play(id: str) -> None:
    report = arena.compare(
        load(id), partial(act_for, persona=PLAIN), choose_at_random, arena.seeds_from("tricks/random", 4)
    )
    assert report.won.mean >= 0.75
    assert report.score.mean > 0


def failed_throw(id: str, chance: Random) -> MatchState:
    """A deal whose first leader threw all its cards of a suit, and the opponents choose what is led."""
    while True:
        state = dealt(id, chance.randbytes(32))
        while (view := to_act(state)).phase is not Phase.PLAY:
            act = act_for(state.ruleset.options, view, PLAIN)
            state = fold(state, DECIDER.decide(state, act))
        order = order_seen(state.ruleset.options, view)
        suit = order.suit_of(chance.choice(view.hand))
        cards = tuple(card for card in view.hand if order.suit_of(card) is suit)
        state = fold(state, DECIDER.decide(state, PlayCards(DECIDER.actors(state)[0], cards)))
        if to_act(state).phase is Phase.NAME_SHAPE:
            return state


@pytest.mark.parametrize("id", ["sixteen_deals", "sheng30"])
def test_it_names_what_a_failed_throw_leads(id: str) -> None:
    state = failed_throw(id, Random(id))
    act = act_for(state.ruleset.options, to_act(state), PLAIN)
    check_plausible(state.ruleset.options, to_act(state))
    assert isinstance(act, NameShape)
    assert act in DECIDER.legal_acts(state, act.seat)


@pytest.mark.parametrize(("id", "level", "keeps"), [("capped60", Level.ACE, 0), ("hook60", Level.JACK, 1)])
@given(seed=seeds)
@example(seed=bytes(27) + b"\x02\x00\x00\r\x01")
@settings(max_examples=2)
def test_the_last_card_for_a_hat_or_a_hook_is_kept(id: str, level: Level, keeps: int, seed: bytes) -> None:
    ruleset: TricksRuleSet = load(id)
    standing = Standing(deals_played=2, levels=(level, level), declarer=SEATS[0], last_first=SEATS[0])
    state = DECIDER.resume(ruleset, standing)
    state = fold(state, DECIDER.decide(state, StartDeal(seed)))
    while DECIDER.actors(state):
        view = to_act(state)
        act = act_for(ruleset.options, view, PLAIN)
        if isinstance(act, PlayCards) and act.seat % 2 == keeps:
            held = of_rank(view.hand, level)
            if held and held == of_rank(act.cards, level):
                plays = [play for play in DECIDER.legal_acts(state, act.seat) if isinstance(play, PlayCards)]
                assert all(of_rank(play.cards, level) == held for play in plays)
        state = fold(state, DECIDER.decide(state, act))


def of_rank(cards: Sequence[Card], level: Level) -> int:
    """How many of the cards are level cards."""
    return sum(card.rank is level.rank for card in cards)


def test_only_the_seat_to_act_is_answered() -> None:
    state = dealt("multi2", bytes(32))
    options, asked = state.ruleset.options, DECIDER.actors(state)[0]
    for seat in (None, *(seat for seat in SEATS if seat != asked)):
        with pytest.raises(NotToAct):
            act_for(options, DECIDER.observe(state, seat), PLAIN)
    with pytest.raises(NoPolicy):
        act_for(options, replace(to_act(state), phase=Phase.DRAW), PLAIN)


def test_views_of_no_deal_are_refused() -> None:
    state = after("multi2", bytes(32), 30)
    options, view = state.ruleset.options, to_act(state)
    assert view.phase is Phase.PLAY
    check_plausible(options, view)
    short = replace(view, hand=view.hand[1:])
    doubled = replace(view, history=(*view.history[:4], *view.history))
    broken = replace(view, history=view.history[1:])
    foreign = replace(view, trick=(*view.trick, *view.history[:1]))
    for implausible in (short, doubled, broken, foreign):
        with pytest.raises(ImplausibleView):
            check_plausible(options, implausible)
