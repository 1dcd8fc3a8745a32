"""docs/rules/tricks.md §3.1 to §3.8: what declares, locks and overturns, and who deals."""

from dataclasses import replace

import pytest

from kit.auctions import all_passed, buried, opened, passed, shown
from kit.tricks_vectors import tricks_vectors
from shuangkou.rules import errors
from shuangkou.rules.errors import IllegalCommand
from shuangkou.rules.notation import format_tricks_card, parse_cards
from shuangkou.rules.ruleset import load
from shuangkou.rules.seats import SEATS
from shuangkou.rules.tricks.asking import after_draw, after_show
from shuangkou.rules.tricks.auction import Auction, Stage, seen_by
from shuangkou.rules.tricks.declaring import legal_shows, may_show, show_of
from shuangkou.rules.tricks.declaring_vectors import ANSWERS
from shuangkou.rules.tricks.order import Trump
from shuangkou.rules.tricks.shows import ShowKind

VECTORS = tricks_vectors(*ANSWERS)


def refusal(auction: Auction, seat: int, text: str, hand: str | None = None) -> str:
    cards = parse_cards(text)
    with pytest.raises(IllegalCommand) as refused:
        show_of(auction, SEATS[seat], cards, cards if hand is None else parse_cards(hand))
    assert refused.value.code in errors.CODES
    assert refused.value.seat == seat
    return refused.value.code


def choices(auction: Auction, seat: int, hand: str) -> set[str]:
    legal = legal_shows(auction, SEATS[seat], parse_cards(hand))
    return {" ".join(map(format_tricks_card, cards)) for cards in legal}


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["id"])
def test_recorded_questions(vector: dict[str, object]) -> None:
    expected, got = ANSWERS[str(vector["kind"])](load(str(vector["variant"])), vector)
    assert got == expected


def test_every_recorded_question_about_the_auction_is_asked() -> None:
    assert len(VECTORS) == 45


@pytest.mark.parametrize(
    ("id", "hand", "expected"),
    [
        ("multi2", "H2 H2 S2 H3 BJ BJ", {"H2", "S2"}),
        ("staff25", "H2 H2 S2 H3 BJ BJ", {"H2", "H2 H2", "S2"}),
        ("fanzhu", "H2 H2 S2 BJ BJ", {"H2", "S2"}),
        ("sheng_nokitty4", "H2 H2 H2 S2 BJ BJ", {"H2", "H2 H2", "H2 H2 H2", "S2"}),
        ("sheng30", "H2 H2 S2 BJ BJ", {"H2 BJ", "S2 BJ"}),
        ("sheng_joker", "H2 H2 S2 D2 LJ BJ", {"H2 BJ", "H2 H2 BJ", "S2 LJ", "D2 BJ"}),
        ("sheng_joker", "H2 D2 LJ LJ", set()),
        ("levels57", "H2 H2 S2 LJ BJ BJ", {"H2 H2", "BJ BJ"}),
        ("tian5", "HA HA SK S5 S5 LJ LJ", {"HA HA", "S5 S5"}),
    ],
)
def test_what_declares(id: str, hand: str, expected: set[str]) -> None:
    """§3.2, and §3.7 for two copies at once."""
    auction = opened(id)
    assert choices(auction, 1, hand) == expected


def test_a_pair_of_jokers_declares_nothing() -> None:
    """§3.2"""
    for id in ("multi2", "staff25", "fanzhu", "sheng30", "sheng_joker", "sheng_nokitty4"):
        assert refusal(opened(id), 0, "BJ BJ") == errors.NO_SUCH_SHOW


def test_a_first_deal_of_its_own_is_declared_as_usual_later() -> None:
    """§3.2: `first_declare`."""
    assert choices(opened("levels57", "5", declarer=3), 1, "H5 H5 BJ BJ") == {"H5"}


@pytest.mark.parametrize("text", ["H2 S2", "LJ BJ", "H3", "H2 LJ BJ", "H2 H3", "", "H2 H2 H2 H2 H2 H2"])
def test_what_reads_as_no_show(text: str) -> None:
    """§3.3: two different jokers are no pair."""
    assert refusal(shown(opened("staff25"), 0, "D2"), 1, text) == errors.NO_SUCH_SHOW


def test_cards_that_are_not_held_are_not_shown() -> None:
    """§3.1"""
    assert refusal(opened("multi2"), 0, "H2", hand="S2 H3") == errors.NOT_HELD
    assert refusal(shown(opened("multi2"), 0, "D2"), 1, "H2 H2", hand="H2 S2") == errors.NOT_HELD


def test_any_pair_is_more_than_a_single_card_and_pairs_go_by_suit() -> None:
    """§3.4: `suits`."""
    auction = shown(opened("multi2", "5", declarer=0), 1, "S5")
    for seat, text in ((2, "D5 D5"), (3, "C5 C5"), (2, "H5 H5"), (3, "S5 S5"), (2, "LJ LJ"), (3, "BJ BJ")):
        higher = shown(auction, seat, text)
        assert refusal(higher, (seat + 1) % 4, text) == errors.SHOW_TOO_LOW
        auction = higher
    assert (auction.trump, auction.holder, auction.declarer) == (Trump.NONE, 3, 0)
    assert auction.overturns == 6


@pytest.mark.parametrize(
    ("id", "first", "hand", "expected"),
    [
        ("multi3", "D2", "H2 H2 H2 BJ BJ BJ", {"H2 H2", "BJ BJ"}),
        ("staff25", "D2", "H2 H2 LJ LJ BJ", {"H2 H2", "LJ LJ"}),
        ("sheng_joker", "LJ C2", "H2 H2 S2 LJ BJ BJ", {"H2 H2 BJ", "BJ BJ"}),
        ("sheng30", "LJ C2", "H2 H2 S2 LJ BJ BJ", {"H2 H2 LJ", "H2 H2 BJ", "BJ BJ"}),
        ("sheng_nokitty4", "D2", "H2 H2 H2 S2 BJ BJ", {"H2 H2", "H2 H2 H2"}),
        ("tian5", "HQ HQ", "HA HA SK SK S5 S5", {"SK SK"}),
    ],
)
def test_what_overturns(id: str, first: str, hand: str, expected: set[str]) -> None:
    """§3.3"""
    assert choices(shown(opened(id), 0, first), 1, hand) == expected


def test_each_suit_once_and_jokers_on_top() -> None:
    """§3.4: `suits_once`; a declared single does not use its suit up."""
    auction = buried(shown(opened("fanzhu", "4", declarer=0), 1, "H4"))
    auction = shown(auction, 2, "S4 S4")
    auction = shown(passed(auction, 3, 0), 1, "H4 H4")
    assert refusal(auction, 2, "S4 S4") == errors.SHOWN_BEFORE
    jokers = shown(auction, 2, "LJ LJ")
    assert refusal(jokers, 3, "D4 D4") == errors.SHOW_TOO_LOW
    assert shown(jokers, 3, "BJ BJ").trump is Trump.NONE


def test_every_pair_once_and_nothing_has_an_order() -> None:
    """§3.4: `pairs_once`, six at the most."""
    auction = shown(opened("capped60", "T", declarer=0), 1, "HT")
    for seat, text in ((2, "BJ BJ"), (3, "DT DT"), (1, "LJ LJ"), (2, "ST ST"), (1, "HT HT"), (2, "CT CT")):
        auction = shown(auction, seat, text)
    assert auction.trump is Trump.CLUBS
    assert refusal(auction, 1, "BJ BJ") == errors.SHOWN_BEFORE
    assert not any(may_show(auction, seat) for seat in SEATS)
    assert after_draw(auction).stage is Stage.BURYING


def test_who_does_not_see_which_pairs_are_gone_sees_how_many() -> None:
    """§3.4, §3.6: four hidden pairs of suits are all there are, but jokers may still follow."""
    auction = shown(opened("capped60", "T", declarer=0), 1, "HT")
    for seat, text in ((2, "DT DT"), (1, "HT HT"), (2, "CT CT"), (1, "ST ST")):
        assert may_show(seen_by(auction, None), SEATS[seat])
        auction = shown(auction, seat, text)
    jokers = shown(auction, 2, "LJ LJ")
    for known in (auction, seen_by(auction, None), jokers, seen_by(jokers, None)):
        assert may_show(known, SEATS[3])
    last = shown(jokers, 3, "BJ BJ")
    assert not may_show(seen_by(last, None), SEATS[1])


def test_a_pair_beside_the_big_joker_is_more_than_one_beside_the_small() -> None:
    """§3.4: `jokers`, whatever the suits."""
    auction = shown(shown(opened("sheng30"), 0, "BJ D2"), 1, "LJ S2 S2")
    assert refusal(auction, 2, "LJ H2 H2") == errors.SHOW_TOO_LOW
    auction = shown(auction, 2, "BJ C2 C2")
    assert refusal(auction, 3, "BJ H2 H2") == errors.SHOW_TOO_LOW
    assert shown(shown(auction, 3, "LJ LJ"), 0, "BJ BJ").trump is Trump.NONE


def test_only_a_suit_that_has_not_stood() -> None:
    """§3.4: `new_suit`."""
    auction = shown(shown(opened("sheng_joker"), 0, "LJ C2"), 1, "LJ S2 S2")
    assert refusal(auction, 0, "LJ C2 C2") == errors.SHOWN_BEFORE
    assert refusal(auction, 2, "LJ H2 H2") == errors.JOKER_COLOUR
    jokers = shown(shown(auction, 2, "BJ H2 H2"), 3, "LJ LJ")
    assert refusal(jokers, 2, "BJ D2 D2") == errors.SHOW_TOO_LOW


def test_more_cards_of_any_suit() -> None:
    """§3.4: `count`."""
    auction = shown(shown(opened("sheng_nokitty4"), 0, "H2"), 1, "S2 S2 S2")
    assert refusal(auction, 2, "D2 D2 D2") == errors.SHOW_TOO_LOW
    assert refusal(auction, 2, "BJ BJ BJ BJ") == errors.NO_SUCH_SHOW
    auction = after_draw(shown(auction, 2, "D2 D2 D2 D2"))
    assert auction.stage is Stage.CLOSED  # no kitty and nothing above four


def test_who_stands_cannot_overturn_itself() -> None:
    """§3.3, with and without a lock in the game."""
    assert refusal(shown(opened("multi2"), 1, "H2"), 1, "H2 H2") == errors.OWN_SHOW
    assert refusal(shown(opened("multi2"), 1, "H2"), 1, "BJ BJ") == errors.OWN_SHOW
    assert refusal(shown(opened("staff25"), 1, "H2"), 1, "S2 S2") == errors.NO_SUCH_SHOW
    after = buried(shown(opened("staff25"), 1, "H2"))
    assert refusal(after, 1, "S2 S2") == errors.NOT_YOUR_TURN


def test_a_twin_locks_the_suit_but_jokers_open_it() -> None:
    """§3.7: `jokers_only`, before the kitty is taken and after."""
    auction = shown(shown(opened("staff25"), 1, "D2"), 1, "D2 D2")
    assert (auction.is_locked, auction.shows[-1].kind) == (True, ShowKind.REINFORCE)
    assert refusal(auction, 2, "S2 S2") == errors.TRUMP_LOCKED
    assert refusal(buried(auction), 2, "S2 S2") == errors.TRUMP_LOCKED
    opened_up = shown(auction, 2, "LJ LJ")
    assert (opened_up.is_locked, opened_up.trump, opened_up.overturns) == (False, Trump.NONE, 1)


def test_two_copies_at_once_declare_and_lock() -> None:
    """§3.7"""
    auction = shown(opened("staff25"), 1, "D2 D2")
    assert (auction.is_locked, auction.shows[-1].kind) == (True, ShowKind.DECLARE)
    assert refusal(auction, 2, "S2 S2") == errors.TRUMP_LOCKED
    assert refusal(auction, 1, "D2 D2") == errors.OWN_SHOW


def test_a_lock_that_a_higher_suit_opens() -> None:
    """§3.7: `higher_or_jokers`."""
    auction = shown(shown(opened("sheng_online", "7", declarer=2), 1, "H7"), 1, "H7 H7")
    assert refusal(auction, 2, "S7 S7") == errors.NO_OVERTURN_NOW
    auction = buried(auction)
    assert refusal(auction, 3, "C7 C7") == errors.SHOW_TOO_LOW
    auction = buried(shown(auction, 3, "S7 S7"))
    assert refusal(passed(auction, 0), 1, "H7 H7") == errors.SHOW_TOO_LOW
    auction = buried(shown(passed(auction, 0), 1, "LJ LJ"))
    assert (auction.trump, auction.overturns, auction.kitty_takers) == (Trump.NONE, 2, (3, 1))


def test_a_lock_that_nothing_opens() -> None:
    """§3.7: `full`; nobody is asked any more."""
    auction = shown(shown(opened("eight_deals", "3", declarer=1), 1, "H3"), 1, "H3 H3")
    assert refusal(auction, 2, "BJ BJ") == errors.TRUMP_LOCKED
    assert after_draw(auction).stage is Stage.BURYING


def test_a_lock_with_a_joker_shows_the_same_joker() -> None:
    """§3.7 with §3.2: what lies on the table stays there."""
    auction = shown(opened("sheng_joker", "3", declarer=1), 3, "LJ S3")
    assert refusal(auction, 3, "S3 S3") == errors.NO_SUCH_SHOW
    auction = shown(auction, 3, "LJ S3 S3")
    assert auction.is_locked
    assert refusal(buried(auction), 2, "BJ H3 H3") == errors.TRUMP_LOCKED


def test_nothing_is_locked_after_an_overturn_or_the_bury() -> None:
    """§3.7"""
    auction = shown(shown(opened("staff25"), 1, "D2"), 2, "C2 C2")
    assert refusal(auction, 2, "C2 C2") == errors.OWN_SHOW
    assert not auction.is_locked
    late = buried(shown(opened("staff25"), 1, "D2"))
    assert not may_show(late, SEATS[1])


def test_the_first_show_is_final_in_the_first_deal() -> None:
    """§3.7: `first_final`."""
    auction = shown(opened("levels57"), 1, "H2 H2")
    assert refusal(auction, 2, "BJ BJ") == errors.NO_OVERTURN_NOW
    assert after_draw(auction).stage is Stage.BURYING
    later = shown(opened("levels57", "5", declarer=3), 1, "H5")
    assert shown(later, 2, "S5 S5").trump is Trump.SPADES


@pytest.mark.parametrize(
    ("id", "moves"), [("staff25", True), ("sheng30", True), ("multi2", False), ("sheng_joker", False)]
)
def test_an_overturn_moves_the_first_deal_or_not(id: str, moves: bool) -> None:
    """§3.8: `first_deal` and `never`."""
    texts = ("D2", "S2 S2") if id in ("staff25", "multi2") else ("BJ D2", "LJ S2 S2")
    auction = shown(opened(id), 1, texts[0])
    assert auction.declarer == 1
    assert shown(auction, 2, texts[1]).declarer == (2 if moves else 1)


def test_an_overturn_after_the_bury_moves_nothing() -> None:
    """§3.8, §3.12: it stirs the kitty all the same."""
    auction = shown(buried(shown(opened("staff25"), 1, "D2")), 2, "S2 S2")
    assert (auction.declarer, auction.stage, auction.burier) == (1, Stage.BURYING, 2)


def test_an_overturn_moves_every_deal_while_both_sides_stand_on_the_lowest_level() -> None:
    """§3.8: `both_at_start`."""
    assert shown(shown(opened("hook60", "2", declarer=0), 2, "D2"), 1, "S2 S2").declarer == 1
    assert shown(shown(opened("hook60", "2", declarer=0, others="5"), 2, "D2"), 1, "S2 S2").declarer == 0
    assert shown(shown(opened("hook60"), 2, "D2"), 1, "S2 S2").declarer == 1
    assert shown(opened("hook60", "2", declarer=0), 1, "D2").declarer == 0


def test_a_fixed_declarer_deals_whoever_declares() -> None:
    """§3.8, §9.2"""
    auction = shown(shown(opened("sixteen_deals", "2", declarer=0), 1, "D2"), 2, "S2 S2")
    assert (auction.declarer, auction.holder) == (0, 2)


def test_before_the_kitty_is_taken_only_the_declarer_may_overturn() -> None:
    """§3.5: `declarer_before`, where the declarer need not wait."""
    auction = shown(opened("fanzhu", "4", declarer=0), 1, "H4")
    assert refusal(auction, 2, "S4 S4") == errors.NO_OVERTURN_NOW
    assert after_draw(auction).asked == 0
    assert passed(after_draw(auction), 0).stage is Stage.BURYING
    assert shown(auction, 0, "C4 C4").trump is Trump.CLUBS


def test_the_declarer_waits_for_another_overturn() -> None:
    """§3.5: `declarer_waits`, before and after."""
    auction = shown(opened("capped60", "T", declarer=0), 1, "HT")
    assert refusal(auction, 0, "ST ST") == errors.DECLARER_WAITS
    assert after_draw(auction).asked == 2
    assert shown(shown(auction, 2, "DT DT"), 0, "ST ST").holder == 0
    after = buried(auction)
    assert (after.asked, all_passed(after).stage) == (2, Stage.CLOSED)
    assert passed(buried(shown(after, 2, "DT DT")), 3).asked == 0


def test_no_overturn_in_a_window_that_is_not_open() -> None:
    """§3.5"""
    assert buried(shown(opened("multi2"), 1, "H2")).stage is Stage.CLOSED
    online = shown(opened("sheng_online"), 3, "D2")
    assert buried(online).stage is Stage.CLOSED
    assert (
        refusal(shown(opened("sheng_online", "7", declarer=2), 1, "H7"), 3, "S7 S7") == errors.NO_OVERTURN_NOW
    )
    assert after_draw(shown(opened("single54"), 3, "D2")).stage is Stage.BURYING
    assert after_draw(shown(opened("multi1"), 3, "D2")).stage is Stage.BURYING  # one pack has no pairs


def test_a_face_down_show_is_a_size_and_a_secret() -> None:
    """§3.6: jokers lie open, and all is known when the trump is fixed."""
    auction = shown(shown(opened("fanzhu"), 1, "H2"), 2, "S2 S2")
    public = seen_by(auction, None)
    assert [(show.seat, show.size, show.cards) for show in public.shows] == [(1, 1, ()), (2, 2, ())]
    assert (public.trump, seen_by(auction, SEATS[2]).trump) == (None, Trump.SPADES)
    jokers = shown(auction, 3, "LJ LJ")
    assert not jokers.shows[-1].is_face_down
    assert seen_by(jokers, None).trump is Trump.NONE
    closed = all_passed(buried(auction))
    assert (closed.stage, seen_by(closed, None)) == (Stage.CLOSED, closed)


def test_the_other_side_declares_with_its_own_level_and_deals() -> None:
    """§3.15: in the closing round, when both of the declaring side have passed."""
    auction = opened("sheng_joker", "6", declarer=1, others="9")
    assert refusal(auction, 0, "LJ S9") == errors.DECLARER_SIDE_FIRST
    closing = passed(after_draw(auction), 1, 3)
    assert closing.asked == 2
    assert choices(closing, 2, "LJ S6 S9 BJ H9") == {"S9 LJ", "H9 BJ"}
    taken = shown(closing, 2, "LJ S9")
    assert (taken.declarer, taken.level, taken.trump) == (2, parse_cards("S9")[0].rank, Trump.SPADES)
    assert all_passed(passed(closing, 2, 0)).stage is Stage.UNDECLARED


def test_all_seats_show_the_level_of_the_declaring_side() -> None:
    """§2.5, §3.2; also what overturns after §3.15."""
    auction = opened("staff25", "6", declarer=1, others="9")
    assert choices(auction, 0, "S6 S9") == {"S6"}
    assert choices(shown(auction, 3, "H6"), 0, "S6 S6 S9 S9") == {"S6 S6"}
    joker = buried(shown(opened("sheng_joker", "6", declarer=1, others="9"), 3, "LJ S6"))
    assert joker.asked == 2
    assert choices(joker, 2, "LJ C6 C6 C9 C9") == {"C6 C6 LJ"}


def test_the_declaring_side_declares_and_keeps_the_deal() -> None:
    """§3.15"""
    auction = shown(opened("sheng_joker", "6", declarer=1, others="9"), 3, "LJ S6")
    assert (auction.declarer, auction.trump) == (1, Trump.SPADES)
    first = shown(opened("sheng_joker"), 2, "LJ S2")
    assert first.declarer == 2


def test_a_level_without_cards_has_nothing_to_declare() -> None:
    """§3.13"""
    auction = replace(opened("notrump_final", "A", declarer=1), levels=(None, None), turned=Trump.NONE)
    assert refusal(auction, 0, "BJ BJ") == errors.TRUMP_FINAL
    closing = after_draw(auction)
    assert (closing.stage, closing.trump, closing.burier) == (Stage.BURYING, Trump.NONE, 1)


def test_shown_cards_lie_on_the_table_once() -> None:
    """§3.1: what may not be buried."""
    auction = shown(shown(shown(opened("staff25"), 1, "H2"), 1, "H2 H2"), 2, "BJ BJ")
    assert auction.shown_by(SEATS[1]) == parse_cards("H2 H2")
    assert auction.shown_by(SEATS[2]) == parse_cards("BJ BJ")
    assert auction.shown_by(SEATS[0]) == ()
    joined = shown(shown(opened("sheng30"), 0, "LJ D2"), 1, "BJ S2 S2")
    assert joined.shown_by(SEATS[1]) == parse_cards("S2 S2 BJ")


def test_a_show_out_of_turn_or_out_of_time_is_refused() -> None:
    """§3.10, §3.11"""
    closing = after_draw(opened("multi2", "5", declarer=1))
    assert refusal(closing, 2, "H5") == errors.NOT_YOUR_TURN
    burying = all_passed(shown(closing, 1, "H5"))
    assert refusal(burying, 2, "S5 S5") == errors.OTHER_PHASE
    cards = parse_cards("H5")
    assert after_show(closing, show_of(closing, SEATS[1], cards, cards)) == shown(closing, 1, "H5")
