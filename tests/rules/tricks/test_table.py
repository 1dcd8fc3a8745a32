"""A table through the phases of a deal, ruling by ruling: docs/rules/tricks.md §2 to §7."""

import pytest

from kit.tricks_table import DECIDER, RULESETS, SEED, act, dealt_table, drawn, in_play, new_deal, paced, plays
from shuangkou.rules.cards import Card
from shuangkou.rules.commands import BuryKitty, Pass, StartDeal
from shuangkou.rules.dealing import seed_hash
from shuangkou.rules.events import CardsBuried, KittyBuried, KittyTaken
from shuangkou.rules.notation import parse_cards
from shuangkou.rules.ruleset import load
from shuangkou.rules.seats import SEATS, Seat, Side
from shuangkou.rules.tricks.commands import DeclareTrump, DrawOn, NameShape
from shuangkou.rules.tricks.events import (
    CardsDrawn,
    CardsPlayed,
    CardsReturned,
    DealSettled,
    DealStarted,
    DeclarerNamed,
    FaceDownShown,
    KittyCaptured,
    PairTopped,
    Phase,
    PhaseBegan,
    RevealedShow,
    ShapeNamed,
    ThrowFailed,
    TrickEnded,
    TrumpDeclared,
    TrumpFixed,
    TrumpTurned,
)
from shuangkou.rules.tricks.options import Level
from shuangkou.rules.tricks.order import Trump
from shuangkou.rules.tricks.shows import ShowKind
from shuangkou.rules.tricks.state import DealState, MatchState
from shuangkou.rules.tricks.units import PAIR, SINGLE
from shuangkou.rules.tricks.view import Standing

KITTY = "S3 S4 S6 H3 H4 H6 C3 C4"
RICH_KITTY = "D5 DT DK H3 H4 H6 C3 C4"
FOURTH = Standing(deals_played=3, levels=(Level.FOUR, Level.SIX), declarer=Seat(0), last_first=Seat(3))


def deal_of(state: MatchState) -> DealState:
    assert state.deal is not None
    return state.deal


def in_order(cards: str) -> tuple[Card, ...]:
    return tuple(sorted(parse_cards(cards)))


def show(seat: int, cards: str, returned: str = "") -> DeclareTrump:
    return DeclareTrump(Seat(seat), parse_cards(cards), parse_cards(returned))


def all_pass(state: MatchState) -> MatchState:
    phase = deal_of(state).phase
    while state.deal is not None and state.deal.phase is phase:
        state, _ = act(state, Pass(DECIDER.actors(state)[0]))
    return state


@pytest.mark.parametrize("id", RULESETS)
def test_at_once_or_round_by_round_the_hands_are_the_same(id: str) -> None:
    at_once, by_rounds = new_deal(load(id)), new_deal(paced(id))
    assert deal_of(by_rounds).phase is Phase.DRAW
    assert deal_of(by_rounds).hands == ((), (), (), ())
    assert DECIDER.actors(by_rounds) == ()
    assert deal_of(drawn(by_rounds)).hands == deal_of(at_once).hands
    assert deal_of(drawn(by_rounds)).turn == deal_of(at_once).turn


def test_a_round_gives_every_seat_one_card_in_order() -> None:
    state = dealt_table(paced("multi2"), ["SA S9", "SK S8", "SQ S7", "SJ S6"])
    state, events = act(state, DrawOn())
    assert events == (CardsDrawn(1),)
    assert [DECIDER.observe(state, seat).hand for seat in SEATS] == [
        parse_cards(card) for card in ("SA", "SK", "SQ", "SJ")
    ]
    assert DECIDER.observe(state, None).undrawn == 1


def test_the_seed_is_hashed_and_the_first_drawer_gets_the_first_card() -> None:
    started, dealt, *_ = DECIDER.decide(DECIDER.new_match(paced("multi2")), StartDeal(SEED))
    assert isinstance(started, DealStarted)
    assert started.seed_hash == seed_hash(SEED)
    assert started.declarer is None
    assert started.level is Level.TWO
    assert dealt.secret


def test_only_what_is_drawn_can_be_shown() -> None:
    state, _ = act(dealt_table(paced("multi2"), ["S9 S2", "SK S8", "SQ S7", "SJ S6"]), DrawOn())
    assert DECIDER.legal_acts(state, Seat(0)).shows == ()
    state, _ = act(dealt_table(paced("multi2"), ["S2 S9", "SK S8", "SQ S7", "SJ S6"]), DrawOn())
    assert DECIDER.legal_acts(state, Seat(0)).shows == (show(0, "S2"),)


def test_the_clock_draws_on() -> None:
    state = dealt_table(paced("multi2"), ["S9", "SK", "SQ", "SJ"])
    assert DECIDER.clock_command(state) == DrawOn()
    assert DECIDER.time_limit_ms(state) == 400
    state = drawn(state)
    assert DECIDER.clock_command(state) is None
    assert DECIDER.time_limit_ms(state) == 10_000


def test_an_overturn_in_the_first_deal_takes_the_deal() -> None:
    state = dealt_table(paced("staff25"), ["H2 S9", "S2 S2", "C9 D9", "D8 D7"], KITTY)
    state, _ = act(state, DrawOn())
    state, events = act(state, show(0, "H2"))
    assert events == (
        TrumpDeclared(Seat(0), ShowKind.DECLARE, parse_cards("H2"), 1),
        DeclarerNamed(Seat(0), Level.TWO),
    )
    state, _ = act(state, DrawOn())
    state, events = act(state, Pass(Seat(0)), show(1, "S2 S2"))
    assert events[:2] == (
        TrumpDeclared(Seat(1), ShowKind.OVERTURN, parse_cards("S2 S2"), 2),
        DeclarerNamed(Seat(1), Level.TWO),
    )
    assert DECIDER.observe(state, None).attackers == Side(0)


def test_a_later_declaration_leaves_the_declarer() -> None:
    state = dealt_table(paced("staff25"), ["S9", "C4", "C9", "D8"], KITTY, 0, FOURTH)
    state, events = act(drawn(state), Pass(Seat(0)), show(1, "C4"))
    assert isinstance(events[0], TrumpDeclared)
    assert not any(isinstance(event, DeclarerNamed) for event in events)
    assert deal_of(state).declarer == 0
    assert deal_of(all_pass(state)).phase is Phase.BURY


def test_a_face_down_show_hides_its_cards_until_the_first_lead() -> None:
    hands = ["H2 SK SQ", "S9 S8 S7", "C9 C8 C7", "D8 D7 D6"]
    state, events = act(drawn(dealt_table(load("fanzhu"), hands, KITTY)), show(0, "H2"))
    assert events[:2] == (
        TrumpDeclared(Seat(0), ShowKind.DECLARE, (), 1, is_face_down=True),
        FaceDownShown(Seat(0), parse_cards("H2")),
    )
    assert DECIDER.observe(state, Seat(0)).trump is Trump.HEARTS
    assert DECIDER.observe(state, Seat(0)).own_face_down == parse_cards("H2")
    assert DECIDER.observe(state, Seat(1)).trump is None
    state = all_pass(state)
    state, _ = act(state, BuryKitty(Seat(0), parse_cards(KITTY)))
    while deal_of(state).phase is Phase.POST:
        assert DECIDER.observe(state, None).trump is None
        state, events = act(state, Pass(DECIDER.actors(state)[0]))
    assert events[1:] == (
        TrumpFixed(Trump.HEARTS, (RevealedShow(Seat(0), parse_cards("H2")),)),
        PhaseBegan(Phase.PLAY, Seat(0)),
    )
    assert DECIDER.observe(state, None).trump is Trump.HEARTS


def test_a_stirrer_takes_the_kitty_and_is_the_last_to_know_it() -> None:
    hands = ["C4 SK SQ", "D4 D4 S7", "C9 C8 C7", "D8 D7 D6"]
    state = dealt_table(load("staff25"), hands, KITTY, 0, FOURTH)
    state = all_pass(act(drawn(state), show(0, "C4"))[0])
    state, events = act(state, BuryKitty(Seat(0), parse_cards(KITTY)))
    assert events == (
        CardsBuried(Seat(0), in_order(KITTY)),
        KittyBuried(Seat(0), 8),
        PhaseBegan(Phase.POST, Seat(1)),
    )
    assert DECIDER.observe(state, Seat(0)).kitty
    state, events = act(state, show(1, "D4 D4"))
    assert events[1:] == (KittyTaken(Seat(1), 8), PhaseBegan(Phase.BURY, Seat(1)))
    state, _ = act(state, BuryKitty(Seat(1), parse_cards("S7 S3 S4 S6 H3 H4 H6 C3")))
    assert not DECIDER.observe(state, Seat(0)).kitty
    assert len(DECIDER.observe(state, Seat(1)).kitty) == 8
    assert DECIDER.actors(state) == (Seat(2),)
    state = all_pass(state)
    assert deal_of(state).trump is Trump.DIAMONDS
    assert deal_of(state).leader == 0


def test_nobody_declares_and_a_card_of_the_kitty_is_turned() -> None:
    hands = ["S9", "C9", "H9", "D9"]
    state = drawn(dealt_table(load("staff25"), hands, "BJ LJ D7 S3 S4 S6 S8 C8"))
    events = fold_passes(state)
    assert DeclarerNamed(Seat(0), Level.TWO) in events
    assert TrumpTurned(parse_cards("BJ LJ D7"), Trump.DIAMONDS) in events
    assert events[-2:] == (KittyTaken(Seat(0), 8), PhaseBegan(Phase.BURY, Seat(0)))


def test_a_level_without_level_cards_is_not_declared() -> None:
    """§3.13."""
    top = Standing(deals_played=9, levels=(Level.NO_TRUMP, Level.SIX), declarer=Seat(2))
    state = dealt_table(load("notrump_final"), ["S9", "C9", "H9", "D9"], KITTY, 2, top)
    state, events = act(state, DrawOn())
    assert events == (CardsDrawn(1), KittyTaken(Seat(2), 8), PhaseBegan(Phase.BURY, Seat(2)))
    state, events = act(state, BuryKitty(Seat(2), parse_cards(KITTY)))
    assert events[2:] == (TrumpFixed(Trump.NONE), PhaseBegan(Phase.PLAY, Seat(2)))


def test_others_declare_with_their_own_level_and_take_the_deal() -> None:
    """§3.15."""
    hands = ["S9 S8", "C6 LJ", "H9 H8", "D9 D8"]
    state = drawn(dealt_table(load("sheng_joker"), hands, KITTY, 0, FOURTH))
    assert DECIDER.actors(state) == (Seat(0),)
    state, _ = act(state, Pass(Seat(0)), Pass(Seat(2)))
    state, events = act(state, show(1, "C6 LJ"))
    assert events[1] == DeclarerNamed(Seat(1), Level.SIX)
    assert deal_of(state).level is Level.SIX


def test_a_topped_pair_changes_hands() -> None:
    """§3.14."""
    hands = ["SA SA S9", "HK HK H9", "C8 C7 C6", "D8 D7 D6"]
    state, _ = act(drawn(dealt_table(load("tian5"), hands)), show(0, "SA SA"))
    state, events = act(state, show(1, "HK HK", "SA H9"))
    assert events[:3] == (
        TrumpDeclared(Seat(1), ShowKind.OVERTURN, parse_cards("HK HK"), 2),
        PairTopped(Seat(1), Seat(0), parse_cards("SA SA")),
        CardsReturned(Seat(1), Seat(0), in_order("SA H9")),
    )
    assert CardsReturned.secret
    assert deal_of(state).hands[0] == in_order("S9 SA H9")
    assert deal_of(state).hands[1] == in_order("SA HK HK")


def test_the_holders_lead_when_roles_alternate() -> None:
    """§9.3: the side of the last show attacks in the first deal, then the sides change."""
    hands = ["SA SA S9", "H9 H8 H7", "C8 C7 C6", "D8 D7 D6"]
    state = all_pass(act(drawn(dealt_table(load("tian5"), hands)), show(0, "SA SA"))[0])
    assert (deal_of(state).attackers, deal_of(state).leader) == (Side(0), Seat(1))
    fourth = Standing(deals_played=1, first_attackers=Side(0), last_first=Seat(3))
    state = drawn(dealt_table(load("tian5"), hands, standing=fourth))
    assert deal_of(state).attackers == Side(1)
    state = all_pass(act(state, show(0, "SA SA"))[0])
    assert (deal_of(state).attackers, deal_of(state).leader) == (Side(1), Seat(0))


def fold_passes(state: MatchState) -> tuple[object, ...]:
    told: tuple[object, ...] = ()
    while deal_of(state).phase is Phase.CLOSING:
        state, events = act(state, Pass(DECIDER.actors(state)[0]))
        told = (*told, *events)
    return told


THROWN = ("SQ SJ SJ", "SA S3 S4", "SK SK D2", "H2 H3 H4")


def test_a_failed_throw_leads_its_lowest_blocked_unit() -> None:
    state = in_play(dealt_table(load("multi2"), THROWN, KITTY), Trump.HEARTS)
    state, events = plays(state, "SQ SJ SJ")
    assert events == (
        ThrowFailed(Seat(0), parse_cards("SJ SJ SQ"), parse_cards("SJ SJ SQ")),
        CardsPlayed(Seat(0), parse_cards("SQ"), is_forced=True),
    )
    assert deal_of(state).hands[0] == parse_cards("SJ SJ")


def test_a_failed_throw_is_fined() -> None:
    state = in_play(dealt_table(load("sheng_joker"), THROWN, KITTY), Trump.HEARTS)
    state, events = plays(state, "SQ SJ SJ")
    assert isinstance(events[0], ThrowFailed)
    assert events[0].fine == 30
    assert DECIDER.observe(state, None).fines == (30, 0)
    assert DECIDER.observe(state, None).score == 30


def test_a_failed_throw_costs_coins() -> None:
    state = in_play(dealt_table(load("sheng_online"), THROWN, KITTY), Trump.HEARTS)
    state, events = plays(state, "SQ SJ SJ")
    assert isinstance(events[0], ThrowFailed)
    assert (events[0].fine, events[0].coins) == (0, (-10, 5, 0, 5))
    assert DECIDER.observe(state, None).coins == (-10, 5, 0, 5)


@pytest.mark.parametrize(("shape", "forced"), [(SINGLE, "SQ"), (PAIR, "SJ SJ")])
def test_the_opponents_name_what_is_led(shape: tuple[int, int], forced: str) -> None:
    state = in_play(dealt_table(load("sixteen_deals"), THROWN, KITTY, 0), Trump.HEARTS)
    state, events = plays(state, "SQ SJ SJ")
    assert isinstance(events[0], ThrowFailed)
    assert events[0].choices == (SINGLE, PAIR)
    assert events[1:] == (PhaseBegan(Phase.NAME_SHAPE, Seat(1)),)
    assert DECIDER.observe(state, None).failed == events[0]
    assert DECIDER.fallback(state, Seat(1)) == NameShape(Seat(1), SINGLE)
    named = SINGLE if shape == SINGLE else PAIR
    state, events = act(state, NameShape(Seat(1), named))
    assert events == (
        ShapeNamed(Seat(1), named),
        PhaseBegan(Phase.PLAY, Seat(0)),
        CardsPlayed(Seat(0), parse_cards(forced), is_forced=True),
    )
    assert deal_of(state).turn == 1
    assert deal_of(state).leader == 0


def test_a_trick_goes_to_the_best_play_with_its_points() -> None:
    hands = ("S9 C5", "SK C6", "ST C7", "H5 C8")
    state = in_play(dealt_table(load("multi2"), hands, KITTY), Trump.HEARTS)
    state, events = plays(state, "S9", "SK", "ST")
    assert DECIDER.observe(state, None).best == 1
    state, events = plays(state, "H5")
    assert events[-1] == TrickEnded(Seat(3), 25)
    view = DECIDER.observe(state, None)
    assert (view.leader, view.turn, view.taken, view.score) == (3, 3, (0, 25), 25)
    assert [play.cards for play in view.last_trick] == [
        parse_cards(card) for card in ("S9", "SK", "ST", "H5")
    ]


def test_the_last_trick_is_not_shown_where_it_may_not_be_looked_at() -> None:
    ruleset = load("multi2").with_options({"last_trick_shown": "false"})
    hands = ("S9 C5", "SK C6", "ST C7", "H5 C8")
    state, _ = plays(in_play(dealt_table(ruleset, hands, KITTY), Trump.HEARTS), "S9", "SK", "ST", "H5")
    assert DECIDER.observe(state, Seat(0)).last_trick == ()


def test_attackers_capture_the_kitty_with_the_last_trick() -> None:
    hands = ("SQ SQ", "SA SA", "S3 S4", "C7 C8")
    state = in_play(dealt_table(load("multi2"), hands, RICH_KITTY), Trump.HEARTS)
    state, events = plays(state, "SQ SQ", "SA SA", "S3 S4", "C7 C8")
    captured, settled = events[-2:]
    assert captured == KittyCaptured(Seat(1), in_order(RICH_KITTY), 4, 100)
    assert isinstance(settled, DealSettled)
    assert (settled.outcome.score, settled.outcome.captured) == (100, 100)
    assert settled.outcome.deal_passes
    assert settled.winners == (1, 3)
    assert state.standing.declarer == 1


def test_declarers_keep_the_kitty() -> None:
    hands = ("SA SA", "SQ SQ", "S3 S4", "C7 C8")
    state = in_play(dealt_table(load("multi2"), hands, RICH_KITTY), Trump.HEARTS)
    state, events = plays(state, "SA SA", "SQ SQ", "S3 S4", "C7 C8")
    settled = events[-1]
    assert isinstance(settled, DealSettled)
    assert not any(isinstance(event, KittyCaptured) for event in events)
    assert (settled.outcome.score, settled.scores) == (0, (3, 0, 3, 0))
    assert state.standing.levels == (Level.FIVE, Level.TWO)
    assert state.standing.declarer == 2


def test_the_last_trick_itself_counts_more_where_there_is_no_kitty() -> None:
    """§7.5: a pair, four times instead of once."""
    hands = ("S9 S9", "SK SK", "ST S4", "C7 C8")
    state = in_play(dealt_table(load("tian5"), hands), Trump.HEARTS)
    state, events = plays(state, "S9 S9", "SK SK", "ST S4", "C7 C8")
    settled = events[-1]
    assert isinstance(events[-2], KittyCaptured)
    assert (events[-2].multiplier, events[-2].points) == (4, 90)
    assert isinstance(settled, DealSettled)
    assert settled.outcome.score == 120
    assert settled.scores == (0, 2, 0, 2)
