"""Laws of a trick-taking table: what is legal, what is hidden, and that no request can break it."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kit.effort import effort, rounds
from kit.tricks_table import (
    DECIDER,
    RULESETS,
    deal_steps,
    fold,
    new_deal,
    next_command,
    paced,
    quick_policy,
    random_policy,
    some_state,
)
from shuangkou.rules.cards import CARDS, Card
from shuangkou.rules.commands import BuryKitty, Forfeit, Pass, PlayCards, StartDeal, Whistle
from shuangkou.rules.errors import CODES, IllegalCommand
from shuangkou.rules.ruleset import TricksRuleSet, load
from shuangkou.rules.seats import SEATS, Seat
from shuangkou.rules.tricks.commands import Command, DeclareTrump, DrawOn, NameShape
from shuangkou.rules.tricks.events import (
    CardsPlayed,
    DealSettled,
    DealStarted,
    Event,
    KittyCaptured,
    PairTopped,
    Phase,
    ThrowFailed,
    TrumpDeclared,
    TrumpFixed,
    TrumpTurned,
)
from shuangkou.rules.tricks.legal_acts import legal_acts_in_view
from shuangkou.rules.tricks.shows import Show
from shuangkou.rules.tricks.state import DealState, MatchState
from shuangkou.rules.tricks.units import Shape

pytestmark = pytest.mark.timeout(rounds(120, 3600))
SEEDS = st.binary(min_size=32, max_size=32)
NUMBERS = st.integers(0, 2**32)
RULESET_VALUES: list[TricksRuleSet] = [*map(load, RULESETS), *map(paced, RULESETS)]
TABLES = st.sampled_from(RULESET_VALUES)
VIEWERS = st.sampled_from((*SEATS, None))


def refusal_of(state: MatchState, command: Command) -> IllegalCommand | None:
    try:
        DECIDER.decide(state, command)
    except IllegalCommand as refusal:
        return refusal
    return None


def is_accepted(state: MatchState, command: Command) -> bool:
    refusal = refusal_of(state, command)
    assert refusal is None or (refusal.code in CODES and refusal.message)
    return refusal is None


@given(TABLES, SEEDS, NUMBERS)
@effort(12)
def test_a_state_is_the_fold_of_its_events(ruleset: TricksRuleSet, seed: bytes, number: int) -> None:
    """And a fold of the public events alone shows a spectator the same, between any two of them."""
    fresh, rng = DECIDER.new_match(ruleset), Random(number)
    live = public = fresh
    policy = quick_policy(rng)
    command: Command = StartDeal(seed)
    while True:
        events = DECIDER.decide(live, command)
        live = fold(live, events)
        public = fold(public, tuple(event for event in events if not event.secret))
        assert DECIDER.observe(public, None) == DECIDER.observe(live, None)
        assert DECIDER.actors(public) == DECIDER.actors(live)
        if live.deal is None:
            break
        command = next_command(live, policy, rng)
    assert public == live


@given(TABLES, SEEDS, NUMBERS)
@effort(12)
def test_public_events_name_only_open_cards(ruleset: TricksRuleSet, seed: bytes, number: int) -> None:
    """§3.6, §4.3, §11.3: what everybody is told of cards was shown by the seat that acts, or lies open."""
    rng = Random(number)
    state = new_deal(ruleset, seed)
    for step in deal_steps(state, random_policy(rng), rng):
        for event in step.events:
            if not event.secret:
                assert not Counter(named_cards(event)) - Counter(open_cards(step.before, step.command, event))


def named_cards(event: Event) -> list[Card]:
    """Every card that stands anywhere in the event."""
    found: list[Card] = []

    def search(value: object) -> None:
        if isinstance(value, Card):
            found.append(value)
        elif isinstance(value, tuple):
            for item in value:
                search(item)
        elif hasattr(value, "__dataclass_fields__"):
            for name in value.__dataclass_fields__:
                search(getattr(value, name))

    search(event)
    return found


def open_cards(before: MatchState, command: Command, event: Event) -> list[Card]:
    """The cards that this event may name."""
    deal = before.deal
    assert deal is not None
    match event:
        case TrumpDeclared():
            assert not (event.is_face_down and event.cards)
            return list(getattr(command, "cards", ()))
        case PairTopped():
            return [card for show in deal.auction.shows if not show.is_face_down for card in show.cards]
        case TrumpTurned():
            return list(deal.kitty)
        case TrumpFixed():
            return [card for show in deal.auction.shows if show.is_face_down for card in show.cards] + list(
                getattr(command, "cards", ())  # the last show, before the deal is told of it
            )
        case CardsPlayed() if event.is_forced and deal.failed is not None:
            return list(deal.failed.cards)
        case CardsPlayed():
            return list(getattr(command, "cards", ()))
        case ThrowFailed():
            return 2 * list(getattr(command, "cards", ()))
        case KittyCaptured() | DealSettled():
            return 9 * list(CARDS)
        case DealStarted():
            return 9 * list(CARDS)
        case _:
            return []


def requests(state: MatchState, deal: DealState, seat: Seat, rng: Random) -> list[tuple[Card, ...]]:
    """Cards that a seat might ask for: of one suit, of one rank, as many as were led, from anywhere."""
    hand = list(deal.hands[seat])
    if not hand:
        return [(), CARDS[:2]]
    one = rng.choice(hand)
    suits = [card for card in hand if card.suit is one.suit]
    pairs = [card for card in hand if hand.count(card) > 1]
    sizes = {1, 2, 3, 4, state.ruleset.options.kitty}
    sizes |= {len(play.cards) for play in deal.trick}
    piles = [hand, suits, pairs, [card for card in hand if card.rank is one.rank]]
    sets = [tuple(rng.sample(pile, size)) for pile in piles for size in sizes if 0 < size <= len(pile)]
    return [*sets, (), tuple(rng.choices(CARDS, k=2)), tuple(hand), (one, one, one)]


@given(TABLES, SEEDS, NUMBERS)
@effort(15)
def test_an_act_is_legal_exactly_when_it_is_accepted(
    ruleset: TricksRuleSet, seed: bytes, number: int
) -> None:
    """legal_acts must agree with decide, and both with what a seat can tell from its view."""
    state, rng = some_state(ruleset, seed, number), Random(number)
    deal = state.deal
    assert deal is not None
    for seat in SEATS:
        acts = DECIDER.legal_acts(state, seat)
        seen = legal_acts_in_view(ruleset.options, DECIDER.observe(state, seat))
        listed = list(acts)
        assert listed == list(seen)
        assert len(set(listed)) == len(listed) == len(acts)
        assert bool(acts) == bool(listed)
        assert acts or seat not in DECIDER.actors(state)
        assert all(act in acts and is_accepted(state, act) for act in listed)
        for command in asked_for(state, deal, seat, rng):
            assert (command in acts) == is_accepted(state, command) == (command in seen)
        assert Pass(SEATS[seat - 1]) not in acts
        assert acts.may_pass == is_accepted(state, Pass(seat))


def asked_for(state: MatchState, deal: DealState, seat: Seat, rng: Random) -> list[Command]:
    commands: list[Command] = [
        Pass(seat),
        Forfeit(seat),
        NameShape(seat, Shape(1, 1)),
        NameShape(seat, Shape(2, 1)),
    ]
    for cards in requests(state, deal, seat, rng):
        commands += (PlayCards(seat, cards), BuryKitty(seat, cards), DeclareTrump(seat, cards))
        commands.append(DeclareTrump(seat, cards, tuple(rng.choices(deal.hands[seat] or CARDS, k=2))))
    return commands


@given(TABLES, SEEDS, NUMBERS)
@effort(12)
def test_the_default_is_legal(ruleset: TricksRuleSet, seed: bytes, number: int) -> None:
    """§11.2; and nobody else has one."""
    state = some_state(ruleset, seed, number)
    actors = DECIDER.actors(state)
    for seat in SEATS:
        if seat in actors:
            default = DECIDER.fallback(state, seat)
            assert default in DECIDER.legal_acts(state, seat)
            assert is_accepted(state, default)
            continue
        with pytest.raises(IllegalCommand, match="cannot act"):
            DECIDER.fallback(state, seat)


@given(TABLES, SEEDS, NUMBERS, VIEWERS)
@effort(25)
def test_hidden_cards_do_not_change_a_view(
    ruleset: TricksRuleSet, seed: bytes, number: int, viewer: Seat | None
) -> None:
    """§11.3: cards in other hands, undrawn, in a kitty of somebody else and face-down may be any."""
    state = some_state(ruleset, seed, number)
    deal = state.deal
    assert deal is not None
    swapped = reshuffled(deal, viewer, Random(number))
    other = replace(state, deal=swapped)
    assert DECIDER.observe(other, viewer) == DECIDER.observe(state, viewer)
    if viewer is not None:
        acts, others = DECIDER.legal_acts(state, viewer), DECIDER.legal_acts(other, viewer)
        assert list(acts) == list(others)
        if viewer in DECIDER.actors(state):
            assert DECIDER.fallback(state, viewer) == DECIDER.fallback(other, viewer)


def reshuffled(deal: DealState, viewer: Seat | None, rng: Random) -> DealState:
    """The same deal with all that the viewer may not see dealt differently."""
    knows_kitty = viewer is not None and viewer == deal.kitty_owner
    hidden = [card for seat in SEATS if seat != viewer for card in deal.hands[seat]]
    hidden += [card for pile in deal.undrawn for card in pile]
    hidden += () if knows_kitty else deal.kitty
    rng.shuffle(hidden)

    def take(number: int) -> tuple[Card, ...]:
        taken = tuple(hidden[:number])
        del hidden[:number]
        return taken

    def masked(show: Show) -> Show:
        is_hidden = show.is_face_down and show.seat != viewer and deal.trump is None
        return replace(show, cards=take_any(show.size)) if is_hidden else show

    def take_any(number: int) -> tuple[Card, ...]:
        """As many of one face: a show that might lie there."""
        return (CARDS[rng.randrange(52)],) * number

    hands = tuple(
        deal.hands[seat] if seat == viewer else tuple(sorted(take(len(deal.hands[seat])))) for seat in SEATS
    )
    return replace(
        deal,
        hands=hands,
        undrawn=tuple(take(len(pile)) for pile in deal.undrawn),
        kitty=deal.kitty if knows_kitty else take(len(deal.kitty)),
        auction=replace(deal.auction, shows=tuple(map(masked, deal.auction.shows))),
        seed=bytes(32),
    )


ANY_SEATS = st.integers(-3, 9).map(Seat)
ANY_CARDS = st.lists(st.sampled_from(CARDS), max_size=9).map(tuple)
FEW_CARDS = st.lists(st.sampled_from(CARDS), max_size=2).map(tuple)
COMMANDS = st.one_of(
    st.builds(StartDeal, st.binary(max_size=40), st.booleans(), st.integers(-1, 9999)),
    st.builds(DrawOn),
    *(st.builds(make, ANY_SEATS) for make in (Pass, Forfeit)),
    *(st.builds(make, ANY_SEATS, ANY_CARDS) for make in (PlayCards, BuryKitty, DeclareTrump)),
    st.builds(DeclareTrump, ANY_SEATS, FEW_CARDS, FEW_CARDS),
    st.builds(PlayCards, ANY_SEATS, st.lists(st.sampled_from(CARDS), max_size=230).map(tuple)),
    st.builds(NameShape, ANY_SEATS, st.builds(Shape, st.integers(-1, 5), st.integers(-1, 14))),
    st.builds(Whistle),
)


@pytest.mark.parametrize("id", RULESETS)
@given(
    is_paced=st.booleans(), seed=SEEDS, number=NUMBERS, commands=st.lists(COMMANDS, min_size=50, max_size=50)
)
@settings(deadline=None, max_examples=rounds(5, 2000))  # of 50 commands each
def test_no_command_can_break_a_table(
    id: str, is_paced: bool, seed: bytes, number: int, commands: list[Command]
) -> None:
    """Nothing but IllegalCommand comes out, and the state stays as it was."""
    state = some_state(paced(id) if is_paced else load(id), seed, number)
    before = repr(state)
    for command in commands:
        is_accepted(state, command)
    assert repr(state) == before


@given(TABLES, SEEDS, NUMBERS)
@effort(8)
def test_no_seat_can_break_a_table_with_its_own_cards(
    ruleset: TricksRuleSet, seed: bytes, number: int
) -> None:
    """Cards that it holds, in every phase, in turn and out of turn."""
    rng = Random(number)
    for step in deal_steps(new_deal(ruleset, seed), quick_policy(rng), rng)[::9]:
        state, deal = step.before, step.before.deal
        assert deal is not None
        for seat in SEATS:
            for command in asked_for(state, deal, seat, rng):
                is_accepted(state, command)


def test_every_phase_is_reached() -> None:
    """The laws above are tried in all of them."""
    reached: set[Phase] = set()
    for id in RULESETS:
        rng = Random(1)
        for step in deal_steps(new_deal(paced(id)), random_policy(rng), rng):
            assert step.before.deal is not None
            reached.add(step.before.deal.phase)
    assert reached >= set(Phase) - {Phase.NAME_SHAPE}
