"""docs/rules/tricks.md §3.9: what is trump when nobody declares."""

from dataclasses import replace

import pytest

from kit.auctions import all_passed, opened
from shuangkou.rules import errors
from shuangkou.rules.errors import IllegalCommand
from shuangkou.rules.notation import parse_cards
from shuangkou.rules.seats import SEATS
from shuangkou.rules.tricks.asking import after_bury, after_draw, after_pass, after_show
from shuangkou.rules.tricks.auction import Auction, Stage
from shuangkou.rules.tricks.declaring import legal_shows, show_of
from shuangkou.rules.tricks.nobody import MOST_REDEALS, Turned, after_turn, turn_kitty
from shuangkou.rules.tricks.order import Trump


def undeclared(id: str, level: str = "2", declarer: int | None = None, others: str | None = None) -> Auction:
    auction = all_passed(after_draw(opened(id, level, declarer, others)))
    assert auction.stage is Stage.UNDECLARED
    return auction


def turned(auction: Auction, kitty: str, redeals: int = 0) -> Turned | None:
    return turn_kitty(auction, parse_cards(kitty), redeals)


@pytest.mark.parametrize(
    ("id", "kitty", "trump", "up"),
    [
        ("staff25", "BJ LJ D7 S2 S3 S4 S6 S7", Trump.DIAMONDS, "BJ LJ D7"),
        ("fanzhu", "C3 D6 LJ S9 HK C2 D2 D3", Trump.SPADES, "LJ S9"),
        ("fanzhu", "C3 D6 LJ LJ BJ BJ D2 H3", Trump.DIAMONDS, "LJ LJ BJ BJ D2"),
        ("multi2", "C3 D6 LJ S9 HK C2 D2 D3", Trump.NONE, "LJ"),
        ("multi2", "LJ D6 H4 S9 HK C2 D2 D3", Trump.HEARTS, "H4"),
        ("eight_deals", "BJ D6 H4 S9 HK C2 D2 D3", Trump.NONE, "BJ"),
        ("single54", "D9 C5 LJ S5 HK H4", Trump.CLUBS, "D9 C5"),
        ("single54", "D9 CK LJ SQ HK H4", Trump.CLUBS, "D9 CK LJ SQ HK H4"),
    ],
)
def test_a_card_of_the_kitty_is_turned(id: str, kitty: str, trump: Trump, up: str) -> None:
    """§3.9: `turned` and `level_else_highest`, with the cards that everybody saw for it."""
    assert turned(undeclared(id, "5", declarer=3), kitty) == Turned(trump, SEATS[3], parse_cards(up))


def test_in_the_first_deal_the_first_drawer_deals() -> None:
    """§3.9"""
    found = turned(undeclared("staff25"), "D7 LJ S2 S3 S4 S6 S7 S8")
    assert found == Turned(Trump.DIAMONDS, SEATS[0], parse_cards("D7"))


def test_the_place_of_the_kitty_where_only_jokers_follow_goes_round() -> None:
    """§3.9: whatever the kitty holds there is an answer."""
    auction = undeclared("fanzhu", "5", declarer=3)
    assert turned(auction, "C3 D6 LJ LJ") == Turned(Trump.CLUBS, SEATS[3], parse_cards("LJ LJ C3"))
    only_jokers = turned(auction, "LJ BJ LJ BJ")
    assert only_jokers is not None
    assert only_jokers.trump is Trump.NONE


def test_a_level_card_of_either_side_or_another_deal() -> None:
    """§3.9: `level_or_redeal`."""
    auction = undeclared("sheng_joker", "6", declarer=3, others="9")
    assert turned(auction, "C9 LJ D6 S3") == Turned(Trump.DIAMONDS, SEATS[3], parse_cards("C9 LJ D6"))
    assert turned(auction, "C3 LJ D2 S9") == Turned(Trump.SPADES, SEATS[0], parse_cards("C3 LJ D2 S9"))
    assert turned(auction, "LJ C3 D2 S4", MOST_REDEALS - 1) is None
    assert turned(auction, "LJ C3 D2 S4", MOST_REDEALS) == Turned(Trump.CLUBS, SEATS[3], parse_cards("LJ C3"))


def test_the_other_side_deals_at_its_own_level() -> None:
    """§3.9"""
    auction = undeclared("sheng_joker", "6", declarer=3, others="9")
    found = turned(auction, "C3 LJ D2 S9")
    assert found is not None
    after = after_turn(auction, found)
    assert (after.declarer, after.level, after.stage) == (0, parse_cards("S9")[0].rank, Stage.BURYING)


def test_spades_without_a_kitty() -> None:
    """§3.9: `spades`."""
    auction = undeclared("sheng_nokitty4")
    found = turn_kitty(auction, ())
    assert found == Turned(Trump.SPADES, SEATS[0])
    assert after_turn(auction, found).stage is Stage.CLOSED


def test_redeals_come_to_an_end() -> None:
    """§3.9: `redeal`; no declarer where sides are holders and attackers."""
    auction = undeclared("tian5", declarer=None)
    assert turn_kitty(auction, (), MOST_REDEALS - 1) is None
    assert turn_kitty(auction, (), MOST_REDEALS) == Turned(Trump.SPADES, None)


def test_a_turned_trump_stands_below_every_pair() -> None:
    """§3.4, §3.11: anything that overturns at all overturns it, by the seat that is asked."""
    auction = undeclared("staff25", "5", declarer=3)
    found = turned(auction, "S7 D7 S2 S3 S4 S6 S7 S8")
    assert found is not None
    after = after_bury(after_turn(auction, found), SEATS[3])
    assert (after.asked, after.trump, after.holder) == (0, Trump.SPADES, None)
    pair = parse_cards("D5 D5")
    stirred = after_show(after, show_of(after, SEATS[0], pair, pair))
    assert (stirred.trump, stirred.burier, stirred.overturns) == (Trump.DIAMONDS, 0, 1)
    assert all_passed(after).stage is Stage.CLOSED


def test_no_single_card_overturns_a_turned_trump() -> None:
    """§3.3"""
    auction = undeclared("sheng30", "5", declarer=3)
    after = after_bury(after_turn(auction, Turned(Trump.SPADES, SEATS[3])), SEATS[3])
    assert legal_shows(after, SEATS[0], parse_cards("LJ D5 H5 H5")) == (parse_cards("H5 H5 LJ"),)


def test_after_a_turned_trump_all_four_are_asked_and_the_declarer_last() -> None:
    """§3.11: nobody stands."""
    auction = undeclared("staff25", "5", declarer=3)
    after = after_bury(after_turn(auction, Turned(Trump.SPADES, SEATS[3])), SEATS[3])
    asked = []
    while after.asked is not None:
        asked.append(after.asked)
        after = after_pass(after, after.asked)
    assert asked == [0, 1, 2, 3]


def test_a_trump_that_is_turned_may_be_final() -> None:
    """§3.9: `turned_final`."""
    auction = undeclared("sixteen_deals", "9", declarer=0)
    fixed = after_turn(auction, Turned(Trump.CLUBS, SEATS[0]))
    assert after_bury(fixed, SEATS[0]).stage is Stage.CLOSED
    asked = replace(fixed, stage=Stage.AFTER_BURY, asked=SEATS[1])
    pair = parse_cards("S9 S9")
    with pytest.raises(IllegalCommand) as refused:
        show_of(asked, SEATS[1], pair, pair)
    assert refused.value.code == errors.TRUMP_FINAL


def test_a_suit_that_was_turned_has_stood() -> None:
    """§3.4: `new_suit`."""
    auction = undeclared("sheng_joker", "6", declarer=3, others="6")
    after = after_bury(after_turn(auction, Turned(Trump.SPADES, SEATS[3])), SEATS[3])
    same, other = parse_cards("LJ S6 S6"), parse_cards("LJ C6 C6")
    with pytest.raises(IllegalCommand) as refused:
        show_of(after, SEATS[0], same, same)
    assert refused.value.code == errors.SHOWN_BEFORE
    assert after_show(after, show_of(after, SEATS[0], other, other)).trump is Trump.CLUBS
