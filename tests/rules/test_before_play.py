"""docs/rules/climbing.md §12: declarations, exchanges and marks."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.climbing_openings import auction, code_of, deal_of, opened
from kit.climbing_table import DECIDER, act, new_deal
from kit.effort import effort
from shuangkou.rules.cards import CARDS, Card
from shuangkou.rules.climbing.calls import standing_declaration
from shuangkou.rules.climbing.commands import CallLandlord, ExchangeCards, MarkCard, TakeFromKitty
from shuangkou.rules.climbing.contradictions import contradictions
from shuangkou.rules.climbing.events import PhaseBegan
from shuangkou.rules.climbing.notation import format_act, parse_act
from shuangkou.rules.climbing.options import KittyUse, LaterLead, Phase, Scoring, TrickEnd, TrickLead
from shuangkou.rules.climbing.phase_events import (
    CallPassed,
    CardMarked,
    HandExchanged,
    MarkSet,
    StockCardsDrawn,
)
from shuangkou.rules.climbing.state import MatchState
from shuangkou.rules.commands import Pass
from shuangkou.rules.errors import IllegalCommand
from shuangkou.rules.notation import NotationError, parse_cards
from shuangkou.rules.ruleset import RuleSet, load
from shuangkou.rules.seats import SEATS, Seat

DECLARING, AUCTION, EXCHANGING, MARKING = (load(id) for id in ("bid52", "landlord52", "five5", "easy52"))
SEEDS = st.binary(min_size=32, max_size=32)
STRAIGHT = "3s 4s 5s 6s 7s"


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
