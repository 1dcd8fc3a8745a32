"""Laws of every auction of trump, from random ones of all rulesets."""

from collections import Counter
from dataclasses import replace
from itertools import combinations, pairwise, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.auctions import RULESETS, Step, some_steps
from kit.effort import effort
from shuangkou.rules.cards import JOKERS, Card, Rank
from shuangkou.rules.errors import CODES, IllegalCommand
from shuangkou.rules.ruleset import TricksRuleSet
from shuangkou.rules.seats import SEATS, Seat
from shuangkou.rules.tricks.asking import after_pass, after_show, check_pass
from shuangkou.rules.tricks.auction import TWIN_LOCKS, Auction, Stage, seen_by
from shuangkou.rules.tricks.declaring import legal_shows, may_show, show_of
from shuangkou.rules.tricks.options import Declare, FirstDeclare, Overturn, ShowOrder
from shuangkou.rules.tricks.shows import Show, ShowKind

NUMBERS = st.integers(0, 2**32)
GAMES = st.sampled_from(sorted(RULESETS)).map(RULESETS.__getitem__)
MOST_SHOWS = {
    ShowOrder.SUITS: 8,
    ShowOrder.SUITS_ONCE: 7,
    ShowOrder.PAIRS_ONCE: 7,
    ShowOrder.JOKERS: 5,
    ShowOrder.NEW_SUIT: 7,
    ShowOrder.COUNT: 4,
    ShowOrder.RANK: 13,
}
"""A declaration, a lock, and each step up the order once."""


def steps_of(ruleset: TricksRuleSet, number: int) -> list[Step]:
    return list(some_steps(ruleset, Random(number)))


def accepts(auction: Auction, seat: Seat, cards: tuple[Card, ...], hand: tuple[Card, ...]) -> bool:
    code = None
    try:
        show_of(auction, seat, cards, hand)
    except IllegalCommand as refused:
        code = refused.code
    assert code is None or code in CODES
    return code is None


def strength(show: Show, order: ShowOrder) -> tuple[int, ...]:
    """Slow and obvious: what a person would compare of two shows of one order."""
    jokers = sorted(card for card in show.cards if card.rank in JOKERS)
    faces = [card for card in show.cards if card.rank not in JOKERS]
    if order is ShowOrder.COUNT:
        return (len(show.cards),)
    if order is ShowOrder.RANK:
        return ([Rank.ACE, *list(Rank)[:12]].index(faces[0].rank),)
    if not faces:
        return (9, jokers[0])
    if order is ShowOrder.JOKERS:
        return (0,) if len(faces) == 1 else (1, jokers[0])
    return (0,) if len(faces) == 1 else (1, "DCHS".index(faces[0].name[0]))


@effort(150)
@given(ruleset=GAMES, number=NUMBERS)
def test_every_auction_ends_within_a_bound(ruleset: TricksRuleSet, number: int) -> None:
    steps = steps_of(ruleset, number)
    last = steps[-1].auction
    assert last.stage in (Stage.CLOSED, Stage.UNDECLARED)
    assert len(last.shows) <= MOST_SHOWS[ruleset.options.show_order]
    asked = [step for step in steps if step.auction.asked is not None]
    assert len(asked) <= 5 * (len(last.shows) + 2)
    if last.stage is Stage.CLOSED:
        assert last.trump is not None
        assert (last.declarer is not None) == last.has_declarer


def shape(show: Show) -> tuple[int, int]:
    """How many cards that are no jokers, and how many jokers."""
    jokers = sum(card.rank in JOKERS for card in show.cards)
    return len(show.cards) - jokers, jokers


OVERTURNS: dict[Overturn, set[tuple[int, int]]] = {
    Overturn.PAIR: {(2, 0)},
    Overturn.JOKER_PAIR: {(0, 2)},
    Overturn.JOKER_AND_PAIR: {(2, 1)},
    Overturn.MORE_CARDS: {(2, 0), (3, 0), (4, 0)},
    Overturn.HIGHER_PAIR: {(2, 0)},
}
DECLARES: dict[Declare, set[tuple[int, int]]] = {
    Declare.ONE_OPEN: {(1, 0)},
    Declare.ONE_FACE_DOWN: {(1, 0)},
    Declare.SOME_FACE_DOWN: {(1, 0), (2, 0), (3, 0), (4, 0)},
    Declare.JOKER_AND_LEVEL: {(1, 1)},
    Declare.ANY_PAIR: {(2, 0)},
}


@effort(200)
@given(ruleset=GAMES, number=NUMBERS)
def test_every_show_has_a_shape_of_the_options(ruleset: TricksRuleSet, number: int) -> None:
    """§3.2, §3.3, §3.7: one face, of the level, and as many cards as that."""
    last = steps_of(ruleset, number)[-1].auction
    options = ruleset.options
    declares, overturns = DECLARES[options.declare], [OVERTURNS[item] for item in options.overturn]
    locked = {(2, jokers) for _, jokers in declares} if options.lock in TWIN_LOCKS else set()
    if last.is_first_deal and options.first_declare is FirstDeclare.PAIR_OR_JOKERS:
        declares, locked = {(2, 0), (0, 2)}, set()
    allowed = {
        ShowKind.DECLARE: declares | locked,
        ShowKind.REINFORCE: locked,
        ShowKind.OVERTURN: set().union(*overturns),
    }
    for show in last.shows:
        faces = {card for card in show.cards if card.rank not in JOKERS}
        assert shape(show) in allowed[show.kind]
        assert len({*show.cards} - faces) <= 1
        assert len(faces) == (shape(show)[0] > 0)
        assert options.fixed_trumps or {card.rank for card in faces} <= {last.level}


@effort(150)
@given(ruleset=GAMES, number=NUMBERS)
def test_what_overturns_is_strictly_more(ruleset: TricksRuleSet, number: int) -> None:
    shows, order = steps_of(ruleset, number)[-1].auction.shows, ruleset.options.show_order
    for before, after in pairwise(shows):
        assert (after.seat == before.seat) == (after.kind is ShowKind.REINFORCE)
        if after.kind is ShowKind.REINFORCE:
            assert not Counter(before.cards) - Counter(after.cards)
        elif order in (ShowOrder.SUITS, ShowOrder.JOKERS, ShowOrder.COUNT, ShowOrder.RANK):
            assert strength(after, order) > strength(before, order)
        elif order in (ShowOrder.SUITS_ONCE, ShowOrder.NEW_SUIT) and {*before.cards} & {52, 53} == {
            *before.cards
        }:
            assert strength(after, ShowOrder.SUITS) > strength(before, ShowOrder.SUITS)
    overturns = [show.cards for show in shows if show.kind is ShowKind.OVERTURN]
    if order in (ShowOrder.SUITS_ONCE, ShowOrder.PAIRS_ONCE):
        assert len({*overturns}) == len(overturns)


@effort(150)
@given(ruleset=GAMES, number=NUMBERS)
def test_legal_shows_are_all_sets_of_a_hand_that_are_accepted(ruleset: TricksRuleSet, number: int) -> None:
    rng = Random(number)
    auction, hands = (step := rng.choice(steps_of(ruleset, number))).auction, step.hands
    seat = rng.choice(SEATS) if auction.asked is None else auction.asked
    hand = tuple(rng.sample(hands[seat], min(6, len(hands[seat]))))
    every = {tuple(sorted(some)) for size in range(7) for some in combinations(hand, size)}
    legal = legal_shows(auction, seat, hand)
    assert len({*legal}) == len(legal)
    assert {*legal} == {cards for cards in every if accepts(auction, seat, cards, hand)}
    assert not legal or may_show(auction, seat)


@effort(60)
@given(ruleset=GAMES, number=NUMBERS)
def test_the_order_of_cards_never_matters(ruleset: TricksRuleSet, number: int) -> None:
    rng = Random(number)
    for step in steps_of(ruleset, number):
        for seat in SEATS:
            hand = step.hands[seat]
            for cards in legal_shows(step.auction, seat, hand):
                turned = tuple(rng.sample(cards, len(cards)))
                mixed = tuple(rng.sample(hand, len(hand)))
                assert show_of(step.auction, seat, turned, mixed) == show_of(step.auction, seat, cards, hand)
                assert {*legal_shows(step.auction, seat, mixed)} == {*legal_shows(step.auction, seat, hand)}


@effort(25)
@given(ruleset=GAMES, number=NUMBERS)
def test_a_seat_needs_nothing_hidden_to_know_what_it_may_show(ruleset: TricksRuleSet, number: int) -> None:
    """§3.6: nor does who is asked tell which cards lie face-down."""
    for step in steps_of(ruleset, number):
        for viewer in (*SEATS, None):
            seen = seen_by(step.auction, viewer)
            if step.auction.asked is not None:
                known = after_pass(step.auction, step.auction.asked)
                assert after_pass(seen, step.auction.asked).asked == known.asked
            for seat in SEATS:
                assert may_show(seen, seat) == may_show(step.auction, seat)
            if viewer is not None:
                hand = step.hands[viewer]
                assert legal_shows(seen, viewer, hand) == legal_shows(step.auction, viewer, hand)


@effort(60)
@given(ruleset=GAMES, number=NUMBERS)
def test_face_down_cards_are_seen_by_their_owner_alone(ruleset: TricksRuleSet, number: int) -> None:
    for step in steps_of(ruleset, number):
        is_over = step.auction.stage is Stage.CLOSED
        for viewer in (*SEATS, None):
            seen = seen_by(step.auction, viewer)
            assert replace(seen, shows=()) == replace(step.auction, shows=())
            for show, known in zip(step.auction.shows, seen.shows, strict=True):
                is_known = is_over or not show.is_face_down or show.seat == viewer
                assert known == (show if is_known else replace(show, cards=()))
                assert show.face_down_part == (show.cards if show.is_face_down else ())
                assert known.size == len(show.cards)


@effort(60)
@given(ruleset=GAMES, number=NUMBERS)
def test_only_who_is_asked_may_pass_or_show(ruleset: TricksRuleSet, number: int) -> None:
    for step in steps_of(ruleset, number):
        auction = step.auction
        assert (auction.asked is not None) == (auction.stage in (Stage.CLOSING, Stage.AFTER_BURY))
        assert auction.asked is None or may_show(auction, auction.asked)
        for seat in SEATS:
            if seat == auction.asked:
                check_pass(auction, seat)
                continue
            with pytest.raises(IllegalCommand):
                check_pass(auction, seat)
            if auction.stage is not Stage.DRAWING:
                assert legal_shows(auction, seat, step.hands[seat]) == ()


@effort(100)
@given(ruleset=GAMES, number=NUMBERS)
def test_the_deal_moves_only_while_cards_are_drawn_and_closing(ruleset: TricksRuleSet, number: int) -> None:
    steps = steps_of(ruleset, number)
    for before, after in pairwise(steps):
        if before.auction.declarer != after.auction.declarer:
            assert before.auction.stage in (Stage.DRAWING, Stage.CLOSING, Stage.UNDECLARED)
    last = steps[-1].auction
    assert {*last.kitty_takers} <= {show.seat for show in last.shows if show.is_after_bury}
    assert last.stage is Stage.UNDECLARED or last.burier is not None or not last.has_declarer


@effort(60)
@given(ruleset=GAMES, number=NUMBERS)
def test_shown_cards_are_held_by_their_owner(ruleset: TricksRuleSet, number: int) -> None:
    for step in steps_of(ruleset, number):
        for seat in SEATS:
            on_table = step.auction.shown_by(seat)
            assert list(on_table) == sorted(on_table)
            assert not Counter(on_table) - Counter(step.hands[seat])
            for show in step.auction.shows:
                assert show.seat != seat or not Counter(show.cards) - Counter(on_table)


def test_nothing_overturns_two_big_jokers_but_where_nothing_has_an_order() -> None:
    """§3.4: a show of BJ BJ ends every auction that ranks it."""
    tried = 0
    for ruleset, number in product(RULESETS.values(), range(8)):
        for auction in [step.auction for step in steps_of(ruleset, number)]:
            standing = auction.last_show
            if standing is not None and standing.cards == (Card.BIG_JOKER, Card.BIG_JOKER):
                tried += 1
                is_over = not any(may_show(auction, seat) for seat in SEATS)
                assert is_over or ruleset.options.show_order is ShowOrder.PAIRS_ONCE
    assert tried > 20


def test_a_show_that_is_applied_is_the_one_that_stands() -> None:
    for ruleset in RULESETS.values():
        for step in steps_of(ruleset, 7):
            for seat in SEATS:
                for cards in legal_shows(step.auction, seat, step.hands[seat]):
                    show = show_of(step.auction, seat, cards, step.hands[seat])
                    after = after_show(step.auction, show)
                    assert after.last_show == show
                    assert (after.holder, after.passed) == (seat, ())
