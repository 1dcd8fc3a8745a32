"""docs/rules/tricks.md §3.14: pairs that are topped change hands, and two cards go back."""

from collections import Counter
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.auctions import opened, passed, shown
from kit.effort import effort
from shuangkou.rules import errors
from shuangkou.rules.cards import Card, full_deck
from shuangkou.rules.errors import IllegalCommand
from shuangkou.rules.notation import parse_cards
from shuangkou.rules.seats import SEATS
from shuangkou.rules.tricks.asking import after_draw
from shuangkou.rules.tricks.auction import Auction, Stage
from shuangkou.rules.tricks.declaring import show_of
from shuangkou.rules.tricks.order import Trump
from shuangkou.rules.tricks.topping import Topping, needs_return, returnable, topping_of, tops

TOPPER = "SK SK D7 D8 HA"


def topped(auction: Auction, returned: str, hand: str = TOPPER) -> Topping | None:
    """By seat 2 with a pair of kings."""
    cards = parse_cards(hand)
    show = show_of(auction, SEATS[2], parse_cards("SK SK"), cards)
    return topping_of(auction, show, parse_cards(returned), cards)


def refusal(auction: Auction, returned: str, hand: str = TOPPER) -> str:
    with pytest.raises(IllegalCommand) as refused:
        topped(auction, returned, hand)
    assert refused.value.seat == 2
    return refused.value.code


def test_pairs_go_from_ace_to_king() -> None:
    """§3.14"""
    auction = opened("tian5")
    for turn, rank in enumerate("A23456789TJQK"):
        auction = shown(auction, turn % 2, f"H{rank} H{rank}")
    assert (auction.trump, auction.holder, len(auction.shows)) == (Trump.HEARTS, 0, 13)
    assert after_draw(auction).stage is Stage.CLOSED


@pytest.mark.parametrize(
    ("pair", "topper", "expected"),
    [
        ("HQ HQ", "SK SK", True),
        ("HA HA", "H2 H2", True),
        ("HK HK", "SK SK", False),
        ("DQ DQ", "CA CA", False),
        ("D5 D5", "BJ BJ", False),
        ("LJ LJ", "D5 D5", False),
        ("D5", "H6 H6", False),
        ("D5 D5", "H6", False),
        ("D5 D5", "S6 H6", False),
    ],
)
def test_what_tops_what(pair: str, topper: str, expected: bool) -> None:
    """§3.14"""
    assert tops(parse_cards(pair), parse_cards(topper)) is expected


def test_the_pair_that_is_topped_changes_hands() -> None:
    """§3.14: the one that was taken may go back, too."""
    auction = shown(opened("tian5"), 1, "HQ HQ")
    for returned in ("D8 HA", "HQ HQ", "HQ D7"):
        back = tuple(sorted(parse_cards(returned)))
        assert topped(auction, returned) == Topping(SEATS[2], SEATS[1], parse_cards("HQ HQ"), back)


def test_the_pair_just_shown_stays_and_two_cards_go_back() -> None:
    """§3.14"""
    auction = shown(opened("tian5"), 1, "HQ HQ")
    assert refusal(auction, "SK SK") == errors.WRONG_RETURN
    assert refusal(auction, "SK D7") == errors.WRONG_RETURN
    assert refusal(auction, "D7") == errors.WRONG_RETURN
    assert refusal(auction, "") == errors.WRONG_RETURN
    assert refusal(auction, "D7 D8 HA") == errors.WRONG_RETURN
    assert refusal(auction, "D7 D7") == errors.NOT_HELD
    assert refusal(auction, "D7 C3") == errors.NOT_HELD


def test_nothing_goes_back_where_nothing_is_topped() -> None:
    """§3.14"""
    auction = opened("tian5")
    assert topped(auction, "") is None
    assert refusal(auction, "D7 D8") == errors.WRONG_RETURN
    pair = parse_cards("H2 H2")
    standing = shown(opened("multi2"), 1, "D2")
    show = show_of(standing, SEATS[2], pair, pair)
    assert not needs_return(standing, show)
    assert topping_of(standing, show, (), pair) is None


def test_its_owner_does_not_top_a_pair_and_there_is_no_declarer() -> None:
    """§3.14, §9.3"""
    auction = shown(opened("tian5"), 1, "HQ HQ")
    kings = parse_cards("SK SK")
    with pytest.raises(IllegalCommand) as refused:
        show_of(auction, SEATS[1], kings, kings)
    assert refused.value.code == errors.OWN_SHOW
    assert auction.declarer is None
    closing = after_draw(auction)
    assert closing.asked == 0
    assert passed(closing, 0, 2, 3).stage is Stage.CLOSED


@effort(60)
@given(number=st.integers(0, 2**32))
def test_all_that_goes_back_is_of_the_hand_or_the_topped_pair(number: int) -> None:
    """§3.14: any two cards but the pair just shown, which stays whole."""
    rng = Random(number)
    deck = [card for card in full_deck(2) if card not in (Card.SK, Card.HQ)]
    held = (*rng.sample(deck, 5), Card.SK, Card.SK)
    auction = shown(opened("tian5"), 1, "HQ HQ")
    show = show_of(auction, SEATS[2], (Card.SK, Card.SK), held)
    assert needs_return(auction, show)
    free = returnable(auction, show, held)
    assert Counter(free) == Counter(held) + Counter((Card.HQ, Card.HQ)) - Counter((Card.SK, Card.SK))
    for returned in combinations(free, 2):
        topping = topping_of(auction, show, returned, held)
        assert topping is not None
        assert Counter(topping.returned) == Counter(returned)
