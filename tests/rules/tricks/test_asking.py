"""docs/rules/tricks.md §3.10 to §3.12: the closing round, the asking after the bury, and stirring."""

import pytest

from kit.auctions import all_passed, buried, opened, passed, shown
from shuangkou.rules import errors
from shuangkou.rules.errors import IllegalCommand
from shuangkou.rules.seats import SEATS
from shuangkou.rules.tricks.asking import after_bury, after_draw, check_pass
from shuangkou.rules.tricks.auction import Stage
from shuangkou.rules.tricks.order import Trump


def test_nobody_is_asked_while_cards_are_drawn() -> None:
    """§2.6, §3.1: any seat may show."""
    auction = shown(opened("multi2"), 2, "D2")
    assert (auction.stage, auction.asked) == (Stage.DRAWING, None)
    with pytest.raises(IllegalCommand) as refused:
        check_pass(auction, SEATS[0])
    assert refused.value.code == errors.OTHER_PHASE


def test_the_closing_round_begins_with_the_declarer_or_the_first_drawer() -> None:
    """§3.10"""
    assert after_draw(opened("multi2", "5", declarer=2)).asked == 2
    assert after_draw(opened("multi2")).asked == 0
    assert after_draw(shown(opened("multi2"), 3, "D2")).asked == 0  # the declarer stands


def test_the_closing_round_ends_when_all_but_the_one_that_stands_have_passed() -> None:
    """§3.10: a show begins it anew at the next seat."""
    auction = passed(after_draw(opened("multi2", "5", declarer=2)), 2, 3)
    auction = passed(shown(auction, 0, "H5"), 1, 2)
    auction = passed(shown(auction, 3, "S5 S5"), 0, 1, 2)
    assert (auction.stage, auction.asked, auction.holder) == (Stage.BURYING, None, 3)
    assert auction.burier == 2


def test_where_nobody_stands_all_four_pass() -> None:
    """§3.10"""
    auction = passed(after_draw(opened("multi2", "5", declarer=2)), 2, 3, 0)
    assert auction.asked == 1
    assert passed(auction, 1).stage is Stage.UNDECLARED


def test_who_declared_is_asked_whether_it_locks() -> None:
    """§3.10: declare, overturn, lock or pass."""
    auction = passed(after_draw(shown(opened("staff25", "5", declarer=0), 1, "H5")), 0)
    assert auction.asked == 1
    locked = shown(auction, 1, "H5 H5")
    assert (locked.is_locked, locked.asked) == (True, 2)
    assert passed(auction, 1, 2, 3).stage is Stage.BURYING


def test_only_who_could_show_anything_is_asked() -> None:
    """§3.10: a pass that tells nothing takes no time."""
    auction = shown(shown(opened("multi2", "5", declarer=0), 1, "H5"), 2, "BJ BJ")
    assert after_draw(auction).stage is Stage.BURYING


def test_a_seat_that_is_not_asked_cannot_pass() -> None:
    """§3.10"""
    with pytest.raises(IllegalCommand) as refused:
        check_pass(after_draw(opened("multi2")), SEATS[1])
    assert (refused.value.code, refused.value.seat) == (errors.NOT_YOUR_TURN, 1)


def test_after_the_bury_the_others_are_asked_and_the_declarer_last() -> None:
    """§3.11"""
    auction = buried(shown(opened("sixteen_deals", "9", declarer=0), 1, "H9"))
    assert auction.asked == 2
    assert passed(auction, 2, 3, 0).stage is Stage.CLOSED


def test_who_overturns_after_the_bury_takes_the_kitty_and_the_asking_begins_anew() -> None:
    """§3.12: `stir`."""
    auction = buried(shown(opened("sixteen_deals", "9", declarer=0), 1, "H9"))
    stirred = shown(auction, 2, "D9 D9")
    assert (stirred.stage, stirred.asked, stirred.burier) == (Stage.BURYING, None, 2)
    again = after_bury(stirred, SEATS[2])
    assert (again.stage, again.asked) == (Stage.AFTER_BURY, 3)
    twice = buried(shown(passed(again, 3, 0), 1, "H9 H9"))
    assert (twice.asked, twice.kitty_takers, twice.declarer) == (2, (2, 1), 0)
    assert passed(twice, 2, 3, 0).stage is Stage.CLOSED


def test_without_a_stir_the_kitty_stays_where_it_is() -> None:
    """§3.11, §3.12"""
    auction = shown(buried(shown(opened("fanzhu"), 1, "H2")), 2, "S2 S2")
    assert (auction.stage, auction.asked, auction.burier) == (Stage.AFTER_BURY, 3, 1)
    assert auction.kitty_takers == ()
    auction = passed(auction, 3, 0)
    assert auction.asked == 1  # the declarer, now that another overturned
    assert passed(auction, 1).stage is Stage.CLOSED


def test_without_a_kitty_the_auction_is_over_with_the_closing_round() -> None:
    """§4.1"""
    auction = all_passed(after_draw(shown(opened("sheng_nokitty4"), 1, "H2")))
    assert (auction.stage, auction.trump, auction.declarer) == (Stage.CLOSED, Trump.HEARTS, 1)
