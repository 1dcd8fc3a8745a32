"""docs/rules/climbing.md §12: declarations, the auction, the kitty of the landlord, exchanges and marks."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.climbing_table import DECIDER, SEED, act, fold, new_deal
from kit.effort import effort
from shuangkou.rules.cards import CARDS, Card
from shuangkou.rules.climbing.calls import landlord_of, standing_declaration
from shuangkou.rules.climbing.commands import CallLandlord, Command, ExchangeCards, MarkCard, TakeFromKitty
from shuangkou.rules.climbing.contradictions import contradictions
from shuangkou.rules.climbing.events import DealStarted, Event, HandsDealt, PhaseBegan
from shuangkou.rules.climbing.legal_acts import legal_acts_in_view
from shuangkou.rules.climbing.notation import format_act, parse_act
from shuangkou.rules.climbing.options import KittyUse, LaterLead, Phase, Scoring, TrickEnd, TrickLead
from shuangkou.rules.climbing.phase_events import (
    BidMade,
    CallPassed,
    CardMarked,
    HandExchanged,
    KittyCardsTaken,
    KittyChosen,
    LandlordCalled,
    LandlordGrabbed,
    LandlordNamed,
    MarkSet,
    StockCardsDrawn,
)
from shuangkou.rules.climbing.state import DealState, MatchState
from shuangkou.rules.climbing.view import Standing
from shuangkou.rules.commands import Forfeit, Pass, StartDeal
from shuangkou.rules.dealing import seed_hash
from shuangkou.rules.errors import CODES, IllegalCommand
from shuangkou.rules.events import DealVoided, VoidReason
from shuangkou.rules.notation import NotationError, parse_cards, parse_hand
from shuangkou.rules.ruleset import RuleSet, load
from shuangkou.rules.seats import SEATS, Seat

DECLARING, AUCTION, EXCHANGING, MARKING = (load(id) for id in ("bid52", "landlord52", "five5", "easy52"))
SEEDS = st.binary(min_size=32, max_size=32)
STRAIGHT = "3s 4s 5s 6s 7s"
KITTY = "Jh 7h Qc 6c"


def opened(
    ruleset: RuleSet, *hands: str, leader: int = 0, kitty: str = "", passed_out: int = 0
) -> MatchState:
    """A deal in its first phase in which the seats hold just these cards."""
    dealt = tuple(parse_hand(hand, ruleset.options.rank_order) for hand in hands)
    started = DealStarted(1, seed_hash(SEED), Seat(leader), tuple(map(len, dealt)))
    table = DECIDER.resume(ruleset, Standing(passed_out=passed_out))
    return fold(table, (started, HandsDealt(SEED, dealt, parse_cards(kitty))))


def deal_of(state: MatchState) -> DealState:
    assert state.deal is not None
    return state.deal


def code_of(state: MatchState, *acts: str | Command) -> str:
    """Why the last of these acts is refused."""
    if acts[:-1]:
        state, _ = act(state, *acts[:-1])
    with pytest.raises(IllegalCommand) as refused:
        act(state, acts[-1])
    assert refused.value.code in CODES
    return refused.value.code


def declaring(*hands: str) -> MatchState:
    return opened(DECLARING, *(hands or ("3 3 3 3 9", f"{STRAIGHT} 8s", "4 4 4 4", "9 T J Q K 2")))


def test_seats_declare_against_the_order_of_play() -> None:
    """§12.1: from the dealer, each once; then the dealer leads."""
    state = opened(DECLARING, "3 9", "4 9", "5 9", "6 9", leader=2)
    for seat in (2, 1, 0):
        assert DECIDER.actors(state) == (seat,)
        state, events = act(state, Pass(Seat(seat)))
        assert events == (CallPassed(Seat(seat)),)
    state, events = act(state, "3: pass")
    assert events == (CallPassed(Seat(3)), PhaseBegan(Phase.PLAY, Seat(2)))
    assert (deal_of(state).turn, deal_of(state).leader) == (2, 2)
    assert standing_declaration(deal_of(state).opening) is None


def test_a_higher_declaration_takes_the_place_of_the_one_that_stands() -> None:
    """§12.1: a bomb on a straight, a higher bomb on a bomb; everybody sees them."""
    state, _ = act(declaring(), "0: pass", "3: declare 9 T J Q K")
    state, _ = act(state, "2: declare 4 4 4 4")
    view = DECIDER.observe(state, None)
    standing = standing_declaration(view.opening)
    assert standing is not None
    assert (standing.seat, standing.cards) == (2, parse_cards("4 4 4 4"))
    assert code_of(state, f"1: declare {STRAIGHT}") == "climbing/declared_too_low"


@pytest.mark.parametrize(
    ("first", "second", "code"),
    [
        ("0: declare 3 3 3 3", "3: declare 9 T J Q K", "climbing/declared_too_low"),
        ("0: pass", "3: declare 9 T J Q", "climbing/not_declarable"),
        ("0: pass", "3: declare 2", "climbing/not_declarable"),
        ("0: pass", "3: declare T J Q K A", "cards/not_held"),
        ("0: pass", "2: declare 4 4 4 4", "turn/not_your_turn"),
        ("0: pass", "3: 9", "state/other_phase"),
        ("0: pass", "3: bid 1", "state/other_phase"),
    ],
)
def test_what_may_not_be_declared(first: str, second: str, code: str) -> None:
    """§12.1."""
    assert code_of(declaring(), first, second) == code


def test_straights_of_other_lengths_do_not_stand_over_each_other() -> None:
    """§12.1: the same length and a higher rank."""
    state, _ = act(declaring("3 4 5 6 7", "4", "5", "8 9 T J Q K"), "0: declare 3 4 5 6 7")
    assert code_of(state, "3: declare 8 9 T J Q K") == "climbing/declared_too_low"
    state, _ = act(state, "3: declare 8 9 T J Q")
    acts = DECIDER.legal_acts(state, Seat(2))
    assert (acts.before_play, acts.may_pass, bool(acts)) == ((), True, False)


def test_every_choice_of_suits_declares() -> None:
    """§12.1: the list has one for each combination, `in` knows them all."""
    state = declaring("3s 3h 4s 5s 6s 7s", "4", "5", "6")
    acts = DECIDER.legal_acts(state, Seat(0))
    assert list(map(format_act, acts.before_play)) == ["0: declare 3s 4s 5s 6s 7s"]
    assert parse_act("0: declare 7s 6s 5s 4s 3h") in acts
    assert parse_act("1: declare 7s 6s 5s 4s 3h") not in acts


def auction(passed_out: int = 0, leader: int = 0) -> MatchState:
    hands = ("3 4", "5 6", "7 8", "9 T")
    return opened(AUCTION, *hands, leader=leader, kitty=KITTY, passed_out=passed_out)


def named(state: MatchState) -> tuple[int, int]:
    landlord = landlord_of(deal_of(state).opening)
    assert landlord is not None
    return landlord.seat, landlord.bid


def test_the_highest_bid_makes_the_landlord() -> None:
    """§12.2: one call each, in the order of play."""
    state, _ = act(auction(leader=3), "3: bid 1", "0: pass", "1: bid 2")
    state, events = act(state, "2: pass")
    assert events == (CallPassed(Seat(2)), LandlordNamed(Seat(1), 2), PhaseBegan(Phase.TAKE, Seat(1)))
    assert named(state) == (1, 2)
    assert (deal_of(state).turn, deal_of(state).leader) == (1, 1)


def test_the_most_that_can_be_bid_ends_the_bidding() -> None:
    """§12.2."""
    state, events = act(auction(), "0: pass", "1: bid 3")
    assert events[:2] == (BidMade(Seat(1), 3), LandlordNamed(Seat(1), 3))
    assert named(state) == (1, 3)


def test_the_last_seat_may_bid() -> None:
    """§12.2."""
    state, _ = act(auction(), "0: pass", "1: pass", "2: pass", "3: bid 1")
    assert named(state) == (3, 1)


def test_a_call_may_be_grabbed_once() -> None:
    """§12.2: the first who grabs, be it the partner of the caller."""
    state, events = act(auction(), "0: call")
    assert events == (LandlordCalled(Seat(0)),)
    assert list(map(format_act, DECIDER.legal_acts(state, Seat(1)).before_play)) == ["1: grab"]
    state, events = act(state, "1: pass", "2: grab")
    assert events[:2] == (LandlordGrabbed(Seat(2)), LandlordNamed(Seat(2), 3))
    assert named(state) == (2, 3)


def test_a_call_that_nobody_grabs_stands() -> None:
    """§12.2."""
    state, _ = act(auction(), "0: call", "1: pass", "2: pass", "3: pass")
    assert named(state) == (0, 3)


@pytest.mark.parametrize(
    ("acts", "code"),
    [
        (("0: bid 0",), "climbing/no_such_bid"),
        (("0: bid 4",), "climbing/no_such_bid"),
        (("0: bid 2", "1: bid 2"), "climbing/bid_too_low"),
        (("0: call", "1: bid 3"), "climbing/bid_too_low"),
        (("0: pass", "1: call"), "climbing/call_too_late"),
        (("0: bid 1", "1: grab"), "climbing/nothing_to_grab"),
        (("0: grab",), "climbing/nothing_to_grab"),
        (("0: pass", "0: bid 1"), "turn/not_your_turn"),
        (("0: 3",), "state/other_phase"),
        (("0: take",), "state/other_phase"),
        (("0: bid 3", "0: take 3s"), "cards/not_in_kitty"),
        (("0: bid 3", "0: take Jh Jh"), "cards/not_in_kitty"),
        (("0: bid 3", "0: pass"), "state/other_phase"),
        (("0: bid 3", "1: take"), "turn/not_your_turn"),
    ],
)
def test_what_an_auction_refuses(acts: tuple[str, ...], code: str) -> None:
    """§12.2, §12.3."""
    assert code_of(auction(), *acts) == code


def all_pass(state: MatchState) -> tuple[MatchState, tuple[Event, ...]]:
    leader = deal_of(state).leader
    return act(state, *(Pass(SEATS[(leader + place) % 4]) for place in range(4)))


def test_a_deal_that_all_pass_is_void_but_not_the_third_in_a_row() -> None:
    """§12.2: then the dealer, the seat before the one that began, is the landlord with a bid of 1."""
    state = new_deal(SEED, AUCTION)
    for number in (1, 2):
        state, events = all_pass(state)
        assert isinstance(events[-1], DealVoided)
        assert (events[-1].reason, events[-1].scores) == (VoidReason.ALL_PASSED, (0, 0, 0, 0))
        assert (state.standing.passed_out, state.standing.deals_voided) == (number, number)
        state = fold(state, DECIDER.decide(state, StartDeal(bytes([number]) * 32)))
    first = deal_of(state).leader
    state, _ = all_pass(state)
    assert named(state) == ((first - 1) % 4, 1)


def test_only_deals_in_a_row_count() -> None:
    """§12.2: a void deal for another reason and a deal with a result begin a new row."""
    state = auction(passed_out=2)
    left, _ = act(state, Forfeit(Seat(0)), Forfeit(Seat(1)))
    assert (left.standing.deals_voided, left.standing.passed_out) == (1, 0)
    state, _ = act(state, "0: bid 3", "0: take", "0: 3s", "1: pass", "2: pass", "3: pass", "0: 4s")
    assert (state.standing.deals_played, state.standing.passed_out) == (1, 0)


def test_the_landlord_alone_sees_the_kitty_and_takes_what_it_likes() -> None:
    """§12.3."""
    state, _ = act(auction(), "0: pass", "1: bid 3")
    kitty = parse_cards(KITTY)
    for seat in (*SEATS, None):
        view = DECIDER.observe(state, seat)
        assert (view.kitty, view.kitty_size) == (kitty if seat == 1 else (), 4)
    acts = DECIDER.legal_acts(state, Seat(1))
    assert len(acts.before_play) == 16
    assert list(legal_acts_in_view(AUCTION.options, DECIDER.observe(state, Seat(1))).before_play) == list(
        acts.before_play
    )
    state, events = act(state, "1: take Qc 7h")
    assert events == (
        KittyCardsTaken(Seat(1), parse_cards("7h Qc")),
        KittyChosen(Seat(1), 2),
        PhaseBegan(Phase.PLAY, Seat(1)),
    )
    deal = deal_of(state)
    assert (deal.hands[1], deal.hand_sizes) == (parse_cards("5s 6s 7h Qc"), (2, 4, 2, 2))
    assert [DECIDER.observe(state, seat).kitty for seat in SEATS] == [(), parse_cards("Jh 6c"), (), ()]
    assert (deal.kitty_size, deal.turn, deal.leader, deal.phase) == (2, 1, 1, Phase.PLAY)


def test_a_landlord_may_play_all_sixteen_cards() -> None:
    """§3.10, §12.3: eight pairs from ace to eight are one play."""
    pairs = " ".join(f"{rank}s {rank}h" for rank in "A2345678")
    hand, kitty = pairs.split()[:12], pairs.split()[12:]
    hands = (" ".join(hand), "9", "9", "9")
    state = opened(AUCTION, *hands, kitty=" ".join(kitty))
    state, events = act(state, "0: bid 3", f"0: take {' '.join(kitty)}", f"0: {pairs}")
    assert state.settled is not None
    assert events[0].combination.size == 16  # type: ignore[union-attr]  # the play comes first


def exchanging() -> MatchState:
    hands = ("3s 4s 5s 6s 8s", "3h 4h 5h 6h 8h", "3c 4c 5c 6c 8c", "3d 4d 5d 6d 8d")
    return opened(EXCHANGING, *hands, leader=2, kitty="Ks Kh Kc Kd Qs Qh Qc Qd Js")


def test_each_seat_changes_cards_once_in_the_order_of_play() -> None:
    """§12.4: for the next cards of the stock; the cards are hidden, their number is not."""
    state, events = act(exchanging(), "2: exchange 8c 3c")
    assert events == (
        StockCardsDrawn(Seat(2), parse_cards("3c 8c"), parse_cards("Ks Kh")),
        HandExchanged(Seat(2), 2),
    )
    assert deal_of(state).hands[2] == parse_cards("4c 5c 6c Ks Kh")
    assert (deal_of(state).kitty_size, deal_of(state).hand_sizes) == (30, (5, 5, 5, 5))
    for seat in (*SEATS, None):
        view = DECIDER.observe(state, seat)
        assert view.discarded == (parse_cards("3c 8c") if seat == 2 else ())
        assert (view.kitty, view.kitty_size) == ((), 30)
    state, events = act(state, "3: exchange", "0: exchange 3s 4s 5s 6s 8s", "1: exchange 8h")
    assert events[1:] == (HandExchanged(Seat(1), 1), PhaseBegan(Phase.PLAY, Seat(2)))
    assert deal_of(state).hands[0] == state.table.sort(parse_cards("Kc Kd Qs Qh Qc"))
    assert (deal_of(state).turn, deal_of(state).kitty) == (2, parse_cards("Js"))


@pytest.mark.parametrize(
    ("acts", "code"),
    [
        (("2: exchange 8s",), "cards/not_held"),
        (("2: exchange 8c 8c",), "cards/not_held"),
        (("2: exchange 8c", "2: exchange 3c"), "turn/not_your_turn"),
        (("2: pass",), "state/other_phase"),
    ],
)
def test_what_may_not_be_exchanged(acts: tuple[str, ...], code: str) -> None:
    """§12.4."""
    assert code_of(exchanging(), *acts) == code


def marking() -> MatchState:
    return opened(MARKING, "3s 8s", "3h 8h", "3c 8c", "3d 8d", leader=3)


def test_each_seat_marks_a_card_in_secret() -> None:
    """§12.5."""
    state, events = act(marking(), "3: mark 3d")
    assert events == (CardMarked(Seat(3), Card.D3), MarkSet(Seat(3)))
    marks = [DECIDER.observe(state, seat).mark for seat in (*SEATS, None)]
    assert marks == [None, None, None, Card.D3, None]
    state, events = act(state, "0: mark 8s", "1: mark 8h", "2: mark 3c")
    assert events[-1] == PhaseBegan(Phase.PLAY, Seat(3))
    assert DECIDER.observe(state, Seat(2)).mark == Card.C3


@pytest.mark.parametrize(
    ("acts", "code"),
    [
        (("3: mark 3s",), "cards/not_held"),
        (("3: mark 3d", "3: mark 8d"), "turn/not_your_turn"),
        (("3: pass",), "state/other_phase"),
        (("3: 3d",), "state/other_phase"),
    ],
)
def test_what_may_not_be_marked(acts: tuple[str, ...], code: str) -> None:
    """§12.5."""
    assert code_of(marking(), *acts) == code


@pytest.mark.parametrize(
    ("state", "default"),
    [
        (declaring(), "0: pass"),
        (auction(), "0: pass"),
        (act(auction(), "0: bid 3")[0], "0: take"),
        (exchanging(), "2: exchange"),
        (marking(), "3: mark 8d"),
    ],
)
def test_the_ruled_default_before_play(state: MatchState, default: str) -> None:
    """§12: within `turn_seconds`, and only for the seat that is asked."""
    turn = deal_of(state).turn
    assert DECIDER.fallback(state, turn) == parse_act(default)
    assert DECIDER.time_limit_ms(state) == 1000 * state.ruleset.options.turn_seconds
    with pytest.raises(IllegalCommand):
        DECIDER.fallback(state, SEATS[turn - 1])


@given(SEEDS, st.sampled_from((DECLARING, AUCTION, EXCHANGING, MARKING)))
@effort(20)
def test_acts_before_play_are_written_and_read(seed: bytes, ruleset: RuleSet) -> None:
    """Every act of every phase, both ways."""
    state = new_deal(seed, ruleset)
    while state.deal is not None and state.deal.phase is not Phase.PLAY:
        acts = DECIDER.legal_acts(state, state.deal.turn)
        for command in acts.before_play:
            assert parse_act(format_act(command)) == command
        choice = acts.before_play[seed[0] % len(acts.before_play)] if acts.before_play else Pass(acts.seat)
        state, _ = act(state, choice)


@pytest.mark.parametrize(
    "text",
    [
        "0: bid",
        "0: bid x",
        "0: bid 1 2",
        "0: mark",
        "0: mark 3",
        "0: mark 3s 4s",
        "0: declare",
        "0: call 3s",
        "0: pass 3s",
    ],
)
def test_text_that_is_no_act_before_play(text: str) -> None:
    with pytest.raises(NotationError):
        parse_act(text)


@pytest.mark.parametrize(
    ("ruleset", "changes", "problem"),
    [
        (DECLARING, {"phases": (Phase.PLAY,)}, "declare"),
        (DECLARING, {"phases": (Phase.DECLARE, Phase.DECLARE, Phase.PLAY)}, "each phase once"),
        (DECLARING, {"place_weights": ((1, 4),)}, "places 1 to 4"),
        (DECLARING, {"surrender": True}, "surrender"),
        (AUCTION, {"max_bid": 0}, "max_bid"),
        (AUCTION, {"phases": (Phase.TAKE, Phase.PLAY)}, "landlord"),
        (AUCTION, {"phases": (Phase.TAKE, Phase.AUCTION, Phase.PLAY)}, "landlord"),
        (AUCTION, {"kitty_use": KittyUse.UNSEEN}, "chosen"),
        (AUCTION, {"phases": (Phase.PLAY,), "max_bid": 0}, "landlord_sides"),
        (EXCHANGING, {"kitty": 19}, "stock"),
        (EXCHANGING, {"phases": (Phase.PLAY,)}, "stock"),
        (EXCHANGING, {"later_lead": LaterLead.LAST_HEAD}, "rotation"),
        (EXCHANGING, {"trick_end": TrickEnd.ALL_PASSED}, "after_winner"),
        (MARKING, {"scoring": Scoring.PIPS_LEFT}, "trick_pips"),
        (MARKING, {"discards": False}, "discards"),
        (MARKING, {"max_set": 2}, "single cards"),
        (MARKING, {"trick_end": TrickEnd.ALL_PASSED}, "one_round"),
        (MARKING, {"trick_lead": TrickLead.AFTER_WINNER, "players": 2}, "four players"),
    ],
)
def test_a_row_that_cannot_be_played(ruleset: RuleSet, changes: dict[str, object], problem: str) -> None:
    options = replace(ruleset.options, **changes)  # type: ignore[arg-type]  # a mixture of options
    assert any(problem in message for message in contradictions(options))
    assert contradictions(ruleset.options) == []


def test_strange_commands_are_refused() -> None:
    """Nothing but a card of the hand is marked, exchanged or taken."""
    taking, _ = act(auction(), "0: bid 3")
    for state, command in (
        (marking(), MarkCard(Seat(3), CARDS[53])),
        (exchanging(), ExchangeCards(Seat(2), CARDS)),
        (taking, TakeFromKitty(Seat(0), CARDS)),
        (auction(), CallLandlord(Seat(9))),
    ):
        assert code_of(state, command)
